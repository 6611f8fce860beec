"""The stock and the discard pile: drawing, discarding, renewing (`dutch.stock-empty`)."""

from msgspec import Struct
from msgspec.structs import replace

from domain.dutch.state import STOCK, Deal, Discard, pile_place, slot_place, with_seat
from domain.inference import Carried, Evidence, Shuffled, Unseen


class Supply(Struct, frozen=True):
    """Where cards are drawn from, and what making it so proves."""

    stock: int
    top: Discard | None
    evidence: tuple[Evidence, ...] = ()


def renewable(top: Discard | None) -> bool:
    """Tell whether the pile has a card under its top one."""
    return top is not None and top.height > 1


def renewed(supply: Supply, version: int) -> Supply:
    """Shuffle the pile but its top card into the stock, if the stock is empty and it can be."""
    if supply.stock or supply.top is None or supply.top.height == 1:
        return supply
    found = list(supply.evidence)
    under = supply.top.under
    while under is not None:
        # Shuffled at once, after the last: cards that are alike then stay one pool.
        piece = Carried if under.under else Shuffled
        found.append(piece(pile_place(under.number), STOCK, version))
        under = under.under
    top = Discard(supply.top.number, supply.top.card, None, 1)
    return Supply(supply.top.height - 1, top, tuple(found))


def to_hand(deal: Deal, version: int) -> Supply:
    """Let one card leave the stock for the hand; what it is, its caller tells."""
    supply = renewed(Supply(deal.stock, deal.top), version)
    return Supply(supply.stock - 1, supply.top, supply.evidence)


def to_row(deal: Deal, seat: int, count: int, version: int) -> tuple[Deal, tuple[Evidence, ...]]:
    """Give a player `count` penalty cards in new slots, or as many as there are."""
    supply, slot = Supply(deal.stock, deal.top), deal.used[seat]
    for _ in range(count):
        supply = renewed(supply, version)
        if not supply.stock:
            break
        drawn = Unseen(STOCK, slot_place(seat, slot), 1, version)
        supply = Supply(supply.stock - 1, supply.top, (*supply.evidence, drawn))
        slot += 1
    row = deal.rows[seat] | (1 << slot) - (1 << deal.used[seat])
    given = replace(
        deal,
        rows=with_seat(deal.rows, seat, row),
        used=with_seat(deal.used, seat, slot),
        stock=supply.stock,
        top=supply.top,
    )
    return given, supply.evidence


def discarded(deal: Deal, card: str) -> Discard:
    """Return the pile with a card put on it."""
    height = 1 if deal.top is None else deal.top.height + 1
    return Discard(deal.discards, card, deal.top, height)
