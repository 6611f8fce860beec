"""How pages are asked: the request with who asks, and what a handler is handed."""

from collections.abc import Callable
from typing import TypeAlias
from uuid import UUID

from litestar import Request
from litestar.datastructures import Cookie, State
from litestar.response import Redirect

from service.identity import Identity

PageRequest: TypeAlias = Request[Identity, str, State]
NewId: TypeAlias = Callable[[], UUID]


def see_other(path: str, *cookies: Cookie) -> Redirect:
    """Lead on after a form, so that a reload sends nothing twice (RFC 9110 §15.4.4)."""
    return Redirect(path, status_code=303, cookies=list(cookies))
