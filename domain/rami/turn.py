"""A turn: a card drawn or taken, then layings, then a discard. What holds for all of it.

Every entry of a turn is judged by the deal as it is for the seat that acts (`acting`): where the
table let somebody act out of turn, that seat's turn begins and what another still owed lapses.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.inference.knowledge import Evidence, Knowledge
from domain.rami import proof, score
from domain.rami.combinations import Defect
from domain.rami.state import PILE, Deal, Debt, Thrown, slot, thrown
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game
from schemas import rami as entries
from schemas.entries import Entry

TURN, DRAW_FIRST, STOCK_EMPTY = "table.turn", "rami.draw-first", "rami.stock-empty"
TAKE_USE, SWAP_USE = "rami.take-use", "rami.swap-use"
Moving = entries.Draw | entries.Take | entries.Meld | entries.Add | entries.SwapJoker
Acting = Moving | entries.Discard


def refuse_turn(deal: Deal, entry: Acting, *, drawn: bool) -> Refusal | None:
    """Judge when a seat acts: `table.phase`, `table.turn`, `rami.draw-first`.

    `drawn`: the entry belongs after the card that begins the turn, not to it.
    """
    if deal.winner is not None:
        return Refusal("table.phase", facts={"phase": deal.phase.value})
    on_turn = entry.seat == deal.to_act
    if not on_turn and TURN not in entry.waive:
        return Refusal(TURN, facts={"seat": entry.seat})
    if (on_turn and deal.drawn) != drawn and DRAW_FIRST not in entry.waive:
        return Refusal(DRAW_FIRST, facts={"seat": entry.seat})
    return None


def acting(deal: Deal, seat: int) -> Deal:
    """Return the deal with the turn at `seat`: a new one, unless it is there already."""
    return deal if seat == deal.to_act else replace(deal, to_act=seat, drawn=False, owed=())


def broken(defects: Iterable[Defect], entry: Entry) -> Defect | None:
    """Find the first thing wrong that the entry does not waive."""
    return next((one for one in defects if not any(rule in entry.waive for rule in one)), None)


def counts_with(deal: Deal, seat: int, change: int) -> tuple[int, ...]:
    """Return the hand sizes when a seat's changes."""
    return (*deal.counts[:seat], deal.counts[seat] + change, *deal.counts[seat + 1 :])


def refuse_draw(game: Game, entry: entries.Draw, version: int) -> Refusal | None:
    """Judge a card drawn: the turn, `rami.stock-empty`, then what is known of the stock."""
    deal: Deal = game.deal
    refusal = refuse_turn(deal, entry, drawn=False)
    if refusal is not None:
        return refusal
    keep_top = _keeps_top(game)
    nothing_there = deal.pile is None or (keep_top and deal.pile[1] is None)
    if deal.stock == 0 and nothing_there:
        return Refusal(STOCK_EMPTY, facts={"seat": entry.seat})
    if deal.knowledge is None:
        return None
    before = proof.rebuilt(deal.pile, keep_top=keep_top, version=version) if not deal.stock else ()
    found = proof.drawn(deal.knowledge, entry, before, version)
    return found if isinstance(found, Refusal) else None


def drawn_from(game: Game, version: int) -> Knowledge | None:
    """Return what is known when a card can be drawn: an empty stock is rebuilt first."""
    deal: Deal = game.deal
    if deal.knowledge is None or deal.stock:
        return deal.knowledge
    rebuilt = proof.rebuilt(deal.pile, keep_top=_keeps_top(game), version=version)
    return deal.knowledge.surely(*rebuilt)


def _keeps_top(game: Game) -> bool:
    options: entries.Options = game.options
    return options.reshuffle == "keep_top"


def apply_draw(game: Game, entry: entries.Draw, version: int) -> Game:
    """Draw; an empty stock is first rebuilt from the discard pile (`rami.stock-empty`)."""
    deal = acting(game.deal, entry.seat)
    stock, pile = deal.stock, deal.pile
    before: tuple[Evidence, ...] = ()
    if stock == 0 and pile is not None:
        keep_top = _keeps_top(game)
        stock = sum(1 for _ in thrown(pile)) - keep_top
        before = proof.rebuilt(pile, keep_top=keep_top, version=version)
        pile = (pile[0], None) if keep_top else None
    knowledge = deal.knowledge
    if knowledge is not None:
        found = proof.drawn(knowledge, entry, before, version)
        knowledge = None if isinstance(found, Refusal) else found
    drawn = replace(
        deal,
        drawn=True,
        counts=counts_with(deal, entry.seat, 1),
        stock=stock - 1,
        pile=pile,
        knowledge=knowledge,
    )
    return replace(game, deal=drawn)


def refuse_take(game: Game, entry: entries.Take, _version: int) -> Refusal | None:
    """Judge the top discard taken: the turn, then `rami.stock-empty` where nothing lies there."""
    deal: Deal = game.deal
    refusal = refuse_turn(deal, entry, drawn=False)
    if refusal is not None:
        return refusal
    return Refusal(STOCK_EMPTY, facts={"seat": entry.seat}) if deal.pile is None else None


def apply_take(game: Game, entry: entries.Take, version: int) -> Game:
    """Take the top discard, to be laid in the same turn (`rami.take-use`)."""
    deal = acting(game.deal, entry.seat)
    assert deal.pile is not None  # noqa: S101 judged: `rami.stock-empty`
    top, below = deal.pile
    known = deal.knowledge
    took = replace(
        deal,
        drawn=True,
        counts=counts_with(deal, entry.seat, 1),
        pile=below,
        owed=(*deal.owed, Debt(top.code, TAKE_USE)),
        knowledge=None if known is None else proof.taken(known, entry.seat, top, version),
    )
    return replace(game, deal=took)


def refuse_discard(game: Game, entry: entries.Discard, version: int) -> Refusal | None:
    """Judge a discard: the turn, what is still owed, then whether the hand can hold the card."""
    deal: Deal = game.deal
    refusal = refuse_turn(deal, entry, drawn=True)
    if refusal is not None:
        return refusal
    if deal.knowledge is not None:
        found = proof.thrown_away(deal.knowledge, entry, version)
        if isinstance(found, Refusal):
            return found
    owed = acting(deal, entry.seat).owed
    if not owed:
        return None
    unmet = next((debt for debt in owed if debt.clause not in entry.waive), None)
    if unmet is None:
        return None
    facts: dict[str, Fact] = {"seat": entry.seat, "card": unmet.code}
    return Refusal(unmet.clause, facts=facts)


def apply_discard(game: Game, entry: entries.Discard, version: int) -> Game:
    """Throw a card and end the turn, or the deal if it was the last one (`rami.out`)."""
    deal: Deal = game.deal
    known = deal.knowledge
    if known is not None:
        found = proof.thrown_away(known, entry, version)
        known = None if isinstance(found, Refusal) else found
    card = Thrown(entry.card, slot(version) if entry.unsure else PILE, version)
    threw = replace(
        deal,
        to_act=(entry.seat + 1) % game.seats,
        drawn=False,
        owed=(),
        counts=counts_with(deal, entry.seat, -1),
        pile=(card, deal.pile),
        knowledge=known,
    )
    return score.unless_out(replace(game, deal=threw), entry.seat)
