"""Reads an export: stores people, and yields the lines of games in batches."""

from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from hashlib import sha256
from typing import BinaryIO
from uuid import UUID

import msgspec
from msgspec import Struct, structs

from service.store.log.chain import entry_hash, seating_hash
from service.store.log.restore import Restore
from service.store.records import Player
from service.transfer.export_games import ImportedLines, Lines
from service.transfer.export_lines import (
    FORMAT,
    BadExport,
    DescriptionLine,
    EndLine,
    EntryPart,
    ExportedGameLine,
    HeadLine,
    HeadsLine,
    MergeLine,
    PlayerLine,
    RowLine,
    SeasonLine,
    TitleLine,
    TitleMergeLine,
    decode_line,
    encode_line,
)

_FIRST_HASH = bytes(32)  # what the first entry of a chain followed then


def upgrade(line: ExportedGameLine, club_id: UUID) -> ExportedGameLine:
    """Return a game of an old export with the hashes of format 3.

    The old chain is verified: after the first entry with a wrong hash, hashes are left unchanged,
    so that the import refuses the game and names that entry.

    Raises:
        ValueError: an entry has no type, or an invalid hash or salt.
    """
    old, new = _FIRST_HASH, seating_hash(line.players)
    parts: list[EntryPart] = []
    whole = True
    for part, link in zip(line.entries, line.links(), strict=True):
        whole = whole and link.entry.hash == entry_hash(club_id, link, old)
        old, new = link.entry.hash, entry_hash(club_id, link, new)
        parts.append(structs.replace(part, hash=new.hex()) if whole else part)
    return structs.replace(line, entries=tuple(parts))


_PEOPLE_AT_ONCE = 500
# Size of a batch, which goes to one process.
_GAMES_AT_ONCE, _BYTES_AT_ONCE = 50, 1 << 20


class _LineKind(Struct):
    """The field that decides how a line is decoded."""

    line: str
    id: UUID | None = None
    players: tuple[UUID, ...] | int = ()


_peek = msgspec.json.Decoder(_LineKind)


class ExportReader:
    def __init__(
        self,
        stream: BinaryIO,
        restore: Restore,
        advance: Callable[[int], object],
        line_bytes_max: int = -1,
    ) -> None:
        self._stream = stream
        self._line_bytes_max = line_bytes_max
        self._restore = restore
        self._advance = advance
        self._digest = sha256()
        self._people: set[UUID] = set()
        self._waiting: list[tuple[int, Player]] = []
        self._number = 0
        self._begun = False
        self._old = False
        self._end: tuple[int, EndLine, str] | None = None
        self._fault: BadExport | None = None
        self.games = self._entries = 0
        self.heads: HeadsLine | None = None
        self.new_people = self.new_games = self.failed = 0
        # Names now shared by several people, pairs of names alike, and merges that failed.
        self.shared_names: list[str] = []
        self.alike_names: list[tuple[str, str]] = []
        self.apart = 0

    async def parts(self) -> AsyncIterator[Lines]:
        """Yield the lines of games in batches; errors are raised by `must_have_ended`."""
        lines: list[tuple[int, bytes]] = []
        size = 0
        try:
            while self._fault is None and (raw := self._stream.readline(self._line_bytes_max)):
                self._number = number = self._number + 1
                if await self._is_game(raw):
                    lines.append((number, self._today(raw)))
                    size += len(raw)
                self._digest.update(raw)
                self._advance(len(raw))
                if len(lines) >= _GAMES_AT_ONCE or size >= _BYTES_AT_ONCE:
                    await self._flush()
                    yield tuple(lines)
                    lines, size = [], 0
            await self._flush()
        except BadExport as fault:
            self._fault = fault
        if lines:
            # Yield the batch before the fault, so that its players are not left without games.
            with suppress(BadExport):
                await self._flush()
            yield tuple(lines)

    def add(self, counts: ImportedLines) -> None:
        self.games += counts.games
        self._entries += counts.entries
        self.new_games += counts.new
        self.failed += len(counts.failed)
        if counts.bad is not None and (self._fault is None or self._fault.line > counts.bad[0]):
            self._fault = BadExport(*counts.bad)

    def must_have_ended(self) -> None:
        """Check that the export was complete. Raises: BadExport."""
        if self._fault is not None:
            raise self._fault
        if self._end is None:
            raise BadExport(self._number + 1, "the export ends here, before it is whole")
        number, line, digest = self._end
        counted = (len(self._people), self.games, self._entries, digest)
        if counted != (line.players, line.games, line.entries, line.sha256):
            raise BadExport(number, "lines before this one are missing, or were changed")

    @property
    def here(self) -> int:
        return self.games - self.new_games - self.failed

    def summary(self) -> str:
        taken = f"{self.new_games} games and {self.new_people} people imported"
        already = f"; {self.here} games were here already" if self.here else ""
        refused = f"; {self.failed} could not be" if self.failed else ""
        names = ", ".join(dict.fromkeys(self.shared_names))
        shared = f"\nSeveral people share a name now: {names}" if names else ""
        pairs = ", ".join(f"{name} and {other}" for name, other in self.alike_names)
        alike = f"\nThese may be one person each: {pairs}" if pairs else ""
        apart = f"\n{self.apart} merges could not be made again" if self.apart else ""
        return f"{taken}{already}{refused}{shared}{alike}{apart}\n"

    async def _is_game(self, raw: bytes) -> bool:
        """Import a line unless it is a game; return whether it is one. Raises: BadExport."""
        number = self._number
        if len(raw) == self._line_bytes_max:
            raise BadExport(number, f"a line of {len(raw)} bytes or more")
        if self._end is not None:
            raise BadExport(number, "nothing may follow the line that says this was all")
        peeked = self._peek_line(raw)
        game = peeked.line == "game" and isinstance(peeked.players, tuple)
        line = None if game else decode_line(raw, number)
        if self._begun == isinstance(line, HeadLine):
            raise BadExport(number, "an export begins with one line that says what it is")
        match line:
            case HeadLine(club=club, format=version):
                if club != self._restore.club_id:
                    raise BadExport(number, f"the export of another club, {club}")
                self._begun = True
                self._old = version < FORMAT
            case PlayerLine():
                self._people.add(line.id)
                self._waiting.append((number, line.player()))
                if len(self._waiting) == _PEOPLE_AT_ONCE:
                    await self._flush()
            case MergeLine():
                await self._flush()
                if not await self._restore.merge(line.player, line.into):
                    self.apart += 1
            case TitleMergeLine():
                if not await self._restore.merge_titles(line.title, line.into):
                    self.apart += 1
            case SeasonLine() | TitleLine() | DescriptionLine():
                try:
                    if isinstance(line, SeasonLine):
                        await self._restore.season(line.season())
                    elif isinstance(line, TitleLine):
                        await self._restore.title(line.title(), line.games)
                    else:
                        await self._restore.description(line.game, line.description())
                except ValueError as fault:
                    raise BadExport(number, f"this cannot be stored: {fault}") from None
            case RowLine():
                pass  # only `carnet restore` gives rights
            case HeadsLine():
                self.heads = line
            case EndLine():
                self._end = (number, line, self._digest.hexdigest())
            case _:
                assert isinstance(peeked.players, tuple)  # noqa: S101 -- it is a game
                if not self._people.issuperset(peeked.players):
                    problem = f"game {peeked.id} is played by people who are not here"
                    raise BadExport(number, problem)
        return game

    def _today(self, raw: bytes) -> bytes:
        if not self._old:
            return raw
        line = decode_line(raw, self._number)
        try:
            found = line
            if isinstance(line, ExportedGameLine):
                found = upgrade(line, self._restore.club_id)
        except (ValueError, msgspec.MsgspecError) as fault:
            raise BadExport(self._number, f"a game cannot be read: {fault}") from None
        return encode_line(found)

    def _peek_line(self, raw: bytes) -> _LineKind:
        try:
            return _peek.decode(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return _LineKind(line="")  # decoding the whole line reports the fault

    async def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        try:
            if waiting:
                restored = await self._restore.people([person for _, person in waiting])
                self.new_people += restored.new
                self.shared_names += restored.shared
                self.alike_names += restored.alike
        except ValueError as fault:
            if len(waiting) == 1:
                problem = f"nobody can be stored like this: {fault}"
                raise BadExport(waiting[0][0], problem) from None
            # One by one, to name the line that cannot be stored.
            for numbered in waiting:
                self._waiting = [numbered]
                await self._flush()
