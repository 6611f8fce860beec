import pytest

from domain.inference.evidence import EvidencePiece, Held, Seen, Unseen
from domain.inference.worlds import TokenPool, World
from tests.domain.inference.test_worlds import TABLE, deals_of

# Two unlike tokens at a place, and others that may have their faces.
UNLIKE = World(
    (
        TokenPool(1, 0b000111, 0b000001),
        TokenPool(1, 0b011001, 0b001000),
        TokenPool(2, 0b111111, 0b110110),
    ),
    {},
    0b111111,
)


@pytest.mark.parametrize("piece", [Seen(1, 0b000001, TABLE, 1), Unseen(1, 2, 1, 1)])
def test_relaxation__is_one_world_that_admits_every_deal(piece: EvidencePiece) -> None:
    after = piece.successors(UNLIKE)
    [relaxed] = piece.relaxation(UNLIKE)
    assert len(after) == 2
    assert {deal for one in after for deal in deals_of(one)} <= deals_of(relaxed)


def test_relaxation__of_a_card_held_lets_it_be_seen_there() -> None:
    [relaxed] = Held(1, 0b000001, 1).relaxation(UNLIKE)
    assert len(Held(1, 0b000001, 1).successors(UNLIKE)) == 2
    assert (relaxed.known, relaxed.unseen) == ({1: 0b000001}, 0b111110)
