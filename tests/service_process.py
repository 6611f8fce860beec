"""The service as a separate process, reached by HTTP.

`ServiceProcess` starts and stops one; the fixture `service` is one for the whole run, with its own
database on the embedded server.
"""

import os
import signal
import socket
import ssl
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from secrets import randbelow
from typing import Self

import httpx
import pytest

from tests.carnet_process import CarnetProcess, run_carnet
from tests.postgres import CitusCluster, Cluster, configured_cluster, configured_with_citus

KEY = "the-owners-key-of-these-tests"
_START_SECONDS_MAX = 240.0
# Below the ephemeral ports of Linux (32,768) and macOS (49,152); collisions of runs are rare.
_PORTS_MIN, _PORTS_MAX = 12_000, 32_000
_PAUSE_SECONDS = 0.05
# For clients of plain http, without certificates: reading those of the system takes each client
# 20 ms of processor time.
PLAIN_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class ServiceProcess:
    """One process of the service. `log`: where its log goes; `settings`: CARNET_… variables."""

    def __init__(self, log: Path, **settings: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = log
        self.descriptors: int | None = None
        self.arguments: tuple[str, ...] = ()
        self._trusts = PLAIN_TLS
        # Processes of one database share a data folder, as on one machine. Other databases have
        # their own, because forgetting a name drops all files of the folder.
        database = settings.get("CARNET_DATABASE_URL", str(log))
        data = f"data-{sha256(database.encode()).hexdigest()[:16]}"
        self._settings = {
            "CARNET_PORT": str(self.port),
            "CARNET_OWNER_KEY": KEY,
            "CARNET_DATA_DIR": str(log.parent.with_name(data)),
            **settings,
        }
        self._process: CarnetProcess | None = None

    @property
    def data_dir(self) -> Path:
        return Path(self._settings["CARNET_DATA_DIR"])

    @classmethod
    @contextmanager
    def running(cls, log: Path, **settings: str) -> Generator[Self]:
        """Start one; end it in the end."""
        service = cls(log, **settings)
        service.start()
        try:
            yield service
        finally:
            service.stop()

    def start(self) -> None:
        self._process = CarnetProcess(
            ("serve", *self.arguments),
            {**os.environ, **self._settings},
            (Path(os.devnull), self.log, self.log),
            self.descriptors,
        )
        deadline = time.monotonic() + _START_SECONDS_MAX
        while not self._ready():
            assert self.is_running(), self.log.read_text()
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(_PAUSE_SECONDS)

    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def trust(self, context: ssl.SSLContext) -> None:
        self._trusts = context

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def memory_peak_bytes(self) -> int:
        """The most memory the process has held so far (proc_pid_status(5), VmHWM)."""
        assert self._process is not None
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        (line,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024

    @property
    def processor_seconds(self) -> float:
        """The processor time that the process has taken so far."""
        # Linux numbers the clock of another process like this: see clock_getcpuclockid(3).
        return time.clock_gettime((~self.pid << 3) | 2)

    def kill(self) -> None:
        """End the process as a power cut would: SIGKILL."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End the process as an operator does: SIGTERM."""
        self._end(signal.SIGTERM)

    def signal_stop(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)

    def exit_status(self, seconds_max: float) -> int:
        """Wait until the process has ended by itself; return its status."""
        assert self._process is not None
        return self._process.wait(seconds_max)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None and self.is_running():
            self._process.send_signal(how)
            self._process.wait()

    def _ready(self) -> bool:
        try:
            return httpx.get(f"{self.url}/readyz", verify=self._trusts).is_success
        except httpx.TransportError:
            return False


def free_port() -> int:
    while True:
        port = randbelow(_PORTS_MAX - _PORTS_MIN) + _PORTS_MIN
        with socket.socket() as probe, suppress(OSError):
            # As servers do: a port that was just left is free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port


@pytest.fixture(scope="session")
def service_database(request: pytest.FixtureRequest) -> Iterator[str]:
    """Make a database for services, empty until the first one starts.

    On the Citus cluster that the tests were given, where they were, its tables spread.
    """
    if configured_with_citus():
        with distributed_service_database() as url:
            yield url
        return
    cluster: Cluster = request.getfixturevalue("embedded_cluster")
    with cluster.database() as url:
        yield url


@contextmanager
def distributed_service_database() -> Generator[str]:
    """Make a database on the given cluster by `carnet distribute`, as an operator does."""
    given = configured_cluster()
    assert isinstance(given, CitusCluster)
    with given.distributed_database() as url:
        run_carnet("distribute", environment={"CARNET_DATABASE_URL": url}).check_returncode()
        yield url


@pytest.fixture(scope="session")
def service(
    service_database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServiceProcess]:
    log = tmp_path_factory.mktemp("service") / "log"
    with ServiceProcess.running(log, CARNET_DATABASE_URL=service_database) as running:
        yield running


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the last errors and refusals of the store in the services of a failed test."""
    report = yield
    if report.failed and isinstance(item, pytest.Function):
        services = [one for one in item.funcargs.values() if isinstance(one, ServiceProcess)]
        for log in {service.log for service in services if service.log.is_file()}:
            lines = log.read_text("utf-8", "replace").splitlines()
            errors = [
                line for line in lines if '"level": "error"' in line or '"event": "store.' in line
            ]
            if errors:
                report.sections.append((f"last errors in {log}", "\n".join(errors[-5:])))
    return report
