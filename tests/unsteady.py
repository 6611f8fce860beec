"""Say what failed at first and passed when it was tried once more: somebody has to mend it.

Before each test a process of the run asks, over a socket, how often it failed already. It writes
twice and then reads, which TCP keeps waiting for 40 ms (RFC 896, and RFC 1122, 4.2.3.2): a sixth of
the time of all tests, unless what is small is sent at once.
"""

import socket

import pytest


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Send at once what is asked of pytest-rerunfailures, which has opened its sockets by now."""
    asked = getattr(getattr(config, "failures_db", None), "sock", None)
    if isinstance(asked, socket.socket):
        asked.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name each unsteady test with the whole of what it failed with."""
    for report in terminalreporter.stats.get("rerun", ()):
        terminalreporter.write_line(f"unsteady, tried once more: {report.nodeid}")
        terminalreporter.write_line(str(report.longrepr))
