"""Judge a turn: draw or take, then swap or drop (`dutch.turn`, `dutch.take-swap`)."""

from msgspec.structs import replace

from domain.dutch import order, pile, proof, reasons
from domain.dutch.state import POWERS, CardSource, Deal, Power
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas import dutch as entries

TAKE_SWAP = "dutch.take-swap"


def _refuse_beginning(deal: Deal, entry: entries.Draw | entries.Take) -> Refusal | None:
    if deal.over or deal.held is not None:
        return Refusal("table.phase", facts=deal.moment)
    if entry.seat != deal.turn and "table.turn" not in entry.waive:
        return Refusal("table.turn", facts=reasons.explain_turn(deal, entry.seat))
    return None


def judge_draw(game: Game, entry: entries.Draw, version: int) -> Game | Refusal:
    """Judge a draw. It begins a turn; snaps and powers of the previous turn lapse."""
    deal: Deal = game.deal
    refusal = _refuse_beginning(deal, entry)
    if refusal is not None:
        return refusal
    if not deal.stock and not pile.can_reshuffle(deal.top):
        return Refusal("dutch.stock-empty", facts={"seat": entry.seat})
    supply = pile.take_from_stock(deal, version)
    known = deal.knowledge and proof.learn_draw(deal.knowledge, entry, supply.evidence, version)
    if isinstance(known, Refusal):
        return known
    drawn = replace(
        order.begin_turn(deal, entry.seat, game.seats),
        stock=supply.stock,
        top=supply.top,
        knowledge=known,
        held=CardSource.DRAWN,
        turns_begun=True,
        snap_allowed=False,
        powers=(),
    )
    return replace(game, deal=drawn)


def judge_take(game: Game, entry: entries.Take, version: int) -> Game | Refusal:
    """Judge the top discard being taken. It begins a turn; earlier snaps and powers lapse."""
    deal: Deal = game.deal
    refusal = _refuse_beginning(deal, entry)
    if refusal is not None:
        return refusal
    taken = replace(
        order.begin_turn(deal, entry.seat, game.seats),
        top=deal.top.under if deal.top else None,
        knowledge=proof.learn_take(deal.knowledge, deal, version),
        held=CardSource.TAKEN,
        turns_begun=True,
        snap_allowed=False,
        powers=(),
    )
    return replace(game, deal=taken)


def _refuse_ending(deal: Deal, entry: entries.Swap | entries.Drop) -> Refusal | None:
    if deal.over or deal.held is None or entry.seat != deal.turn:
        return Refusal("table.phase", facts=deal.moment)
    return None


def judge_swap(game: Game, entry: entries.Swap, version: int) -> Game | Refusal:
    """Judge a swap: `table.phase`, `dutch.place`, then the card of that slot."""
    deal: Deal = game.deal
    refusal = _refuse_ending(deal, entry)
    if refusal is not None:
        return refusal
    if not deal.has_card(entry.seat, entry.slot):
        return Refusal("dutch.place", facts={"seat": entry.seat, "slot": entry.slot})
    return _end_turn(game, deal, entry, version)


def judge_drop(game: Game, entry: entries.Drop, version: int) -> Game | Refusal:
    """Judge a drop: `table.phase`, `dutch.take-swap`, then the card in hand."""
    deal: Deal = game.deal
    refusal = _refuse_ending(deal, entry)
    if refusal is not None:
        return refusal
    if deal.held is CardSource.TAKEN and TAKE_SWAP not in entry.waive:
        return Refusal(TAKE_SWAP, facts={"seat": entry.seat, "card": entry.card})
    return _end_turn(game, deal, entry, version)


def _end_turn(
    game: Game, deal: Deal, entry: entries.Swap | entries.Drop, version: int
) -> Game | Refusal:
    on_pile = discard(deal, entry, version)
    if isinstance(on_pile, Refusal):
        return on_pile
    return order.end_if_revealed(game, order.end_turn(on_pile, entry.seat, game.seats))


def discard(
    deal: Deal, entry: entries.Swap | entries.Drop | entries.Snap, version: int
) -> Deal | Refusal:
    known = deal.knowledge and proof.learn_discard(deal.knowledge, deal, entry, version)
    if isinstance(known, Refusal):
        return known
    rank = entry.card[0]
    powers = (*deal.powers, Power(entry.seat, rank)) if rank in POWERS else deal.powers
    return replace(
        deal,
        top=pile.put_on_pile(deal, entry.card),
        discards=deal.discards + 1,
        knowledge=known,
        snap_allowed=True,
        powers=powers,
    )
