from typing import Any
from uuid import UUID, uuid4

from msgspec.structs import replace
from psycopg import AsyncConnection

from service.club.people import PERIODS_MAX, People
from service.club.results import GAMES_AT_ONCE
from service.store.club.players import Players
from service.store.read_models.listing import Bound
from service.store.read_models.projections import GameIndex
from tests.store.samples import OPEN, SampleTable, deal_score, entry, scored
from tests.store.test_listing import START

ENDED = replace(
    scored(deal_score(1, 2, 4, 1)), status="finished", places=(1, 2), took_part=(True, True)
)


async def test_standings_count_every_game_of_the_club(
    games: GameIndex,
    table: SampleTable,
    owner: AsyncConnection[tuple[Any, ...]],
    club_id: UUID,
) -> None:
    number = GAMES_AT_ONCE + 3
    await owner.execute(
        """
        INSERT INTO carnet.game (club_id, game_id, ruleset, options, seats, players, status,
                                 version, deals, totals, places, took_part, started_at, last_at)
        SELECT %s, gen_random_uuid(), 'euchre', '{}', 2, %s, 'finished', 12, 3,
           '{10,4}', '{1,2}', '{t,t}',
               %s + n * interval '1 minute', %s
        FROM generate_series(1, %s) AS n
        """,
        [club_id, list(table.players), START, START, number],
    )
    await owner.commit()
    (euchre,) = (await People(games).standings()).rulesets
    first, last = euchre.standings
    assert (euchre.games, euchre.finished) == (number, number)
    assert (first.player, last.player) == table.players
    assert (first.figures.longest_streak, last.figures.longest_streak) == (number, 0)
    assert (first.course[0].number, first.course[-1].number) == (1, number)


async def test_a_fold_is_kept_until_a_finished_game_changes(
    games: GameIndex, table: SampleTable
) -> None:
    people = People(games)
    game_id = await table.start_game()
    await table.append(game_id, 1, entry("result"), summary=ENDED)
    before = (await people.standings()).rulesets
    still_open = await table.start_game()
    begun = (await people.standings()).rulesets
    await table.append(still_open, 1, entry("result"))
    assert (await people.standings()).rulesets[0].standings == begun[0].standings
    await table.append(game_id, 2, entry("take_back", to=1), summary=OPEN)
    after = (await people.standings()).rulesets
    counts = [(table.games, table.finished) for (table,) in (before, begun, after)]
    assert counts == [(1, 1), (2, 1), (2, 0)]


async def test_names_are_read_afresh(
    games: GameIndex, players: Players, table: SampleTable
) -> None:
    people = People(games)
    await table.start_game()
    ann = table.players[0]
    await people.person(ann)
    await players.rename(ann, "Anne")
    assert (await people.person(ann)).player.name == "Anne"
    await players.forget(ann)
    assert (await people.standings()).players[ann].name is None


async def test_everybody_is_listed_with_their_games(
    games: GameIndex, players: Players, table: SampleTable
) -> None:
    await table.start_game()
    game = await games.game(await table.start_game("rami"))
    newcomer = uuid4()
    await players.create(newcomer, "Zoé")
    listed = {one.player.player_id: one.presence for one in await People(games).all()}
    assert listed[table.players[0]].games == 2
    assert listed[table.players[0]].last_at == game.started_at
    assert (listed[newcomer].games, listed[newcomer].last_at) == (0, None)


async def test_many_periods_are_folded_again_rather_than_kept_for_ever(
    games: GameIndex, table: SampleTable
) -> None:
    people = People(games)
    game = await games.game(await table.start_game())
    for _ in range(2):
        for number in range(PERIODS_MAX + 2):
            start = game.started_at.replace(year=2000 + number)
            (found,) = (await people.standings(started_from=Bound(start, start))).rulesets
            assert found.games == 1
