from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.table.history import History
from projections.course import COURSE_VALUES_MAX, Course
from projections.summary import EndedDeal, Summary, deal_scores, places, summary
from schemas.entries import GameEnded
from schemas.euchre import Detail
from tests.service.refused import HEARTS, Log, history

MARCH = {"type": "result", "maker": 1, "tricks": 5}
FINE = {"type": "adjust", "seat": 0, "points": -1, "reason": "a card shown"}
LOST = {"type": "result", "maker": 0, "tricks": 2, "dealer": 1}
FINISH = {"type": "finish", "reason": "late"}
PLAYED: Log = [*HEARTS, MARCH, FINE, LOST]


def test_summary__counts_ended_deals_and_adjustments() -> None:
    expected = Summary(
        status="open", deals=2, totals=(-1, 4), places=(2, 1), took_part=(False, False)
    )
    assert summary(history(PLAYED)) == expected


def test_summary__of_a_decided_game_is_finished() -> None:
    found = summary(history(PLAYED, {"target": 4}))
    assert (found.status, found.took_part) == ("finished", (True, True))


def test_summary__of_a_game_ended_before_anything_came_of_it_counts_for_nobody() -> None:
    assert summary(history([FINISH])).took_part == (False, False)
    assert summary(history([FINE, FINISH])).took_part == (True, True)


def test_summary__of_an_ended_game_has_the_places_stored_on_the_day() -> None:
    ended = history(PLAYED, {"target": 4})
    stored = History(ended.opening)
    raw = [
        line for step in ended.steps() for line in (step.entry, *(d.entry for d in step.derived))
    ]
    assert isinstance(raw[-1], GameEnded)
    stored.restore([*raw[:-1], replace(raw[-1], ranking=((0, 1),))])
    assert summary(stored).places == (1, 1)


def test_places__those_level_share_one_and_the_next_is_left_free() -> None:
    assert places(((2,), (0, 3), (1,)), 4) == (2, 4, 1, 2)


def test_deal_scores__are_the_ended_deals_that_stand() -> None:
    march = Detail(maker=1, trump="H", tricks=(0, 5), euchred=False)
    euchred = Detail(maker=0, trump=None, tricks=(2, 3), euchred=True)
    assert deal_scores(history(PLAYED).steps()) == (
        EndedDeal(deal=1, version=7, points=(0, 2), detail=march),
        EndedDeal(deal=2, version=10, points=(0, 2), detail=euchred),
    )


def test_deal_scores__a_deal_taken_back_is_gone() -> None:
    taken_back: Log = [*PLAYED, {"type": "take_back", "to": 8}]
    scores = deal_scores(history(taken_back).steps())
    assert [(score.deal, score.version) for score in scores] == [(1, 7)]


def test_deal_scores__a_corrected_deal_has_the_version_that_scored_it_last() -> None:
    amended: Log = [*PLAYED, {"type": "amend", "version": 6, "move": {**MARCH, "tricks": 3}}]
    scores = deal_scores(history(amended).steps())
    assert [(score.deal, score.version, score.points) for score in scores] == [
        (1, 12, (0, 1)),
        (2, 13, (0, 2)),
    ]


def test_fold__from_the_stored_log_gives_what_was_given_when_it_was_played() -> None:
    lived = history(PLAYED)
    raw = [
        entry
        for step in lived.steps()
        for entry in (step.entry, *(line.entry for line in step.derived))
    ]
    stored = History(lived.opening)
    stored.restore(raw)
    assert summary(stored) == summary(lived)
    assert deal_scores(stored.steps()) == deal_scores(lived.steps())


def thinned(length: int) -> tuple[int, ...]:
    course: Course[int] = Course()
    for number in range(length):
        course.add(number)
    return course.points()


def test_course__short_enough_is_whole() -> None:
    assert thinned(0) == ()
    assert thinned(2 * COURSE_VALUES_MAX - 1) == tuple(range(2 * COURSE_VALUES_MAX - 1))


@given(st.integers(1, 3_000))
def test_course__is_even_and_keeps_both_ends(length: int) -> None:
    points = thinned(length)
    assert (points[0], points[-1]) == (0, length - 1)
    assert len(points) <= 2 * COURSE_VALUES_MAX
    steps = [later - earlier for earlier, later in pairwise(points)]
    assert len(set(steps[:-1])) <= 1
    assert not steps or 0 < steps[-1] <= steps[0]
