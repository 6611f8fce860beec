"""Import of one recorded game: upload or paste, preview, import."""

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
from service.web.transfer.import_preview import problem_excerpts, record_preview
from service.web.transfer.sent_forms import read_form
from service.web.transfer.upload_routing import redirect_by_kind
from service.web.transfer.uploads import Upload, read_upload

_DRAFT = "carnet-import"
TOO_LARGE = 413
# Higher than the limit of a record, so that an oversized file gets an error page, not a broken
# connection, and a whole export fits; `carnet import` reads larger ones.
_FORM_BYTES_MAX = 64 * BYTES_MAX

_DEFAULTS: dict[str, object] = {
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
    """Redirect to the message that the form exceeded its size limit."""
    return see_other("/import?wrong=large")


def over_limits(_request: Request[Any, Any, Any], _: UploadTooLarge) -> Redirect:
    """Redirect to the message that reading the upload exceeded its limits of memory or time."""
    return see_other("/import?wrong=heavy")


@get("/import", exception_handlers={UploadTooLarge: over_limits})
async def show_import(
    request: PageRequest,
    records: TheRecords,
    recognition: TheRecognition,
    players: ThePlayers,
    new_id: NewId,
) -> Response[str]:
    asked = request.query_params
    wrong = asked.get("wrong")
    if wrong in {"large", "many", "heavy"}:
        return _page(Reader(request), TOO_LARGE, wrong=wrong)
    draft = asked.get("draft", "")
    upload = read_flash(request, _DRAFT, Upload, draft) if draft else None
    if upload is None:
        return _page(Reader(request), 200)
    parts = (records, recognition, await players.names())
    return await _preview(request, parts, upload, new_id(), reused="reused" in asked)


@post(
    "/import",
    request_max_body_size=_FORM_BYTES_MAX,
    exception_handlers={TOO_LARGE: too_large, UploadTooLarge: over_limits},
)
async def import_record(
    request: PageRequest,
    records: TheRecords,
    recognition: TheRecognition,
    uploads: TheUploads,
    upload_reader: TheUploadReader,
    players: ThePlayers,
    new_id: NewId,
) -> Response[Any]:
    """Preview a record; if it equals the previewed one, import it and redirect to its sheet.

    A record that exists already redirects to its game unless a copy is requested. Several records,
    score tables and whole exports redirect to their own pages.
    """
    form = await read_form(request, uploads)
    elsewhere = await redirect_by_kind(Reader(request), uploads, upload_reader, form)
    if elsewhere is not None:
        return elsewhere
    upload = await asyncio.to_thread(read_upload, form, uploads)
    reused = False
    if upload.imports and upload.wrong is None:
        assessed = await _assess(records, upload)
        same = assessed.hash is not None and assessed.hash == upload.hash
        existing = await _existing_games(recognition, assessed) if same and not upload.again else ()
        command = uuid_of(upload.command)
        if existing and (command is None or imported_game_id(command) not in existing):
            return see_other(f"/games/{existing[0]}/sheet")
        imported = await _import(request, records, assessed, upload) if same else None
        if isinstance(imported, ImportedRecord):
            return see_other(f"/games/{imported.game_id}/sheet")
        reused = isinstance(imported, KeyReused)
    upload_shown = structs.replace(upload, data=b"", text="") if upload.wrong else upload
    draft = make_flash(request, _DRAFT, "/import", upload_shown)
    if draft is not None:
        return see_other(f"/import?draft={draft.id}{'&reused' if reused else ''}", draft.cookie)
    parts = (records, recognition, await players.names())
    return await _preview(request, parts, upload, new_id(), reused=reused)


async def _existing_games(recognition: Recognition, assessed: Assessed) -> tuple[UUID, ...]:
    traits = traits_of(assessed)
    matches = (await recognition.find([traits]))[0] if traits else ()
    return tuple(one.game_id for one in sorted(matches, key=lambda one: one.set_aside))


async def _assess(records: Records, upload: Upload) -> Assessed:
    assessed = await records.assess(upload.data, upload.form, sheet=True)
    if assessed.record is None or assessed.hash is None or assessed.hash != upload.hash:
        return assessed
    return await records.seat(assessed, upload.chosen_players(assessed.record.seats))


async def _preview(
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
    assessed = await _assess(records, upload)
    shown_before = assessed.hash is not None and assessed.hash == upload.hash
    context: dict[str, object] = {
        "people": known([*book.everybody()]),
        "command": command,
        "text": upload.text or "",
        "unreadable": upload.text is None,
        "changed": upload.imports and not shown_before,
        "reused": reused,
        "games_here": await _existing_games(recognition, assessed),
    }
    asked = upload.imports and shown_before
    return await asyncio.to_thread(
        _preview_page, reader, assessed, upload, book, asked=asked, context=context
    )


async def _import(
    request: PageRequest, records: Records, assessed: Assessed, upload: Upload
) -> ImportedRecord | KeyReused | None:
    command: UUID | None = uuid_of(upload.command)
    try:
        imported = await records.import_record(assessed, request.user.recorded_as(), command)
    except KeyReused as error:
        return error
    return imported if isinstance(imported, ImportedRecord) else None


def _preview_page(
    reader: Reader,
    assessed: Assessed,
    upload: Upload,
    book: NameBook,
    *,
    asked: bool,
    context: dict[str, object],
) -> Response[str]:
    problems = problem_excerpts(reader, assessed, upload.readable)
    shown = record_preview(reader, assessed, book, asked=asked)
    game = reader.game(shown.ruleset) if shown else None
    ok = shown is not None and not (asked and assessed.unseated)
    status = 200 if ok else UNREADABLE
    return _page(reader, status, **context, problems=problems, shown=shown, game=game)


def _page(reader: Reader, status_code: int, **context: object) -> Response[str]:
    return reader.page("import_page.html", status_code, None, **{**_DEFAULTS, **context})
