"""Import of games: upload, review of every game and problem, import of what is chosen."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from litestar import Request, get, post
from litestar.exceptions import HTTPException
from litestar.response import Redirect, Response, Stream
from litestar.status_codes import HTTP_422_UNPROCESSABLE_ENTITY as UNREADABLE
from msgspec import Struct, structs

from domain.games import TITLED
from schemas.catalogue import SHAPES
from schemas.names import NAME_LENGTH_MAX, read_name
from service.club.temporary_files import TemporaryFiles
from service.dependencies import (
    PageRequest,
    TheImportRuns,
    ThePlayers,
    TheRecognition,
    TheTitles,
    TheUploadReader,
    TheUploads,
    Word,
    see_other,
)
from service.errors import CarnetError, UploadTooLarge
from service.language.texts import texts
from service.store.club.name_book import NameBook
from service.store.club.titles import Titles
from service.transfer.batches import Batch, existing_games, name_players
from service.transfer.everything import BEGINNING
from service.transfer.import_filters import GAMES_MIN as FILTERED_GAMES_MIN
from service.transfer.import_filters import ImportFilter, names_in, read_filter
from service.transfer.import_runs import ImportRun, ImportRuns, import_order
from service.transfer.name_matching import match_names, read_choices
from service.transfer.record_files import (
    BATCH_BYTES_MAX,
    BatchWords,
    NamedFile,
    OpenedFile,
    TableReading,
    TitleChoice,
)
from service.transfer.upload_jobs import BatchJob
from service.transfer.upload_reader import UploadReader
from service.transfer.uploads import BYTES_MAX, Traits
from service.web.format.progress import Event, stream_events, wants_events
from service.web.format.render import Reader, version_of
from service.web.people.players import known
from service.web.transfer import import_everything_page
from service.web.transfer.import_preview import RecordPreview, record_preview, refused_entry
from service.web.transfer.sent_forms import SentForm, read_form

ADDRESS = "/import/games"
TOO_LARGE = 413
GAMES_A_PAGE = 500
# Higher than the limit of a batch, so that an oversized file gets an error page, not a broken
# connection, and a whole export fits; `carnet import` reads larger ones.
_FORM_BYTES_MAX = 64 * BYTES_MAX
# A longer record has a score sheet that is too long to show.
_SHEET_BYTES_MAX = 64 * 1024
_KIND = "application/octet-stream"
# Without a script, the answer waits so long for the end of an import.
_WAIT_SECONDS = 60.0
_STOP_SECONDS = 10.0


class UploadedPlayer(Struct, frozen=True):
    """`name` "": not named; `new`: nobody has the name yet."""

    name: str
    points: int
    new: bool
    won: bool


class UploadedGame(Struct, frozen=True, kw_only=True):
    """An uploaded game. `number`: its index in the upload; `existing`: the existing equal game."""

    number: int
    piece: OpenedFile
    players: tuple[UploadedPlayer, ...]
    existing: UUID | None

    @property
    def new(self) -> bool:
        """Whether the game is selected by default."""
        piece = self.piece
        return not (piece.problem or piece.kept or self.existing or piece.twin is not None)


def too_large(_request: Request[Any, Any, Any], _: HTTPException) -> Redirect:
    """Redirect to the message that the form exceeded its size limit."""
    return see_other("/import?wrong=many")


def over_limits(_request: Request[Any, Any, Any], _: UploadTooLarge) -> Redirect:
    """Redirect to the message that reading the upload exceeded its limits of memory or time."""
    return see_other("/import?wrong=heavy")


@get("/import")
async def show_import(request: PageRequest, import_runs: TheImportRuns) -> Response[str]:
    wrong = request.query_params.get("wrong", "")
    status = TOO_LARGE if wrong in {"many", "heavy"} else UNREADABLE if wrong else 200
    runs = await asyncio.to_thread(import_runs.latest)
    return Reader(request).page("import_page.html", status, wrong=wrong, runs=runs)


@post(
    "/import",
    request_max_body_size=_FORM_BYTES_MAX,
    exception_handlers={TOO_LARGE: too_large, UploadTooLarge: over_limits},
)
async def upload_games(
    request: PageRequest, uploads: TheUploads, upload_reader: TheUploadReader, titles: TheTitles
) -> Redirect:
    """Read an upload and redirect to its review, or to that of a whole export."""
    form = await read_form(request, uploads)
    if len(form.files) == 1 and form.files[0].head.startswith(BEGINNING):
        return see_other(f"{import_everything_page.ADDRESS}/{form.files[0].stored_name}")
    if sum(one.size for one in form.files) > BATCH_BYTES_MAX:
        return see_other("/import?wrong=many")
    files = _sent_files(form, uploads)
    if not files:
        return see_other("/import?wrong=empty")
    return await _open_batch(Reader(request), uploads, upload_reader, titles, files, {})


def _sent_files(form: SentForm, uploads: TemporaryFiles) -> tuple[NamedFile, ...]:
    text = form.fields.get("text", "")
    if not form.files and text.strip():
        stored = uploads.store(text.encode("utf-8", "replace"), _KIND)
        return (NamedFile(name="", path=stored),)
    return tuple(NamedFile(name=file.name, path=file.stored_name) for file in form.files)


async def _open_batch(
    reader: Reader,
    uploads: TemporaryFiles,
    upload_reader: UploadReader,
    titles: Titles,
    files: tuple[NamedFile, ...],
    answers: dict[str, dict[str, str]],
) -> Redirect:
    """Read files, by stored names, store their games temporarily and redirect to the review."""
    reading = TableReading(
        sources=reader.request.app.state["table_sources"],
        titles=tuple(
            TitleChoice(str(one.title_id), one.name or "", one.options.get("wins", "highest"))
            for one in await titles.all()
        ),
        answers=answers,
    )
    with uploads.draft() as draft:
        job = BatchJob(
            files=tuple(
                structs.replace(one, path=str(uploads.find(one.path).path)) for one in files
            ),
            out=str(draft.path),
            words=import_remarks(reader),
            now=upload_reader.now(),
            tables=reading,
        )
        opened = await upload_reader.run_single(job)
        if opened == "many":
            return see_other("/import?wrong=many")
        records = uploads.keep(draft, _KIND, "")
    batch = Batch(
        pieces=opened.pieces, records=records, tables=opened.tables, files=files, answers=answers
    )
    return see_other(f"{ADDRESS}/{await _store_batch(uploads, batch)}")


def import_remarks(reader: Reader) -> BatchWords:
    return BatchWords(
        lang=reader.language,
        deal=reader.gettext("Deal {number}"),
        beside=reader.gettext("Awarded beside the deals"),
        ended=reader.gettext("Recorded elsewhere"),
        zone=reader.zone.key if reader.zone else None,
    )


async def _store_batch(uploads: TemporaryFiles, batch: Batch) -> str:
    return uploads.store(await asyncio.to_thread(msgspec.json.encode, batch))


@get(f"{ADDRESS}/{{name:str}}")
async def show_games(
    request: PageRequest,
    uploads: TheUploads,
    upload_reader: TheUploadReader,
    recognition: TheRecognition,
    import_runs: TheImportRuns,
    players: ThePlayers,
    name: Word,
) -> Response[Any]:
    """Show the games of an upload, and what cannot be read; or how far their import is.

    Query: `ticked` "none": none is chosen; `ask`: the form was sent with something unanswered;
    `game`: the number of the game to look at; `first`: the first game of the page; `review`: show
    the games although their import began.
    """
    reader = Reader(request)
    asked = request.query_params
    batch = await asyncio.to_thread(_read_batch, uploads, name)
    run = await asyncio.to_thread(import_runs.find, name)
    if run is not None and "review" not in asked and run.state in {"ended", "seen"}:
        return see_other(_result_address(import_runs, uploads, run))
    if run is not None and ("review" not in asked or run.state == "running"):
        return reader.page("import_run.html", run=run)
    if batch.run:
        import_runs.see(batch.run)
    existing = await existing_games(recognition, batch)
    filters = _filter(reader, batch)
    book = await players.names()
    lines = [
        _line(number, piece, piece.kept or existing[number], book)
        for number, piece in enumerate(batch.pieces)
        if piece.traits is None or _fits(filters, piece.traits, reader)
    ]
    first = version_of(asked.get("first", "")) or 0
    shown = lines[first : first + GAMES_A_PAGE]
    new = [one for one in lines if one.new]
    only = lines[0].number if len(lines) == 1 else version_of(asked.get("game", ""))
    opened = await _look(upload_reader, uploads, reader, batch, only)
    other_ticks = {} if asked.get("ticked") == "none" else {"ticked": "none"}
    faulty = [one for one in lines if one.piece.problem]
    problems = sum(one.view.get("problem_count", 0) for one in batch.tables)
    problems += sum("fault" in one.view for one in batch.tables)
    nothing = len(faulty) == len(lines) and bool(problems or faulty)
    return await asyncio.to_thread(
        reader.page,
        "import_games.html",
        UNREADABLE if nothing else 200,
        name=name,
        asked=match_names(_names(batch, [one.number for one in lines]), book),
        unanswered="ask" in asked,
        ticked=asked.get("ticked") != "none",
        filters=filters,
        address=_address(name, filters.typed),
        other_ticks=_address(name, filters.typed | other_ticks),
        rulesets=tuple(SHAPES),
        tables=batch.tables,
        problem_count=problems + len(faulty),
        lines=lines,
        pages=[
            (at, _address(name, filters.typed | {"first": str(at)}))
            for at in range(0, len(lines), GAMES_A_PAGE)
        ],
        first=first,
        page_games=GAMES_A_PAGE,
        all_new=len(new),
        new=[one for one in shown if one.new],
        known=[one for one in shown if not one.new and not one.piece.problem],
        faulty=[(one, *_faults(reader, one.piece)) for one in shown if one.piece.problem],
        kept=[one for one in lines if one.piece.kept],
        opened=opened,
        game=reader.game(opened.ruleset) if opened else None,
        opened_number=only,
        people=known([*book.everybody()]) if opened else (),
        name_length_max=NAME_LENGTH_MAX,
        titled=TITLED,
        card_games=tuple(one for one in SHAPES if one != TITLED),
        text=await asyncio.to_thread(_text_of, uploads, batch),
    )


def _line(number: int, piece: OpenedFile, existing: UUID | None, book: NameBook) -> UploadedGame:
    totals = piece.traits.totals if piece.traits else ()
    names = (piece.traits.players if piece.traits else ()) or (None,) * len(totals)
    return UploadedGame(
        number=number,
        piece=piece,
        players=tuple(
            UploadedPlayer(name or "", points, bool(name and not book.find_all(name)), won=won)
            for name, points, won in zip(
                names, totals, (seat in piece.winners for seat in range(len(totals))), strict=True
            )
        ),
        existing=existing,
    )


async def _look(
    upload_reader: UploadReader,
    uploads: TemporaryFiles,
    reader: Reader,
    batch: Batch,
    number: int | None,
) -> RecordPreview | None:
    """Read a game of the upload once more, to show its score sheet if it is not long."""
    if number is None or number >= len(batch.pieces):
        return None
    piece = batch.pieces[number]
    if piece.traits is None or piece.kept is not None:
        return None
    assessed = await upload_reader.assess(
        await asyncio.to_thread(_record_bytes, uploads, batch, piece),
        sheet=piece.end - piece.begin <= _SHEET_BYTES_MAX,
    )
    return await asyncio.to_thread(record_preview, reader, assessed, piece.traits.players)


def _record_bytes(uploads: TemporaryFiles, batch: Batch, piece: OpenedFile) -> bytes:
    with uploads.find(batch.records).path.open("rb") as records:
        records.seek(piece.begin)
        return records.read(piece.end - piece.begin)


def _faults(reader: Reader, piece: OpenedFile) -> tuple[str, list[str]]:
    """Return why a file cannot be imported, and the refused entry of each of its faults."""
    message = piece.message or texts().unreadable_file(piece.problem or "", reader.language)
    return message, [refused_entry(reader, piece, one) for one in piece.faults]


def _text_of(uploads: TemporaryFiles, batch: Batch) -> str | None:
    """Return the text of an upload that is one record, to correct it; None: no such text."""
    if len(batch.files) != 1 or len(batch.pieces) != 1 or batch.tables:
        return None
    (piece,) = batch.pieces
    if piece.origin is not None or piece.kept or piece.problem not in {None, "record", "empty"}:
        return None
    data = uploads.find(batch.files[0].path).path.read_bytes()
    try:
        return data.decode("utf-8-sig") if len(data) <= BYTES_MAX else None
    except UnicodeDecodeError:
        return None


@post(f"{ADDRESS}/{{name:str}}/table", exception_handlers={UploadTooLarge: over_limits})
async def read_table_again(
    request: PageRequest,
    uploads: TheUploads,
    upload_reader: TheUploadReader,
    titles: TheTitles,
    name: Word,
) -> Redirect:
    """Read an upload again, with one of its tables read as the form says."""
    batch = await asyncio.to_thread(_read_batch, uploads, name)
    fields = await _fields(request)
    number = fields.pop("table", "0")
    return await _open_batch(
        Reader(request),
        uploads,
        upload_reader,
        titles,
        batch.files,
        batch.answers | {number: fields},
    )


@post(f"{ADDRESS}/{{name:str}}")
async def import_games(
    request: PageRequest,
    uploads: TheUploads,
    import_runs: TheImportRuns,
    recognition: TheRecognition,
    players: ThePlayers,
    name: Word,
) -> Redirect | Stream:
    """Import the games that are ticked, or all new ones that fit the filter."""
    reader = Reader(request)
    batch = await asyncio.to_thread(_read_batch, uploads, name)
    form = list((await request.form()).multi_items())
    fields = {field: value for field, value in form if isinstance(value, str)}
    batch, named = _with_names(batch, fields)
    chosen = {_index(value) for field, value in form if field == "keep"}
    if "all" in fields:
        chosen = await _all_new(recognition, reader, batch)
    again = {_index(value) for field, value in form if field == "again"}
    book = await players.names()
    choices, complete = read_choices(fields, match_names(_names(batch, chosen | again), book))
    if not complete or _nameless(batch, chosen | again):
        typed = read_filter(dict(request.query_params.items())).typed
        query = urlencode(typed | {"ask": ""})
        name = await _store_batch(uploads, batch) if named else name
        return see_other(f"{ADDRESS}/{name}?{query}")

    if named:
        name = await _store_batch(uploads, batch)
    import_runs.start(name, import_order(chosen, again, choices, request.user.recorded_as()))
    return await _follow(request, import_runs, uploads, name)


@post(f"{ADDRESS}/{{name:str}}/go-on")
async def go_on_importing(
    request: PageRequest, import_runs: TheImportRuns, uploads: TheUploads, name: Word
) -> Redirect | Stream:
    """Go on with an import that was stopped, has failed, or whose service was restarted."""
    import_runs.start(name)
    return await _follow(request, import_runs, uploads, name)


@post(f"{ADDRESS}/{{name:str}}/stop")
async def stop_importing(import_runs: TheImportRuns, name: Word) -> Redirect:
    import_runs.stop(name)
    with suppress(CarnetError):
        await import_runs.wait(name, _STOP_SECONDS)
    return see_other(f"{ADDRESS}/{name}")


@get(f"{ADDRESS}/{{name:str}}/progress")
async def follow_import(
    request: PageRequest, import_runs: TheImportRuns, uploads: TheUploads, name: Word
) -> Redirect | Stream:
    return await _follow(request, import_runs, uploads, name)


async def _follow(
    request: PageRequest, import_runs: ImportRuns, uploads: TemporaryFiles, name: str
) -> Redirect | Stream:
    """Answer with events until the import ends, or once it ended or takes long.

    It goes on when the client leaves.
    """

    async def states() -> AsyncIterator[Event]:
        async for run in import_runs.follow(name):
            match run.state:
                case "running":
                    yield "progress", {"done": run.done, "of": run.of}
                case "ended" | "seen":
                    yield "progress", {"done": run.of, "of": run.of}
                    yield "ready", {"address": _result_address(import_runs, uploads, run)}
                case "failed":
                    yield "failed", {}
                case _:
                    pass

    if wants_events(request):
        return stream_events(states())
    run = await import_runs.wait(name, _WAIT_SECONDS)
    if run.state in {"ended", "seen"}:
        return see_other(_result_address(import_runs, uploads, run))
    return see_other(f"{ADDRESS}/{name}")


def _result_address(import_runs: ImportRuns, uploads: TemporaryFiles, run: ImportRun) -> str:
    """Return the address of what an import led to; the only game of an upload is seen there."""
    batch = _read_batch(uploads, run.result)
    pieces, sheets = batch.pieces, [one.view.get("sheets", ()) for one in batch.tables]
    if len(pieces) == 1 and pieces[0].kept is not None and not any(len(one) > 1 for one in sheets):
        import_runs.see(run.name)
        return f"/games/{pieces[0].kept}/sheet"
    return f"{ADDRESS}/{run.result}"


async def _fields(request: PageRequest) -> dict[str, str]:
    form = (await request.form()).multi_items()
    return {field: value for field, value in form if isinstance(value, str)}


def _with_names(batch: Batch, fields: Mapping[str, str]) -> tuple[Batch, bool]:
    """Return the batch with the names typed for the game that was looked at."""
    number = version_of(fields.get("named", ""))
    if number is None or number >= len(batch.pieces):
        return batch, False
    traits = batch.pieces[number].traits
    if traits is None:
        return batch, False
    seats = range(len(traits.totals))
    typed = [read_name(fields.get(f"name.{seat}", "")) or "" for seat in seats]
    return name_players(batch, number, typed), True


def _nameless(batch: Batch, numbers: Collection[int | None]) -> bool:
    return any(None in names for names in _names(batch, numbers))


async def _all_new(recognition: TheRecognition, reader: Reader, batch: Batch) -> set[int | None]:
    existing = await existing_games(recognition, batch)
    filters = _filter(reader, batch)
    return {
        number
        for number, (piece, here) in enumerate(zip(batch.pieces, existing, strict=True))
        if piece.traits is not None
        and not (here or piece.problem or piece.kept or piece.twin is not None)
        and _fits(filters, piece.traits, reader)
    }


def _address(name: str, query: Mapping[str, str]) -> str:
    return f"{ADDRESS}/{name}{'?' if query else ''}{urlencode(query)}"


def _filter(reader: Reader, batch: Batch) -> ImportFilter:
    filters = read_filter(dict(reader.request.query_params.items()))
    known_games = [piece.traits for piece in batch.pieces if piece.traits]
    if not filters.typed and len(known_games) < FILTERED_GAMES_MIN:
        return filters
    games = sorted({one.title or one.ruleset for one in known_games})
    players = names_in(one.players for one in known_games)
    return structs.replace(filters, games=tuple(games), players=players)


def _fits(filters: ImportFilter, one: Traits, reader: Reader) -> bool:
    day = one.began_at and one.began_at.astimezone(reader.zone).date()
    return filters.fits(one.title or one.ruleset, one.players, day)


def _names(batch: Batch, numbers: Collection[int | None]) -> list[tuple[str | None, ...]]:
    return [
        piece.traits.players or (None,) * len(piece.traits.totals)
        for number, piece in enumerate(batch.pieces)
        if piece.traits is not None and piece.kept is None and number in numbers
    ]


def _index(value: object) -> int | None:
    return version_of(value) if isinstance(value, str) else None


def _read_batch(uploads: TemporaryFiles, name: str) -> Batch:
    return uploads.read(name, Batch)
