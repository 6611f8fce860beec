from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from projections.evenings import PAUSE_WITH_GAME, Evening, EveningGame, evenings
from schemas.days import timestamp_of_day

EIGHT = datetime(2026, 11, 21, 20, tzinfo=UTC)


def play(
    number: int,
    hour: float,
    *players: str,
    ruleset: str = "rami",
    took: float = 1,
    places: tuple[int, ...] = (),
    open_: bool = False,
) -> EveningGame[str]:
    begun = EIGHT + timedelta(hours=hour)
    return EveningGame(
        game_id=f"g{number}",
        ruleset=ruleset,
        title=ruleset,
        status="open" if open_ else "finished",
        started_at=begun,
        last_at=begun + timedelta(hours=took),
        players=players,
        deals=1,
        totals=tuple(range(1, len(players) + 1)),
        places=places or tuple(range(1, len(players) + 1)),
        took_part=(not open_,) * len(players),
    )


def ids(found: list[Evening[str]]) -> list[list[str]]:
    return [[game.game_id for game in one.games] for one in found]


def test_evening__another_game_with_the_same_people_goes_on() -> None:
    found = evenings([play(1, 0, "a", "b"), play(2, 1.5, "b", "a", ruleset="dutch")])
    assert ids(found) == [["g1", "g2"]]
    assert found[0].evening_id == "g1"


def test_evening__people_join_and_leave() -> None:
    found = evenings([play(1, 0, "a", "b"), play(2, 1, "a", "b", "c"), play(3, 2, "b", "c")])
    assert ids(found) == [["g1", "g2", "g3"]]
    assert set(found[0].people) == {"a", "b", "c"}


def test_evening__two_tables_are_two() -> None:
    found = evenings([play(1, 0, "a", "b"), play(2, 0.1, "c", "d"), play(3, 1, "b", "a")])
    assert ids(found) == [["g1", "g3"], ["g2"]]


def test_evening__is_over_after_a_pause_of_more_than_six_hours() -> None:
    within, after = play(2, 7, "a", "b"), play(3, 7.01, "a", "b")
    assert ids(evenings([play(1, 0, "a", "b"), within])) == [["g1", "g2"]]
    assert ids(evenings([play(1, 0, "a", "b"), after])) == [["g1"], ["g3"]]


def test_evening__a_game_that_goes_on_for_days_is_of_its_first() -> None:
    long = play(1, 0, "a", "b", took=100)
    assert ids(evenings([long, play(2, 30, "a", "b")])) == [["g1"], ["g2"]]


def test_tally__counts_first_and_last_places_of_finished_games() -> None:
    games = [
        play(1, 0, "a", "b", "c", places=(1, 3, 2)),
        play(2, 1, "a", "b", "c", places=(1, 1, 3)),
        play(3, 2, "a", "b", "c", open_=True),
    ]
    (evening,) = evenings(games)
    told = {one.player: (one.games, one.finished, one.first, one.last) for one in evening.tally}
    assert told == {"a": (3, 2, 2, 0), "b": (3, 2, 1, 1), "c": (3, 2, 0, 1)}
    assert evening.people[0] == "a"


@given(st.lists(st.tuples(st.floats(0, 60), st.permutations("abcde"), st.integers(2, 4))))
def test_evening__is_the_same_whatever_is_begun_later_and_never_goes_on_over_a_gap(
    drawn: list[tuple[float, list[str], int]],
) -> None:
    drawn.sort(key=lambda one: one[0])
    games = [play(at, hour, *people[:seats]) for at, (hour, people, seats) in enumerate(drawn)]
    found = ids(evenings(games))
    assert sorted(one for evening in found for one in evening) == sorted(g.game_id for g in games)
    before = ids(evenings(games[:-1]))
    left = [[one for one in evening if games and one != games[-1].game_id] for evening in found]
    assert [evening for evening in left if evening] == before
    for evening in evenings(games):
        for one, other in zip(evening.games, evening.games[1:], strict=False):
            assert other.started_at - one.started_at <= PAUSE_WITH_GAME


def test_evening__lasts_as_long_as_is_known_and_no_longer() -> None:
    live = [play(1, 0, "a", "b"), play(2, 1.5, "a", "b")]
    assert evenings(live)[0].duration == timedelta(hours=2.5)
    elsewhere = [
        structs.replace(game, times="start", last_at=game.last_at + PAUSE_WITH_GAME)
        for game in live
    ]
    (evening,) = evenings(elsewhere)
    assert evening.duration is None
    assert evening.ended_at == elsewhere[-1].started_at
    assert evenings([live[0], elsewhere[1]])[0].duration is None


def test_evening__games_of_a_day_without_hours_are_one_without_duration() -> None:
    day = date(2019, 5, 4)
    games = [
        structs.replace(play(nth, 0, "a", "b"), started_at=timestamp_of_day(day, nth), times="day")
        for nth in range(3)
    ]
    (one,) = evenings(games)
    assert (len(one.games), one.duration) == (3, None)


def test_evening__a_game_without_any_date_belongs_to_none() -> None:
    assert evenings([structs.replace(play(1, 0, "a", "b"), times="none")]) == []
