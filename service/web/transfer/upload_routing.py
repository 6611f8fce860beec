"""Routing of uploaded files to the import page for their kind."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from litestar.response import Redirect
from msgspec import Struct

from service.club.temporary_files import TemporaryFiles
from service.dependencies import see_other
from service.transfer.everything import BEGINNING
from service.transfer.plays import is_plays
from service.transfer.record_files import BATCH_BYTES_MAX, ZIP_BEGINNING, is_history
from service.transfer.upload_reader import UploadReader
from service.web.format.render import Reader
from service.web.transfer import import_everything_page, import_several_page
from service.web.transfer.sent_forms import HEAD_BYTES, SentFile, SentForm


class UploadPage(Struct, frozen=True):
    """A page of an extension, at `address/<stored name>`, for the files that it `recognizes`."""

    address: str
    recognizes: Callable[[SentFile, Path], bool]


async def redirect_by_kind(
    reader: Reader, uploads: TemporaryFiles, upload_reader: UploadReader, form: SentForm
) -> Redirect | None:
    files = form.files or await asyncio.to_thread(_pasted_plays, form, uploads)
    pages: Sequence[UploadPage] = reader.request.app.state["upload_pages"]
    kinds = [
        await asyncio.to_thread(_kind, one, uploads.find(one.stored_name).path, pages)
        for one in files
    ]
    if not files or kinds == ["record"]:
        return None
    if len(kinds) == 1 and kinds[0] != "batch":
        return see_other(f"{kinds[0]}/{files[0].stored_name}")
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


def _kind(file: SentFile, path: Path, pages: Sequence[UploadPage]) -> str:
    """Return the address of the page for a file, or `batch` or `record`."""
    if file.head.startswith(BEGINNING):
        return import_everything_page.ADDRESS
    for page in pages:
        if page.recognizes(file, path):
            return page.address
    if is_history(file.head):
        return "batch"
    if file.size <= BATCH_BYTES_MAX and is_plays(path.read_bytes()):
        return "batch"
    return "batch" if file.head.startswith(ZIP_BEGINNING) else "record"
