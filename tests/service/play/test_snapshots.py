import asyncio
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from secrets import token_bytes
from typing import NamedTuple
from uuid import UUID, uuid4

import msgspec
import pytest
from msgspec import json

from domain.replay import ReplayedRecord, opening, replay
from schemas.catalogue import decode_record, shapes
from schemas.entries import Entry, Note
from schemas.strict_json import Malformed
from service.errors import NotFound
from service.metrics import WorkMetrics
from service.nondeterminism import time_of_day
from service.play import game_cache
from service.play.commands import GameCommands
from service.play.game_cache import ENTRIES_ON_LOOP_MAX, GameCache, LoadedGame, fold
from service.play.game_rows import Rows
from service.play.possibilities import hidden_from_viewers
from service.play.queries import GameQueries
from service.play.runtime import new_runtime
from service.play.snapshots import Appended, GameSnapshot
from service.play.views import GameView
from service.settings import ViewersKnow
from service.store.club.players import Players
from service.store.connection.pool import Pool
from service.store.log.events import EventStore
from service.store.read_models.projections import GameIndex
from service.store.records import StoredEntry
from tests.http.club import DEAL, MADE_RESULT, Json


class Games(NamedTuple):
    queries: GameQueries
    commands: GameCommands


def games_of(pool: Pool, club_id: UUID) -> Games:
    store, players = EventStore(pool, club_id), Players(pool, club_id)
    process = new_runtime(store)
    return Games(
        GameQueries(GameIndex(pool, club_id), process, time_of_day),
        GameCommands(store, players, process, uuid4, lambda: token_bytes(16), WorkMetrics()),
    )


@pytest.fixture
def club_id() -> UUID:
    return uuid4()


@pytest.fixture
def games(pool: Pool, club_id: UUID) -> Games:
    return games_of(pool, club_id)


@pytest.fixture
def elsewhere(pool: Pool, club_id: UUID) -> Games:
    return games_of(pool, club_id)


@pytest.fixture
async def game(pool: Pool, club_id: UUID, games: Games) -> GameView:
    people = [
        (await Players(pool, club_id).create(uuid4(), name)).player_id for name in ("Ann", "Bob")
    ]
    started = await games.commands.start("euchre", b"{}", people, None)
    assert isinstance(started, GameSnapshot)
    return await games.queries.show(started)


async def appended(games: Games, game: GameView, version: int, *entries: Entry) -> Appended:
    done = await games.commands.append(game.id, version, uuid4(), None, entries)
    assert isinstance(done, Appended)
    return done


def texts(moment: GameSnapshot) -> Sequence[bytes]:
    return [bytes(entry.entry) for entry in moment.log(1, effective=True)]


async def test_a_moment_stays_as_it_is_while_the_game_goes_on(games: Games, game: GameView) -> None:
    await appended(games, game, 1, Note(text="one"))
    moment = await games.queries.snapshot(game.id)
    await appended(games, game, 2, Note(text="two"))
    assert [entry.version for entry in moment.log()] == [1, 2]
    assert [entry.version for entry in moment.log(effective=True)] == [1, 2]
    assert (moment.version, (await games.queries.show(moment)).version) == (2, 2)


async def test_the_answer_to_an_append_knows_no_later_entry(
    games: Games, elsewhere: Games, game: GameView
) -> None:
    first = await appended(games, game, 1, Note(text="one"))
    await appended(elsewhere, game, 2, Note(text="two"))
    await games.queries.snapshot(game.id)
    assert [entry.version for entry in first.snapshot.log()] == [1, 2]
    assert first.version == (await games.queries.show(first.snapshot)).version == 2


async def test_the_answer_to_an_append_knows_names_as_they_are(
    games: Games, game: GameView, pool: Pool, club_id: UUID
) -> None:
    ann, bob = (player.id for player in game.players)
    await Players(pool, club_id).rename(ann, "Anna")
    await Players(pool, club_id).forget(bob)
    done = await appended(games, game, 1, Note(text="one"))
    assert [(player.id, player.name) for player in done.snapshot.players] == [
        (ann, "Anna"),
        (bob, None),
    ]


async def test_the_answer_to_an_append_tells_no_text_that_another_process_erased(
    games: Games, elsewhere: Games, game: GameView
) -> None:
    await appended(games, game, 1, Note(text="secret"))
    await elsewhere.commands.erase_text(game.id, 2)
    done = await appended(games, game, 2, Note(text="two"))
    assert b"secret" not in b"".join(texts(done.snapshot))
    assert (done.version, len(texts(done.snapshot))) == (3, 2)


async def test_the_last_entries_are_those_of_what_stands_at_any_version(
    games: Games, game: GameView
) -> None:
    dealt = '{"type": "result", "maker": 0, "tricks": 3, "dealer": 0}'
    again = dealt.replace('"dealer": 0', '"dealer": 1')
    mend = '{"type": "splice", "version": 2, "drop": 0, "moves": [{"type": "note", "text": "b"}]}'
    back = '{"type": "take_back", "to": 2}'
    for line in ('{"type": "note", "text": "a"}', dealt, mend, again, back):
        now = await games.queries.snapshot(game.id)
        entries = await games.queries.decode(game.id, f"[{line}]".encode())
        assert not isinstance(entries, Malformed)
        await appended(games, game, now.version, *entries)
    now = await games.queries.snapshot(game.id)
    assert now.version > 5
    for version in range(1, now.version + 1):
        then = now.at(version)
        for count in range(1, 8):
            stands = [json.decode(one.entry) for one in then.log(effective=True)[-count:]]
            assert json.decode(json.encode(then.last_entries(count))) == stands, (version, count)


async def test_the_last_deal_is_what_stands_up_to_its_end(games: Games, game: GameView) -> None:
    shape = shapes("euchre")
    for text in ("a", "b"):
        ends = b'{"type": "result", "maker": 0, "tricks": 3}'
        entries = shape.decode_submitted(
            b'[{"type": "note", "text": "%b"}, %b]' % (text.encode(), ends)
        )
        assert not isinstance(entries, Malformed)
        now = await games.queries.snapshot(game.id)
        await appended(games, game, now.version, *entries)
    now = await games.queries.snapshot(game.id)
    await appended(games, game, now.version, Note(text="after"))
    deal = (await games.queries.snapshot(game.id)).last_deal()
    assert [json.decode(one.entry).get("text") for one in deal] == ["b", None]


async def test_a_version_that_is_not_there_yet_is_no_moment(games: Games, game: GameView) -> None:
    with pytest.raises(NotFound):
        (await games.queries.snapshot(game.id)).at(2)


async def test_games_are_kept_by_their_entries_and_those_asked_for_last(
    games: Games, game: GameView, pool: Pool, club_id: UUID
) -> None:
    cache = GameCache(EventStore(pool, club_id), entries_max=3)
    people = [one.id for one in game.players]
    started = [await games.commands.start("euchre", b"{}", people, None) for _ in range(2)]
    longer, newest = [
        await games.queries.show(one) for one in started if isinstance(one, GameSnapshot)
    ]
    await appended(games, longer, 1, Note(text="one"))
    for one in (game, longer):
        await cache.current(one.id)
    await appended(games, game, 1, Note(text="later"))
    assert (await cache.cached_or_current(game.id)).version == 1
    await cache.current(newest.id)
    assert (await cache.cached_or_current(game.id)).version == 2


async def test_a_long_game_is_folded_beside_the_loop_once_for_all_who_ask(
    games: Games, game: GameView, pool: Pool, club_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    folded_in: list[threading.Thread] = []

    def folding(game_id: UUID, rows: Sequence[StoredEntry]) -> LoadedGame:
        folded_in.append(threading.current_thread())
        return fold(game_id, rows)

    await appended(games, game, 1, *[Note(text="more")] * ENTRIES_ON_LOOP_MAX)
    monkeypatch.setattr(game_cache, "fold", folding)
    cache = GameCache(EventStore(pool, club_id))
    found = await asyncio.gather(*(cache.current(game.id) for _ in range(5)))
    assert {one.version for one in found} == {ENTRIES_ON_LOOP_MAX + 1}
    (thread,) = folded_in
    assert thread is not threading.main_thread()


ANN, BOB, EVE = UUID(int=1), UUID(int=2), UUID(int=3)


def row(version: int, command_id: UUID, ordinal: int = 0) -> StoredEntry:
    return StoredEntry(
        version=version,
        type="note",
        schema_version=1,
        data=b"{}",
        recorded_at=datetime(2026, 11, 22, tzinfo=UTC),
        recorded_by=None,
        hash=bytes(32),
        ordinal=ordinal,
        command_id=command_id,
    )


STARTED = row(1, ANN)
TWO = (row(2, BOB), row(3, BOB, 1))
ROWS = Rows.of([STARTED, *TWO])


def test_they_read_as_a_sequence() -> None:
    assert (tuple(ROWS), len(ROWS), ROWS[-1], ROWS[1:]) == ((STARTED, *TWO), 3, TWO[1], TWO)


def test_what_grows_leaves_the_shorter_as_they_were() -> None:
    first = Rows.of([STARTED])
    assert tuple(first.extend(TWO)) == (STARTED, *TWO)
    assert tuple(first) == (STARTED,)
    assert first.of_command(BOB) == ()


def test_two_that_grow_from_one_place_know_nothing_of_each_other() -> None:
    first = Rows.of([STARTED])
    one, other = first.extend([row(2, BOB)]), first.extend([row(2, EVE)])
    assert (one[1].command_id, other[1].command_id) == (BOB, EVE)
    assert (one.of_command(EVE), other.of_command(BOB)) == ((), ())


def test_an_earlier_version_is_what_a_later_one_begins_with() -> None:
    assert tuple(ROWS.until(2)) == ROWS[:2]


def test_what_a_command_wrote_is_found() -> None:
    assert ROWS.of_command(BOB) == TWO
    assert ROWS.of_command(EVE) == ()


def test_what_came_later_is_not_found_at_an_earlier_version() -> None:
    assert ROWS.until(1).of_command(BOB) == ()


VOID: Json = {"type": "void", "reason": "misdeal"}


def moment(*log: Json) -> GameSnapshot:
    record = decode_record(
        msgspec.json.encode({"ruleset": "euchre", "options": {}, "seats": 2, "log": list(log)})
    )
    assert not isinstance(record, Malformed), record
    played = replay(opening("euchre", record.options, 2), record.log)
    assert isinstance(played, ReplayedRecord), played
    folded = LoadedGame(
        game_id=UUID(int=1),
        shapes=shapes("euchre"),
        rows=Rows.of([]),
        history=played.history,
    )
    return GameSnapshot(loaded=folded, players=())


@pytest.mark.parametrize(
    ("told", "log", "secret"),
    [
        ("live", DEAL, False),
        ("deal", DEAL, True),
        ("deal", [*DEAL, VOID], False),
        ("game", [*DEAL, VOID], True),
        ("game", [MADE_RESULT, {"type": "finish", "reason": "late"}], False),
        ("never", [MADE_RESULT, {"type": "finish", "reason": "late"}], True),
    ],
)
def test_watchers_are_told_when_the_setting_says(
    told: ViewersKnow, log: list[Json], *, secret: bool
) -> None:
    assert hidden_from_viewers(moment(*log), 2, told) == secret
