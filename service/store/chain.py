"""The hash chain of a game, computed apart from the database.

Promises: `entry_hash` equals carnet.entry_hash (sql/schema/entry_hash.sql) for every entry, so that
an export can be checked where no PostgreSQL is; `Chain` finds the first entry that does not follow
from the one before it, or whose free text is not the one it was recorded with. Assumes a game's
entries in the order of their versions.
"""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from struct import pack
from typing import Literal, TypeAlias
from uuid import UUID

from msgspec import Struct

from schemas.free_text import digest, digest_in
from schemas.upcast import TEXT_APART
from service.store.records import ChainedEntry

FIRST_PREV_HASH = bytes(32)

# PostgreSQL counts time in microseconds from here.
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_NULL = pack(">i", -1)

Difference: TypeAlias = Literal["version", "hash", "text", "head"]


class GameVerdict(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What verifying one game found.

    `broken` None: its `entries` entries are whole. Otherwise what differs at `version`, the first
    bad link: its number ("version": one is missing), its hash ("hash": it covers that of the entry
    before it), its free text ("text"; one that was erased is right), or the number of the last
    entry ("head": the end of the log is missing).
    """

    game_id: UUID
    entries: int
    version: int
    broken: Difference | None


class Chain:
    """One game's chain, followed entry by entry."""

    def __init__(self, club_id: UUID, game_id: UUID) -> None:
        self._club_id = club_id
        self.game_id = game_id
        self._last_hash = FIRST_PREV_HASH
        self._verdict: GameVerdict | None = None
        self._entries = 0

    def follow(self, link: ChainedEntry) -> None:
        """Take the next entry. After the first bad link, entries are only counted."""
        self._entries += 1
        if self._verdict is None:
            broken = self._difference(link)
            if broken is not None:
                self._verdict = self._judge(link.entry.version, broken)
        self._last_hash = link.entry.hash

    def end(self, head: int | None) -> GameVerdict:
        """Close the chain. `head`: the version the game's projection stands at, None if unknown."""
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


def entry_hash(club_id: UUID, link: ChainedEntry, prev_hash: bytes) -> bytes:
    """Compute an entry's hash: SHA-256 over its columns, each prefixed by its length in bytes.

    `prev_hash`: that of the entry before it.
    """
    entry = link.entry
    microseconds = (entry.recorded_at - _EPOCH) // timedelta(microseconds=1)
    return sha256(
        b"".join(
            _length_prefixed(value)
            for value in (
                club_id.bytes,
                link.game_id.bytes,
                pack(">i", entry.version),
                entry.command_id.bytes,
                pack(">h", entry.ordinal),
                entry.type.encode(),
                pack(">h", entry.schema_version),
                pack(">q", microseconds),
                None if entry.recorded_by is None else entry.recorded_by.bytes,
                entry.data,
                prev_hash,
            )
        )
    ).digest()


def _text_is_right(link: ChainedEntry) -> bool:
    """Tell whether what stands beside an entry is what was recorded, or was erased."""
    entry = link.entry
    if entry.schema_version != TEXT_APART:
        return True
    if entry.text is None:
        return link.apart
    return digest(link.salt or b"", entry.text) == digest_in(entry.data)


def _length_prefixed(value: bytes | None) -> bytes:
    return _NULL if value is None else pack(">i", len(value)) + value
