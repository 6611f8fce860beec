from uuid import UUID

import pytest

from service.club.score_history import HistoryRequest, ScoreHistory
from service.export.history.rows import PlayedGame
from service.store.club.players import Players
from service.store.log.events import EventStore
from service.store.read_models.listing import GameFilter
from service.store.read_models.projections import GameIndex
from service.store.records import DealScore
from tests.store.samples import SampleTable, deal_score, entry, scored


@pytest.fixture
def history(
    games: GameIndex, players: Players, events: EventStore, monkeypatch: pytest.MonkeyPatch
) -> ScoreHistory:
    monkeypatch.setattr("service.club.score_history.ROWS_AT_ONCE", 1)
    return ScoreHistory(games, players, events)


async def write(table: SampleTable, game_id: UUID, version: int, *deals: DealScore) -> None:
    await table.append(game_id, version, entry("amend"), summary=scored(*deals), deals=deals)


async def two_games(table: SampleTable) -> list[UUID]:
    found = [await table.start_game(), await table.start_game()]
    for game_id in found:
        await write(table, game_id, 1, deal_score(1, 2, 1, 0))
    return found[::-1]


def points(played: PlayedGame) -> tuple[int, ...]:
    return tuple(map(sum, zip(*(deal.points for deal in played.game.deals), strict=True)))


@pytest.mark.parametrize(
    "deals",
    [
        (deal_score(1, 3, 0, 4),),
        (deal_score(1, 2, 1, 0), deal_score(2, 3, 2, 0)),
    ],
)
async def test_a_game_is_told_with_its_own_deals_when_it_changes_meanwhile(
    history: ScoreHistory, table: SampleTable, deals: tuple[DealScore, ...]
) -> None:
    _, older = await two_games(table)
    parts = history.read_games(HistoryRequest(which=GameFilter(), deals=True))
    await anext(parts)
    await write(table, older, 2, *deals)
    ((played,),) = [part async for part in parts]
    assert played.game.id == str(older)
    assert (played.game.version, played.game.totals) == (3, points(played))
    assert len(played.game.deals) == played.deals == len(deals)


async def test_a_game_taken_back_meanwhile_has_lost_its_deals(
    history: ScoreHistory, table: SampleTable
) -> None:
    _, older = await two_games(table)
    parts = history.read_games(HistoryRequest(which=GameFilter(), deals=True))
    await anext(parts)
    await write(table, older, 2)
    ((played,),) = [part async for part in parts]
    assert (played.game.version, played.game.totals, played.game.deals) == (3, (0, 0), ())


async def test_who_is_forgotten_meanwhile_is_not_named(
    history: ScoreHistory, table: SampleTable, players: Players
) -> None:
    await two_games(table)
    parts = history.read_games(HistoryRequest(which=GameFilter()))
    (first,) = await anext(parts)
    await players.forget(table.players[0])
    ((second,),) = [part async for part in parts]
    assert (first.names, second.names) == (("Ann", "Bob"), (None, "Bob"))


async def test_games_are_counted_from_where_an_export_begins(
    history: ScoreHistory, games: GameIndex, table: SampleTable
) -> None:
    for _ in range(3):
        await table.start_game()
    begin = (await games.games(GameFilter(), limit=1)).after
    one = GameFilter(player=table.players[0])
    for which in (GameFilter(), one):
        assert await history.count(HistoryRequest(which=which)) == 3
        assert await history.count(HistoryRequest(which=which, after=begin)) == 2
    assert await history.count(HistoryRequest(which=one, after=begin, limit=1)) == 1
