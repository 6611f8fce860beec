"""Import of a whole export, or restore of a backup: a summary, then the work itself."""

import asyncio
from pathlib import Path

import msgspec
from litestar import get, post
from litestar.response import Redirect, Response, Stream
from msgspec import structs

from domain.games import TITLED
from schemas.catalogue import SHAPES
from service.dependencies import (
    MaybeAsked,
    PageRequest,
    TheEverything,
    TheQuota,
    TheRecognition,
    TheUploads,
    Word,
)
from service.transfer.backup_contents import is_backup
from service.transfer.everything import ImportSummary, end_of, overview_of
from service.web.format.progress import Advance, answer_long_work
from service.web.format.render import Reader

ADDRESS = "/import/everything"
_FAILURES_SHOWN = 20
_FIRST_LINE_BYTES_MAX = 1_000
_NAMES_SHOWN = 10


@get(f"{ADDRESS}/{{name:str}}")
async def show_everything(
    request: PageRequest,
    uploads: TheUploads,
    everything: TheEverything,
    recognition: TheRecognition,
    name: Word,
) -> Response[str]:
    reader = Reader(request)
    done = request.query_params.get("done", "")
    taken = uploads.read(done, ImportSummary) if done else None
    path = uploads.find(name).path
    end = None if taken else end_of(path)
    held = None if taken else await asyncio.to_thread(overview_of, path)
    here = len(await recognition.existing(held.ids)) if held else 0
    backup = taken is None and await asyncio.to_thread(_is_backup, path)
    status = 422 if taken and taken.fault else 200
    return reader.page(
        "import_everything.html",
        status,
        name=name,
        end=end,
        taken=taken,
        held=held,
        here=here,
        backup=backup,
        restores=backup and await everything.can_restore(path),
        rulesets=tuple(SHAPES),
        titled=TITLED,
    )


@post(f"{ADDRESS}/{{name:str}}")
async def import_everything(
    request: PageRequest,
    uploads: TheUploads,
    everything: TheEverything,
    quota: TheQuota,
    name: Word,
    restore: MaybeAsked = None,
) -> Redirect | Stream:
    """Import the games and people of a file; `restore`: everything of a backup."""
    path = uploads.find(name).path
    end = end_of(path)
    wanted = {"games": end.games, "people": end.players} if end else {}

    do = everything.restore_from if restore else everything.import_from

    async def take(advance: Advance) -> str:
        try:
            async with quota.reserve(**wanted, bytes=1):
                summary = await do(path, advance)
        finally:
            quota.invalidate()
        shortened = structs.replace(
            summary,
            failed=summary.failed[:_FAILURES_SHOWN],
            shared=summary.shared[:_NAMES_SHOWN],
            alike=summary.alike[:_NAMES_SHOWN],
        )
        return f"{ADDRESS}/{name}?done={uploads.store(msgspec.json.encode(shortened))}"

    return await answer_long_work(request, take)


def _is_backup(path: Path) -> bool:
    with path.open("rb") as stream:
        return is_backup(stream.readline(_FIRST_LINE_BYTES_MAX))
