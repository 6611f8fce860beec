"""Judge the rows revealed after the turns, in any order. The last one ends the deal."""

from msgspec import UNSET
from msgspec.structs import replace

from domain.dutch import order, proof, score
from domain.dutch.dealing import refuse_row_size
from domain.dutch.state import Deal, with_seat
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game
from schemas import dutch as entries


def to_reveal(deal: Deal) -> tuple[int, ...]:
    return tuple(seat for seat, row in enumerate(deal.rows) if row and deal.totals[seat] is None)


def judge_reveal(game: Game, entry: entries.Reveal, version: int) -> Game | Refusal:
    """Judge a revealed row and count it. No row changes after the first reveal."""
    deal: Deal = game.deal
    red_kings = game.options.red_kings
    refusal = _refuse_by_sight(deal, entry)
    if refusal is not None:
        return refusal
    known = deal.knowledge and proof.learn_reveal(deal.knowledge, deal, entry, red_kings, version)
    if isinstance(known, Refusal):
        return known
    total = entry.points
    if total is UNSET:
        total = score.total(entry.cards or (), red_kings)
    shown = replace(
        deal,
        knowledge=known,
        rows_final=True,
        snap_allowed=False,
        powers=(),
        totals=with_seat(deal.totals, entry.seat, total),
    )
    return order.end_if_revealed(game, shown)


def _refuse_by_sight(deal: Deal, entry: entries.Reveal) -> Refusal | None:
    if not deal.over:
        return Refusal("table.phase", facts=deal.moment)
    if deal.totals[entry.seat] is not None:
        facts: dict[str, Fact] = {"seat": entry.seat, "why": "revealed", **deal.moment}
        return Refusal("table.phase", facts=facts)
    if not deal.rows[entry.seat] and "table.turn" not in entry.waive:
        return Refusal("table.turn", facts={"seat": entry.seat, "why": "empty"})
    if entry.cards is UNSET:
        return None
    return refuse_row_size(entry.seat, entry.cards, deal.rows[entry.seat].bit_count())
