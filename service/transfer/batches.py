"""An upload as a batch of games: recognizes known ones and stores the selected."""

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from uuid import UUID, uuid5

from msgspec import Struct, structs

from service.store.club.name_book import Choices
from service.transfer.game_imports import GameImports
from service.transfer.recognition import Recognition
from service.transfer.record_files import NamedFile, OpenedFile, OpenedTable
from service.transfer.upload_jobs import RecordSlice, SelectedJob, read_games
from service.transfer.upload_reader import UploadReader
from service.transfer.uploads import BYTES_MAX, imported_game_id

_BATCH = UUID("3d7f3c0e-5d0b-5d0e-9a55-1b1d5f6a7c11")
_PART_BYTES_MAX = 4 * BYTES_MAX


class Batch(Struct, frozen=True, kw_only=True):
    """An opened upload. `records`: the file of its games; `files`: what was sent.

    `answers`: what the reader said about each of the `tables`; `run`: the import of which this is
    the result, see `ImportRun`.
    """

    pieces: tuple[OpenedFile, ...]
    records: str
    tables: tuple[OpenedTable, ...] = ()
    files: tuple[NamedFile, ...] = ()
    answers: dict[str, dict[str, str]] = {}
    run: str = ""


async def existing_games(recognition: Recognition, batch: Batch) -> list[UUID | None]:
    """Return, for each uploaded game, the stored game it equals, if any."""
    candidates = [
        (piece.origin, imported_game_id(uuid5(_BATCH, piece.key))) if piece.traits else ()
        for piece in batch.pieces
    ]
    ids = {game_id for pair in candidates for game_id in pair if game_id is not None}
    held = await recognition.existing([*ids])
    known = [next((game_id for game_id in pair if game_id in held), None) for pair in candidates]
    # Comparing contents reads the log of each game: only where no id is known.
    unknown = [
        (at, piece.traits)
        for at, piece in enumerate(batch.pieces)
        if piece.traits is not None and known[at] is None and piece.row is None
    ]
    equal = await recognition.find([traits for _, traits in unknown])
    for (at, _), games in zip(unknown, equal, strict=True):
        known[at] = games[0].game_id if games else None
    return known


def name_players(batch: Batch, number: int, names: Sequence[str]) -> Batch:
    """Return the batch with other players in a game, seat 0 first ("": not named)."""
    pieces = list(batch.pieces)
    traits = pieces[number].traits
    if traits is not None:
        players = tuple(name or None for name in names)
        pieces[number] = structs.replace(
            pieces[number], traits=structs.replace(traits, players=players), problem=None
        )
    return structs.replace(batch, pieces=tuple(pieces))


class Selection(Struct, frozen=True, kw_only=True):
    """The games to import, by index; `again`: also those that exist or are uploaded twice.

    `choices`: see `NameBook`.
    """

    once: Collection[int | None]
    again: Collection[int | None]
    choices: Choices


async def import_selected(
    imports: GameImports,
    reader: UploadReader,
    batch: Batch,
    records: Path,
    wanted: Selection,
    by: UUID | None,
    name: str,
    advance: Callable[[int, int], object],
) -> Batch:
    """Import the selected games; `name` distinguishes this batch in command ids.

    `records`: the file of all records. `advance` takes the number of
    games done and of all; what it raises ends the import between two transactions.

    Raises: UploadTooLarge, QuotaReached, StoreUnavailable (earlier games are stored)
    """
    pieces = list(batch.pieces)
    selected = [
        at
        for at, piece in enumerate(pieces)
        if piece.traits is not None
        and piece.kept is None
        and (at in wanted.once or at in wanted.again)
    ]
    done = 0
    for numbers in _parts(pieces, selected):
        slices = tuple(
            RecordSlice(
                begin=pieces[at].begin,
                end=pieces[at].end,
                command=uuid5(_BATCH, f"{name}\0{at}" if at in wanted.again else pieces[at].key),
                players=traits.players if (traits := pieces[at].traits) else (),
                began_at=pieces[at].began_at,
                tags=pieces[at].tags,
            )
            for at in numbers
        )
        job = SelectedJob(path=str(records), slices=slices, now=reader.now())
        async with reader.run(job) as answers:
            results = imports.import_games(read_games(answers), by, wanted.choices)
            kept: list[UUID | None] = []
            async for result in results:
                kept.append(result.game_id)
                advance(done + len(kept), len(selected))
        done += len(numbers)
        for at, game_id in zip(numbers, kept, strict=True):
            pieces[at] = structs.replace(
                pieces[at], kept=game_id, problem=None if game_id else "nameless"
            )
    return structs.replace(batch, pieces=tuple(pieces))


def _parts(pieces: Sequence[OpenedFile], selected: Sequence[int]) -> Iterator[list[int]]:
    part: list[int] = []
    size = 0
    for at in selected:
        length = pieces[at].end - pieces[at].begin
        if part and size + length > _PART_BYTES_MAX:
            yield part
            part, size = [], 0
        part.append(at)
        size += length
    if part:
        yield part
