"""The request of an append says what the framework's does, however its body comes."""

from collections.abc import Sequence
from typing import Any, cast

import pytest
from litestar import Request
from litestar.types import Receive, Scope, Send

from service.http.games.append_request import AppendRequest

MOST = 20


class _Route:
    def resolve_request_max_body_size(self) -> int:
        return MOST


def _piece(body: bytes, *, more: bool = False) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


LEFT = {"type": "http.disconnect"}
CASES: dict[str, tuple[str | None, list[dict[str, Any]]]] = {
    "in one piece": ("5", [_piece(b"12345")]),
    "in two pieces": ("5", [_piece(b"123", more=True), _piece(b"45")]),
    "of no length told": (None, [_piece(b"123", more=True), _piece(b"45")]),
    "of no length told, too long": (None, [_piece(b"1" * MOST, more=True), _piece(b"1")]),
    "none": (None, [_piece(b"")]),
    "empty": ("0", [_piece(b"")]),
    "too long": (f"{MOST + 1}", [_piece(b"1" * (MOST + 1))]),
    "longer than told": ("5", [_piece(b"1" * (MOST + 1))]),
    "of a length that is no number": ("five", [_piece(b"12345")]),
    "left in the middle": ("5", [_piece(b"123", more=True), LEFT]),
    "left at once": ("5", [LEFT]),
}


async def _read(
    kind: type[Request[Any, Any, Any]], length: str | None, messages: Sequence[dict[str, Any]]
) -> tuple[Any, int]:
    left = list(messages)

    async def receive() -> dict[str, Any]:
        return left.pop(0)

    headers = [] if length is None else [(b"content-length", length.encode())]
    facts: dict[str, Any] = {"type": "http", "headers": headers, "state": {}}
    facts["route_handler"] = _Route()
    scope, coming = cast("Scope", facts), cast("Receive", receive)
    sent = cast("Send", None)
    request = (
        AppendRequest(scope, coming, sent, MOST)
        if kind is AppendRequest
        else kind(scope, coming, sent)
    )
    try:
        body = await request.body()
    except Exception as error:  # noqa: BLE001 -- whatever it is, both raise it
        return (type(error), str(error)), len(left)
    assert await request.body() == body
    return body, len(left)


@pytest.mark.parametrize("case", CASES)
async def test_a_body_is_read_as_the_framework_reads_it(case: str) -> None:
    length, messages = CASES[case]
    assert await _read(AppendRequest, length, messages) == await _read(Request, length, messages)


async def test_headers_are_found_whatever_their_case() -> None:
    headers = [(b"prefer", b"a"), (b"prefer", b"b"), (b"if-match", b'"7"')]
    scope = cast("Scope", {"type": "http", "headers": headers, "state": {}})
    request = AppendRequest(scope, cast("Receive", None), cast("Send", None), MOST)
    assert request.headers["If-Match"] == '"7"'
    assert request.headers.getall("Prefer") == ["a", "b"]
