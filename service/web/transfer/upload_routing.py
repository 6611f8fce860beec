"""Routing of uploaded files to the import page for their kind."""

import asyncio
from pathlib import Path
from typing import Literal

from litestar.response import Redirect

from service.club.temporary_files import TemporaryFiles
from service.dependencies import see_other
from service.transfer.everything import BEGINNING
from service.transfer.plays import is_plays
from service.transfer.record_files import BATCH_BYTES_MAX, ZIP_BEGINNING, is_history
from service.transfer.score_tables import TABLE_BYTES_MAX
from service.transfer.upload_reader import UploadReader
from service.web.format.render import Reader
from service.web.transfer import import_everything_page, import_scores_page, import_several_page
from service.web.transfer.sent_forms import HEAD_BYTES, SentFile, SentForm

_TABLES = (".csv", ".tsv", ".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
# A ZIP archive lists its file names uncompressed; every workbook contains one of these.
_WORKBOOK_MARKS = (b"[Content_Types].xml", b"application/vnd.oasis.opendocument.spreadsheet")

UploadKind = Literal["export", "table", "batch", "record"]


async def redirect_by_kind(
    reader: Reader, uploads: TemporaryFiles, upload_reader: UploadReader, form: SentForm
) -> Redirect | None:
    files = form.files or await asyncio.to_thread(_pasted_plays, form, uploads)
    kinds = [
        await asyncio.to_thread(_kind, one, uploads.find(one.stored_name).path) for one in files
    ]
    if kinds == ["export"]:
        return see_other(f"{import_everything_page.ADDRESS}/{files[0].stored_name}")
    if kinds == ["table"]:
        return see_other(f"{import_scores_page.ADDRESS}/{files[0].stored_name}")
    if not files or kinds == ["record"]:
        return None
    if sum(one.size for one in files) > BATCH_BYTES_MAX:
        return see_other("/import?wrong=many")
    return await import_several_page.open_batch(reader, uploads, upload_reader, files)


def _pasted_plays(form: SentForm, uploads: TemporaryFiles) -> tuple[SentFile, ...]:
    data = form.fields.get("text", "").encode("utf-8", "replace")
    if not is_plays(data):
        return ()
    with uploads.draft() as draft:
        draft.out.write(data)
        name = uploads.keep(draft, "application/octet-stream", "")
    return (SentFile(name="", stored_name=name, head=data[:HEAD_BYTES], size=len(data)),)


def _kind(file: SentFile, path: Path) -> UploadKind:
    if file.head.startswith(BEGINNING):
        return "export"
    if file.name.casefold().endswith(_TABLES):
        return "table"
    if is_history(file.head):
        return "batch"
    if file.size <= BATCH_BYTES_MAX and is_plays(path.read_bytes()):
        return "batch"
    if not file.head.startswith(ZIP_BEGINNING):
        return "record"
    data = path.read_bytes() if file.size <= TABLE_BYTES_MAX else b""
    return "table" if any(name in data for name in _WORKBOOK_MARKS) else "batch"
