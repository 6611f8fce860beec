"""`carnet serve`: run the service and print its address."""

import gc
import os
import signal
import sys
from argparse import Namespace
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import NoReturn, TextIO

from service.access.network import is_loopback
from service.app import build
from service.commands.support.link import (
    EVERYWHERE,
    name_in_network,
    numeric_host,
    owner_link,
    reachable_host,
    reserved,
    show_link,
)
from service.commands.support.owner_key import store_key
from service.commands.support.workers import notify_started, supervise
from service.errors import StartupError
from service.log import configure_logging, log_unraisable
from service.play.workers import SWITCH_SECONDS
from service.server import run as serve
from service.settings import Settings, settings_of_process

_FIRST_START = "Welcome to Carnet. {open} Anyone who has it is the owner."
_ONCE = " Keep it: it cannot be shown again."
_LOG_BYTES_MAX = 10_000_000  # of the file, which is put aside at a start
_OPEN = "Open this link."
_OPEN_OR_SCAN = "Open this link, or scan it with your phone."


def run(arguments: Namespace) -> int:
    """Serve until a signal; return 0.

    Raises: SettingsError, StartupError (or its own PostgreSQL died for good)
    """
    if arguments.lan:
        # Worker processes read it, too (`CARNET_WORKERS`).
        os.environ["CARNET_HOST"] = EVERYWHERE
    if arguments.log:
        os.environ["CARNET_LOG"] = arguments.log
    settings, worker = settings_of_process(), arguments.worker
    is_first = not worker  # the only process, or worker 0
    log_path = log_file(settings)
    logs = configure_logging(open_log(log_path), buffered=True, as_json=True)
    sys.unraisablehook = log_unraisable
    if worker is None and settings.workers > 1:
        return supervise(settings, logs, demo=arguments.demo)
    try:
        # A worker's port is reserved by the process that began it.
        with reserved(settings) if worker is None else nullcontext(settings.port) as port:
            show = partial(show_samples, settings, port) if arguments.demo and is_first else None
            first = partial(welcome, settings, port)
            app = build(settings, on_first_key=first, on_samples=show)
            sys.setswitchinterval(SWITCH_SECONDS)

            def on_start() -> None:
                leave_out_of_rounds()
                if worker is not None:
                    notify_started(app.state["stopping"].set)
                if is_first:
                    announce(settings, port, log_path)
                logs.flush_buffer()

            # Until the server installs its handlers.
            signal.signal(signal.SIGTERM, _exit_cleanly)
            serve(
                app,
                numeric_host(settings),
                port,
                tls=settings.tls,
                proxies=settings.proxies,
                on_start=on_start,
            )
    finally:
        logs.flush_buffer()
    return 0


def leave_out_of_rounds() -> None:
    """Exclude existing objects from garbage collection.

    They live as long as the process, and a full collection would stop the event loop for 60 ms.
    """
    gc.collect()
    gc.freeze()


def log_file(settings: Settings) -> Path | None:
    """Return the file of the log, None for standard error: on a terminal people read the link."""
    chosen = settings.log or ("file" if sys.stderr.isatty() else "json")
    return settings.data_dir / "carnet.log" if chosen == "file" else None


def open_log(path: Path | None) -> TextIO:
    """Open the log; a long one from before is put aside. Raises: StartupError."""
    if path is None:
        return sys.stderr
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > _LOG_BYTES_MAX:
            path.replace(path.with_suffix(".log.1"))
        return path.open("a", encoding="utf-8")
    except OSError as error:
        raise StartupError(
            f"The log file {path} cannot be written: {error.strerror or error}",
            "Set CARNET_DATA_DIR to a folder of your own, or start it with `--log json`",
        ) from error


def announce(settings: Settings, port: int, log_path: Path | None = None) -> None:
    """Print the address, and how to find the owner's link, the log and phones: three lines."""
    reachable = reachable_host(settings.host)
    address = f"Carnet runs on {owner_link(reachable, port, None, settings.scheme)}"
    name = name_in_network(reachable) if reachable != settings.host else None
    if name:
        address += f" and {owner_link(name, port, None, settings.scheme)}"
    if settings.owner_key_hash is None:
        owner = "`carnet key` shows the owner's link again."
    else:
        owner = "The owner signs in there with the key in CARNET_OWNER_KEY."
    lines = [address, f"{owner} The log is in {log_path}" if log_path else owner]
    if is_loopback(settings.host):
        lines.append(
            "Only this computer can reach it: `--lan` (CARNET_HOST=0.0.0.0) admits phones."
        )
    elif is_loopback(reachable):
        lines.append("Only this computer can reach it: it is not connected to a network.")
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def welcome(settings: Settings, port: int, key: str) -> None:
    """Print the link with a key that was just generated, and store it for `carnet key`."""
    reachable = reachable_host(settings.host)
    how = _OPEN if is_loopback(reachable) else _OPEN_OR_SCAN
    link = owner_link(reachable, port, key, settings.scheme)
    again = "" if store_key(settings.data_dir, key) else _ONCE
    show_link(_FIRST_START.format(open=how) + again, link)


def show_samples(settings: Settings, port: int, key: str) -> None:
    """Print the link to the sample games."""
    link = owner_link(reachable_host(settings.host), port, key, settings.scheme)
    show_link("Open this link to see the sample games; it works until the next start.", link)


def _exit_cleanly(*_: object) -> NoReturn:
    sys.exit(0)
