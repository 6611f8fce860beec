"""Say what failed at first and passed when it was tried once more: somebody has to mend it."""

import pytest


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name each unsteady test with the whole of what it failed with."""
    for report in terminalreporter.stats.get("rerun", ()):
        terminalreporter.write_line(f"unsteady, tried once more: {report.nodeid}")
        terminalreporter.write_line(str(report.longrepr))
