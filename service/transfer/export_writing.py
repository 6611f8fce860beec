"""Writes an export: lines of people and games, with counts and verified hash chains."""

from hashlib import sha256
from typing import BinaryIO
from uuid import UUID

from msgspec import UNSET, Struct

from service.store.log.chain import Chain, GameVerdict
from service.store.log.dump import Dump, DumpedGame
from service.store.log.snapshot import Slice
from service.transfer.export_lines import (
    BadExport,
    DescriptionLine,
    EndLine,
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
    game_line,
)


class ExportedSlice(Struct, frozen=True):
    """The lines of a slice of games, their counts, and the games with an invalid chain.

    `left_out`: broken games that cannot be written as JSON.
    """

    lines: bytes
    games: int
    entries: int
    broken: tuple[GameVerdict, ...]
    left_out: tuple[UUID, ...] = ()


async def export_slice(dump: Dump, within: Slice) -> ExportedSlice:
    lines: list[bytes] = []
    broken: list[GameVerdict] = []
    left_out: list[UUID] = []
    entries = 0
    async for game in dump.games(within):
        chain = Chain(dump.club_id, game.game_id, game.players, game.continues)
        for link in game.links:
            chain.follow(link)
        verdict = chain.end(None)
        line = _line(game, verdict)
        if verdict.broken is not None:
            broken.append(verdict)
        if line is None:
            left_out.append(game.game_id)
            continue
        lines.append(line)
        entries += len(game.links)
    return ExportedSlice(b"".join(lines), len(lines), entries, tuple(broken), tuple(left_out))


def _line(game: DumpedGame, verdict: GameVerdict) -> bytes | None:
    try:
        line = encode_line(game_line(game))
        if verdict.broken is not None:
            # Its rows may contain invalid JSON, which would make the whole file unreadable.
            decode_line(line, 1)
    except (BadExport, UnicodeDecodeError):
        return None
    return line


GAMES_A_LINE = 1_000


class ExportWriter:
    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.broken: list[GameVerdict] = []
        self._digest = sha256()
        self.players = self.games = self.entries = 0

    async def begin(self, dump: Dump, *, backup: bool = False) -> None:
        """Write everything before the games. `backup`: also rows that no other club may read."""
        self.write(encode_line(HeadLine(club=dump.club_id, backup=backup or UNSET)))
        async for person in dump.people():
            player = PlayerLine(id=person.player_id, name=person.name, created_at=person.created_at)
            self.write(encode_line(player))
            self.players += 1
        for player_id, into in await dump.merges():
            self.write(encode_line(MergeLine(player=player_id, into=into)))
        for season in await dump.seasons():
            line = SeasonLine(
                id=season.season_id,
                name=season.name,
                first_day=season.first_day,
                last_day=season.last_day,
            )
            self.write(encode_line(line))
        for title, games in await dump.titles():
            for first in range(0, len(games) or 1, GAMES_A_LINE):
                named = TitleLine(
                    id=title.title_id,
                    name=title.name,
                    options=title.options,
                    created_at=title.created_at,
                    games=games[first : first + GAMES_A_LINE],
                    hidden=title.hidden,
                )
                self.write(encode_line(named))
        for title_id, into in await dump.title_merges():
            self.write(encode_line(TitleMergeLine(title=title_id, into=into)))
        async for game_id, description in dump.descriptions():
            self.write(
                encode_line(
                    DescriptionLine(game=game_id, place=description.place, tags=description.tags)
                )
            )
        if backup:
            async for table, row in dump.rows():
                self.write(encode_line(RowLine(table=table, row=row)))

    def write(self, raw: bytes) -> None:
        self._digest.update(raw)
        self._stream.write(raw)

    def part(self, part: ExportedSlice) -> None:
        self.write(part.lines)
        self.games += part.games
        self.entries += part.entries
        self.broken.extend(part.broken)

    def heads(self, line: HeadsLine) -> None:
        self.write(encode_line(line))

    def end(self) -> None:
        line = EndLine(
            players=self.players,
            games=self.games,
            entries=self.entries,
            sha256=self._digest.hexdigest(),
        )
        self.write(encode_line(line))
        self._stream.flush()
