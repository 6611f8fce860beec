"""Clients that do not behave: half a head, half a body, nothing at all."""

import socket
from collections.abc import Generator
from contextlib import ExitStack, contextmanager

HALF_HEAD = b"GET /healthz HTTP/1.1\r\nHost: carnet\r\nX-Slow: "
HALF_BODY = (
    b"POST /api/players HTTP/1.1\r\nHost: carnet\r\nContent-Type: application/json\r\n"
    b'Authorization: Bearer the-owners-key-of-these-tests\r\nContent-Length: 1000\r\n\r\n{"name": '
)


@contextmanager
def crowd(port: int, count: int, said: bytes) -> Generator[list[socket.socket]]:
    with ExitStack() as stack:
        connected: list[socket.socket] = []
        for _ in range(count):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
            if said:
                one.sendall(said)
            connected.append(one)
        yield connected


def close(connected: socket.socket) -> bool:
    """Return whether the other end has closed without an answer."""
    connected.settimeout(0)
    try:
        return connected.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True
