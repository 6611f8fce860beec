"""The hash chain of a game, computed without the database.

Promises: `entry_hash` and `seating_hash` equal the database's (sql/schema/entry_hash.sql,
seating_hash.sql); `Chain` finds the first entry that does not follow from the one before it, or
whose free text was changed. Assumes a game's entries in the order of their versions.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from struct import Struct as Packed
from typing import Literal, TypeAlias
from uuid import UUID

from msgspec import Struct

from schemas.free_text import digest, stored_digest
from schemas.upcast import TEXT_SEPARATE
from service.store.records import ChainedEntry, ContinuedGame

# PostgreSQL's epoch; it counts in microseconds.
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
# Binary formats of PostgreSQL (int4send and so on), each after its length; a null has length -1.
_LENGTH = Packed(">i")
_NULL = _LENGTH.pack(-1)
_BEFORE_TYPE = Packed(">i16s i16s ii i16s ih i")
_AFTER_TYPE = Packed(">ih iq")

Difference: TypeAlias = Literal["version", "hash", "text", "head"]


class GameVerdict(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The result of verifying one game.

    `broken` None: its `entries` entries are intact. Otherwise the kind of the first fault, at
    `version`: "version" (an entry is missing), "hash" (content, seating or predecessor differ),
    "text" (a free text was changed; an erased one is intact) or "head" (entries at the end are
    missing).
    """

    game_id: UUID
    entries: int
    version: int
    broken: Difference | None


class Chain:
    """Verifies one game's chain entry by entry.

    `players`: by seat, seat 0 first. `continues`: the game from which it goes on.
    """

    def __init__(
        self,
        club_id: UUID,
        game_id: UUID,
        players: Sequence[UUID],
        continues: ContinuedGame | None = None,
    ) -> None:
        self._club_id = club_id
        self.game_id = game_id
        self._last_hash = seating_hash(players, continues)
        self._verdict: GameVerdict | None = None
        self._entries = 0

    def follow(self, link: ChainedEntry) -> None:
        """Check the next entry. After the first fault, entries are only counted."""
        self._entries += 1
        if self._verdict is None:
            broken = self._difference(link)
            if broken is not None:
                self._verdict = self._judge(link.entry.version, broken)
        self._last_hash = link.entry.hash

    def end(self, head: int | None) -> GameVerdict:
        """Return the verdict. `head`: the version of the game's projection, None if unknown."""
        if self._verdict is not None:
            return self._verdict
        missing = head is not None and head != self._entries
        return self._judge(self._entries, "head" if missing else None)

    def _difference(self, link: ChainedEntry) -> Difference | None:
        if link.entry.version != self._entries:
            return "version"
        if link.entry.hash != entry_hash(self._club_id, link, self._last_hash):
            return "hash"
        if not _text_is_right(link):
            return "text"
        return None

    def _judge(self, version: int, broken: Difference | None) -> GameVerdict:
        return GameVerdict(
            game_id=self.game_id, entries=self._entries, version=version, broken=broken
        )


def seating_hash(players: Sequence[UUID], continues: ContinuedGame | None = None) -> bytes:
    """Return the hash of the players by seat, which precedes the first entry's.

    It covers id and version of the game from which this one goes on, if it does.
    """
    parts = [player.bytes for player in players]
    if continues is not None:
        parts.append(continues.game_id.bytes + _LENGTH.pack(continues.version))
    return sha256(b"".join(map(_length_prefixed, parts))).digest()


def entry_hash(club_id: UUID, link: ChainedEntry, prev_hash: bytes) -> bytes:
    """Return an entry's hash: SHA-256 over its columns, each prefixed by its length in bytes.

    `prev_hash`: that of the entry before it, for the first one `seating_hash`.
    """
    entry, by = link.entry, link.entry.recorded_by
    kind = entry.type.encode()
    microseconds = (entry.recorded_at - _EPOCH) // _MICROSECOND
    return sha256(
        b"".join(
            (
                # Few calls for all columns: this runs over whole logs.
                _BEFORE_TYPE.pack(
                    *(16, club_id.bytes, 16, link.game_id.bytes, 4, entry.version),
                    *(16, entry.command_id.bytes, 2, entry.ordinal, len(kind)),
                ),
                kind,
                _AFTER_TYPE.pack(2, entry.schema_version, 8, microseconds),
                _NULL if by is None else _length_prefixed(by.bytes),
                _length_prefixed(entry.data),
                _length_prefixed(prev_hash),
            )
        )
    ).digest()


def _text_is_right(link: ChainedEntry) -> bool:
    entry = link.entry
    if entry.schema_version != TEXT_SEPARATE:
        return True
    if entry.text is None:
        return link.apart
    return digest(link.salt or b"", entry.text) == stored_digest(entry.data)


def _length_prefixed(value: bytes) -> bytes:
    return _LENGTH.pack(len(value)) + value
