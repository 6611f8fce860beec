"""The application without a server, for tests of its routes and documents."""

import warnings
from functools import cache
from pathlib import Path

from litestar import Litestar

from service.app import build
from service.settings import Settings


@cache
def app_without_server() -> Litestar:
    """Return the application, built once; it must not be changed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return build(Settings(data_dir=Path("/nowhere")))
