"""Whether the client of the running request is still there."""

from collections.abc import Callable
from contextvars import ContextVar

_is_gone: ContextVar[Callable[[], bool] | None] = ContextVar("is_gone", default=None)


def client_gone() -> bool:
    """Return whether the client hung up; False outside of requests."""
    is_gone = _is_gone.get()
    return is_gone is not None and is_gone()


def set_client(is_gone: Callable[[], bool]) -> None:
    """Set how the running request finds out; it has a context of its own."""
    _is_gone.set(is_gone)
