"""What is written to a connection at once is sent as one piece, and nothing waits for ever."""

import asyncio

import pytest

from service.http.protocol.write_coalescing import CoalescingTransport


class Sent(asyncio.Transport):
    """A transport that notes what it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[bytes] = []
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.closed
        self.pieces.append(bytes(data))

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed


@pytest.fixture
def sent() -> Sent:
    return Sent()


@pytest.fixture
async def together(sent: Sent) -> CoalescingTransport:
    return CoalescingTransport(sent, asyncio.get_running_loop())


async def test_a_head_goes_with_its_body(sent: Sent, together: CoalescingTransport) -> None:
    together.write(b"head")
    together.write(b"body")
    assert sent.pieces == [b"headbody"]


async def test_a_head_alone_goes_when_the_loop_has_done_its_turn(
    sent: Sent, together: CoalescingTransport
) -> None:
    together.write(b"head")
    assert sent.pieces == []
    await asyncio.sleep(0)
    assert sent.pieces == [b"head"]


async def test_parts_keep_their_order(sent: Sent, together: CoalescingTransport) -> None:
    for part in (b"1", b"2", b"3"):
        together.write(part)
    await asyncio.sleep(0)
    together.write(b"4")
    await asyncio.sleep(0)
    assert b"".join(sent.pieces) == b"1234"


async def test_what_was_written_is_sent_before_it_closes(
    sent: Sent, together: CoalescingTransport
) -> None:
    together.write(b"head")
    together.close()
    assert (sent.pieces, sent.closed) == ([b"head"], True)


async def test_what_is_held_is_lost_with_a_connection_that_is_broken_off(
    sent: Sent, together: CoalescingTransport
) -> None:
    together.write(b"head")
    together.abort()
    await asyncio.sleep(0)
    assert (sent.pieces, together.is_closing()) == ([], True)
