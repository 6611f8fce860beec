"""A proxy that counts round trips to PostgreSQL.

Each answer of the server ends with ReadyForQuery (PostgreSQL, Frontend/Backend Protocol, Message
Flow), which is counted, so that a pipeline counts once. The sequencer's session is not counted,
because no request waits for it. Traffic is forwarded unchanged. Assumes a server without TLS.
"""

import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Self
from urllib.parse import quote

from psycopg.conninfo import conninfo_to_dict

from service.feed.coordination import SESSION

_READY = ord("Z")
_HEADER_BYTES = 5
_CHUNK_BYTES = 65_536
# In the first message of a session (StartupMessage).
UNCOUNTED = b"application_name\0" + SESSION.encode() + b"\0"


class RoundTrips:
    """A proxy in front of a server. `url`: where clients reach it."""

    def __init__(self, url: str) -> None:
        self._server = conninfo_to_dict(url)
        self._listening = socket.create_server(("127.0.0.1", 0))
        port = self._listening.getsockname()[1]
        user, database = (quote(str(self._server[name])) for name in ("user", "dbname"))
        self.url = (
            f"postgresql://{user}@127.0.0.1:{port}/{database}?sslmode=disable&gssencmode=disable"
        )
        self.count = 0

    @classmethod
    @contextmanager
    def counted(cls, url: str) -> Generator[Self]:
        proxy = cls(url)
        threading.Thread(target=proxy._serve, daemon=True).start()
        try:
            yield proxy
        finally:
            proxy._listening.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                threading.Thread(target=self._connect, args=(client,), daemon=True).start()

    def _connect(self, client: socket.socket) -> None:
        with suppress(OSError):
            first, server = client.recv(_CHUNK_BYTES), self._connected()
            counts = UNCOUNTED not in first
            back = partial(self._forward_answers, server, client, counts=counts)
            threading.Thread(target=back, daemon=True).start()
            server.sendall(first)
            self._forward_requests(client, server)

    def _connected(self) -> socket.socket:
        host, port = str(self._server["host"]), int(self._server.get("port") or 5432)
        if not host.startswith("/"):
            return socket.create_connection((host, port))
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{host}/.s.PGSQL.{port}")
        return server

    def _forward_requests(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError), client, server:
            while chunk := client.recv(_CHUNK_BYTES):
                server.sendall(chunk)

    def _forward_answers(
        self, server: socket.socket, client: socket.socket, *, counts: bool
    ) -> None:
        unread = b""
        with suppress(OSError), client, server:
            while chunk := server.recv(_CHUNK_BYTES):
                if counts:
                    unread = self._counted(unread + chunk)
                client.sendall(chunk)

    def _counted(self, messages: bytes) -> bytes:
        at = 0
        while at + _HEADER_BYTES <= len(messages):
            end = at + 1 + int.from_bytes(messages[at + 1 : at + _HEADER_BYTES])
            if end > len(messages):
                break
            self.count += messages[at] == _READY
            at = end
        return messages[at:]
