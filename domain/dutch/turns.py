"""A turn: draw or take, then swap or drop (`dutch.turn`, `dutch.take-swap`)."""

from msgspec.structs import replace

from domain.dutch import order, pile, proof
from domain.dutch.state import POWERS, Deal, Held, Power
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas import dutch as entries

TAKE_SWAP = "dutch.take-swap"


def _refuse_beginning(deal: Deal, entry: entries.Draw | entries.Take) -> Refusal | None:
    """Judge the beginning of a turn: `table.phase` with a card in hand, `table.turn`."""
    if deal.over or deal.held is not None:
        return Refusal("table.phase", facts={"phase": deal.phase.value})
    if entry.seat != deal.turn and "table.turn" not in entry.waive:
        return Refusal("table.turn", facts={"seat": entry.seat})
    return None


def refuse_draw(game: Game, entry: entries.Draw, version: int) -> Refusal | None:
    """Judge a draw: the turn, `dutch.stock-empty`, then the card if it was told."""
    deal: Deal = game.deal
    refusal = _refuse_beginning(deal, entry)
    if refusal is not None:
        return refusal
    if not deal.stock and not pile.renewable(deal.top):
        return Refusal("dutch.stock-empty", facts={"seat": entry.seat})
    if deal.knowledge is None or not entry.card:
        return None
    supply = pile.to_hand(deal, version)
    found = proof.drawn(deal.knowledge, entry, supply.evidence, version)
    return found if isinstance(found, Refusal) else None


def apply_draw(game: Game, entry: entries.Draw, version: int) -> Game:
    """Begin a turn with a card from the stock; snaps and powers of the last one lapse."""
    deal: Deal = game.deal
    supply = pile.to_hand(deal, version)
    known = deal.knowledge
    if known is not None:
        found = proof.drawn(known, entry, supply.evidence, version)
        known = None if isinstance(found, Refusal) else found
    begun = order.begun_by(deal, entry.seat, game.seats)
    drawn = replace(
        begun,
        stock=supply.stock,
        top=supply.top,
        knowledge=known,
        held=Held.DRAWN,
        begun=True,
        window=False,
        powers=(),
    )
    return replace(game, deal=drawn)


def refuse_take(game: Game, entry: entries.Take, _version: int) -> Refusal | None:
    """Judge taking the top discard: `table.phase`, `table.turn`."""
    return _refuse_beginning(game.deal, entry)


def apply_take(game: Game, entry: entries.Take, version: int) -> Game:
    """Begin a turn with the top discard; snaps and powers of the last one lapse."""
    deal: Deal = game.deal
    begun = order.begun_by(deal, entry.seat, game.seats)
    taken = replace(
        begun,
        top=deal.top.under if deal.top else None,
        knowledge=proof.taken(deal.knowledge, deal, version),
        held=Held.TAKEN,
        begun=True,
        window=False,
        powers=(),
    )
    return replace(game, deal=taken)


def _refuse_ending(deal: Deal, entry: entries.Swap | entries.Drop) -> Refusal | None:
    """Judge the end of a turn: somebody holds a card, and it is this seat (`table.phase`)."""
    if deal.over or deal.held is None or entry.seat != deal.turn:
        return Refusal("table.phase", facts={"phase": deal.phase.value})
    return None


def refuse_swap(game: Game, entry: entries.Swap, version: int) -> Refusal | None:
    """Judge a swap: `table.phase`, `dutch.place`, then the card that lay there."""
    deal: Deal = game.deal
    refusal = _refuse_ending(deal, entry)
    if refusal is not None:
        return refusal
    if not deal.lies(entry.seat, entry.slot):
        return Refusal("dutch.place", facts={"seat": entry.seat, "slot": entry.slot})
    return _refuse_card(deal, entry, version)


def refuse_drop(game: Game, entry: entries.Drop, version: int) -> Refusal | None:
    """Judge a drop: `table.phase`, `dutch.take-swap`, then the card that was in hand."""
    deal: Deal = game.deal
    refusal = _refuse_ending(deal, entry)
    if refusal is not None:
        return refusal
    if deal.held is Held.TAKEN and TAKE_SWAP not in entry.waive:
        return Refusal(TAKE_SWAP, facts={"seat": entry.seat, "card": entry.card})
    return _refuse_card(deal, entry, version)


def _refuse_card(deal: Deal, entry: entries.Swap | entries.Drop, version: int) -> Refusal | None:
    if deal.knowledge is None:
        return None
    found = proof.discarded(deal.knowledge, deal, entry, version)
    return found if isinstance(found, Refusal) else None


def apply_discard(game: Game, entry: entries.Swap | entries.Drop, version: int) -> Game:
    """End a turn with a card on the pile: it may be snapped and may give its player a power."""
    deal: Deal = game.deal
    on_pile = discarded(deal, entry, version)
    return order.settled(game, order.ended_by(on_pile, entry.seat, game.seats))


def discarded(deal: Deal, entry: entries.Swap | entries.Drop | entries.Snap, version: int) -> Deal:
    """Put a card on the pile (`dutch.powers`, `dutch.snap-window`)."""
    known = deal.knowledge
    if known is not None:
        found = proof.discarded(known, deal, entry, version)
        known = None if isinstance(found, Refusal) else found
    rank = entry.card[0]
    powers = (*deal.powers, Power(entry.seat, rank)) if rank in POWERS else deal.powers
    return replace(
        deal,
        top=pile.discarded(deal, entry.card),
        discards=deal.discards + 1,
        knowledge=known,
        window=True,
        powers=powers,
    )
