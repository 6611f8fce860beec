"""`carnet serve`: run the service and print its address."""

import gc
import os
import signal
import sys
from argparse import Namespace
from contextlib import nullcontext
from functools import partial
from typing import NoReturn

from service.access.network import is_loopback
from service.app import build
from service.commands.support.link import (
    name_in_network,
    numeric_host,
    owner_link,
    reachable_host,
    reserved,
    show_link,
)
from service.commands.support.workers import notify_started, supervise
from service.log import configure_logging, log_unraisable
from service.play.workers import SWITCH_SECONDS
from service.server import run as serve
from service.settings import Settings, settings_of_process

EVERYWHERE = "0.0.0.0"  # noqa: S104 for `--lan`
_FIRST_START = (
    "Welcome to Carnet. {open} Keep it: it is shown only once, and anyone who has it is the owner."
)
_OPEN = "Open this link."
_OPEN_OR_SCAN = "Open this link, or scan it with your phone."


def run(arguments: Namespace) -> int:
    """Serve until a signal; return 0.

    Raises: SettingsError, StartupError (or its own PostgreSQL died for good)
    """
    if arguments.lan:
        # Worker processes read it, too (`CARNET_WORKERS`).
        os.environ["CARNET_HOST"] = EVERYWHERE
    settings, worker = settings_of_process(), arguments.worker
    logs = configure_logging(sys.stderr, buffered=True)
    sys.unraisablehook = log_unraisable
    if worker is None and settings.workers > 1:
        return supervise(settings, logs, demo=arguments.demo)
    try:
        # A worker's port is reserved by the process that began it.
        with reserved(settings) if worker is None else nullcontext(settings.port) as port:
            shown = partial(show_samples, settings, port) if arguments.demo and not worker else None
            first = partial(welcome, settings, port)
            app = build(settings, on_first_key=first, on_samples=shown)
            sys.setswitchinterval(SWITCH_SECONDS)

            def on_start() -> None:
                leave_out_of_rounds()
                if worker is not None:
                    notify_started(app.state["stopping"].set)
                if not worker:
                    announce(settings, port)
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


def announce(settings: Settings, port: int) -> None:
    """Print the address of the service, and how a phone or a key can be added."""
    reachable = reachable_host(settings.host)
    lines = [f"Carnet runs on {owner_link(reachable, port, None, settings.scheme)}"]
    name = name_in_network(reachable) if reachable != settings.host else None
    if name:
        lines.append(
            f"Phones in this network find it as {owner_link(name, port, None, settings.scheme)}"
        )
    if settings.owner_key_hash is None:
        lines.append("Lost the owner's link? `carnet key --new` makes another.")
    else:
        lines.append("The owner signs in there with the key in CARNET_OWNER_KEY.")
    if is_loopback(settings.host):
        lines.append(
            "Only this computer can reach it. To record from a phone in the same network, start it"
            " with `--lan` (or CARNET_HOST=0.0.0.0)"
        )
    elif is_loopback(reachable):
        lines.append("Only this computer can reach it: it is not connected to a network.")
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def welcome(settings: Settings, port: int, key: str) -> None:
    """Print the link with a key that was just generated."""
    reachable = reachable_host(settings.host)
    how = _OPEN if is_loopback(reachable) else _OPEN_OR_SCAN
    link = owner_link(reachable, port, key, settings.scheme)
    show_link(_FIRST_START.format(open=how), link)


def show_samples(settings: Settings, port: int, key: str) -> None:
    """Print the link to the sample games."""
    link = owner_link(reachable_host(settings.host), port, key, settings.scheme)
    show_link("Open this link to see the sample games; it works until the next start.", link)


def _exit_cleanly(*_: object) -> NoReturn:
    sys.exit(0)
