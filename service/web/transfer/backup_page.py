"""The backup page: the last backup, a download of everything, and how to restore."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from litestar import get
from litestar.response import Response, Stream

from service.club.temporary_files import TemporaryFiles
from service.dependencies import MaybeAsked, Now, PageRequest, TheBackups, TheUploads
from service.errors import NotFound
from service.tenancy.club_services import services_of
from service.transfer.backups import NIGHT_HOUR, Backups
from service.web.format.progress import EVENTS, Advance, answer_long_work
from service.web.format.render import HEADERS, Reader

ADDRESS = "/backup/carnet-backup.jsonl"
_AT_ONCE = 1 << 18
_KIND = "application/x-ndjson"


@get("/backup")
async def show_backups(request: PageRequest, backups: TheBackups) -> Response[str]:
    _refuse_samples(request)
    folder = backups.folder
    return Reader(request).page(
        "backup.html",
        last=await backups.last(),
        folder=folder.folder if folder else None,
        kept=folder.kept if folder else 0,
        files=folder.files() if folder else [],
        hour=NIGHT_HOUR,
    )


@get(ADDRESS, opt={"exclude_from_compression": True})
async def download(
    request: PageRequest,
    backups: TheBackups,
    uploads: TheUploads,
    now: Now,
    file: MaybeAsked = None,
) -> Response[Any]:
    """Return everything; `file`: as it was written with progress events."""
    _refuse_samples(request)

    async def write(advance: Advance) -> str:
        return f"{ADDRESS}?file={await _write(backups, uploads, advance)}"

    if EVENTS in request.headers.get("accept", ""):
        return await answer_long_work(request, write)
    stored = uploads.find(file or await _write(backups, uploads, None))
    name = f'attachment; filename="carnet-{now():%Y-%m-%d}.jsonl"'
    return Stream(
        _parts(stored.path),
        media_type=_KIND,
        headers=HEADERS
        | {"Content-Disposition": name, "Content-Length": str(stored.path.stat().st_size)},
    )


def _refuse_samples(request: PageRequest) -> None:
    if services_of(request).sample_of is not None:
        raise NotFound("backup", None)


async def _write(backups: Backups, uploads: TemporaryFiles, advance: Advance | None) -> str:
    with uploads.draft() as draft:
        written = await backups.everything.write(draft.out, advance)
        name = uploads.keep(draft, _KIND, "")
    await backups.note("download", written)
    return name


def _parts(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while part := stream.read(_AT_ONCE):
            yield part
