"""Find the fact that broke a clause, for the sentence of a refusal."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from domain.dutch.state import CARDS_EACH, HAND, OF_RANK, PACK, STOCK, Deal, slot_at
from domain.inference import Evidence, Knowledge, Narrowed, Place, Seen
from domain.table.cards import Cards
from domain.table.refusal import Fact, Refusal
from schemas import dutch as entries

Facts = dict[str, Fact]


def explain_place(refusal: Refusal) -> Refusal:
    facts = dict(refusal.facts)
    lies = facts.pop("lies", None)
    if not isinstance(lies, int):
        return refusal
    if lies > HAND:
        holder, slot = slot_at(lies)
        return replace(refusal, facts={**facts, "where": "row", "holder": holder, "lying": slot})
    where = {STOCK: "stock", HAND: "hand"}.get(lies, "pile")
    return replace(refusal, facts={**facts, "where": where})


def explain_turn(deal: Deal, seat: int) -> Facts:
    facts: Facts = {"seat": seat, "turn": deal.turn}
    return facts if deal.caller is None else {**facts, "why": "last round"}


def explain_call(deal: Deal, seat: int) -> Facts:
    if deal.caller is not None:
        return {"seat": seat, "why": "said", "turn": deal.caller}
    return {"seat": seat, **_moment(deal, seat)}


def explain_counter(deal: Deal, seat: int) -> Facts:
    if seat == deal.caller:
        return {"seat": seat, "why": "own"}
    if deal.counter is not None:
        return {"seat": seat, "why": "said", "turn": deal.counter}
    return {"seat": seat, **_moment(deal, seat)}


def _moment(deal: Deal, seat: int) -> Facts:
    if not deal.rows[seat]:
        return {"why": "empty"}
    if deal.over:
        return {"why": "over"}
    if seat == deal.turn:
        return {"why": "middle"}
    return {"why": "other", "turn": deal.turn}


def explain_look(deal: Deal, entry: entries.Look) -> Facts:
    one, other = entry.slots
    why = "begun"
    if one == other:
        why = "same"
    elif max(one, other) >= CARDS_EACH:
        why = "new"
    elif deal.looked >> entry.seat & 1:
        why = "once"
    return {"seat": entry.seat, "slot": max(one, other), "why": why, **deal.moment}


def explain_penalty(deal: Deal, seat: int) -> Facts:
    return {"seat": seat, "why": "fixed" if deal.rows_final else "empty"}


def explain_rank_excess(known: Knowledge, pieces: Sequence[Evidence]) -> Facts:
    """Count the cards of a rank in an entry and elsewhere, if there are too many.

    Return nothing while several deals are possible (`forked`).
    """
    if known.forked:
        return {}
    shown = [piece for piece in pieces if isinstance(piece, Seen | Narrowed)]
    named = [piece.copies if isinstance(piece, Seen) else piece.cards for piece in shown]
    for rank, cards in OF_RANK.items():
        here = [copies for copies in named if not copies & ~cards]
        elsewhere = _proved_elsewhere(known, cards, _places(shown))
        if here and len(here) + elsewhere > cards.bit_count():
            if len(here) > 1:
                why = "rank too often" if elsewhere else "rank named too often"
                return {"card": rank, "why": why, "named": len(here), "elsewhere": elsewhere}
            card = rank if here[0].bit_count() > 1 else PACK.named(here[0])[0]
            return {"card": card, "why": "rank spent"}
    return {}


def _places(shown: Iterable[Seen | Narrowed]) -> set[Place]:
    places: set[Place] = set()
    for piece in shown:
        places |= {piece.source, piece.target} if isinstance(piece, Seen) else {piece.place}
    return places


def _proved_elsewhere(known: Knowledge, cards: Cards, here: set[Place]) -> int:
    """Count the cards that lie at other places in every deal that fits."""
    world = known.world
    seen = (lying & cards for place, lying in world.known.items() if place not in here)
    unseen = (
        pool.assignment
        for pool in world.pools
        if pool.place not in here and not pool.candidates & world.unseen & ~cards
    )
    return sum(lying.bit_count() for lying in (*seen, *unseen))
