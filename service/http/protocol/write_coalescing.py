"""What is written to a connection at once, sent as one piece: an answer's head with its body.

A system call to send costs as much as judging an entry, and whoever waits is woken by each.
"""

import asyncio


class CoalescingTransport(asyncio.Transport):
    """A transport that keeps a write until the next one, or until the loop has done its turn."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport = transport
        self._loop = loop
        self._held = b""
        self._sending = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send with what is held, or hold."""
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held + bytes(data))
            return
        self._held = bytes(data)
        if not self._sending:
            self._sending = True
            self._loop.call_soon(self._turn_ends)

    def close(self) -> None:
        """Close once everything is sent."""
        self._send()
        self._transport.close()

    def abort(self) -> None:
        """Close at once."""
        self._held = b""
        self._transport.abort()

    def pause_reading(self) -> None:
        """Read no more for now."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Read on."""
        self._transport.resume_reading()

    def is_closing(self) -> bool:
        """Say whether it closes, or is closed."""
        return self._transport.is_closing()

    def _turn_ends(self) -> None:
        self._sending = False
        self._send()

    def _send(self) -> None:
        held, self._held = self._held, b""
        if held:
            self._transport.write(held)
