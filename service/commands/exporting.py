"""`carnet export`: write people, games and every entry, for any other Carnet."""

import asyncio
import os
import sys
from argparse import Namespace
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO

from service.commands.support.every_club import for_each_club
from service.commands.support.process_pool import Desk, process_pool
from service.commands.support.progress import Progress
from service.commands.verify import report
from service.errors import CarnetError
from service.extensions.witness.exporting import heads_in_export
from service.settings import settings_of_process
from service.store.log.snapshot import Slice
from service.transfer.export_writing import ExportedSlice, ExportWriter, export_slice

STDOUT = "-"
_MUCH = 10_000  # entries
_PRIVATE = 0o600  # people's names are in it


def run(arguments: Namespace) -> int:
    folder = Path(arguments.file) if arguments.all_clubs else None
    if folder is not None and not (arguments.file != STDOUT and folder.is_dir()):
        raise CarnetError(f"{folder} is not a folder: --all-clubs writes one file per club into it")
    return asyncio.run(for_each_club(arguments, partial(_export_to, arguments.file, folder)))


async def _export_to(file: str, folder: Path | None, jobs: int, club: str | None) -> int:
    with _open_output(file if folder is None else str(folder / f"{club}.jsonl")) as stream:
        return await _export(stream, jobs, club)


async def _export(stream: BinaryIO, jobs: int, club: str | None) -> int:
    heads = heads_in_export(settings_of_process().data_dir)
    async with process_pool(jobs, fixed=True, before=heads.prepare, club=club) as (shared, desk):
        writer = ExportWriter(stream)
        await writer.begin(desk.dump)
        with Progress("exporting", await desk.fixed.entries(), much=_MUCH) as progress:
            async for part in shared.over(_export_part, desk.fixed.slices()):
                writer.part(part)
                for verdict in part.broken:
                    report(verdict, sys.stderr)
                for game_id in part.left_out:
                    sys.stderr.write(f"game {game_id}: left out, its rows cannot be read\n")
                progress.advance(part.entries)
        writer.heads(await heads.read(desk.fixed_connection, desk.club_id))
        writer.end()
    sys.stderr.write(
        f"{writer.games} games, {writer.entries} entries, {writer.players} people exported\n"
    )
    return 1 if writer.broken else 0


async def _export_part(desk: Desk, within: Slice) -> ExportedSlice:
    return await export_slice(desk.dump, within)


@contextmanager
def _open_output(place: str) -> Generator[BinaryIO]:
    if place == STDOUT:
        yield sys.stdout.buffer
        return
    path = Path(place)
    part = path.with_name(f"{path.name}.part")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _PRIVATE)
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    except OSError as error:
        raise CarnetError(f"{place} cannot be written: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)
