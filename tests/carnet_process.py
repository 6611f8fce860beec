"""Runs `carnet …` as a process that starts in milliseconds.

Importing takes most of a second of CPU, and the tests start hundreds of processes, so they are
forked from one process that has imported everything (`tests.preloaded`). Properties of a real
start, as interpreter settings and a terminal, are tested in
`tests/service/commands/test_serve.py` and by the examples of the documents.
"""

import atexit
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread

from service import cli

ROOT = Path(__file__).parent.parent
_FORKED = multiprocessing.get_context("forkserver")
_FORKED.set_forkserver_preload(["tests.preloaded", __name__])


class CarnetProcess:
    """A running command, with the used part of the interface of `subprocess.Popen`.

    `streams`: the files of standard input, output and error. `descriptors`: the limit of open
    files; None: that of the tests.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        streams: tuple[Path, Path, Path],
        descriptors: int | None = None,
    ) -> None:
        given = ([*arguments], {**environment}, streams, descriptors)
        self._process = _FORKED.Process(target=_run, args=given)
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Return the exit status, as in `subprocess` (`-9`: killed); None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended; return the exit status.

        Raises: subprocess.TimeoutExpired
        """
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("carnet", timeout or 0)
        return self._process.exitcode

    def send_signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


def _run(
    arguments: list[str],
    environment: dict[str, str],
    streams: tuple[Path, Path, Path],
    descriptors: int | None,
) -> None:
    _, *written = streams
    modes = (os.O_RDONLY, *(os.O_WRONLY | os.O_APPEND | os.O_CREAT for _ in written))
    for number, (path, mode) in enumerate(zip(streams, modes, strict=True)):
        opened = os.open(path, mode)
        os.dup2(opened, number)
        os.close(opened)
    # `multiprocessing` gives a process no standard input.
    sys.stdin = os.fdopen(os.dup(0))
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    os.chdir(ROOT)
    if descriptors is not None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
    sys.argv = ["carnet", *arguments]
    # `multiprocessing` imports the main module in children: that of `carnet`.
    sys.modules["__main__"] = cli
    Thread(target=_end_with_tests, daemon=True).start()
    sys.exit(cli.main())


def _end_with_tests() -> None:
    tests = multiprocessing.parent_process()
    assert tests is not None
    tests.join()
    os.kill(os.getpid(), signal.SIGKILL)


@atexit.register  # before `multiprocessing` waits for them
def _end_all() -> None:
    for one in multiprocessing.active_children():
        one.kill()


def run_carnet(
    *arguments: str, environment: Mapping[str, str] | None = None, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end. `environment`: additional variables; `stdin`: its input."""
    done = run_carnet_with_bytes(*arguments, environment=environment, typed=stdin.encode())
    out, err = done.stdout.decode(), done.stderr.decode()
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


def run_carnet_with_bytes(
    *arguments: str, environment: Mapping[str, str] | None = None, typed: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        given, out, err = (Path(folder, name) for name in ("in", "out", "err"))
        given.write_bytes(typed)
        variables = {**os.environ, **(environment or {})}
        status = CarnetProcess(arguments, variables, (given, out, err)).wait()
        return subprocess.CompletedProcess(
            ["carnet", *arguments], status, out.read_bytes(), err.read_bytes()
        )
