"""The stock and the discard pile: draw, discard, reshuffle (`dutch.stock-empty`)."""

from msgspec import Struct
from msgspec.structs import replace

from domain.dutch.state import STOCK, Deal, Discard, pile_place, slot_place, with_seat
from domain.inference import AllMoved, Evidence, Shuffled, Unseen


class Supply(Struct, frozen=True):
    stock: int
    top: Discard | None
    evidence: tuple[Evidence, ...] = ()


def can_reshuffle(top: Discard | None) -> bool:
    return top is not None and top.height > 1


def reshuffle(supply: Supply, version: int) -> Supply:
    """Shuffle the pile without its top card into the stock if the stock is empty."""
    if supply.stock or supply.top is None or supply.top.height == 1:
        return supply
    evidence = list(supply.evidence)
    under = supply.top.under
    while under is not None:
        # Reshuffle immediately after the last card: equal cards then stay in one pool.
        piece = AllMoved if under.under else Shuffled
        evidence.append(piece(pile_place(under.number), STOCK, version))
        under = under.under
    top = Discard(supply.top.number, supply.top.card, None, 1)
    return Supply(supply.top.height - 1, top, tuple(evidence))


def take_from_stock(deal: Deal, version: int) -> Supply:
    """Remove one card from the stock. The caller records its identity."""
    supply = reshuffle(Supply(deal.stock, deal.top), version)
    return Supply(supply.stock - 1, supply.top, supply.evidence)


def add_penalty_cards(
    deal: Deal, seat: int, count: int, version: int
) -> tuple[Deal, tuple[Evidence, ...]]:
    """Add `count` penalty cards, or as many as there are, to new slots of a row."""
    supply, slot = Supply(deal.stock, deal.top), deal.used[seat]
    for _ in range(count):
        supply = reshuffle(supply, version)
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


def put_on_pile(deal: Deal, card: str) -> Discard:
    height = 1 if deal.top is None else deal.top.height + 1
    return Discard(deal.discards, card, deal.top, height)
