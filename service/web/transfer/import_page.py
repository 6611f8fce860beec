"""One recorded game from elsewhere: chosen or pasted, looked at, taken in.

Promises: a look stores nothing; what is taken in is the game that was shown, to the hash; the same
form sent twice takes it in once. All of it by one form, without script.
"""

import asyncio
from typing import Any
from uuid import UUID

from litestar import Request, get, post
from litestar.exceptions import HTTPException
from litestar.response import Response

from service.dependencies import NewId, PageRequest, ThePlayers, TheRecords, see_other
from service.errors import KeyReused
from service.transfer.portable_records import Records, Taken
from service.transfer.uploads import BYTES_MAX, Assessed
from service.web.format.render import Reader, uuid_of
from service.web.people.players import known
from service.web.transfer.import_preview import problems_shown, record_shown
from service.web.transfer.uploads import Brought, read_brought

UNREADABLE = 422
TOO_LARGE = 413
# More is read than is taken, so that a file that is too large is answered instead of cut off.
_FORM_BYTES_MAX = 16 * BYTES_MAX

_NOTHING: dict[str, object] = {
    "text": "",
    "wrong": None,
    "unreadable": False,
    "problems": (),
    "shown": None,
    "changed": False,
    "reused": False,
    "bytes_max": BYTES_MAX,
}


@get("/import")
async def show_import(request: PageRequest) -> Response[str]:
    """Ask for a record."""
    return _page(Reader(request), 200)


def too_large(request: Request[Any, Any, Any], _: HTTPException) -> Response[str]:
    """Say that a form was longer than anything that is read."""
    return _page(Reader(request), TOO_LARGE, wrong="large")


@post(
    "/import",
    request_max_body_size=_FORM_BYTES_MAX,
    exception_handlers={TOO_LARGE: too_large},
)
async def take_record(
    request: PageRequest, records: TheRecords, players: ThePlayers, new_id: NewId
) -> Response[Any]:
    """Look at a record; take it in if it is the one that was shown, and lead to its sheet."""
    reader = Reader(request)
    brought = await read_brought((await request.form()).multi_items())
    if brought.wrong is not None:
        status = TOO_LARGE if brought.wrong == "large" else UNREADABLE
        return _page(reader, status, wrong=brought.wrong)
    assessed = await records.assess(brought.data, brought.form)
    shown_before = assessed.hash is not None and assessed.hash == brought.hash
    if shown_before and assessed.record is not None:
        assessed = await records.seat(assessed, brought.chosen(assessed.record.seats))
    asked = brought.imports and shown_before
    taken = await _take(request, records, assessed, brought) if asked else None
    if isinstance(taken, Taken):
        return see_other(f"/games/{taken.game_id}/sheet")
    context: dict[str, object] = {
        "text": brought.text or "",
        "unreadable": brought.text is None,
        "changed": brought.imports and not shown_before,
        "reused": isinstance(taken, KeyReused),
        "people": known(await players.all()),
        "command": new_id(),
    }
    return await asyncio.to_thread(_told, reader, assessed, brought, asked=asked, context=context)


async def _take(
    request: PageRequest, records: Records, assessed: Assessed, brought: Brought
) -> Taken | KeyReused | None:
    """Take a record in; None: somebody cannot be seated."""
    command: UUID | None = uuid_of(brought.command)
    try:
        taken = await records.take(assessed, request.user.link_id, command)
    except KeyReused as error:
        return error
    return taken if isinstance(taken, Taken) else None


def _told(
    reader: Reader,
    assessed: Assessed,
    brought: Brought,
    *,
    asked: bool,
    context: dict[str, object],
) -> Response[str]:
    """Draw what was found: the game, or what is wrong."""
    problems = problems_shown(reader, assessed, brought.readable)
    shown = record_shown(reader, assessed, asked=asked)
    game = reader.game(shown.ruleset) if shown else None
    ok = shown is not None and not (asked and assessed.unseated)
    status = 200 if ok else UNREADABLE
    return _page(reader, status, **context, problems=problems, shown=shown, game=game)


def _page(reader: Reader, status_code: int, **context: object) -> Response[str]:
    return reader.page("import_page.html", status_code, None, **{**_NOTHING, **context})
