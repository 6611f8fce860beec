from datetime import UTC, datetime
from uuid import UUID, uuid4

from msgspec import Raw
from msgspec.structs import replace

from service.club.results import result_of
from service.store.read_models.finished_results import FinishedGame

AT = datetime(2026, 1, 1, tzinfo=UTC)
PLAYERS = tuple(UUID(int=number) for number in range(1, 5))
DURAK = FinishedGame(
    game_id=uuid4(),
    ruleset="durak",
    options=Raw(b'{"rules":"fr","teams":true}'),
    seats=4,
    players=PLAYERS,
    status="finished",
    deals=3,
    totals=(2, 0, 2, 0),
    places=(3, 1, 3, 1),
    took_part=(True, True, True, True),
    started_at=AT,
    times="recorded",
)


def details(*duraks: str) -> tuple[Raw, ...]:
    return tuple(Raw(f'{{"places":[[1],[3],[0,2]],"durak":{durak}}}'.encode()) for durak in duraks)


def test_durak__partners_play_together_and_duraks_are_counted_by_deal() -> None:
    result = result_of(replace(DURAK, details=details("0", "null", "2")))
    assert result.teams == ((0, 2), (1, 3))
    assert result.counted == {"duraks": (1, 0, 1, 0)}
    assert (result.players, result.places, result.finished) == (PLAYERS, (3, 1, 3, 1), True)


def test_durak__alone_everybody_plays_alone() -> None:
    result = result_of(replace(DURAK, options=Raw(b'{"rules":"fr","teams":false}')))
    assert result.teams == ()
    assert result.counted == {"duraks": (0, 0, 0, 0)}


def test_other_games__have_neither_teams_nor_anything_counted() -> None:
    result = result_of(replace(DURAK, ruleset="rami", options=Raw(b"{}")))
    assert (result.teams, result.counted) == ((), {})


def test_games__that_count_for_somebody_are_results() -> None:
    nobody = replace(DURAK, took_part=(False, False, False, False))
    somebody = replace(nobody, took_part=(False, False, False, True))
    assert [one.finished for one in map(result_of, (nobody, somebody))] == [False, True]


def test_open_games__are_not_finished() -> None:
    result = result_of(replace(DURAK, status="open", took_part=(False, False, False, False)))
    assert (result.finished, result.counted) == (False, {})
