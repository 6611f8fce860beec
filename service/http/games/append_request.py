"""A request that appends, read with no more than it takes."""

from typing import Any, cast

from litestar import Request
from litestar.datastructures import Headers, State
from litestar.types import Receive, Scope, Send

from service.access.principal import Principal


class AppendRequest(Request[Principal, str, State]):
    """A request whose headers are looked up where they were put, and whose body is read at once."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, body_bytes_max: int) -> None:
        super().__init__(scope, receive, send)
        self._fields = Headers.from_scope(scope)
        self._bytes_max = body_bytes_max
        self._whole: bytes | None = None

    @property
    def headers(self) -> Headers:
        """Return the headers."""
        return self._fields

    async def body(self) -> bytes:
        """Return the body.

        Raises: whatever the framework's request raises
        """
        if self._whole is None:
            self._whole = await self._read()
        return self._whole

    async def _read(self) -> bytes:
        length = self._fields.get("content-length", "")
        # An unlikely length is told of before anything is read.
        if not (length.isascii() and length.isdigit() and int(length) <= self._bytes_max):
            return await super().body()
        first = cast("dict[str, Any]", await self.receive())
        body: bytes = first.get("body", b"")
        if first["type"] == "http.request" and not first["more_body"] and len(body) == int(length):
            return body
        rest, told = self.receive, False

        async def again() -> Any:  # noqa: ANN401 -- a message, as the server made it
            nonlocal told
            if told:
                return await rest()
            told = True
            return first

        self.receive = cast("Receive", again)
        return await super().body()
