from datetime import UTC, datetime
from typing import cast
from uuid import UUID

import msgspec

from domain.replay import ReplayedRecord, opening, replay
from schemas.catalogue import decode_record, encode, type_of
from schemas.entries import Entry, Started
from schemas.strict_json import Malformed
from service.play.game_cache import LoadedGame, fold
from service.play.sight import SightCache
from service.play.workers import Workers
from service.store.records import StoredEntry
from tests.http.club import DEAL, Json

AWAY: Json = {"type": "exchange", "seat": 0, "take": True, "discard": "9D"}
PLAYS: list[Json] = [
    {"type": "play", "seat": 1, "card": "AC"},
    {"type": "play", "seat": 0, "card": "TC"},
]
PRIVATE = [*DEAL[:2], AWAY, *PLAYS]


def load_game(*log: Json) -> LoadedGame:
    record = decode_record(
        msgspec.json.encode({"ruleset": "euchre", "options": {}, "seats": 2, "log": log})
    )
    assert not isinstance(record, Malformed)
    assert isinstance(replay(opening("euchre", record.options, 2), record.log), ReplayedRecord)
    started = Started(ruleset="euchre", rules_version=1, options=record.options, seats=2)
    entries = cast("list[Entry]", [started, *record.log])
    return fold(
        UUID(int=1),
        [
            StoredEntry(
                version=version,
                type=type_of(entry),
                schema_version=1,
                data=encode(entry),
                recorded_at=datetime(2026, 1, 1, tzinfo=UTC),
                recorded_by=None,
                hash=bytes([version]) * 32,
                ordinal=0,
                command_id=UUID(int=version),
            )
            for version, entry in enumerate(entries, 1)
        ],
    )


def describe(game: LoadedGame) -> list[bytes]:
    return [row.json for row in game.rows]


async def test_readers_see_each_version_as_the_fold_of_the_log_without_private_cards() -> None:
    whole = load_game(*PRIVATE)
    bare = load_game(*DEAL[:2], {**AWAY, "discard": "??"}, *PLAYS)
    cache = SightCache(Workers())
    # Also an earlier version than the last one requested.
    for version in (3, 4, 5, 6, 4):
        seen = await cache.masked_game(whole.at(version), "deal")
        assert seen.history.game.deal == bare.at(version).history.game.deal
        assert b"9D" not in b"".join(describe(seen))
        assert [row.hash for row in seen.rows if not row.hash] == [b""] * (version >= 4)
    assert b"9D" in describe(whole)[3]


async def test_a_game_without_private_cards_is_shown_as_it_is() -> None:
    whole, cache = load_game(*DEAL, *PLAYS), SightCache(Workers())
    for version in (4, 6):
        at = whole.at(version)
        assert await cache.masked_game(at, "deal") is at


async def test_a_log_that_was_read_anew_is_folded_anew() -> None:
    cache = SightCache(Workers())
    before = await cache.masked_game(load_game(*PRIVATE), "deal")
    after = await cache.masked_game(load_game(*DEAL[:2], AWAY), "deal")
    assert (before.version, after.version) == (6, 4)
    assert b"9D" not in b"".join(describe(after))
