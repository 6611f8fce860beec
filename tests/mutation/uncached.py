"""A plugin of pytest's: each test fills the caches of the domain anew, and is named to coverage.py.

Otherwise only the first test that asks a cached function would be noted as running its lines, and a
fault there be shown to no other; and what Hypothesis runs would be noted as run beside the tests.
"""

import sys
from collections.abc import Generator

import pytest
from coverage import Coverage


def pytest_runtest_setup() -> None:
    """Forget what functions of the domain remember."""
    for name, module in [*sys.modules.items()]:
        if name.partition(".")[0] == "domain":
            for one in [*vars(module).values()]:
                if hasattr(one, "cache_clear"):
                    one.cache_clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Let what runs be noted as the test's, all its cases together."""
    measuring = Coverage.current()
    if measuring is None:
        return (yield)
    measuring.switch_context(item.nodeid.partition("[")[0])
    try:
        return (yield)
    finally:
        measuring.switch_context("")
