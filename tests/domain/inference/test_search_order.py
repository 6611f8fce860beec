"""What a search asks, in which order, and when it stops: held against stories written out by hand.

The worlds are only names. What can follow which stands in a list, and everything asked is noted.
"""

from collections.abc import Mapping, Sequence
from typing import cast

import pytest

from domain.inference import search
from domain.inference.evidence import Evidence, Piece, RuledOut, Seen
from domain.inference.search import Relaxation, Search, Ways, follow
from domain.inference.worlds import TokenPool, Total, World, all_unseen
from domain.table.cards import Cards

NAME = -1  # where the name of a world stands
Asked = tuple[str, int, int]  # what of a piece, which piece, of which world


def named(name: int) -> World:
    """Return a world like no other."""
    return World((TokenPool(name, 1, 1),), {NAME: name}, 1)


class Scripted(Piece, frozen=True):
    """A piece of evidence: by the name of a world, what follows it, and whether nothing can."""

    number: int
    after_each: Mapping[int, Sequence[World]]
    hopeless: frozenset[int]
    asked: list[Asked]
    apart: tuple[Cards, ...] = ()

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow."""
        self.asked.append(("after", self.number, world.known[NAME]))
        return list(self.after_each.get(world.known[NAME], ()))

    def relaxation(self, world: World) -> list[World]:
        """Return the world itself, or none."""
        self.asked.append(("relaxed", self.number, world.known[NAME]))
        return [] if world.known[NAME] in self.hopeless else [world]

    def told_apart(self) -> tuple[Cards, ...]:
        """Return the sets of cards that this piece tells apart from others."""
        return self.apart


class Story:
    """Pieces that lead from world to world, and what was asked of them."""

    def __init__(self, *pieces: Mapping[int, Sequence[int]], hopeless: Sequence[int] = ()) -> None:
        self.asked: list[Asked] = []
        self.pieces = [
            Scripted(
                number,
                {name: [named(one) for one in after] for name, after in piece.items()},
                frozenset(hopeless),
                self.asked,
            )
            for number, piece in enumerate(pieces)
        ]

    def run(self, *path: int, most: int = 100) -> tuple[list[int] | None, bool]:
        """Search from a path; return the names of the worlds found, and whether one is relaxed."""
        one = Search(cast("list[Evidence]", self.pieces), most=most)
        way, relaxed = one.run([named(name) for name in path])
        return None if way is None else [world.known[NAME] for world in way], relaxed

    def followed(self) -> list[tuple[int, int]]:
        """List which pieces were followed from which worlds."""
        return [(piece, world) for what, piece, world in self.asked if what == "after"]

    def relaxed(self) -> list[tuple[int, int]]:
        """List which pieces were relaxed for which worlds."""
        return [(piece, world) for what, piece, world in self.asked if what == "relaxed"]


FORKS: tuple[Mapping[int, Sequence[int]], ...] = (
    {1: (2, 3)},
    {2: (4, 5), 3: (6, 7)},
    {7: (8, 9)},
)


def test_search__takes_the_fork_nearest_to_the_end_another_way_first() -> None:
    story = Story(*FORKS)
    assert story.run(1, 2, 4) == ([1, 3, 7, 8], False)
    assert story.followed() == [(2, 4), (1, 2), (2, 5), (0, 1), (1, 3), (2, 6), (2, 7)]


def test_search__relaxes_what_comes_after_a_fork_for_each_way_and_nothing_after_the_last() -> None:
    story = Story(*FORKS)
    story.run(1, 2, 4)
    assert story.relaxed() == [(2, 5), (1, 3), (2, 3), (2, 6), (2, 7)]


def test_search__relaxes_nothing_where_only_one_way_goes_on() -> None:
    story = Story({1: (2, 3)}, {2: (4,), 3: (5,)}, {5: (6,)})
    assert story.run(1, 2, 4) == ([1, 3, 5, 6], False)
    assert story.relaxed() == [(1, 3), (2, 3)]


def test_search__a_way_whose_rest_fits_nothing_relaxed_is_not_followed() -> None:
    story = Story(*FORKS, hopeless=[5, 6])
    story.run(1, 2, 4)
    assert story.followed() == [(2, 4), (1, 2), (0, 1), (1, 3), (2, 7)]


def test_search__the_way_taken_is_left_out_only_where_it_was_taken() -> None:
    story = Story({1: (2, 3)}, {2: (3, 5), 3: (4,)}, {4: (6,)})
    assert story.run(1, 2, 3) == ([1, 3, 4, 6], False)
    assert story.followed() == [(2, 3), (1, 2), (2, 5), (0, 1), (1, 3), (2, 4)]


def test_search__where_one_way_goes_on_it_is_not_taken_again_whatever_world_was_kept() -> None:
    story = Story({1: (3,)}, {3: (4,)})
    assert story.run(1, 2) == (None, False)
    assert story.followed() == [(1, 2), (0, 1)]


def limits(story: tuple[Mapping[int, Sequence[int]], ...], most: int) -> str:
    """Tell how a search ends that may follow so many pieces and asks at once if any way can be."""
    way, relaxed = Story(*story).run(1, 2, 4, most=most)
    return "none" if way is None else "relaxed" if relaxed else "found"


@pytest.fixture
def asked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "PIECES_FIRST", 0)


@pytest.mark.usefixtures("asked_at_once")
def test_search__every_piece_followed_or_relaxed_counts() -> None:
    # Three relaxed from the start on, seven followed, five relaxed after forks.
    ends = [limits(FORKS, most) for most in range(1, 20)]
    assert ends == [*["relaxed"] * 15, *["found"] * 4]


@pytest.mark.usefixtures("asked_at_once")
def test_search__that_none_fits_is_said_only_if_some_pieces_are_left() -> None:
    ends = [limits((*FORKS[:2], {}), most) for most in range(1, 20)]
    assert ends == [*["relaxed"] * 15, *["none"] * 4]


@pytest.mark.usefixtures("asked_at_once")
def test_search__what_a_relaxed_world_is_refuted_by_counts_as_well() -> None:
    # Two relaxed from the start on, of which one refutes it.
    story = Story({1: (2, 3)}, {2: (4,)}, {}, hopeless=[3])
    ends = [story.run(1, 2, 4, most=most) for most in range(1, 12)]
    assert [relaxed for _, relaxed in ends] == [True] * 7 + [False] * 4


@pytest.mark.parametrize(("first", "before"), [(0, 1), (1, 1), (2, 2), (3, 4), (4, 4), (5, 5)])
def test_search__asks_after_so_many_pieces_whether_any_way_can_be(
    monkeypatch: pytest.MonkeyPatch, first: int, before: int
) -> None:
    monkeypatch.setattr(search, "PIECES_FIRST", first)
    story = Story(*FORKS, hopeless=[1])
    assert story.run(1, 2, 4) == (None, False)
    assert story.asked[before:] == [("relaxed", 0, 1)]


def test_search__asks_once_and_goes_on_where_some_way_can_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search, "PIECES_FIRST", 2)
    story = Story(*FORKS)
    assert story.run(1, 2, 4) == ([1, 3, 7, 8], False)
    assert story.relaxed() == [(0, 1), (1, 1), (2, 1), (2, 5), (1, 3), (2, 3), (2, 6), (2, 7)]


def test_search__of_its_own_accord_it_asks_after_300_pieces_and_stops_after_600() -> None:
    story = Story({1: range(2, 1_000)}, {})
    one = Search(cast("list[Evidence]", story.pieces))
    way, relaxed = one.run([named(1), named(2)])
    assert (len(way or ()), relaxed) == (3, True)
    assert story.asked.index(("relaxed", 0, 1)) == 300
    assert len(story.asked) == 600


def known_also(name: int, pools: tuple[TokenPool, ...]) -> World:
    return World(pools, {NAME: name}, 0b11)


LOW_HIGH = (TokenPool(1, 0b01, 0b01), TokenPool(2, 0b10, 0b10))
HIGH_LOW = (TokenPool(1, 0b10, 0b10), TokenPool(2, 0b01, 0b01))


def tried(*worlds: World, apart: tuple[Cards, ...] = (), last: tuple[Cards, ...] = ()) -> list[int]:
    """Return the names of the worlds followed, of several that a fork leads to; none fits."""
    asked: list[Asked] = []
    none: frozenset[int] = frozenset()
    pieces = [
        Scripted(0, {1: [named(2), *worlds]}, none, asked),
        Scripted(1, {one.known[NAME]: [one] for one in worlds}, none, asked, apart),
        Scripted(2, {}, none, asked, last),
    ]
    assert Search(cast("list[Evidence]", pieces)).run([named(1), named(2), named(3)])[0] is None
    return [name for what, number, name in asked if (what, number) == ("after", 1)][1:]


def test_search__of_worlds_that_nothing_later_tells_apart_one_is_tried() -> None:
    worlds = [known_also(4, LOW_HIGH), known_also(5, HIGH_LOW), known_also(6, LOW_HIGH)]
    assert tried(*worlds) == [4]


def test_search__worlds_that_the_last_piece_tells_apart_are_tried_each() -> None:
    worlds = [known_also(4, LOW_HIGH), known_also(5, HIGH_LOW), known_also(6, LOW_HIGH)]
    assert tried(*worlds, last=(0b01,)) == [4, 5]


def test_search__worlds_that_a_later_piece_tells_apart_are_tried_each() -> None:
    worlds = [known_also(4, LOW_HIGH), known_also(5, HIGH_LOW), known_also(6, HIGH_LOW)]
    assert tried(*worlds, apart=(0b10,)) == [4, 5]


def promised(name: int, worth: int) -> World:
    """Return a world with one card, worth five, where a total is promised."""
    total = Total(frozenset({name}), (5,), worth)
    return World((TokenPool(name, 1, 1),), {NAME: name}, 1, (total,))


def test_follow__leaves_out_worlds_in_which_a_promised_total_cannot_be_made() -> None:
    piece = Scripted(0, {1: [promised(2, 5), promised(3, 6)]}, frozenset(), [])
    assert follow(cast("Evidence", piece), named(1)) == [promised(2, 5)]


def test_follow__nothing_is_left_out_of_worlds_without_totals() -> None:
    piece = Scripted(0, {1: [named(2), named(3)]}, frozenset(), [])
    assert follow(cast("Evidence", piece), named(1)) == [named(2), named(3)]


@pytest.mark.parametrize(("worth", "can"), [(5, True), (6, False)])
def test_search__a_relaxed_world_has_to_make_what_was_promised(worth: int, *, can: bool) -> None:
    pieces = [Scripted(0, {}, frozenset(), [])]
    found = Search(cast("list[Evidence]", pieces)).relaxation(promised(2, worth))
    assert (found is not None) == can


def alike(first: World | None, *pieces: tuple[Cards, ...]) -> list[list[int]]:
    """Sort the four cards by what they are described as."""
    told = [Scripted(at, {}, frozenset(), [], cards) for at, cards in enumerate(pieces)]
    ways = Ways(cast("list[Evidence]", told), first)
    found: dict[object, list[int]] = {}
    for card in range(4):
        found.setdefault(ways.alike(1 << card), []).append(card)
    return list(found.values())


def test_alike__cards_that_nothing_tells_apart_are_described_alike() -> None:
    assert alike(all_unseen(0b1111, 1)) == [[0, 1, 2, 3]]


def test_alike__cards_that_a_piece_tells_apart_are_not() -> None:
    assert alike(all_unseen(0b1111, 1), (), (0b0101,)) == [[0, 2], [1, 3]]


def test_alike__cards_that_only_the_first_piece_tells_apart_are_not() -> None:
    assert alike(all_unseen(0b1111, 1), (0b0011,), ()) == [[0, 1], [2, 3]]


def test_alike__cards_that_pools_tell_apart_are_not() -> None:
    pools = (TokenPool(1, 0b0111, 0b0011), TokenPool(2, 0b1100, 0b1100))
    assert alike(World(pools, {}, 0b1111)) == [[0, 1], [2], [3]]


def test_alike__what_pools_and_what_pieces_tell_apart_is_not_confused() -> None:
    # By number alone the first card's part is the second's pool.
    pools = (TokenPool(1, 0b1101, 0b0001), TokenPool(2, 0b1110, 0b1110))
    found = alike(World(pools, {}, 0b1111), (0b1100,), (0b0100,))
    assert found == [[0], [1], [2], [3]]


@pytest.mark.parametrize(
    "first",
    [
        None,
        World((), {1: 0b1111}, 0),
        all_unseen(0b1111, 1)._replace(totals=(Total(frozenset(), (), 0),)),
    ],
)
def test_alike__where_it_is_not_known_each_card_is_only_like_itself(first: World | None) -> None:
    assert alike(first) == [[0], [1], [2], [3]]


def test_alike__equal_cards_are_described_by_all_of_them() -> None:
    piece = cast("Evidence", Scripted(0, {}, frozenset(), [], (0b0101,)))
    ways = Ways([piece], all_unseen(0b1111, 1))
    assert ways.alike(0b0011) == ways.alike(0b1100)
    assert ways.alike(0b0011) != ways.alike(0b0101)


def test_relaxation__is_made_once_and_only_when_it_is_asked_for() -> None:
    made: list[World] = []

    def make() -> World:
        made.append(named(1))
        return made[-1]

    one = Relaxation(make)
    assert not made
    assert one.world is one.world
    assert len(made) == 1


@pytest.mark.parametrize(
    ("evidence", "refuted"),
    [
        (Seen(1, 0b01, 1, 1), False),
        (Seen(2, 0b01, 2, 1), True),
        (RuledOut(1, 0b11, "some.clause", (0, "S"), 1), False),  # of other pieces it says nothing
        (RuledOut(2, 0b01, "some.clause", (0, "S"), 1), False),
    ],
)
def test_relaxation__refutes_a_card_seen_that_does_not_fit_it(
    evidence: Evidence, *, refuted: bool
) -> None:
    assert Relaxation(lambda: all_unseen(0b11, 1)).refutes(evidence) == refuted
