"""What the entries of Dutch prove about unseen cards, and why an entry cannot be true.

Every slot and every position of the discard pile is a place with one card, so that a card keeps
what is known of it wherever it goes. An entry is judged as if its cards were certain and then,
marked unsure, leaves known only that its cards moved.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from domain.dutch import score
from domain.dutch.state import HAND, PACK, STOCK, Deal, pile_place, slot_place
from domain.inference import bounds
from domain.inference.knowledge import (
    Carried,
    Evidence,
    Knowledge,
    Seen,
    Summed,
    Swapped,
    Unseen,
    nothing_seen,
)
from domain.inference.worlds import Place
from domain.table.refusal import Fact, Refusal
from schemas import dutch as entries
from schemas.cards import UNSEEN

IMPOSSIBLE = "cards.impossible"
Facts = Mapping[str, Fact]


def dealt(entry: entries.Deal, seats: int, version: int) -> Knowledge | None:
    """Return what a deal shows; None when a card is shown twice."""
    shown: list[Evidence] = []
    hidden: list[Evidence] = []
    hands = entry.hands or (None,) * seats
    for seat, hand in enumerate(hands):
        for slot, card in enumerate(hand or (UNSEEN,) * 4):
            (hidden if card == UNSEEN else shown).append(
                _leaves(STOCK, slot_place(seat, slot), card, version)
            )
    turned = UNSEEN if entry.unsure else entry.up
    shown.append(_leaves(STOCK, pile_place(0), turned, version))
    shown.sort(key=lambda piece: isinstance(piece, Unseen))
    return nothing_seen(PACK, STOCK).learn_all((*shown, *hidden))


def _leaves(source: Place, target: Place, card: str, version: int) -> Evidence:
    """Let one card pass from one place to another, its face seen unless it is `??`."""
    if card == UNSEEN:
        return Unseen(source, target, 1, version)
    return Seen(source, PACK.copies[card], target, version)


def looked(
    known: Knowledge, places: Sequence[Place], entry: entries.Look | entries.Peek, version: int
) -> Knowledge | Refusal:
    """Judge cards looked at where they lie; those not told prove nothing."""
    if isinstance(entry, entries.Look):
        cards: Sequence[str] = entry.cards or ()
    else:
        cards = (entry.card,) if entry.card else ()
    pieces = _shown(places, cards, version)
    return learn(known, pieces, {"seat": entry.seat}, () if entry.unsure else None)


def _shown(places: Iterable[Place], cards: Iterable[str], version: int) -> tuple[Seen, ...]:
    """Let each card that was seen be seen at its place and stay there."""
    return tuple(
        Seen(place, PACK.copies[card], place, version)
        for place, card in zip(places, cards, strict=False)
        if card != UNSEEN
    )


def drawn(
    known: Knowledge, entry: entries.Draw, renewing: tuple[Evidence, ...], version: int
) -> Knowledge | Refusal:
    """Judge a card drawn from the stock, renewed first if it must be."""
    hidden = (*renewing, Unseen(STOCK, HAND, 1, version))
    if not entry.card:
        return _moved(known, hidden)
    seen = (*renewing, Seen(STOCK, PACK.copies[entry.card], HAND, version))
    facts: Facts = {"seat": entry.seat, "card": entry.card}
    return learn(known, seen, facts, hidden if entry.unsure else None)


def discarded(
    known: Knowledge, deal: Deal, entry: entries.Swap | entries.Drop | entries.Snap, version: int
) -> Knowledge | Refusal:
    """Judge a card put on the pile; swapped, the card in hand then lies in its slot."""
    pile = pile_place(deal.discards)
    source = HAND if isinstance(entry, entries.Drop) else slot_place(entry.seat, entry.slot)
    swapped = isinstance(entry, entries.Swap)
    after = (Carried(HAND, source, version),) if swapped else ()
    seen = Seen(source, PACK.copies[entry.card], pile, version)
    unsure = (Carried(source, pile, version), *after) if entry.unsure else None
    return learn(known, (seen, *after), {"seat": entry.seat, "card": entry.card}, unsure)


def mistaken(
    known: Knowledge, entry: entries.Snap, given: tuple[Evidence, ...], version: int
) -> Knowledge | Refusal:
    """Judge a card snapped by mistake: it goes back to its slot, and penalty cards are drawn."""
    place = slot_place(entry.seat, entry.slot)
    seen = Seen(place, PACK.copies[entry.card], place, version)
    facts: Facts = {"seat": entry.seat, "card": entry.card}
    return learn(known, (seen, *given), facts, given if entry.unsure else None)


def revealed(
    known: Knowledge, deal: Deal, entry: entries.Reveal, red_kings: str, version: int
) -> Knowledge | Refusal:
    """Judge a row turned up, by its cards, its points or both."""
    places = places_of(deal, entry.seat)
    pieces: tuple[Evidence, ...] = _shown(places, entry.cards or (), version)
    if isinstance(entry.points, int):
        pieces = (*pieces, Summed(places, score.values(red_kings), entry.points, version))
    judged = learn(known, pieces, {"seat": entry.seat}, () if entry.unsure else None)
    if not isinstance(judged, Refusal) or judged.rule != IMPOSSIBLE or entry.cards:
        return judged
    found = bounds.numbers(known, PACK, places, len(places), score.values(red_kings))
    return replace(judged, facts=found.facts(entry.seat, int(entry.points or 0)))


def totals_possible(known: Knowledge, deal: Deal, totals: tuple[int, ...], red_kings: str) -> bool:
    """Tell whether the rows, which change no more, can be worth `totals`, all together."""
    each = score.values(red_kings)
    told = (
        Summed(places_of(deal, seat), each, total, deal.version)
        for seat, total in enumerate(totals)
    )
    return known.learn_all(told) is not None


def places_of(deal: Deal, seat: int) -> tuple[Place, ...]:
    """Return the places of a row that hold a card, in slot order."""
    row = deal.rows[seat]
    return tuple(slot_place(seat, slot) for slot in range(deal.used[seat]) if row >> slot & 1)


def moved(known: Knowledge | None, *evidence: Evidence) -> Knowledge | None:
    """Add what can always be true: cards that pass unseen, or change places."""
    return None if known is None else _moved(known, evidence)


def _moved(known: Knowledge, evidence: Iterable[Evidence]) -> Knowledge:
    learnt = known.learn_all(evidence)
    if learnt is None:
        message = "cards that nobody names can always move"
        raise AssertionError(message)
    return learnt


def taken(known: Knowledge | None, deal: Deal, version: int) -> Knowledge | None:
    """Let the top discard pass to the hand, as well known as before."""
    number = deal.top.number if deal.top else 0
    return moved(known, Carried(pile_place(number), HAND, version))


def traded(known: Knowledge | None, entry: entries.Trade, version: int) -> Knowledge | None:
    """Let two slots change their cards, and what is known of them."""
    return moved(known, Swapped(slot_place(*entry.a), slot_place(*entry.b), version))


def learn(
    known: Knowledge,
    judged: Sequence[Evidence],
    facts: Facts,
    unsure: Sequence[Evidence] | None = None,
) -> Knowledge | Refusal:
    """Add what an entry shows, or say why no deal allows it; `unsure` is kept in its place."""
    learnt = known.learn_all(judged)
    if learnt is None:
        return _explain(known, judged, facts)
    return learnt if unsure is None else _moved(known, unsure)


def _explain(known: Knowledge, pieces: Sequence[Evidence], facts: Facts) -> Refusal:
    """Say why: a card that lies elsewhere, a place that holds another card, or all together."""
    seen = [piece for piece in pieces if isinstance(piece, Seen)]
    for piece in seen:
        at = known.place_of(piece.copies)
        if at is not None and at != piece.source:
            naming = known.naming(piece.copies)
            return Refusal("cards.seen", naming.version if naming else None, _about(facts, piece))
    for piece in seen:
        there = known.known_at(piece.source)
        if there and not there & piece.copies:
            naming = known.last_named(there)
            rule = "cards.held" if piece.source == HAND else "dutch.place"
            return Refusal(rule, naming.version if naming else None, _about(facts, piece))
    in_row = all(piece.source not in {STOCK, HAND} for piece in seen)
    told = {**facts, "why": "row"} if in_row else facts
    return Refusal(IMPOSSIBLE, _culprit(known, pieces), told)


def _about(facts: Facts, piece: Seen) -> Facts:
    return {**facts, "card": PACK.named(piece.copies)[0]}


def _culprit(known: Knowledge, pieces: Sequence[Evidence]) -> int | None:
    """Find the one earlier entry without whose cards the refused one would stand, if one is."""
    trail = known.evidence()
    alone: list[int] = []
    for version in dict.fromkeys(
        piece.version for piece in trail if isinstance(piece, Seen | Summed)
    ):
        less = [kept for piece in trail for kept in _unnamed(piece, version)]
        fresh = Knowledge(known.origin, known.origin).learn_all(less)
        if fresh is not None and fresh.learn_all(pieces) is not None:
            alone.append(version)
    return alone[0] if len(alone) == 1 else None


def _unnamed(piece: Evidence, version: int) -> tuple[Evidence, ...]:
    """Return a piece of evidence, of an entry to be doubted only what moved."""
    if piece.version != version or not isinstance(piece, Seen | Summed):
        return (piece,)
    if isinstance(piece, Summed) or piece.source == piece.target:
        return ()
    if piece.source == STOCK:
        return (Unseen(STOCK, piece.target, 1, version),)
    return (Carried(piece.source, piece.target, version),)
