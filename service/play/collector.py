"""Pauses the garbage collector while a game is loaded."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Generator[None]:
    """Pause collection in this context, and freeze the objects that exist at its end.

    Reentrant: the outermost context resumes it.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if collects:
            gc.enable()
