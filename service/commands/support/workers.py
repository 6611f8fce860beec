"""Several processes that answer on one port (`CARNET_WORKERS`)."""

import asyncio
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from tempfile import TemporaryDirectory
from typing import Any, cast

import structlog
from prometheus_client import multiprocess

from service.commands.support.link import reserved
from service.errors import StartupError
from service.http.monitoring.health import MULTIPROCESS
from service.log import BufferingHandler
from service.settings import Settings
from service.store.server.embedded import EmbeddedServer
from service.store.server.opening import FAILURES_MAX, LOOK_SECONDS

_AGAIN_SECONDS = 1.0
_STOP_SECONDS_MAX = 20.0
_STARTED = b"."
_CHANNEL = 0  # a worker's standard input

log = structlog.get_logger(__name__)


class Worker:
    def __init__(self, number: int, environ: dict[str, str], *arguments: str) -> None:
        self.number = number
        self.started = False
        self._measured = environ[MULTIPROCESS]
        self._began = time.monotonic()
        self.channel, theirs = socket.socketpair()
        self._process: subprocess.Popen[bytes] = subprocess.Popen(  # noqa: S603 -- this program
            [sys.executable, "-m", "service.cli", "serve", "--worker", str(number), *arguments],
            env=environ,
            stdin=theirs.fileno(),
        )
        theirs.close()

    @property
    def status(self) -> int | None:
        return self._process.poll()

    @property
    def may_start_again(self) -> bool:
        """Whether an ended worker may be restarted now."""
        return self.started or time.monotonic() - self._began > _AGAIN_SECONDS

    def wait_until_started(self) -> None:
        """Wait until it has started."""
        with suppress(OSError):
            self.started = self.started or self.channel.recv(1) == _STARTED

    def stop(self) -> None:
        with suppress(OSError):
            self._process.terminate()

    def end(self, deadline: float) -> None:
        """Wait for its end until a deadline, then kill it."""
        try:
            self._process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self.forget()

    def forget(self) -> None:
        self.channel.close()
        # prometheus_client has no type hints for this function.
        cast("Any", multiprocess).mark_process_dead(self._process.pid, self._measured)


def supervise(settings: Settings, logs: BufferingHandler, *, demo: bool) -> int:
    """Run the worker processes of the settings until a signal; return the exit status.

    `demo`: the first one makes sample games.
    """
    first = ("--demo",) if demo else ()
    with reserved(settings) as port, TemporaryDirectory(prefix="carnet-") as measured:
        given = {"CARNET_PORT": str(port), "CARNET_WORKERS": "1", MULTIPROCESS: measured}
        if settings.database_url is not None:
            return _Supervisor(settings.workers, {**os.environ, **given}, logs, None).run(*first)
        with EmbeddedServer(settings.data_dir) as server:
            given["CARNET_DATABASE_URL"] = server.url
            return _Supervisor(settings.workers, {**os.environ, **given}, logs, server).run(*first)


def notify_started(stop: Callable[[], None]) -> None:
    os.write(_CHANNEL, _STARTED)
    loop = asyncio.get_running_loop()

    def on_supervisor_gone() -> None:
        loop.remove_reader(_CHANNEL)
        stop()

    loop.add_reader(_CHANNEL, on_supervisor_gone)


class _Supervisor:
    """Restarts workers, and the embedded server if there is one."""

    def __init__(
        self,
        count: int,
        environ: dict[str, str],
        logs: BufferingHandler,
        server: EmbeddedServer | None,
    ) -> None:
        self._count = count
        self._environ = environ
        self._logs = logs
        self._server = server
        self._failures = 0
        self._begun = 0
        self._workers: list[Worker] = []
        self._stop_requested = False

    def run(self, *first: str) -> int:
        with self._signals() as bell:
            try:
                status = self._begin(bell, *first)
                if status is not None:
                    return status
                self._logs.flush_buffer()
                while not self._stop_requested:
                    self._restart_dead_workers()
                    self._wait(bell)
            finally:
                self._end()
        return 0

    def _begin(self, bell: socket.socket, *arguments: str) -> int | None:
        first = self._new_worker(*arguments)
        self._workers.append(first)
        while not first.started and not self._stop_requested:
            if first.status is not None:
                return first.status
            self._wait(bell)
        self._workers += [self._new_worker() for _ in range(1, self._count)]
        return None

    def _new_worker(self, *arguments: str) -> Worker:
        self._begun += 1
        return Worker(self._begun - 1, self._environ, *arguments)

    def _restart_dead_workers(self) -> None:
        for at, worker in enumerate(self._workers):
            if worker.status is not None and worker.may_start_again:
                log.error("worker.died", worker=worker.number, status=worker.status)
                worker.forget()
                self._workers[at] = self._new_worker()
        if self._server is not None and not self._server.alive:
            log.error("embedded.died")
            try:
                self._server.start()
                self._failures = 0
            except StartupError:
                self._failures += 1
                if self._failures == FAILURES_MAX:
                    raise

    def _wait(self, bell: socket.socket) -> None:
        silent = [worker for worker in self._workers if not worker.started]
        heard = [bell, *(worker.channel for worker in silent if worker.status is None)]
        ready, _, _ = select.select(heard, (), (), LOOK_SECONDS)
        if bell in ready:
            bell.recv(1024)
        for worker in silent:
            if worker.channel in ready:
                worker.wait_until_started()

    @contextmanager
    def _signals(self) -> Generator[socket.socket]:
        heard, rung = socket.socketpair()
        rung.setblocking(False)  # noqa: FBT003 -- the signature of sockets
        before = signal.set_wakeup_fd(rung.fileno(), warn_on_full_buffer=False)
        kinds = (signal.SIGTERM, signal.SIGINT)
        handlers = [signal.signal(kind, self._stop) for kind in kinds]
        # SIGCHLD is ignored by default, and then does not wake the supervisor.
        handlers.append(signal.signal(signal.SIGCHLD, _do_nothing))
        try:
            yield heard
        finally:
            for kind, handler in zip((*kinds, signal.SIGCHLD), handlers, strict=True):
                signal.signal(kind, handler)
            signal.set_wakeup_fd(before)
            heard.close()
            rung.close()

    def _stop(self, *_: object) -> None:
        self._stop_requested = True

    def _end(self) -> None:
        for worker in self._workers:
            worker.stop()
        deadline = time.monotonic() + _STOP_SECONDS_MAX
        for worker in self._workers:
            worker.end(deadline)


def _do_nothing(*_: object) -> None:
    pass
