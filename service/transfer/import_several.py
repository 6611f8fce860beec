"""Imports several uploaded games: recognizes known ones and stores the selected."""

from collections.abc import Collection, Mapping
from typing import BinaryIO
from uuid import UUID, uuid5

from msgspec import Struct, structs

from service.errors import KeyReused
from service.transfer.portable_records import ImportedRecord, Records
from service.transfer.recognition import Recognition
from service.transfer.record_files import OpenedFile
from service.transfer.uploads import Assessed, imported_game_id

_BATCH = UUID("3d7f3c0e-5d0b-5d0e-9a55-1b1d5f6a7c11")


class Batch(Struct, frozen=True, kw_only=True):
    pieces: tuple[OpenedFile, ...]
    records: str


async def existing_games(recognition: Recognition, batch: Batch) -> list[UUID | None]:
    """Return, for each uploaded game, the stored game it equals, if any."""
    asked = [(at, one.traits) for at, one in enumerate(batch.pieces) if one.traits is not None]
    here = await recognition.find([traits for _, traits in asked])
    found: list[UUID | None] = [None] * len(batch.pieces)
    for (at, _), games in zip(asked, here, strict=True):
        found[at] = games[0].game_id if games else None
    ids = [
        one
        for piece in batch.pieces
        for one in (piece.origin, _game_of(piece))
        if one is not None and piece.traits is not None
    ]
    held = await recognition.existing(ids)
    for at, piece in enumerate(batch.pieces):
        if piece.traits is not None and found[at] is None:
            known = [one for one in (piece.origin, _game_of(piece)) if one in held]
            found[at] = known[0] if known else None
    return found


def _game_of(piece: OpenedFile) -> UUID:
    return imported_game_id(uuid5(_BATCH, piece.key))


class Selection(Struct, frozen=True, kw_only=True):
    """The games to import, by index; `again`: also those that exist or are uploaded twice."""

    once: Collection[int | None]
    again: Collection[int | None]


async def import_selected(
    records: Records,
    batch: Batch,
    opened: BinaryIO,
    wanted: Selection,
    by: UUID | None,
    name: str,
    choices: Mapping[str, UUID],
) -> Batch:
    """Import the selected games; `name` distinguishes this batch in command ids.

    `opened`: the bytes of all records. `choices`: the person meant by a normalized name.
    """
    pieces = list(batch.pieces)
    for at, piece in enumerate(pieces):
        if (
            piece.traits is None
            or piece.kept is not None
            or (at not in wanted.once and at not in wanted.again)
        ):
            continue
        command = uuid5(_BATCH, f"{name}\0{at}" if at in wanted.again else piece.key)
        opened.seek(piece.begin)
        assessed = await records.assess(opened.read(piece.end - piece.begin), choices=choices)
        pieces[at] = await _import_piece(records, piece, assessed, by, command)
    return structs.replace(batch, pieces=tuple(pieces))


async def _import_piece(
    records: Records, piece: OpenedFile, assessed: Assessed, by: UUID | None, command: UUID
) -> OpenedFile:
    try:
        taken = await records.import_record(assessed, by, command)
    except KeyReused:
        # The game exists, but people were renamed since.
        return structs.replace(piece, kept=imported_game_id(command))
    if isinstance(taken, ImportedRecord):
        return structs.replace(piece, kept=taken.game_id)
    return structs.replace(piece, problem="nameless")
