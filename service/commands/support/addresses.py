"""The address of the settings, taken."""

import socket
from collections.abc import Generator
from contextlib import contextmanager

from service.errors import StartupError
from service.settings import Settings

_BACKLOG = 2_048


def listening(settings: Settings) -> socket.socket:
    """Listen on the address of the settings; who connects early waits until the service is there.

    Raises: StartupError
    """
    address = (settings.host, settings.port)
    with _told(settings):
        return socket.create_server(address, family=_family(settings), backlog=_BACKLOG)


def shared(settings: Settings) -> socket.socket:
    """Take the address of the settings beside others of this account, listening to nobody yet.

    The system gives each connection to one of those who listen.

    Raises: StartupError
    """
    taken = socket.socket(_family(settings))
    with _told(settings):
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if taken.family == socket.AF_INET6:
            taken.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        taken.bind((settings.host, settings.port))
    return taken


@contextmanager
def _told(settings: Settings) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise StartupError(
            f"{settings.host} port {settings.port} cannot be served: {error.strerror or error}",
            "Set CARNET_HOST and CARNET_PORT to an address that is free",
        ) from error


def _family(settings: Settings) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in settings.host else socket.AF_INET
