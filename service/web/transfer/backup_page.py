"""The backup page: the last backup, a download of everything, and how to restore."""

from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

from litestar import get
from litestar.response import Response, Stream

from service.club.temporary_files import TemporaryFiles
from service.dependencies import Now, PageRequest, TheBackups, TheUploads
from service.errors import NotFound
from service.tenancy.club_services import services_of
from service.transfer.backups import NIGHT_HOUR, Backups
from service.web.format.render import HEADERS, Reader

_AT_ONCE = 1 << 18


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


@get("/backup/carnet-export.jsonl", opt={"exclude_from_compression": True})
async def download(
    request: PageRequest, backups: TheBackups, uploads: TheUploads, now: Now
) -> Stream:
    _refuse_samples(request)
    name = f'attachment; filename="carnet-{now():%Y-%m-%d}.jsonl"'
    return Stream(
        _stream(backups, uploads),
        media_type="application/x-ndjson",
        headers=HEADERS | {"Content-Disposition": name},
    )


def _refuse_samples(request: PageRequest) -> None:
    if services_of(request).sample_of is not None:
        raise NotFound("backup", None)


async def _stream(backups: Backups, uploads: TemporaryFiles) -> AsyncGenerator[bytes]:
    with uploads.draft() as draft:
        written = await backups.everything.write(draft.out)
        draft.out.flush()
        for part in _parts(draft.path):
            yield part
    await backups.note("download", written)


def _parts(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while part := stream.read(_AT_ONCE):
            yield part
