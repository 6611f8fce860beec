"""Import of a whole export: a summary, then the import itself."""

from litestar import get, post
from litestar.response import Redirect, Response
from msgspec import structs

from service.dependencies import (
    PageRequest,
    TheEverything,
    TheQuota,
    TheUploads,
    Word,
    see_other,
)
from service.transfer.everything import ImportSummary, end_of
from service.web.format.form_flash import make_flash, read_flash
from service.web.format.render import Reader

ADDRESS = "/import/everything"
_DRAFT = "carnet-everything"
_FAILURES_SHOWN = 20
_NAMES_SHOWN = 10


@get(f"{ADDRESS}/{{name:str}}")
async def show_everything(request: PageRequest, uploads: TheUploads, name: Word) -> Response[str]:
    reader = Reader(request)
    draft = request.query_params.get("draft", "")
    taken = read_flash(request, _DRAFT, ImportSummary, draft) if draft else None
    end = None if taken else end_of(uploads.find(name).path)
    status = 422 if taken and taken.fault else 200
    return reader.page("import_everything.html", status, name=name, end=end, taken=taken)


@post(f"{ADDRESS}/{{name:str}}")
async def import_everything(
    request: PageRequest,
    uploads: TheUploads,
    everything: TheEverything,
    quota: TheQuota,
    name: Word,
) -> Redirect:
    path = uploads.find(name).path
    end = end_of(path)
    wanted = {"games": end.games, "people": end.players} if end else {}
    async with quota.reserve(**wanted, bytes=1):
        taken = await everything.import_from(path)
    quota.invalidate()
    shortened = structs.replace(
        taken,
        failed=taken.failed[:_FAILURES_SHOWN],
        shared=taken.shared[:_NAMES_SHOWN],
        alike=taken.alike[:_NAMES_SHOWN],
    )
    draft = make_flash(request, _DRAFT, ADDRESS, shortened)
    if draft is None:
        return see_other(f"{ADDRESS}/{name}")
    return see_other(f"{ADDRESS}/{name}?draft={draft.id}", draft.cookie)
