"""A proxy before PostgreSQL that breaks one conversation at a step, and at no other.

A step is what a session asks for and waits for: a message Query or Sync of the frontend
(PostgreSQL, Frontend/Backend Protocol, Message Flow). `cut(n)` has the n-th one from now on fail:
`unsent`, it never reaches the server; `unheard`, the server has done it whole, and its answer is
lost. Either way both ends find the connection gone. Sessions of the sequencer are passed on as
they are.
"""

import socket
import threading
from contextlib import suppress
from typing import Literal

from tests.round_trips import UNCOUNTED, RoundTrips

How = Literal["unsent", "unheard"]
_ASKING = b"QS"
_READY = ord("Z")
_HEADER_BYTES = 5
_CHUNK_BYTES = 65_536


class _Messages:
    def __init__(self) -> None:
        self._unread = b""

    def whole(self, chunk: bytes) -> list[bytes]:
        self._unread += chunk
        found: list[bytes] = []
        while len(self._unread) >= _HEADER_BYTES:
            end = 1 + int.from_bytes(self._unread[1:_HEADER_BYTES])
            if end > len(self._unread):
                break
            found.append(self._unread[:end])
            self._unread = self._unread[end:]
        return found


class Cutting(RoundTrips):
    """A proxy that cuts. `fired`: what was asked for has happened."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._lock = threading.Lock()
        self._left = 0
        self._how: How = "unsent"
        self._deaf: set[socket.socket] = set()
        self.fired = False

    def cut(self, step: int, how: How) -> None:
        """Break the conversation at a step, counted from 1 and from now on."""
        with self._lock:
            self._left, self._how, self.fired = step, how, False

    def _steps(self) -> How | None:
        with self._lock:
            if not self._left:
                return None
            self._left -= 1
            if self._left:
                return None
            self.fired = True
            return self._how

    def pass_asked(self, client: socket.socket, server: socket.socket) -> None:
        messages = _Messages()
        with suppress(OSError), client, server:
            while chunk := client.recv(_CHUNK_BYTES):
                for message in messages.whole(chunk):
                    how = self._steps() if message[0] in _ASKING else None
                    if how == "unsent":
                        _end(client, server)
                        return
                    if how == "unheard":
                        self._deaf.add(client)
                    server.sendall(message)

    def pass_answered(self, server: socket.socket, client: socket.socket) -> None:
        messages = _Messages()
        with suppress(OSError), client, server:
            while chunk := server.recv(_CHUNK_BYTES):
                for message in messages.whole(chunk):
                    if client not in self._deaf:
                        client.sendall(message)
                    elif message[0] == _READY:
                        _end(client, server)
                        return

    def _connect(self, client: socket.socket) -> None:
        with suppress(OSError):
            first, server = client.recv(_CHUNK_BYTES), self._connected()
            server.sendall(first)
            counts = UNCOUNTED not in first
            asked, answered = (
                (self.pass_asked, self.pass_answered) if counts else (_pass_raw, _pass_raw)
            )
            threading.Thread(target=answered, args=(server, client), daemon=True).start()
            asked(client, server)


def _end(*connected: socket.socket) -> None:
    for one in connected:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


def _pass_raw(of: socket.socket, to: socket.socket) -> None:
    with suppress(OSError), of, to:
        while chunk := of.recv(_CHUNK_BYTES):
            to.sendall(chunk)
