"""Runs tests against a module with a fault in it, and tells whether one of them fails."""

import importlib
import os
import resource
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
# Imported once: what the tests import that is not ours.
SLOW_TO_IMPORT = ("httpx", "hypothesis", "litestar", "psycopg", "structlog")
# What imports every game: a fault that is noticed while they are made is noticed.
REGISTRIES = ("domain.games", "projections.games")
MEMORY_BYTES_MAX = 6 * 2**30
PASSED = 0
# Plugins among them come too late to be rewritten, which makes no difference to our tests.
_LATE = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
_PYTEST = ("-x", "-q", "-n", "0", "-p", "no:cacheprovider", *_LATE)


class _Planted(SourceFileLoader):
    """Loads one module from another source."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self._source = source

    def get_code(self, fullname: str) -> object:  # type: ignore[override] # never None
        return self.source_to_code(self._source.encode(), self.get_filename(fullname))


class _Planter(MetaPathFinder):
    def __init__(self, module: str, source: str) -> None:
        self._module = module
        self._source = source

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._module:
            return None
        path = str(ROOT / f"{fullname.replace('.', '/')}.py")
        return spec_from_file_location(
            fullname, path, loader=_Planted(fullname, path, self._source)
        )


def prepare() -> None:
    """Import what takes time, once."""
    sys.path.insert(0, str(ROOT))
    sys.dont_write_bytecode = True
    os.chdir(ROOT)
    for name in SLOW_TO_IMPORT:
        importlib.import_module(name)


def start(
    module: Path, source: str, tests: Sequence[str], seconds_max: int, *, told: bool = False
) -> int:
    """Start the tests of a fault in a process of its own; return its number.

    `told`: what pytest says of them goes to standard error.
    """
    number = os.fork()
    if number:
        return number
    status = 1
    try:
        _limit(seconds_max, told=told)
        sys.meta_path.insert(0, _Planter(".".join(module.with_suffix("").parts), source))
        for name in REGISTRIES:
            importlib.import_module(name)
        status = pytest.main([*_PYTEST, *tests])
    finally:
        os._exit(int(status))


def _limit(seconds_max: int, *, told: bool) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(2 if told and stream else nothing, stream)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds_max, seconds_max))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))
