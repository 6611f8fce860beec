"""How much chance the tests take, and where their files are.

Two profiles of Hypothesis: `commit` tries the same examples every time, so that a red run is red
for everybody; `deep` searches long and anew (`deploy/dev.py test --deep`).

Every run keeps its files, and its servers their data, in a folder of its own: the one that pytest
keeps for all runs of a user is shut to others whenever a run begins, and the servers that root
starts, who run as somebody else, die of it.

Tests that list every deal make millions of small objects and no cycles: the collector, which looks
for those each time 700 more are there, took half of such a test.
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

# So many new objects, then so many looks at each younger generation.
COLLECTED_AFTER = (500_000, 20, 20)

register_profiles()
gc.set_threshold(*COLLECTED_AFTER)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if config.option.basetemp is None:
        folder = tempfile.mkdtemp(prefix="carnet-tests-")
        config.option.basetemp = folder
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


def pytest_collection_finish() -> None:
    gc.freeze()
