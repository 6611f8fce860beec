"""One recorded game from elsewhere: chosen or pasted, looked at, taken in."""

import asyncio
from typing import Any
from uuid import UUID

from litestar import Request, get, post
from litestar.exceptions import HTTPException
from litestar.response import Redirect, Response
from litestar.status_codes import HTTP_422_UNPROCESSABLE_ENTITY as UNREADABLE
from msgspec import structs

from service.dependencies import (
    NewId,
    PageRequest,
    ThePlayers,
    TheRecognition,
    TheRecords,
    TheUploadReader,
    TheUploads,
    see_other,
)
from service.errors import KeyReused, UploadTooLarge
from service.store.club.players import NameBook
from service.transfer.portable_records import ImportedRecord, Records
from service.transfer.recognition import Recognition
from service.transfer.uploads import BYTES_MAX, Assessed, imported_game_id, traits_of
from service.web.format.form_flash import make_flash, read_flash
from service.web.format.render import Reader, uuid_of
from service.web.people.players import known
from service.web.transfer.import_preview import problems_shown, record_shown
from service.web.transfer.sent_forms import read_form
from service.web.transfer.sorting import led_elsewhere
from service.web.transfer.uploads import Upload, read_upload

_DRAFT = "carnet-import"
TOO_LARGE = 413
# More is read than is taken, so that a file that is too large is answered instead of cut off.
# A whole export has to fit; a larger one is taken in by `carnet import`.
_FORM_BYTES_MAX = 64 * BYTES_MAX

_NOTHING: dict[str, object] = {
    "text": "",
    "wrong": None,
    "unreadable": False,
    "problems": (),
    "shown": None,
    "changed": False,
    "reused": False,
    "games_here": (),
    "bytes_max": BYTES_MAX,
}


def too_large(_request: Request[Any, Any, Any], _: HTTPException) -> Redirect:
    """Say that a form was longer than anything that is read."""
    return see_other("/import?wrong=large")


def too_heavy(_request: Request[Any, Any, Any], _: UploadTooLarge) -> Redirect:
    """Say that an upload took more memory or time than it may."""
    return see_other("/import?wrong=heavy")


@get("/import", exception_handlers={UploadTooLarge: too_heavy})
async def show_import(
    request: PageRequest,
    records: TheRecords,
    recognition: TheRecognition,
    players: ThePlayers,
    new_id: NewId,
) -> Response[str]:
    """Ask for a record; `?draft=`: look at the one that was sent."""
    asked = request.query_params
    wrong = asked.get("wrong")
    if wrong in {"large", "many", "heavy"}:
        return _page(Reader(request), TOO_LARGE, wrong=wrong)
    draft = asked.get("draft", "")
    upload = read_flash(request, _DRAFT, Upload, draft) if draft else None
    if upload is None:
        return _page(Reader(request), 200)
    parts = (records, recognition, await players.names())
    return await _looked(request, parts, upload, new_id(), reused="reused" in asked)


@post(
    "/import",
    request_max_body_size=_FORM_BYTES_MAX,
    exception_handlers={TOO_LARGE: too_large, UploadTooLarge: too_heavy},
)
async def take_record(
    request: PageRequest,
    records: TheRecords,
    recognition: TheRecognition,
    uploads: TheUploads,
    upload_reader: TheUploadReader,
    players: ThePlayers,
    new_id: NewId,
) -> Response[Any]:
    """Look at a record; take it in if it is the one that was shown, and lead to its sheet.

    One that is here already leads to that game, unless it is asked for once more; several at once,
    scores of years and whole exports lead to their own pages.
    """
    sent = await read_form(request, uploads)
    elsewhere = await led_elsewhere(Reader(request), uploads, upload_reader, sent)
    if elsewhere is not None:
        return elsewhere
    given = await asyncio.to_thread(read_upload, sent, uploads)
    reused = False
    if given.imports and given.wrong is None:
        assessed = await _assessed(records, given)
        same = assessed.hash is not None and assessed.hash == given.hash
        here = await _here(recognition, assessed) if same and not given.again else ()
        command = uuid_of(given.command)
        if here and (command is None or imported_game_id(command) not in here):
            return see_other(f"/games/{here[0]}/sheet")
        taken = await _take(request, records, assessed, given) if same else None
        if isinstance(taken, ImportedRecord):
            return see_other(f"/games/{taken.game_id}/sheet")
        reused = isinstance(taken, KeyReused)
    told = structs.replace(given, data=b"", text="") if given.wrong else given
    draft = make_flash(request, _DRAFT, "/import", told)
    if draft is not None:
        return see_other(f"/import?draft={draft.id}{'&reused' if reused else ''}", draft.cookie)
    parts = (records, recognition, await players.names())
    return await _looked(request, parts, given, new_id(), reused=reused)


async def _here(recognition: Recognition, assessed: Assessed) -> tuple[UUID, ...]:
    traits = traits_of(assessed)
    found = (await recognition.find([traits]))[0] if traits else ()
    return tuple(one.game_id for one in sorted(found, key=lambda one: one.set_aside))


async def _assessed(records: Records, upload: Upload) -> Assessed:
    assessed = await records.assess(upload.data, upload.form, sheet=True)
    if assessed.record is None or assessed.hash is None or assessed.hash != upload.hash:
        return assessed
    return await records.seat(assessed, upload.chosen(assessed.record.seats))


async def _looked(
    request: PageRequest,
    parts: tuple[Records, Recognition, NameBook],
    upload: Upload,
    command: UUID,
    *,
    reused: bool,
) -> Response[str]:
    reader = Reader(request)
    records, recognition, book = parts
    if upload.wrong is not None:
        status = TOO_LARGE if upload.wrong == "large" else UNREADABLE
        return _page(reader, status, wrong=upload.wrong)
    assessed = await _assessed(records, upload)
    shown_before = assessed.hash is not None and assessed.hash == upload.hash
    context: dict[str, object] = {
        "people": known([*book.everybody()]),
        "command": command,
        "text": upload.text or "",
        "unreadable": upload.text is None,
        "changed": upload.imports and not shown_before,
        "reused": reused,
        "games_here": await _here(recognition, assessed),
    }
    asked = upload.imports and shown_before
    return await asyncio.to_thread(
        _told, reader, assessed, upload, book, asked=asked, context=context
    )


async def _take(
    request: PageRequest, records: Records, assessed: Assessed, upload: Upload
) -> ImportedRecord | KeyReused | None:
    command: UUID | None = uuid_of(upload.command)
    try:
        taken = await records.take(assessed, request.user.by(), command)
    except KeyReused as error:
        return error
    return taken if isinstance(taken, ImportedRecord) else None


def _told(
    reader: Reader,
    assessed: Assessed,
    upload: Upload,
    book: NameBook,
    *,
    asked: bool,
    context: dict[str, object],
) -> Response[str]:
    problems = problems_shown(reader, assessed, upload.readable)
    shown = record_shown(reader, assessed, book, asked=asked)
    game = reader.game(shown.ruleset) if shown else None
    ok = shown is not None and not (asked and assessed.unseated)
    status = 200 if ok else UNREADABLE
    return _page(reader, status, **context, problems=problems, shown=shown, game=game)


def _page(reader: Reader, status_code: int, **context: object) -> Response[str]:
    return reader.page("import_page.html", status_code, None, **{**_NOTHING, **context})
