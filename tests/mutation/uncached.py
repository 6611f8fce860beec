"""A plugin of pytest's: each test fills the caches of the domain's functions anew.

Otherwise only the first test that asks one would be noted as running its lines, and a fault there
be shown to no other.
"""

import sys


def pytest_runtest_setup() -> None:
    """Forget what functions of the domain remember."""
    for name, module in [*sys.modules.items()]:
        if name.partition(".")[0] == "domain":
            for one in [*vars(module).values()]:
                if hasattr(one, "cache_clear"):
                    one.cache_clear()
