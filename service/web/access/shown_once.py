"""Secrets that a page shows once after creation, passed in a short-lived cookie."""

from typing import Any
from uuid import UUID

from litestar.response import Redirect, Response
from msgspec import Struct

from service.dependencies import PageRequest, see_other
from service.web.format.form_flash import expired_flash, make_flash, read_flash

_SECONDS = 60


class JustMade(Struct, frozen=True, kw_only=True):
    id: UUID
    secret: str


class ShownOnce(Struct, frozen=True):
    """New secrets of one kind, in the cookie of this name."""

    cookie: str

    def redirect(
        self, request: PageRequest, path: str, secret: JustMade, address: str | None = None
    ) -> Redirect:
        """Redirect to the page that shows the secret: `address`, by default `path`."""
        draft = make_flash(request, self.cookie, path, secret, _SECONDS)
        return see_other(address or path, *([draft.cookie] if draft else []))

    def read(self, request: PageRequest) -> JustMade | None:
        return read_flash(request, self.cookie, JustMade)

    def forget(self, page: Response[Any], path: str) -> None:
        page.set_cookie(expired_flash(self.cookie, path))
