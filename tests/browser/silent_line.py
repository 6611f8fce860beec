"""A connection to the service that can go silent: nothing passes, nothing is closed."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Self
from urllib.parse import urlsplit

BYTES = 65536


class SilentLine:
    """A TCP relay to the service; `cut` silences the connections that are open at that moment."""

    def __init__(self, service_url: str) -> None:
        target = urlsplit(service_url)
        self._target = (target.hostname or "", target.port or 0)
        self._cut: set[asyncio.StreamWriter] = set()
        self._open: set[asyncio.StreamWriter] = set()
        self._relays: set[asyncio.Task[None]] = set()
        self.url = ""

    @classmethod
    @asynccontextmanager
    async def to(cls, service_url: str) -> AsyncGenerator[Self]:
        line = cls(service_url)
        server = await asyncio.start_server(line._accept, "127.0.0.1")
        line.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield line
        finally:
            server.close()
            for writer in line._open:
                writer.transport.abort()
            await asyncio.gather(*line._relays)

    def cut(self) -> None:
        self._cut |= self._open

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._relays.add(asyncio.ensure_future(self._relay(reader, writer)))

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there = await asyncio.open_connection(*self._target)
        self._open |= {writer, there}
        await asyncio.gather(self._pass(reader, there), self._pass(there_reader, writer))

    async def _pass(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await source.read(BYTES):
                if target not in self._cut:
                    target.write(data)
                    await target.drain()
        if target not in self._cut:
            target.close()
            with suppress(ConnectionError):
                await target.wait_closed()
