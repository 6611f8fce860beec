"""Who is asked where evidence does not fit the world kept, in which order, and what is made of it.

Those asked answer as is written down, and it is noted that they were.
"""

from collections.abc import Callable, Sequence
from typing import cast

import pytest

from domain.inference import knowledge
from domain.inference.all_worlds import AllWorlds
from domain.inference.evidence import Evidence, RuledOut, Seen, Summed, Unseen
from domain.inference.knowledge import Knowledge, Trail
from domain.inference.lots import Lots
from domain.inference.memo import Memo
from domain.inference.search import Relaxation, Ways
from domain.inference.worlds import TokenPool, World, all_unseen, see
from domain.table.cards import Cards
from tests.domain.inference import enumeration

NOTHING_NEW = RuledOut(9, 0, "a.clause", (0, ""), 1)
WORLD = all_unseen(0b1111, 1)
BEGIN = World(WORLD.pools, {}, 0b1111)  # the same, before the first fork
MISSING, OTHER = Seen(2, 0b0001, 2, 9), Seen(1, 0b0010, 3, 9)  # the first does not fit the world
BROKEN = RuledOut(1, 0b1111, "a.clause", (1, ""), 9)  # nor does this


def known(
    number: int = 1, *, forked: bool = True, relaxed: bool = False, memo: Memo | None = None
) -> Knowledge:
    """Know a world after so many pieces, of which the first could have gone another way."""
    trail: Trail = None
    for _ in range(number):
        trail = (NOTHING_NEW, WORLD if trail else BEGIN, trail)
    certain = None if forked else trail
    return Knowledge(WORLD, WORLD, trail, certain, relaxed, memo=memo or Memo())


FOUND = known(3)


class Shared:
    """Lots that are shared out another way, or not."""

    def __init__(self, world: World | None, *, refuted: bool = False) -> None:
        self.world, self.refuted = world, refuted
        self.were_read: list[Evidence] = []

    def another_way(
        self, _last: Evidence, _before: World, hopeless: Callable[[], bool]
    ) -> World | None:
        """Return the world written down."""
        hopeless()
        return self.world

    def copy(self) -> "Shared":
        """Return itself, so that it is noted what is read."""
        return self

    def read(self, pieces: Sequence[Evidence], _path: Sequence[World]) -> bool:
        """Note what is read."""
        self.were_read += pieces
        return True


class Others:
    """All that can be asked, what they answer, and who was asked."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.lots: Shared | None = None
        self.routed: tuple[Knowledge | None, bool] = None, False
        self.searched: Knowledge | None = FOUND
        self.refutes = False
        self.relaxations: list[Relaxation] = []


@pytest.fixture
def others(monkeypatch: pytest.MonkeyPatch) -> Others:
    found = Others()

    def as_lots(_: Knowledge) -> Shared | None:
        found.notes.append("lots")
        return found.lots

    def routed(_: Knowledge, pieces: Sequence[Evidence]) -> tuple[Knowledge | None, bool]:
        found.notes.append(f"routes of {len(pieces)}")
        return found.routed

    def searched(_: Knowledge, _piece: Evidence, _ways: Ways | None) -> Knowledge | None:
        found.notes.append("search")
        return found.searched

    def refutes(one: Relaxation, _piece: Evidence) -> bool:
        found.notes.append("relaxed")
        found.relaxations.append(one)
        assert one.world
        return found.refutes

    monkeypatch.setattr(Knowledge, "_as_lots", as_lots)
    monkeypatch.setattr(Knowledge, "_routed", routed)
    monkeypatch.setattr(Knowledge, "_searched", searched)
    monkeypatch.setattr(Relaxation, "refutes", refutes)
    return found


ALONE = ["lots", "routes of 1", "relaxed", "search"]


def test_learn__what_fits_the_world_kept_nobody_is_asked_about(others: Others) -> None:
    assert known().learn(OTHER) is not None
    assert known().learn_all([OTHER, NOTHING_NEW]) is not None
    assert not others.notes


def test_learn__where_another_world_could_have_been_taken_it_is_so_ever_after() -> None:
    two = World((TokenPool(1, 0b0011, 0b0001), TokenPool(1, 0b1110, 0b1110)), {}, 0b1111)
    before = known(forked=False).learn_certain(OTHER)
    assert not before.forked
    forked = Knowledge(two, two).learn_certain(NOTHING_NEW, Unseen(1, 2, 1, 2))
    assert forked.forked
    assert forked.certain == (NOTHING_NEW, two, None)
    assert forked.learn_certain(NOTHING_NEW).certain is forked.certain


@pytest.mark.parametrize(("forked", "relaxed"), [(False, False), (True, True), (False, True)])
def test_learn__where_there_is_no_other_way_nobody_is_asked(
    others: Others, *, forked: bool, relaxed: bool
) -> None:
    one = known(forked=forked, relaxed=relaxed)
    assert one.learn(MISSING) is None
    assert one.learn_all([MISSING]) is None
    assert one.learn_all([MISSING, OTHER]) is None
    assert not others.notes


@pytest.mark.parametrize("piece", [MISSING, BROKEN])
@pytest.mark.parametrize(
    ("routed", "refutes", "number", "answer"),
    [
        ((FOUND, False), False, 2, FOUND),
        ((None, True), False, 2, None),
        ((None, False), True, 3, None),
        ((None, False), False, 4, FOUND),
    ],
)
def test_learn__asks_routes_then_what_refutes_it_then_searches(
    others: Others,
    piece: Evidence,
    routed: tuple[Knowledge | None, bool],
    refutes: bool,  # noqa: FBT001 a case
    number: int,
    answer: Knowledge | None,
) -> None:
    others.routed, others.refutes = routed, refutes
    others.lots = Shared(WORLD) if piece is BROKEN else None  # lots tell of cards and points only
    for learnt in (known().learn(piece), known().learn_all([piece])):
        assert learnt is answer
    assert others.notes == ALONE[:number] * 2


def test_learn__what_ways_know_to_refute_it_is_asked_first(others: Others) -> None:
    whole = Relaxation(lambda: WORLD)
    assert known().learn(MISSING, Ways((), WORLD, whole)) is FOUND
    assert others.notes == ["relaxed", *ALONE]
    assert others.relaxations == [whole] * 2
    others.refutes = True
    assert known().learn(MISSING, Ways((), WORLD, whole)) is None
    assert others.notes == ["relaxed", *ALONE, "relaxed"]
    assert known().learn(MISSING, Ways((), WORLD)) is None
    assert others.relaxations[-1] is not whole


def test_learn__where_lots_are_all_they_tell_the_world(others: Others) -> None:
    shared = Shared(all_unseen(0b1110, 1))
    others.lots = shared
    before = known()
    learnt = before.learn(MISSING)
    assert learnt is not None
    assert others.notes == ["lots", "relaxed"]
    assert (learnt.world, learnt.relaxed, learnt.forked) == (shared.world, False, True)
    assert learnt.trail == (MISSING, WORLD, before.trail)
    assert learnt.lots == (cast("Lots", shared), learnt.trail)
    assert learnt.relaxed_world == (WORLD, before.trail)
    others.lots = Shared(None, refuted=True)
    assert before.learn(MISSING) is None


def test_learn__where_lots_do_not_tell_a_relaxed_world_is_kept(others: Others) -> None:
    pools = (
        TokenPool(2, 0b0011, 0b0001),
        TokenPool(2, 0b0101, 0b0100),
        TokenPool(1, 0b1111, 0b1010),
    )
    first = World(pools, {}, 0b1111)
    trail = (NOTHING_NEW, first, None)
    others.lots = Shared(None)
    learnt = Knowledge(first, WORLD, trail).learn(MISSING)
    assert learnt is not None
    assert learnt.relaxed
    assert [learnt.world] == see(first, 2, 0b0001, 2, relaxed=True) != see(first, 2, 0b0001, 2)
    assert Knowledge(first, WORLD, trail).learn(Seen(3, 0b0001, 3, 9)) is None
    others.lots = Shared(None, refuted=True)
    assert Knowledge(first, WORLD, trail).learn(MISSING) is None


def test_learn_all__asks_routes_of_several_pieces_together_first(others: Others) -> None:
    others.routed = FOUND, False
    assert known().learn_all([MISSING, OTHER]) is FOUND
    others.routed = None, True
    assert known().learn_all([MISSING, OTHER]) is None
    assert others.notes == ["lots", "routes of 2"] * 2
    others.routed = None, False
    learnt = known().learn_all([MISSING, OTHER])
    assert learnt is not None
    assert learnt.trail == (OTHER, WORLD, FOUND.trail)
    assert others.notes[4:] == ["lots", "routes of 2", *ALONE]
    others.searched = None
    assert known().learn_all([MISSING, OTHER]) is None


def test_learn_all__points_or_where_lots_are_all_each_piece_is_asked_about_alone(
    others: Others,
) -> None:
    points = Summed((1,), (0,) * 4, 5, 9)
    assert known().learn_all([points, OTHER]) is not None
    assert others.notes == ALONE
    others.lots = Shared(all_unseen(0b1110, 1))
    assert known().learn_all([MISSING, OTHER]) is not None
    assert others.notes[4:] == ["lots", "lots", "relaxed"]


# --- searches -----------------------------------------------------------------------------------


class Listed:
    """All worlds there can be, as written down."""

    def __init__(self, worlds: tuple[World, ...] | None) -> None:
        self.worlds = worlds
        self.first: World | None = None

    def after(self, first: World, _pieces: Sequence[Evidence]) -> tuple[World, ...] | None:
        """Return them."""
        self.first = first
        return self.worlds


THERE = all_unseen(0b1111, 2)  # the card is there
WAY = [WORLD, THERE, all_unseen(0b1110, 2)]


Way = tuple[list[World] | None, bool]
NO_WAY: Way = None, False


@pytest.mark.parametrize(
    ("number", "told", "mosts", "answer"),
    [
        (16, (NO_WAY, (), NO_WAY), [], None),
        (16, (NO_WAY, (WORLD, THERE), NO_WAY), [], THERE),
        (16, (NO_WAY, None, NO_WAY), [600], None),
        (17, (NO_WAY, (THERE,), NO_WAY), [300], None),
        (17, ((WAY, False), (), NO_WAY), [300], WAY[-1]),
        (17, ((WAY, True), (), NO_WAY), [300], None),
        (17, ((WAY, True), (THERE,), NO_WAY), [300], THERE),
        (17, ((WAY, True), None, (WAY, False)), [300, 600], WAY[-1]),
        (17, ((WAY, True), None, (WAY, True)), [300, 600], WAY[-1]),
    ],
)
def test_searched__shortly_if_pieces_are_many_then_all_worlds_then_long(
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    told: tuple[Way, tuple[World, ...] | None, Way],
    mosts: list[int],
    answer: World | None,
) -> None:
    short, worlds, long = told
    asked: list[int] = []

    class Searching:
        def __init__(self, tried: list[Evidence], _ways: Ways | None, most: int = 600) -> None:
            assert tried == [*[NOTHING_NEW] * number, MISSING]
            asked.append(most)

        def run(self, path: list[World]) -> Way:
            assert path == [WORLD] * (number + 1)
            return short if asked[-1] == 300 else long

    monkeypatch.setattr(knowledge, "Search", Searching)
    monkeypatch.setattr(Knowledge, "as_flows", enumeration.nothing)
    monkeypatch.setattr(Relaxation, "refutes", enumeration.never)
    listed = Listed(worlds)
    learnt = known(number, memo=Memo(worlds=cast("AllWorlds", listed))).learn(MISSING)
    assert asked == mosts
    assert listed.first is (BEGIN if number == 16 or short[1] else None)
    if answer is None:
        assert learnt is None
        return
    assert learnt is not None
    assert learnt.relaxed == (bool(mosts) and mosts[-1] == 600 and long[1])
    if answer is THERE:
        assert learnt.trail is not None
        assert learnt.trail[:2] == (MISSING, THERE)
    else:
        assert learnt.world is WAY[-1]
        assert learnt.evidence() == [NOTHING_NEW] * 3


# --- what was worked out before -----------------------------------------------------------------

APART = World((TokenPool(1, 0b0001, 0b0001), TokenPool(2, 0b1110, 0b1110)), {}, 0b1111)
TRAIL = (NOTHING_NEW, APART, (NOTHING_NEW, WORLD, None))


def test_ways__begin_in_the_world_before_the_first_fork() -> None:
    ways = Knowledge(WORLD, APART, TRAIL).ways()
    assert ways.alike(0b0001) == ways.alike(0b0010)
    assert ways.whole is not None
    assert ways.whole.world == WORLD


def test_ways__what_was_relaxed_before_is_relaxed_on() -> None:
    loose: Cards = 0b0111
    earlier = all_unseen(loose, 1), TRAIL[2]
    ways = Knowledge(WORLD, APART, TRAIL, relaxed_world=earlier).ways()
    assert ways.whole is not None
    assert ways.whole.world == all_unseen(loose, 1)


def test_worlds__begin_in_the_world_before_the_first_fork() -> None:
    listed, few = Listed((WORLD,)), Listed((APART,))
    memo = Memo(worlds=cast("AllWorlds", listed), few=cast("AllWorlds", few))
    one = Knowledge(WORLD, APART, TRAIL, memo=memo)
    assert (one.every_world(), one.few_worlds()) == ((WORLD,), (APART,))
    assert listed.first is few.first is WORLD
    loose = Knowledge(WORLD, APART, TRAIL, relaxed=True, memo=memo)
    assert (loose.every_world(), loose.few_worlds()) == (None, None)


def test_worlds__are_not_listed_where_lots_are_all_and_these_read_what_is_new() -> None:
    shared = Shared(None)
    trail = (OTHER, APART, TRAIL)
    one = Knowledge(WORLD, APART, trail, lots=(cast("Lots", shared), TRAIL))
    assert (one.every_world(), one.few_worlds()) == (None, None)
    assert shared.were_read == [OTHER] * 2


def test_learn__routes_tell_of_cards_and_a_search_of_what_is_no_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    story: list[Evidence] = [
        Unseen(1, 2, 1, 1),
        RuledOut(2, 0b0001, "a.clause", (2, ""), 2),
        Unseen(1, 2, 1, 3),
        Unseen(2, 3, 1, 4),
    ]
    one = Knowledge(WORLD, WORLD).learn_certain(*story)
    deals = enumeration.after_all(enumeration.every_deal(4, 1), story)
    concluded = [RuledOut(at, 0b1111 & ~(1 << card), "a.clause", (at, ""), 9) for at, card in ASKED]
    for piece in concluded:
        assert (one.learn(piece) is not None) == bool(enumeration.after(deals, piece))
    monkeypatch.setattr(Knowledge, "_searched", enumeration.nothing)
    for at, card in ASKED:
        seen = Seen(at, 1 << card, at, 9)
        assert (one.learn(seen) is not None) == bool(enumeration.after(deals, seen))
    assert any(one.learn(piece) is None and enumeration.after(deals, piece) for piece in concluded)
    needed = [Seen(at, 1 << card, at, 9) for at, card in ASKED]
    assert any(one.learn(seen) and not seen.after(one.world) for seen in needed)


ASKED = [(at, card) for at in (1, 2, 3) for card in range(4)]
