"""People and titles merged, parted, renamed, forgotten and seated by several at once."""

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from uuid import UUID, uuid4

import pytest
from msgspec import Raw, Struct

from service.errors import AlreadyMerged, NotFound, SameGame, TitleMerged
from service.play.new_game import wrong_player
from service.store.club.players import Players
from service.store.club.titles import Titles
from service.store.connection.pool import Pool
from service.store.log.events import EventStore
from service.store.log.restore import Restore, open_restore
from service.store.records import GameStart, GameSummary
from tests.depth import run_size
from tests.faults.merge_schedules import (
    THINGS,
    State,
    Step,
    World,
    draw,
    follow,
    outcomes,
    schedule,
)
from tests.store.samples import entry

_PAUSE_SECONDS_MAX = 0.003

_PEOPLE = """
    SELECT player_id, name, merged_into, person_id FROM carnet.player WHERE club_id = %s
"""
# A row per game: its players as stored with it, by seat, and as they are computed.
_GAMES = """
    SELECT g.players,
           ARRAY(SELECT p.player_id FROM carnet.game_player p
                 WHERE p.club_id = g.club_id AND p.game_id = g.game_id ORDER BY p.seat),
           ARRAY(SELECT s.player_id FROM carnet.seated s
                 WHERE s.club_id = g.club_id AND s.game_id = g.game_id ORDER BY s.seat)
    FROM carnet.game g WHERE g.club_id = %s
"""
_TITLES = """
    SELECT title_id, name, merged_into, group_id FROM carnet.title WHERE club_id = %s
"""
_TITLED = """
    SELECT ARRAY[g.title_id], ARRAY[g.title_id],
           ARRAY(SELECT t.title_id FROM carnet.titled t
                 WHERE t.club_id = g.club_id AND t.game_id = g.game_id)
    FROM carnet.game g WHERE g.club_id = %s
"""


class Parts(Struct, frozen=True):
    """One club with four people and four titles, numbered."""

    restore: Restore
    ids: tuple[UUID, ...]
    players: Players
    titles: Titles
    events: EventStore

    async def start(self, players: Sequence[UUID], title: UUID | None = None) -> None:
        summary = GameSummary(
            status="open",
            deals=0,
            totals=(0,) * len(players),
            places=(1,) * len(players),
            took_part=(False,) * len(players),
            start=GameStart(
                ruleset="scores",
                options=Raw(b"{}"),
                seats=len(players),
                players=tuple(players),
                title=title,
            ),
        )
        await self.events.append(
            game_id=uuid4(),
            expected_version=0,
            command_id=uuid4(),
            by=None,
            entries=[entry("started")],
            summary=summary,
        )

    async def state(self, things: str, games: str) -> State:
        """Read the rows; a root that is stored otherwise than its merges say fails."""
        conn, club = self.restore.conn, [self.events.club_id]
        rows = await (await conn.execute(things.encode(), club)).fetchall()
        played = await (await conn.execute(games.encode(), club)).fetchall()
        stored = {row[0]: row[1:] for row in rows}
        number = {None: None} | {one: at for at, one in enumerate(self.ids)}
        found = State(
            tuple(stored[one][0] for one in self.ids),
            tuple(number[stored[one][1]] for one in self.ids),
        )
        for at, one in enumerate(self.ids):
            root = found.root(at)
            assert number[stored[one][2]] == (None if root == at else root), "a wrong root"
        seated = []
        for in_game, in_index, computed in played:
            assert in_game == in_index == computed, "a projection differs from its sources"
            seated.append(tuple(self.ids.index(one) for one in computed))
        return State(found.names, found.into, tuple(sorted(seated)))


class People(Struct, frozen=True):
    parts: Parts

    async def run(self, step: Step) -> str:
        ids, players = self.parts.ids, self.parts.players
        one, other = ids[step.one], ids[step.other]
        try:
            match step.kind:
                case "merge":
                    await players.merge(one, other)
                case "restore":
                    return "done" if await self.parts.restore.merge(one, other) else "apart"
                case "undo":
                    await players.undo_merge(one)
                case "rename":
                    await players.rename(one, step.name, same_name=True)
                case "forget":
                    await players.forget(one)
                case "start":
                    return await self._start(one, other)
        except (NotFound, SameGame) as error:
            return type(error).__name__
        except AlreadyMerged:
            return "merged-already"
        return "done"

    async def _start(self, *asked: UUID) -> str:
        known = await self.parts.players.by_ids(asked)
        seated = [known[one].player_id for one in asked]
        if wrong_player(seated, {one.player_id: one for one in known.values()}):
            return "refused"
        try:
            await self.parts.start(seated)
        except AlreadyMerged:
            return "conflict"
        return "done"

    async def state(self) -> State:
        return await self.parts.state(_PEOPLE, _GAMES)


class TitlesOfGames(Struct, frozen=True):
    parts: Parts
    player: UUID

    async def run(self, step: Step) -> str:
        ids, titles = self.parts.ids, self.parts.titles
        one, other = ids[step.one], ids[step.other]
        try:
            match step.kind:
                case "merge":
                    await titles.merge(one, other)
                case "restore":
                    merged = await self.parts.restore.merge_titles(one, other)
                    return "done" if merged else "apart"
                case "undo":
                    await titles.undo_merge(one)
                case "rename":
                    await titles.change(one, step.name, None)
                case "forget":
                    await titles.forget(one)
                case "start":
                    title = await titles.get(one)
                    if title.name is None:
                        return "refused"
                    await self.parts.start([self.player], title.title_id)
        except NotFound:
            return "NotFound"
        except TitleMerged:
            return "merged-already"
        return "done"

    async def state(self) -> State:
        return await self.parts.state(_TITLES, _TITLED)


async def begin(world: World, random: Random, *, meet: bool) -> State:
    """Do some steps one after another; the model has to follow them."""
    state = await world.state()
    for _ in range(random.randint(0, 4)):
        step = draw(random, ("merge", "merge", "start", "undo"))
        state, answer = follow(state, step, meet=meet)
        assert await world.run(step) == answer, step
        assert await world.state() == state.visible(), step
    return state


async def run_schedule(world: World, random: Random, *, meet: bool) -> None:
    state = await begin(world, random, meet=meet)
    steps = schedule(random)
    pauses = [[random.uniform(0, _PAUSE_SECONDS_MAX) for _ in some] for some in steps]

    async def connection(number: int) -> list[str]:
        answers = []
        for step, pause in zip(steps[number], pauses[number], strict=True):
            await asyncio.sleep(pause)
            answers.append(await world.run(step))
        return answers

    answers = await asyncio.gather(*map(connection, range(len(steps))))
    after = await world.state()
    # A conflict stored nothing: the others have to make sense without it.
    stored = [
        [step for step, answer in zip(some, said, strict=True) if answer != "conflict"]
        for some, said in zip(steps, answers, strict=True)
    ]
    told = [[answer for answer in said if answer != "conflict"] for said in answers]
    assert (after, told) in outcomes(state, stored, meet=meet), (state, steps, answers, after)


def parts_of(pool: Pool, restore: Restore, ids: Sequence[UUID]) -> Parts:
    club_id = restore.club_id
    return Parts(
        restore,
        tuple(ids),
        Players(pool, club_id),
        Titles(pool, club_id),
        EventStore(pool, club_id),
    )


def seeds(deep: int) -> range:
    return range(run_size(30, deep=deep))


@pytest.mark.timeout(1800)
async def test_every_outcome_of_people_merged_at_once_is_a_sequential_one(
    pool: Pool, database_url: str, record_property: Callable[[str, int], None]
) -> None:
    for seed in seeds(2_000):
        club_id, ids = uuid4(), [uuid4() for _ in range(THINGS)]
        async with open_restore(database_url, club_id) as restore:
            parts = parts_of(pool, restore, ids)
            for number, one in enumerate(ids):
                await parts.players.create(one, f"Somebody {number}")
            await run_schedule(People(parts), Random(seed), meet=True)  # noqa: S311 schedules, not secrets
    record_property("schedules", len(seeds(2_000)))


@pytest.mark.timeout(1800)
async def test_every_outcome_of_titles_merged_at_once_is_a_sequential_one(
    pool: Pool, database_url: str, record_property: Callable[[str, int], None]
) -> None:
    for seed in seeds(1_000):
        club_id, ids = uuid4(), [uuid4() for _ in range(THINGS)]
        async with open_restore(database_url, club_id) as restore:
            parts = parts_of(pool, restore, ids)
            player = (await parts.players.create(uuid4(), "Ann")).player_id
            for number, one in enumerate(ids):
                await parts.titles.create(one, f"Game {number}")
            await run_schedule(TitlesOfGames(parts, player), Random(seed), meet=False)  # noqa: S311 schedules, not secrets
    record_property("schedules", len(seeds(1_000)))
