"""Strict parsing of requests: bodies, query parameters, headers."""
# ruff: noqa: N818 -- errors are named by their fact, as in service.errors

import re
from collections.abc import Sequence
from typing import TypeVar
from uuid import UUID

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.datastructures.headers import Accept
from msgspec import UNSET, Struct, UnsetType

from schemas.strict_json import FAULTS, Malformed, find_repeated_name, read_fault
from service.access.principal import Principal
from service.club.game_filters import read_parameters
from service.errors import CarnetError

HttpRequest = Request[Principal, str, State]
T = TypeVar("T", bound=Struct)
ValueT = TypeVar("ValueT")

ANY_FILE = "application/octet-stream"
# Compressing proxies weaken entity tags (RFC 9110 §8.8.1).
_ENTITY_TAG = re.compile(r'(?:W/)?"([1-9][0-9]{0,8})"|([1-9][0-9]{0,8})')
_DISLIKED = re.compile(r";\s*q=0(?:\.0*)?\s*(?:;|$)", re.IGNORECASE)
_WAIT = re.compile(r'(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)', re.IGNORECASE)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


class MalformedInput(CarnetError):
    """An invalid request."""

    def __init__(self, fault: Malformed) -> None:
        super().__init__(f"{fault.path}: {fault.expected}")
        self.fault = fault


class PreconditionRequired(CarnetError):
    """A write without a required header, `If-Match` or `Idempotency-Key` (RFC 6585 §3)."""

    def __init__(self, header: str) -> None:
        super().__init__(header)
        self.header = header


async def read_body(request: HttpRequest, shape: type[T]) -> T:
    """Decode a JSON body; query parameters beside it are refused. Raises: MalformedInput."""
    if request.scope["query_string"]:
        for name in request.query_params:
            raise malformed(f"$.query.{name}", "no query parameter here")
    raw = await request.body()
    try:
        body = msgspec.json.decode(raw, type=shape)
        repeated = find_repeated_name(raw)
    except FAULTS as fault:
        raise MalformedInput(read_fault(fault, raw, shape)) from None
    if repeated is not None:
        raise MalformedInput(repeated)
    return body


_SEVERAL = "player"


def read_query(request: HttpRequest, shape: type[T]) -> T:
    """Parse the query parameters, each given once; lists are separated by commas.

    Raises: MalformedInput
    """
    values: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name in values and name != _SEVERAL:
            raise malformed(f"$.query.{name}", "this parameter once")
        values[name] = f"{values[name]},{value}" if name in values else value
    return or_raise(read_parameters(values, shape))


def best_offer(request: HttpRequest, offers: Sequence[str]) -> str:
    """Return the media type that `Accept` prefers (RFC 9110 §12.5.1); by default the first."""
    ranges = request.headers.get("accept", "").split(",")
    liked = ",".join(media_range for media_range in ranges if not _DISLIKED.search(media_range))
    return Accept(liked).best_match(list(offers), offers[0])


def file_type(request: HttpRequest, media_type: str) -> str:
    """Return a file's media type, or `application/octet-stream` if `Accept` prefers that."""
    if media_type.startswith(("text/", "application/json")):
        return media_type
    return best_offer(request, (media_type, ANY_FILE))


def read_if_match(request: HttpRequest) -> int:
    """Parse the expected version from `If-Match` (RFC 9110 §13.1.1).

    Raises: PreconditionRequired, MalformedInput
    """
    text = request.headers.get("if-match")
    if text is None:
        raise PreconditionRequired("If-Match")
    match = _ENTITY_TAG.fullmatch(text.strip())
    if match is None:
        raise malformed("$.headers.If-Match", 'the version in quotation marks, such as "7"')
    return int(match[1] or match[2])


def read_idempotency_key(request: HttpRequest) -> UUID:
    """Parse the command id from `Idempotency-Key`. Raises: PreconditionRequired, MalformedInput."""
    key = find_idempotency_key(request)
    if key is None:
        raise PreconditionRequired("Idempotency-Key")
    return key


def find_idempotency_key(request: HttpRequest) -> UUID | None:
    """Parse an optional `Idempotency-Key`. Raises: MalformedInput."""
    text = request.headers.get("idempotency-key")
    if text is None:
        return None
    # The IETF draft quotes the value of this header; the contract does not.
    bare = text.strip().strip('"')
    if not _UUID.fullmatch(bare):
        raise malformed("$.headers.Idempotency-Key", "a UUID")
    return UUID(bare)


def prefers(request: HttpRequest, preference: str) -> bool:
    """Return whether `Prefer` has a preference (RFC 7240 §2); write `preference` without spaces."""
    named = request.headers.get("prefer")
    return named is not None and (
        named == preference  # mostly it is the only one, and written plainly
        or any(
            item.partition(";")[0].replace(" ", "").replace('"', "").lower() == preference
            for field in request.headers.getall("prefer", [])
            for item in field.split(",")
        )
    )


def read_wait(request: HttpRequest, seconds_max: int) -> int:
    """Parse `Prefer: wait=…` (RFC 7240 §4.3) in seconds, at most `seconds_max`.

    An invalid value counts as no preference.
    """
    for field in request.headers.getall("prefer", []):
        match = _WAIT.search(field)
        if match:
            return min(int(match[1]), seconds_max)
    return 0


def read_last_event_id(request: HttpRequest, what: str = "a version") -> int | None:
    """Parse the last seen version or position from `Last-Event-ID`. Raises: MalformedInput."""
    text = request.headers.get("last-event-id")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 18):  # noqa: PLR2004 fit an int8
        raise malformed("$.headers.Last-Event-ID", what)
    return int(text)


def or_none(value: ValueT | UnsetType) -> ValueT | None:
    return None if value is UNSET else value


def or_raise(read: ValueT | Malformed) -> ValueT:
    if isinstance(read, Malformed):
        raise MalformedInput(read)
    return read


def malformed(path: str, expected: str) -> MalformedInput:
    return MalformedInput(Malformed(path=path, expected=expected))
