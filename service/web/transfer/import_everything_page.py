"""Import of a whole export: a summary, then the import itself."""

import asyncio

import msgspec
from litestar import get, post
from litestar.response import Redirect, Response, Stream
from msgspec import structs

from domain.games import TITLED
from schemas.catalogue import SHAPES
from service.dependencies import (
    PageRequest,
    TheEverything,
    TheQuota,
    TheRecognition,
    TheUploads,
    Word,
)
from service.transfer.everything import ImportSummary, end_of, overview_of
from service.web.format.progress import Advance, answer_long_work
from service.web.format.render import Reader

ADDRESS = "/import/everything"
_FAILURES_SHOWN = 20
_NAMES_SHOWN = 10


@get(f"{ADDRESS}/{{name:str}}")
async def show_everything(
    request: PageRequest, uploads: TheUploads, recognition: TheRecognition, name: Word
) -> Response[str]:
    reader = Reader(request)
    done = request.query_params.get("done", "")
    taken = (
        msgspec.json.decode(uploads.find(done).path.read_bytes(), type=ImportSummary)
        if done
        else None
    )
    path = uploads.find(name).path
    end = None if taken else end_of(path)
    held = None if taken else await asyncio.to_thread(overview_of, path)
    here = len(await recognition.existing(held.ids)) if held else 0
    status = 422 if taken and taken.fault else 200
    return reader.page(
        "import_everything.html",
        status,
        name=name,
        end=end,
        taken=taken,
        held=held,
        here=here,
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
) -> Redirect | Stream:
    path = uploads.find(name).path
    end = end_of(path)
    wanted = {"games": end.games, "people": end.players} if end else {}

    async def take(advance: Advance) -> str:
        try:
            async with quota.reserve(**wanted, bytes=1):
                taken = await everything.import_from(path, advance)
        finally:
            quota.invalidate()
        shortened = structs.replace(
            taken,
            failed=taken.failed[:_FAILURES_SHOWN],
            shared=taken.shared[:_NAMES_SHOWN],
            alike=taken.alike[:_NAMES_SHOWN],
        )
        return f"{ADDRESS}/{name}?done={uploads.store(msgspec.json.encode(shortened))}"

    return await answer_long_work(request, take)
