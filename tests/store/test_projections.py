from datetime import timedelta
from typing import Any, TypeAlias
from uuid import UUID, uuid4

import pytest
from msgspec import Raw, json
from msgspec.structs import replace
from psycopg import AsyncConnection

from service.errors import MalformedCursor, NotFound, VersionConflict
from service.store.connection.pool import Pool, connection
from service.store.log.events import EventStore
from service.store.read_models.listing import Bound, GameCursor, GameFilter
from service.store.read_models.projections import GameIndex
from service.store.records import DealScore, GameStart, GameSummary
from tests.store.samples import SampleTable, deal_score, entry, play, scored

Owner: TypeAlias = AsyncConnection[tuple[Any, ...]]


async def test_a_started_game_is_in_the_list(games: GameIndex, table: SampleTable) -> None:
    game_id = await table.start_game("dutch")
    (game,) = (await games.games(GameFilter())).games
    assert (game.game_id, game.ruleset, game.seats, game.status) == (game_id, "dutch", 2, "open")
    assert json.decode(game.options) == {"deck": 24}
    assert game.players == table.players


async def test_a_game_is_shown_at_its_last_version(games: GameIndex, table: SampleTable) -> None:
    game_id = await table.start_game()
    summary = GameSummary(
        status="finished", deals=1, totals=(0, 2), places=(2, 1), took_part=(True, True)
    )
    await table.append(game_id, 1, play(0, "AH"), play(1, "9C"), summary=summary)
    game = await games.game(game_id)
    assert (game.version, game.status, game.deals, game.totals) == (3, "finished", 1, (0, 2))


async def test_a_games_times_are_its_entries(
    games: GameIndex, events: EventStore, table: SampleTable
) -> None:
    game_id = await table.start_game()
    await table.append(game_id, 1, play(0, "AH"))
    first, last = await events.read(game_id)
    game = await games.game(game_id)
    assert (game.started_at, game.last_at) == (first.recorded_at, last.recorded_at)


async def test_a_game_nobody_started_is_not_found(games: GameIndex) -> None:
    with pytest.raises(NotFound):
        await games.game(uuid4())


async def test_a_deal_is_scored_in_the_append_that_ends_it(
    games: GameIndex, events: EventStore, table: SampleTable
) -> None:
    game_id, first = await table.start_game(), deal_score(1, 3, 0, 2)
    await table.append(
        game_id, 1, play(0, "AH"), entry("deal_ended"), summary=scored(first), deals=[first]
    )
    (stored,) = await games.deal_scores(game_id)
    assert (stored.deal, stored.version, stored.points) == (1, 3, (0, 2))
    assert json.decode(stored.detail) == {"march": True}
    assert stored.at == (await events.read(game_id))[-1].recorded_at


async def test_an_append_that_ends_no_deal_leaves_the_scores(
    games: GameIndex, table: SampleTable
) -> None:
    game_id, first = await table.start_game(), deal_score(1, 2, 0, 2)
    await table.append(game_id, 1, play(0, "AH"), summary=scored(first), deals=[first])
    await table.append(game_id, 2, play(1, "9C"), summary=scored(first))
    assert [stored.points for stored in await games.deal_scores(game_id)] == [(0, 2)]


@pytest.mark.parametrize(
    "corrected",
    [
        [deal_score(1, 2, 4, 0), deal_score(2, 3, 1, 0)],
        [deal_score(1, 2, 0, 2)],
        [],
    ],
)
async def test_a_correction_makes_the_scores_what_they_are_now(
    corrected: list[DealScore], games: GameIndex, table: SampleTable
) -> None:
    game_id = await table.start_game()
    agreed = [deal_score(1, 2, 0, 2), deal_score(2, 3, 1, 0)]
    await table.append(
        game_id, 1, play(0, "AH"), play(1, "9C"), summary=scored(*agreed), deals=agreed
    )
    await table.append(game_id, 3, entry("amend"), summary=scored(*corrected), deals=corrected)
    found = [
        (score.deal, score.version, score.points) for score in await games.deal_scores(game_id)
    ]
    assert found == [(score.deal, score.version, score.points) for score in corrected]
    assert (await games.game(game_id)).deals == len(corrected)


async def test_the_next_deal_writes_one_row(
    games: GameIndex, table: SampleTable, owner: Owner, club_id: UUID
) -> None:
    game_id, deals = await table.start_game(), [deal_score(n, n + 1, 0, 2) for n in range(1, 4)]
    for number in range(1, 4):
        ended = deals[:number]
        await table.append(game_id, number, play(0, "AH"), summary=scored(*ended), deals=ended)
    rows = await owner.execute(
        "SELECT count(DISTINCT xmin::text) FROM carnet.deal_score WHERE club_id = %s", [club_id]
    )
    assert await rows.fetchone() == (3,)
    assert len(await games.deal_scores(game_id)) == 3


async def test_a_refused_append_changes_nothing_people_read(
    games: GameIndex, table: SampleTable
) -> None:
    game_id = await table.start_game()
    score = deal_score(1, 6, 0, 2)
    with pytest.raises(VersionConflict):
        await table.append(game_id, 5, play(0, "AH"), summary=scored(score), deals=[score])
    assert (await games.game(game_id)).totals == (0, 0)
    assert await games.deal_scores(game_id) == []


async def test_nobody_sees_an_entry_without_its_score(pool: Pool, table: SampleTable) -> None:
    game_id, score = await table.start_game(), deal_score(1, 2, 0, 2)
    await table.append(game_id, 1, play(0, "AH"), summary=scored(score), deals=[score])
    async with connection(pool, table.events.club_id) as conn:
        rows = await conn.execute(
            """
            SELECT count(DISTINCT xmin::text) FROM (
                SELECT xmin FROM carnet.entry WHERE game_id = %(game)s AND version = 2
                UNION ALL SELECT xmin FROM carnet.game WHERE game_id = %(game)s
                UNION ALL SELECT xmin FROM carnet.deal_score WHERE game_id = %(game)s
            ) AS written
            """,
            {"game": game_id},
        )
        assert await rows.fetchone() == (1,)


async def test_scores_of_many_games_are_read_at_once(games: GameIndex, table: SampleTable) -> None:
    game_ids = sorted([await table.start_game(), await table.start_game()])
    for game_id in game_ids:
        score = deal_score(1, 2, 0, 2)
        await table.append(game_id, 1, play(0, "AH"), summary=scored(score), deals=[score])
    assert [score.game_id for score in await games.deal_scores(*game_ids)] == game_ids


async def test_pages_show_every_game_once_while_games_are_added(
    games: GameIndex, table: SampleTable
) -> None:
    started = [await table.start_game() for _ in range(5)]
    first = await games.games(GameFilter(), limit=2)
    await table.start_game()
    await table.append(started[0], 1, play(0, "AH"))
    seen, after = [game.game_id for game in first.games], first.after
    while after is not None:
        page = await games.games(GameFilter(), after=GameCursor.parse(after.text()), limit=2)
        seen, after = seen + [game.game_id for game in page.games], page.after
    assert seen == started[::-1]


async def test_the_last_page_says_so(games: GameIndex, table: SampleTable) -> None:
    await table.start_game()
    await table.start_game()
    assert (await games.games(GameFilter(), limit=2)).after is None


@pytest.mark.parametrize("text", ["", "x", "é", "bm9wZQ", "WzEsMl0"])
def test_a_cursor_nobody_gave_out_is_refused(text: str) -> None:
    with pytest.raises(MalformedCursor):
        GameCursor.parse(text)


async def test_games_are_found_by_ruleset(games: GameIndex, table: SampleTable) -> None:
    game_id = await table.start_game("durak")
    await table.start_game("rami")
    page = await games.games(GameFilter(ruleset="durak"))
    assert [game.game_id for game in page.games] == [game_id]


async def test_games_are_found_by_status(games: GameIndex, table: SampleTable) -> None:
    game_id = await table.start_game()
    await table.start_game()
    over = GameSummary(
        status="finished", deals=0, totals=(0, 0), places=(1, 1), took_part=(False, False)
    )
    await table.append(game_id, 1, entry("finish"), summary=over)
    page = await games.games(GameFilter(status="finished"))
    assert [game.game_id for game in page.games] == [game_id]


async def test_games_are_found_by_player(games: GameIndex, table: SampleTable) -> None:
    game_id = await table.start_game()
    found = await games.games(GameFilter(player=table.players[1]))
    assert [game.game_id for game in found.games] == [game_id]
    assert (await games.games(GameFilter(player=uuid4()))).games == ()


async def test_games_are_found_by_when_they_started(games: GameIndex, table: SampleTable) -> None:
    game_id = await table.start_game()
    at = (await games.game(game_id)).started_at
    later = at + timedelta(microseconds=1)
    begin, end = Bound(at, at), Bound(later, later)
    assert (await games.games(GameFilter(started_from=begin, started_before=end))).games
    assert not (await games.games(GameFilter(started_from=end))).games
    assert not (await games.games(GameFilter(started_before=begin))).games


async def test_a_rebuild_writes_the_rows_that_were_there(
    games: GameIndex, table: SampleTable, owner: Owner, club_id: UUID
) -> None:
    game_id, score = await table.start_game(), deal_score(1, 2, 0, 2)
    await table.append(game_id, 1, play(0, "AH"), summary=scored(score), deals=[score])
    before = await games.game(game_id), await games.deal_scores(game_id)
    await owner.execute("DELETE FROM carnet.game WHERE club_id = %s", [club_id])
    await owner.execute("DELETE FROM carnet.deal_score WHERE club_id = %s", [club_id])
    await owner.execute("DELETE FROM carnet.game_player WHERE club_id = %s", [club_id])
    await owner.commit()
    start = GameStart(ruleset="euchre", options=Raw(b'{"deck": 24}'), seats=2)
    await games.project(game_id, 2, replace(scored(score), start=start), [score])
    assert (await games.game(game_id), await games.deal_scores(game_id)) == before
    assert (await games.games(GameFilter(player=table.players[0]))).games == (before[0],)


async def test_a_rebuild_of_a_game_that_has_gone_on_is_refused(
    games: GameIndex, table: SampleTable
) -> None:
    game_id = await table.start_game()
    await table.append(game_id, 1, play(0, "AH"))
    summary = GameSummary(
        status="open",
        deals=0,
        totals=(0, 0),
        places=(1, 1),
        took_part=(False, False),
        start=table.game_start(),
    )
    with pytest.raises(VersionConflict) as refused:
        await games.project(game_id, 1, summary, [])
    assert refused.value.version == 2
