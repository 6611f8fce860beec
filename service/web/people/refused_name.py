"""What was typed as a name and is none: shown again on the page it was typed on."""

from litestar.response import Redirect

from schemas.names import NAME_LENGTH_MAX
from service.dependencies import PageRequest, see_other
from service.web.format.drafts import draft_of, read_draft


def _draft(path: str) -> str:
    return f"carnet-name-{path.rpartition('/')[2]}"


def refuse_name(request: PageRequest, typed: str) -> Redirect:
    """Lead back to the page of the form; of what is far too long, with the beginning."""
    path = request.url.path
    draft = draft_of(request, _draft(path), path, typed[: 2 * NAME_LENGTH_MAX])
    return see_other(f"{path}?draft={draft.id}", draft.cookie) if draft else see_other(path)


def refused_name(request: PageRequest, draft_id: str) -> str | None:
    """Return what was typed; None: nothing was refused."""
    return read_draft(request, _draft(request.url.path), str, draft_id) if draft_id else None
