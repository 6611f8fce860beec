"""A card of one's own thrown on the pile because it matches the top one."""

from msgspec.structs import replace

from domain.dutch import order, pile, proof
from domain.dutch.state import Deal, with_seat
from domain.dutch.turns import discarded
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas import dutch as entries

WINDOW = "dutch.snap-window"


def refuse_snap(game: Game, entry: entries.Snap, version: int) -> Refusal | None:
    """Judge a snap: `dutch.snap-window`, `dutch.place`, then the card; a mistake is legal too."""
    deal: Deal = game.deal
    if not deal.window and (deal.fixed or WINDOW not in entry.waive):
        rule = "table.phase" if WINDOW in entry.waive else WINDOW
        facts = {"seat": entry.seat, "card": entry.card, "phase": deal.phase.value}
        return Refusal(rule, facts=facts)
    if not deal.lies(entry.seat, entry.slot):
        return Refusal("dutch.place", facts={"seat": entry.seat, "slot": entry.slot})
    if deal.knowledge is None:
        return None
    if matches(deal, entry):
        found = proof.discarded(deal.knowledge, deal, entry, version)
    else:
        found = proof.mistaken(deal.knowledge, entry, (), version)
    return found if isinstance(found, Refusal) else None


def matches(deal: Deal, entry: entries.Snap) -> bool:
    """Tell whether the card has the rank of the top discard, as both were named."""
    return deal.top is not None and deal.top.card[0] == entry.card[0]


def apply_snap(game: Game, entry: entries.Snap, version: int) -> Game:
    """Discard the card, or put it back and draw for the mistake (`dutch.snap-match`)."""
    deal: Deal = game.deal
    if not matches(deal, entry):
        return replace(game, deal=_mistaken(game, deal, entry, version))
    snapped = discarded(deal, entry, version)
    row = deal.rows[entry.seat] & ~(1 << entry.slot)
    snapped = replace(snapped, rows=with_seat(deal.rows, entry.seat, row))
    return order.settled(game, snapped if row else order.emptied(snapped, entry.seat))


def _mistaken(game: Game, deal: Deal, entry: entries.Snap, version: int) -> Deal:
    given, drawn = pile.to_row(deal, entry.seat, game.options.penalty, version)
    known = deal.knowledge
    if known is not None:
        found = proof.mistaken(known, entry, drawn, version)
        known = None if isinstance(found, Refusal) else found
    return replace(given, knowledge=known)
