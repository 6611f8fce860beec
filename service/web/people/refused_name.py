"""A refused name, passed back to the page of its form."""

from uuid import UUID

from litestar.response import Redirect
from msgspec import Struct

from schemas.names import NAME_LENGTH_MAX
from service.dependencies import PageRequest, see_other
from service.web.format.form_flash import make_flash, read_flash


class RefusedName(Struct, frozen=True, kw_only=True):
    """The typed name. `taken`: the player with the same name; None: the name is invalid."""

    typed: str
    taken: UUID | None = None


def _draft(path: str) -> str:
    return f"carnet-name-{path.rpartition('/')[2]}"


def refuse_name(request: PageRequest, typed: str, taken: UUID | None = None) -> Redirect:
    """Redirect to the form's page with the typed name, cut if it is far too long."""
    path = request.url.path
    refused = RefusedName(typed=typed[: 2 * NAME_LENGTH_MAX], taken=taken)
    draft = make_flash(request, _draft(path), path, refused)
    return see_other(f"{path}?draft={draft.id}", draft.cookie) if draft else see_other(path)


def refused_name(request: PageRequest, draft_id: str) -> RefusedName | None:
    path = request.url.path
    return read_flash(request, _draft(path), RefusedName, draft_id) if draft_id else None
