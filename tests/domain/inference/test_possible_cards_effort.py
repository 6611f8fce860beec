"""Who is asked what to tell where cards can be, how often, and when nobody is asked any more.

Held against knowledge whose answers are written down, and which notes what it is asked.
"""

from collections.abc import Sequence
from typing import cast

import pytest

from domain.inference import possible_cards
from domain.inference.evidence import Evidence, Seen
from domain.inference.flows import Either
from domain.inference.knowledge import Knowledge
from domain.inference.possible_cards import PossibleCards
from domain.inference.routes import ROUTES_FIRST, ROUTES_MAX
from domain.inference.search import Relaxation, Ways, follow
from domain.inference.worlds import Place, TokenPool, Total, World
from domain.table.cards import Cards

NOTHING = World((), {}, 0)  # tells nothing of any card
PROMISED = NOTHING._replace(totals=(Total(frozenset(), (), 0),))
Note = tuple[object, ...]


class Routed:
    """Routes that are found, or not, as is written down; of other cards nothing is known."""

    def __init__(self, *, can: Cards = 0, cannot: Cards = 0, plainly: Cards = 0) -> None:
        self.can, self.cannot, self.plainly = can, cannot, plainly
        self.taken = 0
        self.notes: list[Note] = []

    def plainly_at(self, place: Place) -> Cards:
        """Return cards that can be seen without a search."""
        self.notes.append(("plainly", place))
        return self.plainly

    def can_leave(self, place: Place, copies: Cards, most: int) -> bool | None:
        """Tell whether a card can be seen to leave a place; None: not known."""
        self.notes.append((place, copies, most))
        return True if copies & self.can else False if copies & self.cannot else None

    def can_all_leave(self, place: Place, cards: Sequence[Cards]) -> bool | None:
        """Tell whether several can."""
        self.notes.append((place, *cards))
        return True if all(copies & self.can for copies in cards) else None


class Told:
    """Knowledge that could have gone another way, and lets just some cards be seen."""

    def __init__(
        self,
        *,
        can: Cards = 0,
        world: World = NOTHING,
        flows: Routed | None = None,
        every: tuple[World, ...] | None = None,
        loose: World | None = None,
        witness: World | None = None,
    ) -> None:
        self.world, self.forked, self.relaxed = world, True, False
        self._can, self._flows, self._every = can, flows, every
        self._loose, self._witness = loose, witness
        self.notes: list[Note] = []

    def asked(self) -> PossibleCards:
        """Return what asks it."""
        return PossibleCards(cast("Knowledge", self))

    def ways(self) -> Ways:
        """Return ways nothing was noted of; with a relaxed world, if there is one."""
        loose = self._loose
        return Ways((), self.world, None if loose is None else Relaxation(lambda: loose))

    def as_flows(self) -> Either | None:
        """Return what tells routes."""
        return cast("Either | None", self._flows)

    def every_world(self) -> tuple[World, ...] | None:
        """Return every world."""
        return self._every

    def learn(self, piece: Seen, _ways: Ways) -> "Told | None":
        """Search for a world in which a card can be seen."""
        self.notes.append((piece.source, piece.copies))
        return self if piece.copies & self._can else None

    def learn_all(self, pieces: Sequence[Seen]) -> "Told | None":
        """Search for one in which several can."""
        self.notes.append((pieces[0].source, *(piece.copies for piece in pieces)))
        return self if all(piece.copies & self._can for piece in pieces) else None

    def before_last(self) -> World | None:
        """Return the world a search has found."""
        return self._witness


def test_searches__of_its_own_accord_it_makes_four_and_doubts_the_rest() -> None:
    told = Told(can=0b010101)
    asked = told.asked()
    for _ in range(2):
        answers = [asked.can_leave(1, 1 << card) for card in range(6)]
        assert answers == [True, False, True, False, True, True]
    assert [asked.doubted(1, 1 << card) for card in range(6)] == [False] * 4 + [True] * 2
    assert told.notes == [(1, 0b0001), (1, 0b0010), (1, 0b0100), (1, 0b1000)]
    assert asked.can_all_leave(1, (0b0001, 0b0100))
    assert asked.doubted(1, 0b0001, 0b0100)
    assert not asked.doubted(2, 0b010000)
    assert asked.doubts


def test_searches__several_cards_are_one_more_and_only_where_each_can_be() -> None:
    told = Told(can=0b101)
    asked = told.asked()
    assert not asked.can_all_leave(1, (0b010, 0b001))
    assert asked.can_all_leave(1, (0b001, 0b100))
    assert asked.can_all_leave(1, (0b100, 0b001))
    assert told.notes == [(1, 0b010), (1, 0b001), (1, 0b100), (1, 0b001, 0b100)]
    assert not asked.doubts
    assert asked.can_leave(2, 0b001)
    assert [asked.doubted(2, 0b001), asked.doubts, len(told.notes)] == [True, True, 4]


@pytest.mark.parametrize("totals", [(), (Total(frozenset({2}), (0, 0, 0, 1), 1),)])
def test_searches__a_world_that_one_found_tells_of_other_cards(totals: tuple[Total, ...]) -> None:
    found = World((TokenPool(1, 0b0110, 0b0110), TokenPool(2, 0b1000, 0b1000)), {}, 0b1110, totals)
    told = Told(can=0b1111, world=NOTHING._replace(totals=totals), witness=found)
    asked = told.asked()
    assert asked.can_leave(1, 0b0010)
    assert asked.can_leave(1, 0b0100)
    assert asked.can_all_leave(1, (0b0010, 0b0100))
    assert told.notes == [(1, 0b0010)]
    assert asked.can_leave(1, 0b0001)
    assert told.notes == [(1, 0b0010), (1, 0b0001)]


def test_routes__what_is_plain_is_looked_up_once_for_a_place() -> None:
    flows = Routed(plainly=0b0110, cannot=0b0001)
    asked = Told(flows=flows).asked()
    assert [asked.can_leave(1, 1 << card) for card in range(3)] == [False, True, True]
    assert flows.notes == [("plainly", 1), (1, 0b0001, ROUTES_FIRST)]


@pytest.mark.parametrize(("taken", "mosts"), [(3_000, 2), (3_001, 1)])
def test_routes__are_looked_for_shortly_and_then_long_if_not_too_many_were(
    taken: int, mosts: int
) -> None:
    flows = Routed()
    flows.taken = taken
    told = Told(flows=flows)
    asked = told.asked()
    assert asked.can_leave(1, 0b01)
    assert asked.doubted(1, 0b01)
    assert flows.notes[1:] == [(1, 0b01, ROUTES_FIRST), (1, 0b01, ROUTES_MAX)][:mosts]
    assert not told.notes


def test_routes__that_are_found_or_cannot_be_are_no_doubt() -> None:
    asked = Told(flows=Routed(can=0b01, cannot=0b10), every=(LISTED,)).asked()
    assert [asked.can_leave(1, 0b01), asked.can_leave(1, 0b10)] == [True, False]
    assert not asked.doubts


def test_routes__that_are_not_found_are_none_where_the_relaxed_world_refutes_the_card() -> None:
    flows = Routed()
    asked = Told(flows=flows, loose=World((TokenPool(1, 0b10, 0b10),), {}, 0b10)).asked()
    assert [asked.can_leave(1, 0b01), asked.can_leave(1, 0b10)] == [False, True]
    assert flows.notes[1:] == [
        (1, 0b01, ROUTES_FIRST),
        (1, 0b10, ROUTES_FIRST),
        (1, 0b10, ROUTES_MAX),
    ]


def test_routes__after_ten_cards_the_relaxed_world_is_asked_before_them() -> None:
    flows = Routed(can=0b1111_1111_1111)
    asked = Told(flows=flows, loose=World((TokenPool(1, 1 << 11, 1 << 11),), {}, 1 << 11)).asked()
    answers = [asked.can_leave(1, 1 << card) for card in range(12)]
    assert answers == [*[True] * 10, False, True]
    assert len(flows.notes) == 1 + 10 + 1


def test_routes__tell_nothing_but_what_cannot_be_where_points_were_promised() -> None:
    flows = Routed(can=0b011, cannot=0b100, plainly=0b111)
    told = Told(can=0b001, world=PROMISED, flows=flows)
    asked = told.asked()
    assert [asked.can_leave(1, 1 << card) for card in range(3)] == [True, False, False]
    assert told.notes == [(1, 0b001), (1, 0b010)]
    assert not asked.doubts
    assert flows.notes == [
        *((1, card, most) for card in (0b001, 0b010) for most in (ROUTES_FIRST, ROUTES_MAX)),
        (1, 0b100, ROUTES_FIRST),
    ]


def test_routes__of_several_cards_are_looked_for_together_unless_points_were_promised() -> None:
    for world in (NOTHING, PROMISED):
        flows = Routed(can=0b11)
        told = Told(can=0b11, world=world, flows=flows)
        assert told.asked().can_all_leave(1, (0b01, 0b10))
        assert ((1, 0b01, 0b10) in flows.notes) == (world is NOTHING)
        assert ((1, 0b01, 0b10) in told.notes) == (world is PROMISED)


def test_routes__of_a_row_of_one_card_are_looked_for_as_well() -> None:
    flows = Routed(can=0b01)
    assert Told(flows=flows).asked().can_all_leave(1, (0b01,))
    assert flows.notes == [("plainly", 1), (1, 0b01, ROUTES_FIRST), (1, 0b01)]


def test_routes__that_nobody_finds_for_several_cards_are_a_doubt() -> None:
    flows = Routed(plainly=0b11)
    asked = Told(flows=flows).asked()
    assert asked.can_all_leave(1, (0b01, 0b10))
    assert [asked.doubted(1, 0b01), asked.doubted(1, 0b01, 0b10)] == [False, True]


# --- worlds that are listed -------------------------------------------------------------------

COUNTED = (Total(frozenset({9}), (), 0),)
LISTED = World((TokenPool(1, 0b1010, 0b0010),), {2: 0b1000}, 0b0111, COUNTED)


def test_worlds__of_its_own_accord_it_follows_4000_pieces_and_doubts_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    followed: list[Evidence] = []

    def none(piece: Evidence, _world: World) -> list[World]:
        followed.append(piece)
        return []

    monkeypatch.setattr(possible_cards, "follow", none)
    told = Told(world=PROMISED, every=(LISTED,) * 3_999)
    asked = told.asked()
    followed.clear()
    assert not asked.can_leave(1, 0b0010)
    assert [len(followed), asked.doubts] == [3_999, False]
    assert asked.can_leave(2, 0b1000)
    assert [len(followed), asked.doubted(2, 0b1000)] == [4_000, True]
    assert not told.notes


@pytest.mark.parametrize(
    ("place", "card", "number"),
    [(1, 0, 0), (1, 1, 3), (1, 3, 0), (2, 3, 3), (2, 0, 0), (2, 1, 0), (7, 0, 0)],
)
def test_worlds__are_looked_at_only_where_some_token_may_be_the_card(
    monkeypatch: pytest.MonkeyPatch, place: Place, card: int, number: int
) -> None:
    looked: list[World] = []

    def never(world: World, _pieces: Sequence[Seen]) -> bool:
        looked.append(world)
        return False

    monkeypatch.setattr(possible_cards, "_may_follow", never)
    assert not Told(every=(LISTED,) * 3).asked().can_leave(place, 1 << card)
    assert len(looked) == number


def test_worlds__in_whose_deal_a_card_lies_need_not_be_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    followed: list[Evidence] = []

    def noted(piece: Evidence, world: World) -> list[World]:
        followed.append(piece)
        return follow(piece, world)

    monkeypatch.setattr(possible_cards, "follow", noted)
    one = World((TokenPool(1, 0b0110, 0b0010), TokenPool(2, 0b1111, 0b1101)), {}, 0b1111)
    other = World((TokenPool(1, 0b1000, 0b1000), TokenPool(2, 0b0111, 0b0111)), {}, 0b1111)
    asked = Told(every=(one, other)).asked()
    followed.clear()
    assert asked.can_leave(1, 0b0010)
    assert asked.can_leave(1, 0b1000)
    assert not asked.can_leave(1, 0b0001)
    assert not asked.can_leave(3, 0b0001)
    assert not followed
    assert asked.can_leave(1, 0b0100)
    assert len(followed) == 1
    assert not asked.can_all_leave(1, (0b0010, 0b1000))


MAY = World(
    (
        TokenPool(1, 0b00_0011_0111, 0b00_0000_0011),
        TokenPool(1, 0b00_0000_1000, 0b00_0000_1000),
        TokenPool(2, 0b00_0000_1100, 0b00_0000_0100),
        TokenPool(2, 0b00_0100_0001, 0b00_0100_0000),
        TokenPool(4, 0b01_1000_0000, 0b01_1000_0000),
    ),
    {1: 0b01_0000, 2: 0b10_0000},
    0b01_1100_1111,
)


@pytest.mark.parametrize(
    ("place", "cards", "may"),
    [
        (1, (4,), True),  # known there
        (3, (4,), False),
        (1, (5,), False),  # known elsewhere, though a token there may have been it
        (1, (0,), True),
        (2, (1,), False),
        (2, (2,), True),
        (3, (0,), False),
        (4, (0, 7), False),
        (1, (0, 1), True),
        (1, (0, 1, 2), False),  # two tokens may be one of three
        (1, (0, 1, 3), True),
        (1, (0, 1, 2, 3), False),
        (1, (4, 0, 1), True),
        (2, (2, 3), False),  # one token may be either, and another neither
    ],
)
def test_worlds__are_followed_only_where_enough_tokens_may_be_the_cards(
    place: Place, cards: tuple[int, ...], *, may: bool
) -> None:
    pieces = [Seen(place, 1 << card, place, 1) for card in cards]
    may_follow = possible_cards._may_follow  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] it changes no answer, only how soon it is told
    assert may_follow(MAY, pieces) == may
