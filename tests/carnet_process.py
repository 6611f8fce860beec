"""Runs `carnet …` as a process that starts in milliseconds.

Importing takes most of a second of CPU, and the tests start hundreds of processes, so they are
forked from one process that has imported everything (`fork_server`). Properties of a real start, as
interpreter settings and a terminal, are tested in `tests/service/commands/test_serve.py` and by the
examples of the documents.
"""

import atexit
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from select import select
from typing import IO, Self

from tests.fork_server import Request

ROOT = Path(__file__).parent.parent


class CarnetProcess:
    """A running command, with the used part of the interface of `subprocess.Popen`.

    `descriptors`: the limit of open files; None: that of the tests.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        streams: tuple[IO[bytes], IO[bytes], IO[bytes]],
        descriptors: int | None = None,
    ) -> None:
        self.returncode: int | None = None
        request = Request(
            arguments=[*arguments],
            environment={**environment},
            folder=str(ROOT),
            descriptors=descriptors,
        )
        self._server = socket.socket(socket.AF_UNIX)
        self._server.connect(_fork_server())
        line = json.dumps(request).encode() + b"\n"
        sent = socket.send_fds(self._server, [line], [stream.fileno() for stream in streams])
        # A command that was quick has ended, and its server has hung up on us.
        if sent < len(line):
            self._server.sendall(line[sent:])
        self._told = self._server.makefile("rb")
        self.pid = int(self._told.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.wait()

    def poll(self) -> int | None:
        """Return how it ended, as far as is known; None while it runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended; return how.

        Raises: subprocess.TimeoutExpired
        """
        if self.returncode is None:
            # A file that timed out once is not read again.
            if timeout is not None and not select([self._server], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("carnet", timeout)
            self.returncode = int(self._told.readline())
            self._told.close()
            self._server.close()
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


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
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        given.write(typed)
        given.seek(0)
        variables = {**os.environ, **(environment or {})}
        status = CarnetProcess(arguments, variables, (given, out, err)).wait()
        said: list[bytes] = []
        for file in (out, err):
            file.seek(0)
            said.append(file.read())
    return subprocess.CompletedProcess(["carnet", *arguments], status, *said)


@cache
def _fork_server() -> str:
    folder = tempfile.mkdtemp(prefix="carnet-forks-")
    address = str(Path(folder, "socket"))
    command = [sys.executable, "-m", "tests.fork_server", address]
    server = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin is not None
    assert server.stdout is not None
    assert server.stdout.readline() == b"\n", "the server of forks did not start"

    def end() -> None:
        server.communicate()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(end)
    return address
