"""Forks `carnet …` from a process that has imported it: `python -m tests.fork_server`.

A request is a line of JSON on a Unix socket, with standard input, output and error; the answer has
two lines: the process id, and the exit status as in `subprocess` (`-9`: killed).
"""

import atexit
import gc
import json
import logging
import os
import resource
import selectors
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import NoReturn, TypedDict

import jinja2

from service import cli
from service.language.sentence import LANGUAGES
from service.web.format import render


def share_template_bytecode() -> None:
    if sys.pycache_prefix is None:
        return
    code = sha256(jinja2.__version__.encode())
    for file in sorted(Path(render.__file__).parent.glob("*.py")):
        code.update(file.read_bytes())
    folder = Path(sys.pycache_prefix, f"templates-{code.hexdigest()[:16]}")
    folder.mkdir(parents=True, exist_ok=True)
    kept = jinja2.FileSystemBytecodeCache(str(folder))
    for language in LANGUAGES:
        render.environment(language).bytecode_cache = kept


# Modules that `serve` imports lazily at its start.
_LATE_MODULES = (
    "encodings.idna",
    "uvloop",
)
_PACKAGES = ("domain", "projections", "schemas", "service")
_STREAMS = 3
_REQUEST_BYTES_MAX = 2**20


class Request(TypedDict):
    """A command to run: arguments, variables, folder, limit of descriptors."""

    arguments: list[str]
    environment: Mapping[str, str]
    folder: str
    descriptors: int | None


def serve(listener: socket.socket) -> bool:
    """Fork for each request until standard input ends; return whether this is a child."""
    server = _ForkServer(listener)
    while not server.forked and server.handle_next():
        pass
    if not server.forked:
        server.end()
    return server.forked


class _ForkServer:
    def __init__(self, listener: socket.socket) -> None:
        self.forked = False
        self._listener = listener
        self._asking: dict[int, socket.socket] = {}
        self._ended, written = socket.socketpair()
        for end in (self._ended, written):
            end.settimeout(0)
        self._written = written
        signal.signal(signal.SIGCHLD, _nothing)
        signal.set_wakeup_fd(written.fileno())
        self._selector = selectors.DefaultSelector()
        for source in (sys.stdin.fileno(), listener, self._ended):
            self._selector.register(source, selectors.EVENT_READ)

    def handle_next(self) -> bool:
        """Handle the next event; return whether to continue."""
        for key, _ in self._selector.select():
            if key.fileobj is self._listener:
                self._begin(self._listener.accept()[0])
            elif key.fileobj is self._ended:
                self._ended.recv(4096)
                self._report_ended()
            elif isinstance(key.fileobj, socket.socket):
                self._forget_client(key.fileobj)
            else:
                return False
            if self.forked:
                break
        return True

    def end(self) -> None:
        for asking in [*self._asking.values()]:
            self._forget_client(asking)

    def _begin(self, asking: socket.socket) -> None:
        told, streams, _, _ = socket.recv_fds(asking, _REQUEST_BYTES_MAX, _STREAMS)
        while not told.endswith(b"\n"):
            told += asking.recv(_REQUEST_BYTES_MAX)
        number = os.fork()
        if number:
            for stream in streams:
                os.close(stream)
            self._asking[number] = asking
            self._selector.register(asking, selectors.EVENT_READ)
            asking.sendall(b"%d\n" % number)
            return
        self.forked = True
        self._close(asking)
        _run_as_child(json.loads(told), streams)

    def _close(self, asking: socket.socket) -> None:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._selector.close()
        for one in (self._listener, self._ended, self._written, asking, *self._asking.values()):
            one.close()

    def _report_ended(self) -> None:
        for number in [*self._asking]:
            ended, status = os.waitpid(number, os.WNOHANG)
            if ended:
                asking = self._asking.pop(number)
                self._selector.unregister(asking)
                with asking:
                    asking.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))

    def _forget_client(self, asking: socket.socket) -> None:
        self._selector.unregister(asking)
        asking.close()
        (number,) = (number for number, one in self._asking.items() if one is asking)
        del self._asking[number]
        os.kill(number, signal.SIGKILL)
        os.waitpid(number, 0)


def _nothing(*_: object) -> None:
    pass


def _run_as_child(request: Request, streams: list[int]) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    os.chdir(request["folder"])
    if request["descriptors"] is not None:
        most = request["descriptors"]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    sys.argv = ["carnet", *request["arguments"]]


def import_everything() -> None:
    for package in map(import_module, _PACKAGES):
        for found in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(found.name)
    for name in _LATE_MODULES:
        import_module(name)
    # Inspect the handlers once, not in each child process; the children serve these routes.
    app = import_module("service.app")
    made = app.create_routes()
    vars(app)["create_routes"] = lambda: made
    share_template_bytecode()
    gc.collect()
    gc.freeze()


class _ExitWithoutCleanup:
    """Ends a command like a program, but without freeing objects.

    Freeing memory shared with other processes copies it, which took longer than most commands.
    """

    def __init__(self) -> None:
        self._status: int | None = None

    def of(self, command: Callable[[], int]) -> NoReturn:
        try:
            self._status = command()
        except SystemExit as ended:
            self._status = ended.code if isinstance(ended.code, int) else None
            raise
        sys.exit(self._status)

    def leave(self) -> None:
        """End at once where a command has a status; else Python finds one."""
        if self._status is not None:
            logging.shutdown()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(self._status)


def main(address: str) -> NoReturn:
    """Serve at a socket path and print one line when ready; in a child, run a command."""
    ending = _ExitWithoutCleanup()
    atexit.register(ending.leave)  # exit functions run in reverse order
    import_everything()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        sys.stdout.write("\n")
        sys.stdout.flush()
        forked = serve(listener)
    if forked:
        # `multiprocessing` imports the main module in children: that of `carnet`.
        sys.modules["__main__"] = cli
        ending.of(cli.main)
    sys.exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
