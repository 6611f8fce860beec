"""Import of a score table: upload, match the columns, review problems, import."""

import asyncio
import io
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode
from uuid import UUID

import msgspec
from litestar import get, post
from litestar.response import Redirect, Response, Stream
from litestar.status_codes import HTTP_422_UNPROCESSABLE_ENTITY as UNREADABLE
from msgspec import Struct, structs

from domain.games import TITLED
from schemas.catalogue import SHAPES
from schemas.names import NAME_LENGTH_MAX
from service.club.temporary_files import TemporaryFiles
from service.dependencies import (
    Now,
    PageRequest,
    TheGameImports,
    ThePlayers,
    TheRecognition,
    TheTitles,
    TheUploadReader,
    TheUploads,
    Word,
    see_other,
)
from service.errors import UploadTooLarge
from service.export.formats import dialects, xlsx
from service.extensions.score_books.books import PROBLEMS_MAX, ROLES, BookWords
from service.extensions.score_books.jobs import (
    GAMES_A_PAGE,
    TableJob,
    TablePreview,
    TitleChoice,
)
from service.extensions.score_books.tables import COLUMNS_MAX, ROWS_MAX, TABLE_BYTES_MAX
from service.store.club.titles import Titles
from service.transfer.game_imports import GameImport
from service.transfer.import_filters import ImportFilter
from service.transfer.name_matching import match_names, read_choices
from service.transfer.recognition import Recognition
from service.transfer.record_files import NamedFile
from service.transfer.upload_jobs import read_games
from service.web.format.progress import Advance, answer_long_work
from service.web.format.render import HEADERS, Reader, version_of
from service.web.people.players import known
from service.web.transfer.sent_forms import read_form

ADDRESS = "/import/scores"
TOO_LARGE = 413
_PEOPLE_IN_TEMPLATE = 8
_ID_BYTES = 16
_IDS_AT_ONCE = 1_000
# The dialect of Excel by language; English spreadsheets use RFC 4180.
_DIALECTS = {"fr": dialects.DIALECTS["excel-fr"], "de": dialects.DIALECTS["excel-de"]}


class ImportedScores(Struct, frozen=True, kw_only=True):
    """The number of games imported, of those that existed, and of those with one person twice."""

    games: int
    here: int
    twice: int = 0


@get(ADDRESS)
async def show_upload(request: PageRequest) -> Response[str]:
    wrong = request.query_params.get("wrong", "")
    status = {"": 200, **dict.fromkeys(("large", "rows", "costly"), TOO_LARGE)}.get(
        wrong, UNREADABLE
    )
    return Reader(request).page(
        "import_scores.html",
        status,
        wrong=wrong,
        rows_max=ROWS_MAX,
        columns_max=COLUMNS_MAX,
        bytes_max=TABLE_BYTES_MAX,
    )


@post(ADDRESS, request_max_body_size=2 * TABLE_BYTES_MAX)
async def upload_scores(request: PageRequest, uploads: TheUploads) -> Redirect:
    files = (await read_form(request, uploads)).files
    return see_other(f"{ADDRESS}/{files[0].stored_name}" if files else f"{ADDRESS}?wrong=empty")


@get(f"{ADDRESS}/{{name:str}}")
async def show_scores(
    request: PageRequest,
    uploads: TheUploads,
    upload_reader: TheUploadReader,
    recognition: TheRecognition,
    players: ThePlayers,
    titles: TheTitles,
    now: Now,
    name: Word,
) -> Response[Any]:
    reader = Reader(request)
    parameters = dict(request.query_params.items())
    choices = await _title_choices(titles)
    try:
        job = _table_job(reader, uploads, now, name, parameters, choices)
        look = await upload_reader.run_single(job)
    except UploadTooLarge:
        look = "costly"
    if not isinstance(look, TablePreview):
        return see_other(f"{ADDRESS}?wrong={look}")
    name_matches = match_names(look.tables, await players.names())
    done = parameters.get("done", "")
    context: dict[str, Any] = {
        "name": name,
        "table": look,
        "roles": ROLES,
        "rulesets": tuple(one for one in SHAPES if one != TITLED),
        "titled": TITLED,
        "titles": choices,
        "name_length_max": NAME_LENGTH_MAX,
        "looked": "look" in parameters and look.matching.complete,
        "incomplete": "look" in parameters and not look.matching.complete,
        "page_games": GAMES_A_PAGE,
        "total": len(look.ids) // _ID_BYTES,
        "new": await _count_new(recognition, look),
        "asked": name_matches,
        "unanswered": "ask" in parameters,
        "problems_max": PROBLEMS_MAX,
        "query": _query(look),
        "unfiltered": _query(unfiltered := structs.replace(look, filters=ImportFilter(typed={}))),
        "whole_query": parse_qsl(_query(unfiltered), keep_blank_values=True),
        "done": _read_result(uploads, done) if done else None,
    }
    status = UNREADABLE if look.problem_count and "look" in parameters else 200
    return await asyncio.to_thread(reader.page, "import_book.html", status, **context)


async def _count_new(recognition: Recognition, look: TablePreview) -> int:
    ids = [UUID(bytes=look.ids[at : at + _ID_BYTES]) for at in range(0, len(look.ids), _ID_BYTES)]
    new = 0
    for first in range(0, len(ids), _IDS_AT_ONCE):
        chunk = ids[first : first + _IDS_AT_ONCE]
        new += len(chunk) - len(await recognition.existing(chunk))
    return new


@post(f"{ADDRESS}/{{name:str}}")
async def import_scores(
    request: PageRequest,
    uploads: TheUploads,
    upload_reader: TheUploadReader,
    imports: TheGameImports,
    players: ThePlayers,
    titles: TheTitles,
    now: Now,
    name: Word,
) -> Redirect | Stream:
    reader = Reader(request)
    fields = (await request.form()).multi_items()
    parameters = {field: value for field, value in fields if isinstance(value, str)}
    choices = await _title_choices(titles)
    job = _table_job(reader, uploads, now, name, parameters, choices, keep=True)

    async def take(advance: Advance) -> str:
        try:
            async with upload_reader.run(job) as answers:
                look = await anext(answers)
                if not isinstance(look, TablePreview):
                    return f"{ADDRESS}?wrong={look}"
                address = f"{ADDRESS}/{name}?{_query(look)}"
                has_problems = look.problem_count and "anyway" not in parameters
                if has_problems or look.unclear or not look.matching.complete:
                    return address
                names = match_names(look.tables, await players.names())
                people, complete = read_choices(parameters, names)
                if not complete:
                    return f"{address}&ask="
                by = request.user.recorded_as()
                done: list[GameImport] = []
                async for one in imports.import_games(read_games(answers), by, people):
                    done.append(one)
                    advance(len(done), len(look.ids) // _ID_BYTES)
        except UploadTooLarge:
            return f"{ADDRESS}?wrong=costly"
        new, twice = sum(one.new for one in done), sum(one.game_id is None for one in done)
        result = ImportedScores(games=new, here=len(done) - new - twice, twice=twice)
        return f"{address}&done={uploads.store(msgspec.json.encode(result))}"

    return await answer_long_work(request, take)


def _read_result(uploads: TemporaryFiles, name: str) -> ImportedScores:
    return msgspec.json.decode(uploads.find(name).path.read_bytes(), type=ImportedScores)


async def _title_choices(titles: Titles) -> tuple[TitleChoice, ...]:
    return tuple(
        TitleChoice(str(one.title_id), one.name or "", one.options.get("wins", "highest"))
        for one in await titles.all()
    )


def _table_job(
    reader: Reader,
    uploads: TemporaryFiles,
    now: Now,
    name: str,
    parameters: Mapping[str, str],
    titles: tuple[TitleChoice, ...],
    *,
    keep: bool = False,
) -> TableJob:
    file = uploads.find(name)
    zone = reader.zone
    return TableJob(
        file=NamedFile(name=file.disposition, path=str(file.path)),
        asked=dict(parameters),
        now=now(),
        zone=zone.key if zone else None,
        words=BookWords(
            deal=reader.gettext("Deal {number}"),
            final=reader.gettext("Final score"),
            ended=reader.gettext("From the score book"),
        ),
        titles=titles,
        first=version_of(parameters.get("first", "")) or 0,
        keep=keep,
        again=name if "again" in parameters else "",
    )


def _query(look: TablePreview) -> str:
    matching = look.matching
    columns = [f"c{at}={role}" for at, role in enumerate(matching.roles)]
    chosen = [f"sheet={look.sheet}", f"head={matching.head}", f"for={look.sheet}-{matching.head}"]
    named = {"ruleset": matching.game, "title": matching.title or "", "wins": matching.wins or ""}
    known = [urlencode(named | look.filters.typed), f"order={matching.order or ''}", "look="]
    return "&".join([*columns, *chosen, *known])


@get(f"{ADDRESS}/template.xlsx")
async def template_xlsx(request: PageRequest, players: ThePlayers, now: Now) -> Response[bytes]:
    out = io.BytesIO()
    title = Reader(request).gettext("Scores")
    header = await _header(Reader(request), players)
    table = xlsx.Table(title=title, header=header, lines=())
    xlsx.write_workbook(out, [table], title=title, made=now())
    return _file_response(out.getvalue(), xlsx.MEDIA_TYPE, "xlsx")


@get(f"{ADDRESS}/template.csv")
async def template_csv(request: PageRequest, players: ThePlayers) -> Response[bytes]:
    """Return an empty table as CSV in the spreadsheet dialect of the reader's language."""
    reader = Reader(request)
    header = await _header(reader, players)
    dialect = _DIALECTS.get(reader.language, dialects.RFC_4180)
    text = "".join(dialects.csv_lines([header], dialect)).removeprefix("\ufeff")
    return _file_response(f"\ufeff{text}".encode(), dialects.MEDIA_TYPE, "csv")


async def _header(reader: Reader, players: ThePlayers) -> list[str]:
    names = [one.name or "" for one in known(await players.all())][:_PEOPLE_IN_TEMPLATE]
    people = names or [f"{reader.gettext('Player')} {number}" for number in (1, 2)]
    return [reader.gettext("Day"), reader.gettext("Game"), *people, reader.gettext("Remark")]


def _file_response(content: bytes, media_type: str, suffix: str) -> Response[bytes]:
    name = f'attachment; filename="carnet-scores.{suffix}"'
    return Response(content, media_type=media_type, headers=HEADERS | {"Content-Disposition": name})
