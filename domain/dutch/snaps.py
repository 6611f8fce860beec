"""Judge snaps: a card discarded out of turn because it matches the top discard."""

from msgspec.structs import replace

from domain.dutch import order, pile, proof
from domain.dutch.state import Deal, with_seat
from domain.dutch.turns import discard
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas import dutch as entries

WINDOW = "dutch.snap-window"


def judge_snap(game: Game, entry: entries.Snap, version: int) -> Game | Refusal:
    """Judge a snap. A wrong card returns, with penalty cards (`dutch.snap-match`)."""
    deal: Deal = game.deal
    refusal = _refuse_by_sight(deal, entry)
    if refusal is not None:
        return refusal
    if not matches(deal, entry):
        given, drawn = pile.add_penalty_cards(deal, entry.seat, game.options.penalty, version)
        known = deal.knowledge and proof.learn_wrong_snap(deal.knowledge, entry, drawn, version)
        if isinstance(known, Refusal):
            return known
        return replace(game, deal=replace(given, knowledge=known))
    snapped = discard(deal, entry, version)
    if isinstance(snapped, Refusal):
        return snapped
    row = deal.rows[entry.seat] & ~(1 << entry.slot)
    snapped = replace(snapped, rows=with_seat(deal.rows, entry.seat, row))
    return order.end_if_revealed(game, snapped if row else order.empty_row(snapped, entry.seat))


def _refuse_by_sight(deal: Deal, entry: entries.Snap) -> Refusal | None:
    if not deal.snap_allowed and (deal.rows_final or WINDOW not in entry.waive):
        rule = "table.phase" if WINDOW in entry.waive else WINDOW
        facts = {"seat": entry.seat, "card": entry.card, **deal.moment}
        return Refusal(rule, facts=facts)
    if not deal.has_card(entry.seat, entry.slot):
        return Refusal("dutch.place", facts={"seat": entry.seat, "slot": entry.slot})
    return None


def matches(deal: Deal, entry: entries.Snap) -> bool:
    return deal.top is not None and deal.top.card[0] == entry.card[0]
