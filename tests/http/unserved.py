"""The application as it is put together, which nobody serves: what its routes and documents say."""

import warnings
from functools import cache
from pathlib import Path

from litestar import Litestar

from service.app import build
from service.settings import Settings


@cache
def app_without_server() -> Litestar:
    """Put it together once; whoever asks changes nothing of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return build(Settings(data_dir=Path("/nowhere")))
