from collections.abc import AsyncGenerator, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace
from psycopg import AsyncConnection
from psycopg.sql import SQL, Composed

from service.store.read_models.listing import (
    Bound,
    GameCursor,
    GameFilter,
    count_query,
    games_query,
)
from service.store.read_models.projections import GAMES_AT_ONCE, LAST_PLAYED, GameIndex
from tests.depth import run_size
from tests.store.samples import SampleTable

GAMES = run_size(30_000, deep=100_000)
PLAYERS = [UUID(int=number) for number in range(1, 41)]
CLUB = uuid4()
START = datetime(2020, 1, 1, tzinfo=UTC)
DAY_33, DAY_36 = (START + timedelta(days=days) for days in (33, 36))
# A page of 50 games, each looked up by its key through an index of some levels.
BLOCKS_MAX = 400

_FILL = """
    INSERT INTO carnet.game (club_id, game_id, ruleset, options, seats, players, status, version,
                             deals, totals, places, took_part, started_at, last_at)
    SELECT %(club)s, gen_random_uuid(),
           CASE WHEN n %% 1000 = 0 THEN 'rami' ELSE 'euchre' END, '{}', 2,
           ARRAY[%(players)s[1 + n %% 39], %(players)s[40]],
           CASE WHEN n %% 5000 = 1 THEN 'open' ELSE 'finished' END, 12, 3,
           '{10,4}', '{1,2}', '{t,t}',
           %(start)s + n * interval '1 minute', %(start)s + n * interval '1 minute'
    FROM generate_series(1, %(games)s) AS n
"""

_FILL_PLAYERS = """
    INSERT INTO carnet.game_player (club_id, game_id, seat, player_id, ruleset, started_at)
    SELECT g.club_id, g.game_id, p.seat - 1, p.player_id, g.ruleset, g.started_at
    FROM carnet.game g, unnest(g.players) WITH ORDINALITY AS p (player_id, seat)
    WHERE g.club_id = %(club)s
"""


@pytest.fixture(scope="module")
async def filled_database(database_url: str) -> AsyncGenerator[AsyncConnection[tuple[Any, ...]]]:
    async with await AsyncConnection.connect(database_url) as conn:
        facts = {"club": CLUB, "players": PLAYERS, "start": START, "games": GAMES}
        await conn.execute(_FILL, facts)
        await conn.execute(_FILL_PLAYERS, facts)
        await conn.execute("ANALYZE carnet.game, carnet.game_player")
        yield conn
        await conn.rollback()


MIDDLE = GameCursor(START + timedelta(minutes=GAMES // 2), UUID(int=0))
FILTERS = {
    "all": GameFilter(),
    "ruleset": GameFilter(ruleset="rami"),
    "status": GameFilter(status="open"),
    "dates": GameFilter(started_from=Bound(DAY_33, DAY_33), started_before=Bound(DAY_36, DAY_36)),
    "dates in Auckland": GameFilter(
        started_from=Bound(DAY_33, DAY_33 + timedelta(hours=13)),
        started_before=Bound(DAY_36, DAY_36 + timedelta(hours=13)),
    ),
    "player": GameFilter(player=PLAYERS[3]),
    "player of every game": GameFilter(player=PLAYERS[39]),
    "player and ruleset": GameFilter(player=PLAYERS[39], ruleset="rami"),
    "player and dates": GameFilter(player=PLAYERS[3], started_from=Bound(DAY_33, DAY_33)),
    "stranger": GameFilter(player=UUID(int=99)),
    "ruleset nobody plays": GameFilter(ruleset="bridge"),
}


@pytest.mark.parametrize("after", [None, MIDDLE], ids=["first page", "middle page"])
@pytest.mark.parametrize("name", FILTERS)
async def test_a_page_of_many_games_is_read_from_an_index(
    filled_database: AsyncConnection[tuple[Any, ...]], name: str, after: GameCursor | None
) -> None:
    query = games_query(CLUB, FILTERS[name], after, 51).as_string(filled_database)
    asked = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {query}".encode()
    rows = await (await filled_database.execute(asked)).fetchall()
    plan = at_its_node(rows[0][0][0]["Plan"])
    kinds = {node["Node Type"] for node in nodes(plan)}
    assert not kinds & {"Seq Scan", "Sort", "Incremental Sort"}
    assert plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] < BLOCKS_MAX


@pytest.mark.parametrize("name", FILTERS)
async def test_games_set_aside_among_many_are_counted_from_an_index(
    filled_database: AsyncConnection[tuple[Any, ...]], name: str
) -> None:
    which = replace(FILTERS[name], set_aside="only")
    assert await blocks(filled_database, count_query(CLUB, which)) < BLOCKS_MAX


@pytest.mark.parametrize("name", FILTERS)
async def test_counting_stops_where_it_is_told_to(
    filled_database: AsyncConnection[tuple[Any, ...]], name: str
) -> None:
    query = count_query(CLUB, FILTERS[name], most=50)
    assert await blocks(filled_database, query) < BLOCKS_MAX


async def test_when_somebody_last_played_is_read_from_the_end_of_an_index(
    filled_database: AsyncConnection[tuple[Any, ...]],
) -> None:
    query = LAST_PLAYED.format(players=PLAYERS, club=CLUB)
    assert await blocks(filled_database, query) < BLOCKS_MAX * len(PLAYERS)


async def blocks(conn: AsyncConnection[tuple[Any, ...]], query: Composed) -> int:
    asked = SQL("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {}").format(query)
    rows = await (await conn.execute(asked)).fetchall()
    plan: dict[str, Any] = rows[0][0][0]["Plan"]
    return int(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])


def at_its_node(plan: dict[str, Any]) -> dict[str, Any]:
    spread = [node for node in nodes(plan) if "Distributed Query" in node]
    if not spread:
        return plan
    asked = spread[0]["Distributed Query"]["Job"]
    assert asked["Task Count"] == 1
    remote: dict[str, Any] = asked["Tasks"][0]["Remote Plan"][0][0]["Plan"]
    return remote


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from nodes(below)


async def test_every_game_is_read_once_in_either_order(
    games: GameIndex, table: SampleTable, owner: AsyncConnection[tuple[Any, ...]], club_id: UUID
) -> None:
    number = GAMES_AT_ONCE + 3
    facts = {"club": club_id, "players": PLAYERS, "start": START, "games": number}
    await owner.execute(_FILL, facts)
    await owner.commit()
    await table.start_game()
    newest = [game.game_id async for some in games.every(GameFilter()) for game in some]
    oldest = [
        game.game_id async for some in games.every(GameFilter(), "oldest first") for game in some
    ]
    assert len(set(newest)) == len(newest) == number + 1 == await games.count(GameFilter())
    assert newest == oldest[::-1]


async def test_games_are_counted_as_they_are_listed(games: GameIndex, table: SampleTable) -> None:
    await table.start_game("rami")
    await table.start_game("durak")
    assert await games.count(GameFilter()) == 2
    assert await games.count(GameFilter(ruleset="rami", player=table.players[0])) == 1
    assert await games.count(GameFilter(status="finished")) == 0
    assert await games.count(GameFilter(), most=1) == 1
