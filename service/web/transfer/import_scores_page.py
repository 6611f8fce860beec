"""Scores of years on paper: a table is brought, its columns are matched, every problem is told."""

import asyncio
import io
from typing import Any, cast

from litestar import get, post
from litestar.datastructures import UploadFile
from litestar.response import Redirect, Response
from litestar.status_codes import HTTP_422_UNPROCESSABLE_ENTITY as UNREADABLE
from msgspec import Struct

from schemas.catalogue import SHAPES
from service.club.spool import KeptFiles
from service.dependencies import (
    Now,
    PageRequest,
    ThePlayers,
    TheRecognition,
    TheScoreKeeping,
    TheUploads,
    Word,
    see_other,
)
from service.export.formats import dialects, xlsx
from service.transfer.score_books import (
    PROBLEMS_TOLD,
    ROLES,
    Book,
    BookWords,
    Matching,
    Role,
    guessed,
    header_of,
    read_book,
)
from service.transfer.score_keeping import game_of, known_games
from service.transfer.score_tables import (
    COLUMNS_MAX,
    ROWS_MAX,
    TABLE_BYTES_MAX,
    BadTable,
    ScoreTable,
    read_table,
)
from service.web.format.drafts import draft_of, read_draft
from service.web.format.render import HEADERS, Reader
from service.web.people.players import known
from service.web.transfer.sorting import waiting

ADDRESS = "/import/scores"
TOO_LARGE = 413
_DRAFT = "carnet-scores"
_GAMES_SHOWN = 10
_PEOPLE_IN_TEMPLATE = 8


class MatchedColumn(Struct, frozen=True, kw_only=True):
    """A column to be matched. `said`: what stands in its first rows."""

    head: str
    role: Role
    said: tuple[str, ...]


class ScoresKept(Struct, frozen=True, kw_only=True):
    """What was kept of a book."""

    games: int
    here: int


@get(ADDRESS)
async def ask_scores(request: PageRequest) -> Response[str]:
    """Ask for a table; `?wrong=`: say why the one that was sent is none."""
    wrong = request.query_params.get("wrong", "")
    status = {"": 200, "large": TOO_LARGE, "rows": TOO_LARGE}.get(wrong, UNREADABLE)
    return Reader(request).page(
        "import_scores.html",
        status,
        wrong=wrong,
        rows_max=ROWS_MAX,
        columns_max=COLUMNS_MAX,
        bytes_max=TABLE_BYTES_MAX,
    )


@post(ADDRESS, request_max_body_size=2 * TABLE_BYTES_MAX)
async def bring_scores(request: PageRequest, uploads: TheUploads) -> Redirect:
    """Let a table wait, and lead to its columns."""
    files = [
        value
        for _, value in (await request.form()).multi_items()
        if isinstance(value, UploadFile) and value.filename
    ]
    if not files:
        return see_other(f"{ADDRESS}?wrong=empty")
    return see_other(f"{ADDRESS}/{await waiting(uploads, files[0])}")


@get(f"{ADDRESS}/{{name:str}}")
async def show_scores(
    request: PageRequest,
    uploads: TheUploads,
    recognition: TheRecognition,
    now: Now,
    name: Word,
) -> Response[Any]:
    """Show the columns, and what the table comes to as they are matched.

    Raises: NotFound (it waited too long), StoreUnavailable
    """
    reader = Reader(request)
    try:
        table = await asyncio.to_thread(_read, uploads, name)
    except BadTable as bad:
        return see_other(f"{ADDRESS}?wrong={bad.fault}")
    asked = dict(request.query_params.items())
    matching = _matching(table, asked)
    zone = reader.zone
    book = await asyncio.to_thread(
        read_book, table, matching, now().astimezone(zone).date(), zone, _words(reader)
    )
    here = await known_games(recognition, book.games)
    draft = asked.get("draft", "")
    return reader.page(
        "import_book.html",
        UNREADABLE if book.problem_count and "look" in asked else 200,
        name=name,
        columns=_columns(table, matching),
        roles=ROLES,
        rulesets=tuple(SHAPES),
        matching=matching,
        looked="look" in asked,
        book=book,
        shown=book.games[:_GAMES_SHOWN],
        new=sum(game_of(game) not in here for game in book.games),
        told_max=PROBLEMS_TOLD,
        done=read_draft(request, _DRAFT, ScoresKept, draft) if draft else None,
    )


@post(f"{ADDRESS}/{{name:str}}")
async def keep_scores(
    request: PageRequest,
    uploads: TheUploads,
    keeping: TheScoreKeeping,
    now: Now,
    name: Word,
) -> Redirect:
    """Keep the games of a table, as it was matched.

    Raises: NotFound, StoreUnavailable
    """
    reader = Reader(request)
    fields = (await request.form()).multi_items()
    asked = {field: value for field, value in fields if isinstance(value, str)}
    try:
        table = await asyncio.to_thread(_read, uploads, name)
    except BadTable as bad:
        return see_other(f"{ADDRESS}?wrong={bad.fault}")
    matching = _matching(table, asked)
    zone = reader.zone
    today = now().astimezone(zone).date()
    book: Book = await asyncio.to_thread(read_book, table, matching, today, zone, _words(reader))
    query = "&".join(
        [f"c{at}={role}" for at, role in enumerate(matching.roles)]
        + [f"ruleset={matching.ruleset}", f"order={matching.order}", "look="]
    )
    if book.problem_count and "anyway" not in asked:
        return see_other(f"{ADDRESS}/{name}?{query}")
    again = name if "again" in asked else ""
    kept = await keeping.keep(book.games, request.user.by(), again)
    draft = draft_of(request, _DRAFT, ADDRESS, ScoresKept(games=kept.games, here=kept.here))
    if draft is None:
        return see_other(f"{ADDRESS}/{name}?{query}")
    return see_other(f"{ADDRESS}/{name}?{query}&draft={draft.id}", draft.cookie)


@get(f"{ADDRESS}/template.xlsx")
async def template_xlsx(request: PageRequest, players: ThePlayers, now: Now) -> Response[bytes]:
    """Send a table to fill in, as a workbook."""
    out = io.BytesIO()
    title = Reader(request).gettext("Scores")
    header = await _header(Reader(request), players)
    table = xlsx.Table(title=title, header=header, lines=())
    xlsx.write_workbook(out, [table], title=title, made=now())
    return _file(out.getvalue(), xlsx.MEDIA_TYPE, "xlsx")


@get(f"{ADDRESS}/template.csv")
async def template_csv(request: PageRequest, players: ThePlayers) -> Response[bytes]:
    """Send a table to fill in, as CSV."""
    header = await _header(Reader(request), players)
    quoted = ",".join('"{}"'.format(str(cell).replace('"', '""')) for cell in header)
    return _file(f"\ufeff{quoted}\r\n".encode(), dialects.MEDIA_TYPE, "csv")


async def _header(reader: Reader, players: ThePlayers) -> list[str]:
    names = [one.name or "" for one in known(await players.all())][:_PEOPLE_IN_TEMPLATE]
    people = names or [f"{reader.gettext('Player')} {number}" for number in (1, 2)]
    return [reader.gettext("Day"), reader.gettext("Game"), *people, reader.gettext("Remark")]


def _file(content: bytes, media_type: str, suffix: str) -> Response[bytes]:
    name = f'attachment; filename="carnet-scores.{suffix}"'
    return Response(content, media_type=media_type, headers=HEADERS | {"Content-Disposition": name})


def _words(reader: Reader) -> BookWords:
    return BookWords(
        deal=reader.gettext("Deal {number}"),
        final=reader.gettext("Final score"),
        ended=reader.gettext("From the score book"),
    )


def _read(uploads: KeptFiles, name: str) -> ScoreTable:
    return read_table(uploads.find(name).path.read_bytes())


def _matching(table: ScoreTable, asked: dict[str, str]) -> Matching:
    roles: tuple[Role, ...] = tuple(
        cast("Role", asked[f"c{at}"]) if asked.get(f"c{at}") in ROLES else role
        for at, role in enumerate(guessed(table))
    )
    ruleset = asked.get("ruleset", "")
    order = asked.get("order", "")
    return Matching(
        ruleset=ruleset if ruleset in SHAPES else next(iter(SHAPES)),
        roles=roles,
        order="mdy" if order == "mdy" else "dmy",
    )


def _columns(table: ScoreTable, matching: Matching) -> list[MatchedColumn]:
    number, header = header_of(table)
    below = table.rows[number : number + 3]
    return [
        MatchedColumn(
            head="" if head is None else str(head),
            role=role,
            said=tuple(str(row[at]) for row in below if at < len(row) and row[at] is not None),
        )
        for at, (head, role) in enumerate(zip(header, matching.roles, strict=True))
    ]
