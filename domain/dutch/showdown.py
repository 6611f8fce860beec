"""After the turns: rows are revealed, in any order; when all are, the deal ends."""

from msgspec import UNSET
from msgspec.structs import replace

from domain.dutch import order, proof, score
from domain.dutch.dealing import miscounted
from domain.dutch.state import Deal, with_seat
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas import dutch as entries


def to_reveal(deal: Deal) -> tuple[int, ...]:
    """Return the seats that still have a row to reveal."""
    return tuple(seat for seat, row in enumerate(deal.rows) if row and deal.totals[seat] is None)


def refuse_reveal(game: Game, entry: entries.Reveal, version: int) -> Refusal | None:
    """Judge a row revealed: `table.phase`, `table.turn`, `cards.count`, then its cards."""
    deal: Deal = game.deal
    if not deal.over:
        return Refusal("table.phase", facts={"phase": deal.phase.value})
    if entry.seat not in to_reveal(deal) and "table.turn" not in entry.waive:
        return Refusal("table.turn", facts={"seat": entry.seat})
    if entry.cards is not UNSET:
        refusal = miscounted(entry.seat, entry.cards, deal.rows[entry.seat].bit_count())
        if refusal is not None:
            return refusal
    if deal.knowledge is None:
        return None
    found = proof.revealed(deal.knowledge, deal, entry, game.options.red_kings, version)
    return found if isinstance(found, Refusal) else None


def apply_reveal(game: Game, entry: entries.Reveal, version: int) -> Game:
    """Count the row; from the first reveal on no row changes any more."""
    deal: Deal = game.deal
    red_kings = game.options.red_kings
    known = deal.knowledge
    if known is not None:
        found = proof.revealed(known, deal, entry, red_kings, version)
        known = None if isinstance(found, Refusal) else found
    total = entry.points
    if total is UNSET:
        total = score.total(entry.cards or (), red_kings)
    shown = replace(
        deal,
        knowledge=known,
        fixed=True,
        window=False,
        powers=(),
        totals=with_seat(deal.totals, entry.seat, total),
    )
    return order.settled(game, shown)
