"""Imports games of an export in batches, in this or another process."""

import asyncio
from collections.abc import Iterable, Sequence
from uuid import UUID

import msgspec
from msgspec import Struct

from schemas.catalogue import SHAPES
from service.errors import IntegrityBroken, OtherGame, VersionConflict
from service.play.game_cache import beginning
from service.play.reprojection import compute_projection
from service.store.log.restore import Restore, RestoredGame, storable
from service.transfer.export_lines import BadExport, ExportedGameLine, decode_line

Lines = tuple[tuple[int, bytes], ...]


class ImportedLines(Struct, frozen=True):
    """The result of a batch: counts, and a sentence for each game that failed.

    `bad`: number and problem of the first invalid line.
    """

    games: int
    entries: int
    new: int
    failed: tuple[str, ...]
    bad: tuple[int, str] | None = None


async def import_lines(restore: Restore, lines: Lines) -> ImportedLines:
    part = _Part(restore)
    bad: tuple[int, str] | None = None
    try:
        for number, raw in lines:
            await part.read(number, raw)
    except BadExport as fault:
        bad = (fault.line, fault.problem)
    await part.finish()
    return ImportedLines(part.games, part.entries, part.new, tuple(part.failed), bad)


class _Part:
    """Collects games and imports them together; one by one if that fails."""

    def __init__(self, restore: Restore) -> None:
        self._restore = restore
        self._given: dict[UUID, RestoredGame] = {}
        self.games = self.entries = self.new = 0
        self.failed: list[str] = []

    async def read(self, number: int, raw: bytes) -> None:
        line = await asyncio.to_thread(decode_line, raw, number)
        if not isinstance(line, ExportedGameLine):
            raise BadExport(number, "not the line of a game")
        try:
            links = line.links()
            known = bool(links) and beginning(links[0].entry.data).ruleset in SHAPES
        except (ValueError, msgspec.MsgspecError) as fault:
            raise BadExport(number, f"game {line.id} cannot be read: {fault}") from None
        self.games += 1
        self.entries += len(links)
        if not known:
            self._fails(line.id, "it is played by rules this Carnet does not know")
            return
        if line.id in self._given:
            await self.finish()
        self._given[line.id] = RestoredGame(
            game_id=line.id,
            players=line.players,
            links=links,
            positions=line.positions(),
            continues=line.continued_game,
        )

    async def finish(self) -> None:
        every, self._given = [*self._given.values()], {}
        given = await asyncio.to_thread(lambda: [*filter(self._whole, every)])
        held = await self._restore.existing([game.game_id for game in given])
        missing: list[RestoredGame] = []
        for game in given:
            if game.game_id not in held:
                missing.append(game)
            elif fault := game.differs(held[game.game_id]):
                self._differs(game, fault)
        here = [game for game in given if game.game_id in held]
        await self._list(here)
        await self._store(missing)

    def _whole(self, game: RestoredGame) -> bool:
        try:
            self._restore.check(game)
        except IntegrityBroken as error:
            why = f"entry {error.version} is not what was recorded ({error.what})"
            self._fails(game.game_id, why)
            return False
        return True

    async def _store(self, games: Sequence[RestoredGame]) -> None:
        results = await asyncio.to_thread(lambda: [*map(self._with_projection, games)])
        folded = [game for game in results if game is not None]
        if not folded:
            return
        try:
            with storable():
                self.new += len(folded) - len(await self._restore.store(folded))
        except (ValueError, OtherGame, VersionConflict) as fault:
            if len(folded) > 1:
                for game in folded:
                    await self._store([game])
            elif isinstance(fault, ValueError):
                self._fails(folded[0].game_id, f"it cannot be stored: {fault}")
            else:
                self._differs(folded[0], fault)

    async def _list(self, games: Iterable[RestoredGame]) -> None:
        known = {game.game_id: game for game in games}
        missing = await self._restore.without_projection([*known]) if known else set[UUID]()
        folded = [self._with_projection(known[game_id]) for game_id in sorted(missing)]
        listed = [game.projection for game in folded if game is not None]
        await self._restore.project([projection for projection in listed if projection is not None])

    def _with_projection(self, game: RestoredGame) -> RestoredGame | None:
        if game.projection is not None:
            return game
        try:
            projection = compute_projection(game.game_id, [link.entry for link in game.links])
        except IntegrityBroken as error:
            why = f"entry {error.version} is not what was recorded ({error.what})"
            self._fails(game.game_id, why)
            return None
        except ValueError as fault:
            self._fails(game.game_id, f"it cannot be stored: {fault}")
            return None
        return msgspec.structs.replace(game, projection=projection)

    def _differs(self, game: RestoredGame, fault: OtherGame | VersionConflict) -> None:
        if isinstance(fault, OtherGame):
            why = f"another game has its id here: entry {fault.version} differs"
        else:
            entries = len(game.links)
            why = f"it is here already, but only {fault.version} of {entries} entries"
        self._fails(game.game_id, why)

    def _fails(self, game_id: UUID, why: str) -> None:
        self.failed.append(f"game {game_id} was not imported: {why}\n")
