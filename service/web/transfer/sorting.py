"""What kind of files a form brings, and which page looks at them."""

import asyncio
import shutil
from collections.abc import Iterable
from typing import Any, Literal

from litestar.datastructures import UploadFile
from litestar.response import Redirect

from service.club.spool import KeptFiles
from service.dependencies import see_other
from service.transfer.archives import BadArchive, names_in
from service.transfer.everything import BEGINNING
from service.transfer.import_several import (
    BATCH_BYTES_MAX,
    TooMany,
    is_history,
    is_workbook,
    looked_at,
)
from service.web.format.render import Reader
from service.web.transfer import import_everything_page, import_several_page

_HEAD = 400
_ZIP = b"PK\x03\x04"
_TABLES = (".csv", ".tsv")

UploadKind = Literal["export", "table", "batch", "record"]


async def led_elsewhere(
    reader: Reader, uploads: KeptFiles, fields: Iterable[tuple[str, Any]]
) -> Redirect | None:
    """Lead to the page that looks at what is brought; None: it is one record.

    Raises: OSError (it cannot wait on this machine)
    """
    files = [one for _, one in fields if isinstance(one, UploadFile) and one.filename]
    kinds = [await _kind(one) for one in files]
    if kinds == ["export"]:
        return see_other(f"{import_everything_page.ADDRESS}/{await waiting(uploads, files[0])}")
    if kinds == ["table"]:
        return see_other(f"/import/scores/{await waiting(uploads, files[0])}")
    if not files or kinds == ["record"]:
        return None
    size = 0
    read: list[tuple[str, bytes]] = []
    for file in files:
        data = await file.read(BATCH_BYTES_MAX + 1)
        size += len(data)
        if size > BATCH_BYTES_MAX:
            return see_other("/import?wrong=many")
        read.append((file.filename, data))
    try:
        return import_several_page.kept_batch(
            uploads, await looked_at(read, import_several_page.words_of(reader))
        )
    except TooMany:
        return see_other("/import?wrong=many")


async def waiting(uploads: KeptFiles, file: UploadFile) -> str:
    """Let a file wait; return the name it waits under.

    Raises: OSError
    """
    await file.seek(0)
    with uploads.draft() as draft:
        await asyncio.to_thread(shutil.copyfileobj, file.file, draft.out)
        return uploads.keep(draft, "application/octet-stream", file.filename)


async def _kind(file: UploadFile) -> UploadKind:
    head = await file.read(_HEAD)
    await file.seek(0)
    if head.startswith(BEGINNING):
        return "export"
    if file.filename.casefold().endswith(_TABLES):
        return "table"
    if is_history(head):
        return "batch"
    if not head.startswith(_ZIP):
        return "record"
    data = await file.read(BATCH_BYTES_MAX + 1)
    await file.seek(0)
    try:
        names_in(data)
    except BadArchive:
        return "record"  # whose page says what is wrong with it
    return "table" if is_workbook(data) else "batch"
