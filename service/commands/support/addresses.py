"""The address of the settings, reserved."""

import socket
from collections.abc import Generator
from contextlib import contextmanager

from service.errors import StartupError
from service.settings import Settings


@contextmanager
def reserved(settings: Settings) -> Generator[int]:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as shared:
        try:
            # Without SO_REUSEPORT first: services that share a port do not notice each other.
            with socket.create_server((settings.host, settings.port), family=family) as alone:
                address = alone.getsockname()
            shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            shared.bind(address)
        except OSError as error:
            raise StartupError(
                f"{settings.host} port {settings.port} cannot be served: {error.strerror or error}",
                "Set CARNET_HOST and CARNET_PORT to an address that is free",
            ) from error
        yield int(address[1])


def numeric_host(settings: Settings) -> str:
    return str(socket.getaddrinfo(settings.host, None, type=socket.SOCK_STREAM)[0][4][0])
