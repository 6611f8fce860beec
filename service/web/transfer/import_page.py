"""One recorded game from elsewhere: chosen or pasted, looked at, taken in.

Promises: a look stores nothing; what is taken in is the game that was shown, to the hash; the same
form sent twice takes it in once. All of it by one form, without script, answered by a redirect so
that going back sends nothing again; only a record longer than a browser hands on is told at once.
"""

import asyncio
from typing import Any
from uuid import UUID

from litestar import Request, get, post
from litestar.exceptions import HTTPException
from litestar.response import Redirect, Response
from msgspec import structs

from service.dependencies import NewId, PageRequest, ThePlayers, TheRecords, see_other
from service.errors import KeyReused
from service.transfer.portable_records import Records, Taken
from service.transfer.uploads import BYTES_MAX, Assessed
from service.web.format.drafts import draft_of, read_draft
from service.web.format.render import Reader, uuid_of
from service.web.people.players import known
from service.web.transfer.import_preview import problems_shown, record_shown
from service.web.transfer.uploads import Brought, read_brought

_DRAFT = "carnet-import"
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
async def show_import(
    request: PageRequest, records: TheRecords, players: ThePlayers, new_id: NewId
) -> Response[str]:
    """Ask for a record; `?draft=`: look at the one that was sent."""
    asked = request.query_params
    if asked.get("wrong") == "large":
        return _page(Reader(request), TOO_LARGE, wrong="large")
    draft = asked.get("draft", "")
    brought = read_draft(request, _DRAFT, Brought, draft) if draft else None
    if brought is None:
        return _page(Reader(request), 200)
    context: dict[str, object] = {"people": known(await players.all()), "command": new_id()}
    return await _looked(request, records, brought, context, reused="reused" in asked)


def too_large(_request: Request[Any, Any, Any], _: HTTPException) -> Redirect:
    """Say that a form was longer than anything that is read."""
    return see_other("/import?wrong=large")


@post(
    "/import",
    request_max_body_size=_FORM_BYTES_MAX,
    exception_handlers={TOO_LARGE: too_large},
)
async def take_record(
    request: PageRequest, records: TheRecords, players: ThePlayers, new_id: NewId
) -> Response[Any]:
    """Look at a record; take it in if it is the one that was shown, and lead to its sheet."""
    brought = await read_brought((await request.form()).multi_items())
    reused = False
    if brought.imports and brought.wrong is None:
        assessed = await _assessed(records, brought)
        same = assessed.hash is not None and assessed.hash == brought.hash
        taken = await _take(request, records, assessed, brought) if same else None
        if isinstance(taken, Taken):
            return see_other(f"/games/{taken.game_id}/sheet")
        reused = isinstance(taken, KeyReused)
    told = structs.replace(brought, data=b"", text="") if brought.wrong else brought
    draft = draft_of(request, _DRAFT, "/import", told)
    if draft is not None:
        return see_other(f"/import?draft={draft.id}{'&reused' if reused else ''}", draft.cookie)
    context: dict[str, object] = {"people": known(await players.all()), "command": new_id()}
    return await _looked(request, records, brought, context, reused=reused)


async def _assessed(records: Records, brought: Brought) -> Assessed:
    """Look at a record, and seat those who were chosen for the one that was shown."""
    assessed = await records.assess(brought.data, brought.form)
    if assessed.record is None or assessed.hash is None or assessed.hash != brought.hash:
        return assessed
    return await records.seat(assessed, brought.chosen(assessed.record.seats))


async def _looked(
    request: PageRequest,
    records: Records,
    brought: Brought,
    context: dict[str, object],
    *,
    reused: bool,
) -> Response[str]:
    """Show what was brought."""
    reader = Reader(request)
    if brought.wrong is not None:
        status = TOO_LARGE if brought.wrong == "large" else UNREADABLE
        return _page(reader, status, wrong=brought.wrong)
    assessed = await _assessed(records, brought)
    shown_before = assessed.hash is not None and assessed.hash == brought.hash
    context |= {
        "text": brought.text or "",
        "unreadable": brought.text is None,
        "changed": brought.imports and not shown_before,
        "reused": reused,
    }
    asked = brought.imports and shown_before
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
