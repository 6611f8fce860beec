"""How pages are asked: the request with who asks, and what a handler is handed."""

from collections.abc import Callable
from typing import TypeAlias
from uuid import UUID

from litestar import Request
from litestar.datastructures import State

from service.identity import Identity

PageRequest: TypeAlias = Request[Identity, str, State]
NewId: TypeAlias = Callable[[], UUID]
