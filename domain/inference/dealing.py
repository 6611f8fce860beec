"""Evidence of a deal: hands that were shown, and hidden hands."""

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from domain.inference.evidence import Evidence, Seen, Unseen
from domain.inference.knowledge import Knowledge, knowledge_before_deal
from domain.inference.worlds import Place
from domain.table.cards import Pack

# The place of the cards that were not dealt; a hand has the number of its seat.
STOCK = 20


def learn_hands(
    pack: Pack,
    hands: Sequence[Sequence[str] | None] | UnsetType,
    counts: Sequence[int],
    version: int,
    *shown: Evidence,
    stock: Place = STOCK,
) -> Knowledge | None:
    """Return the knowledge after a deal of `counts` cards from `stock`, by seat.

    `shown` is the evidence of other cards, such as one turned up. None if a card is named twice.
    """
    evidence = [*shown]
    for seat, count in enumerate(counts):
        hand = None if hands is UNSET else hands[seat]
        if hand is None:
            evidence.append(Unseen(stock, seat, count, version))
        else:
            evidence.extend(Seen(stock, pack.copies[card], seat, version) for card in hand)
    evidence.sort(key=lambda piece: isinstance(piece, Unseen))
    return knowledge_before_deal(pack, stock).learn_all(evidence)
