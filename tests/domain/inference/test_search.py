"""A search takes forks another way, and finds one exactly if some deal fits."""

from collections.abc import Sequence

import pytest

from domain.inference.evidence import Evidence, RuledOut, Seen, Unseen
from domain.inference.search import Search, follow
from domain.inference.worlds import World, all_unseen
from domain.table.cards import Pack
from tests.domain.inference import enumeration

STOCK, HAND, ASIDE, TABLE, PILE = range(5)
PACK = Pack(("AS", "KS", "QS", "JS"))
FIRST = all_unseen(PACK.everything, STOCK)
# Two cards are drawn, of which the first is not the ace; one of them goes aside and to the table.
STORY: tuple[Evidence, ...] = (
    Unseen(STOCK, HAND, 1, 1),
    RuledOut(HAND, PACK.copies["AS"], "some.clause", (0, "S"), 2),
    Unseen(STOCK, HAND, 1, 3),
    Unseen(HAND, ASIDE, 1, 4),
    Unseen(ASIDE, TABLE, 1, 5),
    Unseen(STOCK, PILE, 1, 6),
)


def first_way(pieces: Sequence[Evidence], take: int) -> list[World]:
    """Follow pieces, at each fork one way or another; return the world before each and now."""
    path = [FIRST]
    for piece in pieces:
        after = follow(piece, path[-1])
        path.append(after[min(take, len(after) - 1)])
    return path


CASES = [
    (take, seen)
    for take in (0, 1)
    for place in (STOCK, HAND, ASIDE, TABLE, PILE)
    for seen in [Seen(place, copies, place, 99) for copies in PACK.copies.values()]
    # The world that the way leads to does not allow it: else nothing is searched.
    if not follow(seen, first_way(STORY, take)[-1])
]


@pytest.mark.parametrize(("take", "seen"), CASES)
def test_search__a_way_is_found_exactly_where_a_deal_fits(take: int, seen: Seen) -> None:
    deals = enumeration.after_all(enumeration.every_deal(len(PACK), STOCK), (*STORY, seen))
    way, relaxed = Search([*STORY, seen]).run(first_way(STORY, take))
    assert (way is not None, relaxed) == (bool(deals), False)
    for before, piece, after in zip(way or (), (*STORY, seen), (way or ())[1:], strict=False):
        assert after in follow(piece, before)


def test_search__some_way_is_found_another_way_and_some_none() -> None:
    found = [Search([*STORY, seen]).run(first_way(STORY, take))[0] for take, seen in CASES]
    assert {way is None for way in found} == {True, False}
