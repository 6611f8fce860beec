"""Judge a turn: a card drawn or taken, then melds, then a discard.

Every entry is judged on the deal as it is for the acting seat (`begin_turn`): if a waiver let an
entry pass out of turn, that seat's turn begins and another seat's debts lapse.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.inference import Evidence, Knowledge
from domain.rami import proof, score
from domain.rami.combinations import Defect
from domain.rami.state import PILE, Deal, Debt, DiscardedCard, pile_cards, unsure_place
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game
from schemas import rami as entries
from schemas.entries import Entry

TURN, DRAW_FIRST, STOCK_EMPTY = "table.turn", "rami.draw-first", "rami.stock-empty"
TAKE_USE, SWAP_USE = "rami.take-use", "rami.swap-use"
Moving = entries.Draw | entries.Take | entries.Meld | entries.Add | entries.SwapJoker
Acting = Moving | entries.Discard


def refuse_turn(deal: Deal, entry: Acting, *, drawn: bool) -> Refusal | None:
    """Check that a seat may act: `table.phase`, `table.turn`, `rami.draw-first`.

    `drawn`: the entry must follow the card that begins the turn.
    """
    if deal.winner is not None:
        return Refusal("table.phase", facts={"phase": deal.phase.value})
    on_turn = entry.seat == deal.to_act
    if not on_turn and TURN not in entry.waive:
        facts: dict[str, Fact] = {"seat": entry.seat, "turn": deal.to_act}
        return Refusal(TURN, facts={**facts, "why": "not thrown"} if deal.drawn else facts)
    if (on_turn and deal.drawn) != drawn and DRAW_FIRST not in entry.waive:
        return Refusal(DRAW_FIRST, facts={"seat": entry.seat, "why": "due" if drawn else "drawn"})
    return None


def begin_turn(deal: Deal, seat: int) -> Deal:
    """Return the deal with the turn at `seat`, a new turn unless it has it already."""
    return deal if seat == deal.to_act else replace(deal, to_act=seat, drawn=False, debts=())


def first_not_waived(defects: Iterable[Defect], entry: Entry) -> Defect | None:
    return next(
        (defect for defect in defects if not any(rule in entry.waive for rule in defect)), None
    )


def change_hand_size(deal: Deal, seat: int, change: int) -> tuple[int, ...]:
    return (*deal.counts[:seat], deal.counts[seat] + change, *deal.counts[seat + 1 :])


def judge_draw(game: Game, entry: entries.Draw, version: int) -> Game | Refusal:
    """Judge a draw. An empty stock is first rebuilt from the discard pile."""
    refusal = refuse_turn(game.deal, entry, drawn=False)
    if refusal is not None:
        return refusal
    deal = begin_turn(game.deal, entry.seat)
    stock, pile, keep_top = deal.stock, deal.pile, _keeps_top(game)
    before: tuple[Evidence, ...] = ()
    if stock == 0:
        if pile is None or (keep_top and pile[1] is None):
            return Refusal(STOCK_EMPTY, facts={"seat": entry.seat})
        stock = sum(1 for _ in pile_cards(pile)) - keep_top
        before = proof.rebuild_evidence(pile, keep_top=keep_top, version=version)
        pile = (pile[0], None) if keep_top else None
    known = deal.knowledge and proof.learn_draw(deal.knowledge, entry, before, version)
    if isinstance(known, Refusal):
        return known
    drawn = replace(
        deal,
        drawn=True,
        counts=change_hand_size(deal, entry.seat, 1),
        stock=stock - 1,
        pile=pile,
        knowledge=known,
    )
    return replace(game, deal=drawn)


def knowledge_before_draw(game: Game, version: int) -> Knowledge | None:
    """Return the knowledge before a draw: an empty stock is rebuilt first."""
    deal: Deal = game.deal
    if deal.knowledge is None or deal.stock:
        return deal.knowledge
    rebuilt = proof.rebuild_evidence(deal.pile, keep_top=_keeps_top(game), version=version)
    return deal.knowledge.learn_certain(*rebuilt)


def _keeps_top(game: Game) -> bool:
    options: entries.Options = game.options
    return options.reshuffle == "keep_top"


def judge_take(game: Game, entry: entries.Take, version: int) -> Game | Refusal:
    """Judge the top discard being taken. It must be melded in the same turn (`rami.take-use`)."""
    refusal = refuse_turn(game.deal, entry, drawn=False)
    if refusal is not None:
        return refusal
    deal = begin_turn(game.deal, entry.seat)
    if deal.pile is None:
        return Refusal(STOCK_EMPTY, facts={"seat": entry.seat})
    top, below = deal.pile
    took = replace(
        deal,
        drawn=True,
        counts=change_hand_size(deal, entry.seat, 1),
        pile=below,
        debts=(*deal.debts, Debt(top.code, TAKE_USE)),
        knowledge=deal.knowledge and proof.learn_take(deal.knowledge, entry.seat, top, version),
    )
    return replace(game, deal=took)


def judge_discard(game: Game, entry: entries.Discard, version: int) -> Game | Refusal:
    """Judge a discard. It ends the turn, or the deal if it is the last card (`rami.out`)."""
    deal: Deal = game.deal
    refusal = refuse_turn(deal, entry, drawn=True)
    if refusal is not None:
        return refusal
    known = deal.knowledge and proof.learn_discard(deal.knowledge, entry, version)
    if isinstance(known, Refusal):
        return known
    refusal = _refuse_owing(begin_turn(deal, entry.seat), entry)
    if refusal is not None:
        return refusal
    card = DiscardedCard(entry.card, unsure_place(version) if entry.unsure else PILE, version)
    threw = replace(
        deal,
        to_act=(entry.seat + 1) % game.seats,
        drawn=False,
        debts=(),
        counts=change_hand_size(deal, entry.seat, -1),
        pile=(card, deal.pile),
        knowledge=known,
    )
    return score.go_out_if_empty(replace(game, deal=threw), entry.seat, version)


def _refuse_owing(deal: Deal, entry: entries.Discard) -> Refusal | None:
    for debt in deal.debts:
        if debt.clause not in entry.waive:
            return Refusal(debt.clause, facts={"seat": entry.seat, "card": debt.code})
    return None
