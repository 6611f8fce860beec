"""`carnet serve`: run the service and show where it is.

Promises: on the first start the owner's link is shown once, with its QR code, as soon as the
service answers; later starts show the address alone, for of the key only a hash is kept. Logs go
to standard error. Runs until it is told to stop.
"""

import signal
import sys
from argparse import Namespace
from socket import socket
from typing import NoReturn

from service.app import build, settings_of_process
from service.commands.link import is_loopback, owner_link, reachable_host, show_link
from service.log import configure_logging
from service.server import Server
from service.settings import Settings


def run(arguments: Namespace) -> int:
    """Serve until a signal; return 0, or 1 if the service did not start."""
    del arguments
    settings = settings_of_process()
    configure_logging(sys.stderr)
    first_keys: list[str] = []
    app = build(settings, on_first_key=first_keys.append)
    server = _AnnouncedServer(app, settings.host, settings.port)
    server.settings, server.first_keys = settings, first_keys
    # uvicorn sends itself the signal again once it has stopped in good order: that is no failure.
    signal.signal(signal.SIGTERM, _stopped)
    server.run()
    return 0 if server.started else 1


def _stopped(*_: object) -> NoReturn:
    sys.exit(0)


class _AnnouncedServer(Server):
    """The server, saying where it is once it listens."""

    settings: Settings
    first_keys: list[str]

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Listen, then show the address: with the owner's key, where it was made just now."""
        await super().startup(sockets)
        if self.started:
            port = int(self.servers[0].sockets[0].getsockname()[1])
            announce(self.settings, port, self.first_keys)


def announce(settings: Settings, port: int, first_keys: list[str]) -> None:
    """Show where the service is, and how to come in."""
    host = reachable_host(settings.host)
    if first_keys:
        show_link(
            "Carnet runs. Open this link, or scan it with your phone; it is shown only once,"
            " and whoever has it is the owner:",
            owner_link(host, port, first_keys[0]),
        )
    else:
        sys.stdout.write(f"Carnet runs on {owner_link(host, port, None)}\n")
        sys.stdout.write("Lost the owner's link? `carnet key --new` makes another.\n")
    if is_loopback(host):
        sys.stdout.write(
            "Only this computer can reach it. To record from a phone in the same network, start it"
            " with CARNET_HOST=0.0.0.0\n"
        )
    sys.stdout.flush()
