"""`carnet serve`: run the service and show where it is.

Promises: the address is taken before anything else is touched; on the first start the owner's link
is shown, with its QR code, the moment its key counts, for of the key only a hash is kept; later
starts show the address alone. Logs go to standard error. Runs until it is told to stop.
"""

import signal
import socket
import sys
from argparse import Namespace
from typing import NoReturn

from service.app import build, settings_of_process
from service.commands.link import is_loopback, owner_link, reachable_host, show_link
from service.errors import StartupError
from service.log import configure_logging
from service.server import Server
from service.settings import Settings

_BACKLOG = 2_048

FIRST_START = (
    "Welcome to Carnet. Open this link, or scan it with your phone. Keep it: it is shown only"
    " once, and whoever has it is the owner."
)


def run(arguments: Namespace) -> int:
    """Serve until a signal; return 0, or 1 if the service did not start.

    Raises: SettingsError, StartupError, StoreUnavailable
    """
    del arguments
    settings = settings_of_process()
    configure_logging(sys.stderr)
    with bound(settings) as listening:
        host, port = reachable_host(settings.host), int(listening.getsockname()[1])

        def show_key(key: str) -> None:
            show_link(FIRST_START, owner_link(host, port, key))

        app = build(settings, on_first_key=show_key)
        server = _AnnouncedServer(app, settings.host, port)
        # uvicorn sends itself the signal again once it has stopped in good order: no failure.
        signal.signal(signal.SIGTERM, _stopped)
        server.run(sockets=[listening])
    return 0 if server.started else 1


def bound(settings: Settings) -> socket.socket:
    """Listen on the address of the settings; who connects early waits until the service is there.

    Raises: StartupError
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    address = (settings.host, settings.port)
    try:
        return socket.create_server(address, family=family, backlog=_BACKLOG)
    except OSError as error:
        raise StartupError(
            f"{settings.host} port {settings.port} cannot be served: {error.strerror or error}",
            "Set CARNET_HOST and CARNET_PORT to an address that is free",
        ) from error


class _AnnouncedServer(Server):
    """The server, saying where it is once it answers."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start answering, then say so."""
        await super().startup(sockets)
        if self.started:
            announce(self.config.host, self.config.port)


def announce(host: str, port: int) -> None:
    """Say where the service answers, and what to do where a phone or its key is missing."""
    reachable = reachable_host(host)
    lines = [
        f"Carnet runs on {owner_link(reachable, port, None)}",
        "Lost the owner's link? `carnet key --new` makes another.",
    ]
    if is_loopback(reachable):
        lines.append(
            "Only this computer can reach it. To record from a phone in the same network, start it"
            " with CARNET_HOST=0.0.0.0"
        )
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def _stopped(*_: object) -> NoReturn:
    sys.exit(0)
