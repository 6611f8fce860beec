"""A secret that was just made."""

from typing import Any
from uuid import UUID

from litestar.response import Redirect, Response
from msgspec import Struct

from service.dependencies import PageRequest, see_other
from service.web.format.drafts import draft_of, dropped, read_draft

_SECONDS = 60


class JustMade(Struct, frozen=True, kw_only=True):
    """Whose secret it is, and the secret."""

    id: UUID
    secret: str


class ShownOnce(Struct, frozen=True):
    """Secrets of one kind, carried by the cookie of that name."""

    cookie: str

    def lead(
        self, request: PageRequest, path: str, made: JustMade, address: str | None = None
    ) -> Redirect:
        """Lead to the page that shows it: at `address`, which is `path` or begins with it."""
        draft = draft_of(request, self.cookie, path, made, _SECONDS)
        return see_other(address or path, *([draft.cookie] if draft else []))

    def read(self, request: PageRequest) -> JustMade | None:
        """Read what this page shows; None: nothing."""
        return read_draft(request, self.cookie, JustMade)

    def forget(self, page: Response[Any], path: str) -> None:
        """Show it no more once this page was shown."""
        page.set_cookie(dropped(self.cookie, path))
