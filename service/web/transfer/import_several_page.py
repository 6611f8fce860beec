"""Import of several games from files, an archive or a history: list, select, import."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from litestar import get, post
from litestar.response import Redirect, Response, Stream
from msgspec import Struct, structs

from schemas.catalogue import SHAPES
from service.club.temporary_files import TemporaryFiles
from service.dependencies import (
    MaybeAsked,
    PageRequest,
    TheGameImports,
    ThePlayers,
    TheRecognition,
    TheUploadReader,
    TheUploads,
    Word,
    see_other,
)
from service.transfer.import_filters import GAMES_MIN as FILTERED_GAMES_MIN
from service.transfer.import_filters import ImportFilter, names_in, read_filter
from service.transfer.import_several import Batch, Selection, existing_games, import_selected
from service.transfer.name_matching import match_names, read_choices
from service.transfer.record_files import (
    BATCH_BYTES_MAX,
    GAMES_MAX,
    BatchWords,
    NamedFile,
    OpenedFile,
)
from service.transfer.upload_jobs import BatchJob
from service.transfer.upload_reader import UploadReader
from service.transfer.uploads import Traits
from service.web.format.progress import Advance, answer_long_work
from service.web.format.render import Reader, names_of, version_of
from service.web.transfer.sent_forms import SentFile

ADDRESS = "/import/several"


class UploadedGame(Struct, frozen=True, kw_only=True):
    """An uploaded game. `number`: its index in the upload; `existing`: the existing equal game."""

    number: int
    piece: OpenedFile
    names: tuple[str, ...]
    existing: UUID | None

    @property
    def new(self) -> bool:
        """Whether the game is selected by default."""
        piece = self.piece
        return not (piece.problem or piece.kept or self.existing or piece.twin is not None)


class _NamedPlayer(Struct, frozen=True):
    name: str | None


def import_remarks(reader: Reader) -> BatchWords:
    return BatchWords(
        lang=reader.language,
        deal=reader.gettext("Deal {number}"),
        beside=reader.gettext("Awarded beside the deals"),
        ended=reader.gettext("Recorded elsewhere"),
        zone=reader.zone.key if reader.zone else None,
    )


async def open_batch(
    reader: Reader, uploads: TemporaryFiles, upload_reader: UploadReader, files: Sequence[SentFile]
) -> Redirect:
    """Read files with several games, store them temporarily and redirect to their list."""
    with uploads.draft() as draft:
        job = BatchJob(
            files=tuple(
                NamedFile(name=one.name, path=str(uploads.find(one.stored_name).path))
                for one in files
            ),
            out=str(draft.path),
            words=import_remarks(reader),
            now=upload_reader.now(),
        )
        pieces = await upload_reader.run_single(job)
        if pieces == "many":
            return see_other("/import?wrong=many")
        records = uploads.keep(draft, "application/octet-stream", "")
    return see_other(await _store_batch(uploads, Batch(pieces=pieces, records=records)))


async def _store_batch(uploads: TemporaryFiles, batch: Batch) -> str:
    return f"{ADDRESS}/{uploads.store(await asyncio.to_thread(msgspec.json.encode, batch))}"


@get(f"{ADDRESS}/{{name:str}}")
async def show_several(
    request: PageRequest,
    uploads: TheUploads,
    recognition: TheRecognition,
    players: ThePlayers,
    name: Word,
    ask: MaybeAsked = None,
    ticked: MaybeAsked = None,
) -> Response[str]:
    """Show the games of an upload; `ticked` "none": none is chosen."""
    reader = Reader(request)
    batch = await asyncio.to_thread(_read_batch, uploads, name)
    existing = await existing_games(recognition, batch)
    filters = _filter(reader, batch)
    lines = [
        UploadedGame(
            number=number,
            piece=piece,
            names=tuple(names_of(reader, [_NamedPlayer(one) for one in piece.traits.players]))
            if piece.traits
            else (),
            existing=piece.kept or existing[number],
        )
        for number, piece in enumerate(batch.pieces)
        if piece.traits is None or _fits(filters, piece.traits, reader)
    ]
    other_ticks = {} if ticked == "none" else {"ticked": "none"}
    asked = match_names(_names(batch, [one.number for one in lines]), await players.names())
    return await asyncio.to_thread(
        reader.page,
        "import_several.html",
        asked=asked,
        unanswered=ask is not None,
        name=name,
        ticked=ticked != "none",
        filters=filters,
        address=_address(name, filters.typed),
        other_ticks=_address(name, filters.typed | other_ticks),
        rulesets=tuple(SHAPES),
        lines=lines,
        new=[one for one in lines if one.new],
        known=[one for one in lines if not one.new and not one.piece.problem],
        faulty=[one for one in lines if one.piece.problem],
        kept=[one for one in lines if one.piece.kept],
        games_max=GAMES_MAX,
        bytes_max=BATCH_BYTES_MAX,
    )


@post(f"{ADDRESS}/{{name:str}}")
async def import_several(
    request: PageRequest,
    uploads: TheUploads,
    imports: TheGameImports,
    upload_reader: TheUploadReader,
    players: ThePlayers,
    name: Word,
) -> Redirect | Stream:
    batch = await asyncio.to_thread(_read_batch, uploads, name)
    form = list((await request.form()).multi_items())
    chosen = {_index(value) for field, value in form if field == "keep"}
    again = {_index(value) for field, value in form if field == "again"}
    names = match_names(_names(batch, chosen | again), await players.names())
    fields = {field: value for field, value in form if isinstance(value, str)}
    choices, complete = read_choices(fields, names)
    if not complete:
        typed = read_filter(dict(request.query_params.items())).typed
        return see_other(_address(name, typed | {"ask": ""}))

    async def take(advance: Advance) -> str:
        results = await import_selected(
            imports,
            upload_reader,
            batch,
            uploads.find(batch.records).path,
            Selection(once=chosen, again=again, choices=choices),
            request.user.recorded_as(),
            name,
            advance,
        )
        return await _store_batch(uploads, results)

    return await answer_long_work(request, take)


def _address(name: str, query: Mapping[str, str]) -> str:
    return f"{ADDRESS}/{name}{'?' if query else ''}{urlencode(query)}"


def _filter(reader: Reader, batch: Batch) -> ImportFilter:
    filters = read_filter(dict(reader.request.query_params.items()))
    known = [piece.traits for piece in batch.pieces if piece.traits]
    if not filters.typed and len(known) < FILTERED_GAMES_MIN:
        return filters
    games = sorted({one.title or one.ruleset for one in known})
    players = names_in(one.players for one in known)
    return structs.replace(filters, games=tuple(games), players=players)


def _fits(filters: ImportFilter, one: Traits, reader: Reader) -> bool:
    day = one.began_at and one.began_at.astimezone(reader.zone).date()
    return filters.fits(one.title or one.ruleset, one.players, day)


def _names(batch: Batch, numbers: Collection[int | None]) -> list[tuple[str | None, ...]]:
    return [
        piece.traits.players
        for number, piece in enumerate(batch.pieces)
        if piece.traits is not None and piece.kept is None and number in numbers
    ]


def _index(value: object) -> int | None:
    return version_of(value) if isinstance(value, str) else None


def _read_batch(uploads: TemporaryFiles, name: str) -> Batch:
    return msgspec.json.decode(uploads.find(name).path.read_bytes(), type=Batch)
