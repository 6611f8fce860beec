"""What an unseen card can be where one world admits every deal: by hand, on three cards."""

from domain.inference.counting import counted
from domain.inference.knowledge import Knowledge
from domain.inference.possible_faces import Unknown, possible_at
from domain.inference.worlds import Pool, World
from domain.table.cards import Cards, Pack

PACK = Pack(["AS", "KS", "QS"])
ACE, KING, QUEEN = 1, 2, 4


def possible(*pools: tuple[Cards, Cards]) -> list[list[Unknown]]:
    """Ask about places that hold a card each: what it can be, and is in one deal."""
    held = tuple(Pool(place, can, has) for place, (can, has) in enumerate(pools))
    world = World(held, {}, PACK.everything)
    known = Knowledge(world, world)
    return possible_at(known, PACK, [[place] for place in range(len(pools))], counted(known)).at


def test_possible__are_cards_that_others_can_give_up_in_a_circle() -> None:
    circle = possible((ACE | KING, ACE), (KING | QUEEN, KING), (QUEEN | ACE, QUEEN))
    assert circle == [[Unknown(1, ACE | KING)], [Unknown(1, KING | QUEEN)], [Unknown(1, 5)]]


def test_possible__is_no_card_that_its_holder_cannot_replace() -> None:
    row = possible((ACE | KING, ACE), (KING | QUEEN, KING), (QUEEN, QUEEN))
    assert row == [[Unknown(1, ACE)], [Unknown(1, KING)], [Unknown(1, QUEEN)]]
