"""Profiles of Hypothesis, folders of test files, and settings of the garbage collector.

The profile `commit` tries the same examples in each run, so that failures are reproducible; `deep`
searches long with new seeds (`deploy/dev.py test --deep`).

Each run has its own base folder: pytest restricts access to its shared folder at the start of each
run, and servers that root starts under another account would lose their data.

Tests that enumerate deals create millions of small objects without cycles; with the default
thresholds, garbage collection took half of their time.
"""

import gc
import shutil
import tempfile

import pytest

from tests.depth import register_profiles

pytest_plugins = [
    "tests.prepared_clusters",  # before the next, which imports it
    "tests.postgres",
    "tests.service_process",
]

# Objects before a collection, then collections of the next younger generation.
COLLECTED_AFTER = (500_000, 20, 20)

register_profiles()
gc.set_threshold(*COLLECTED_AFTER)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if config.option.basetemp is None:
        folder = tempfile.mkdtemp(prefix="carnet-tests-")
        config.option.basetemp = folder
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


@pytest.hookimpl(tryfirst=True)  # before pytest-random-order
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let a random order shuffle files, and keep the order of the tests in each."""
    for item in items:
        item.add_marker(pytest.mark.random_order(disabled=True))


def pytest_collection_finish() -> None:
    gc.freeze()
