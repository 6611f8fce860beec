"""Say what failed at first and passed when it was tried once more: somebody has to mend it.

Before each test pytest-rerunfailures asks the run's first process, over a socket, how often that
test failed already, in case a process that tried it was killed. Here such a process is a failure
whatever it tried, and asking takes a third of what an empty test does: each counts for itself.
"""

import pytest
from pytest_rerunfailures import StatusDB


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Ask nobody, once pytest-rerunfailures has opened its sockets."""
    asked = getattr(config, "failures_db", None)
    if asked is not None and hasattr(config, "workerinput"):
        asked.sock.close()
        config.failures_db = StatusDB()  # type: ignore[attr-defined] # as the plugin itself does


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name each unsteady test with the whole of what it failed with."""
    for report in terminalreporter.stats.get("rerun", ()):
        terminalreporter.write_line(f"unsteady, tried once more: {report.nodeid}")
        terminalreporter.write_line(str(report.longrepr))
