"""What was typed as a name and was refused: shown again on the page it was typed on."""

from uuid import UUID

from litestar.response import Redirect
from msgspec import Struct

from schemas.names import NAME_LENGTH_MAX
from service.dependencies import PageRequest, see_other
from service.web.format.drafts import draft_of, read_draft


class RefusedName(Struct, frozen=True, kw_only=True):
    """What was typed. `taken`: who has this name already; None: it is no name."""

    typed: str
    taken: UUID | None = None


def _draft(path: str) -> str:
    return f"carnet-name-{path.rpartition('/')[2]}"


def refuse_name(request: PageRequest, typed: str, taken: UUID | None = None) -> Redirect:
    """Lead back to the page of the form; of what is far too long, with the beginning."""
    path = request.url.path
    refused = RefusedName(typed=typed[: 2 * NAME_LENGTH_MAX], taken=taken)
    draft = draft_of(request, _draft(path), path, refused)
    return see_other(f"{path}?draft={draft.id}", draft.cookie) if draft else see_other(path)


def refused_name(request: PageRequest, draft_id: str) -> RefusedName | None:
    """Return what was typed; None: nothing was refused."""
    path = request.url.path
    return read_draft(request, _draft(path), RefusedName, draft_id) if draft_id else None
