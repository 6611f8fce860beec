"""The collector of cycles, kept from looking through what is folded at one go.

It would look through a long game again and again while that is made, which takes as long as making
it, and finds nothing: what a game is made of refers to nothing that refers to it.
"""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def collector_at_rest() -> Generator[None]:
    """Collect no cycles meanwhile, and never look through what there is by then.

    It goes when its last user does. Who finds the collector at rest leaves it so.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if collects:
            gc.enable()
