"""What a request brings, read strictly: bodies, query parameters, headers."""
# ruff: noqa: N818 -- named by their fact, as in service.errors

import re
from collections.abc import Sequence
from typing import TypeVar
from uuid import UUID

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.datastructures.headers import Accept
from msgspec import UNSET, Struct, UnsetType

from schemas.malformed import FAULTS, Malformed, read_fault
from schemas.strict_json import find_repeated_name
from service.access.principal import Principal
from service.club.game_filters import read_parameters
from service.errors import CarnetError

HttpRequest = Request[Principal, str, State]
T = TypeVar("T", bound=Struct)
ValueT = TypeVar("ValueT")

ANY_FILE = "application/octet-stream"
# Proxies that compress an answer weaken its entity tag (RFC 9110 §8.8.1).
_ENTITY_TAG = re.compile(r'(?:W/)?"(\d{1,10})"|(\d{1,10})')
_DISLIKED = re.compile(r";\s*q=0(?:\.0*)?\s*(?:;|$)", re.IGNORECASE)
_WAIT = re.compile(r'(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)', re.IGNORECASE)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


class MalformedInput(CarnetError):
    """A request that cannot be read."""

    def __init__(self, fault: Malformed) -> None:
        super().__init__(f"{fault.path}: {fault.expected}")
        self.fault = fault


class PreconditionRequired(CarnetError):
    """A write without the header that makes it safe to send again (RFC 6585 §3)."""

    def __init__(self, header: str) -> None:
        super().__init__(header)
        self.header = header


async def read_body(request: HttpRequest, shape: type[T]) -> T:
    """Decode a JSON body; who sends one has nothing to say in the query.

    Raises: MalformedInput
    """
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
    """Read the query parameters, each given once; of several players commas stand between.

    Raises: MalformedInput
    """
    given: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name in given and name != _SEVERAL:
            raise malformed(f"$.query.{name}", "this parameter once")
        given[name] = f"{given[name]},{value}" if name in given else value
    return given_or_fault(read_parameters(given, shape))


def best_offer(request: HttpRequest, offers: Sequence[str]) -> str:
    """Choose the media type that `Accept` likes best (RFC 9110 §12.5.1).

    Where it likes none of them, the first.
    """
    ranges = request.headers.get("accept", "").split(",")
    liked = ",".join(one for one in ranges if not _DISLIKED.search(one))
    return Accept(liked).best_match(list(offers), offers[0])


def file_type(request: HttpRequest, media_type: str) -> str:
    """Choose how a file is called: by its media type or, where `Accept` wants that, mere bytes."""
    if media_type.startswith(("text/", "application/json")):
        return media_type
    return best_offer(request, (media_type, ANY_FILE))


def read_if_match(request: HttpRequest) -> int:
    """Read the version a writer saw from `If-Match` (RFC 9110 §13.1.1).

    Raises: PreconditionRequired, MalformedInput
    """
    text = request.headers.get("if-match")
    if text is None:
        raise PreconditionRequired("If-Match")
    found = _ENTITY_TAG.fullmatch(text.strip())
    version = int(found[1] or found[2]) if found else 0
    if not 1 <= version < 2**31:
        raise malformed("$.headers.If-Match", 'the version in quotation marks, such as "7"')
    return version


def read_idempotency_key(request: HttpRequest) -> UUID:
    """Read the command's id from `Idempotency-Key`.

    Raises: PreconditionRequired, MalformedInput
    """
    key = find_idempotency_key(request)
    if key is None:
        raise PreconditionRequired("Idempotency-Key")
    return key


def find_idempotency_key(request: HttpRequest) -> UUID | None:
    """Read `Idempotency-Key` where it may be left out.

    Raises: MalformedInput
    """
    text = request.headers.get("idempotency-key")
    if text is None:
        return None
    # The draft for this header writes a string in quotation marks; the contract does not.
    bare = text.strip().strip('"')
    if not _UUID.fullmatch(bare):
        raise malformed("$.headers.Idempotency-Key", "a UUID")
    return UUID(bare)


def prefers(request: HttpRequest, preference: str) -> bool:
    """Say whether `Prefer` names a preference (RFC 7240 §2); `preference` without spaces."""
    named = request.headers.get("prefer")
    return named is not None and (
        named == preference  # mostly it is the only one, and written plainly
        or any(
            one.partition(";")[0].replace(" ", "").replace('"', "").lower() == preference
            for field in request.headers.getall("prefer", [])
            for one in field.split(",")
        )
    )


def read_wait(request: HttpRequest, seconds_max: int) -> int:
    """Read how long somebody would wait from `Prefer: wait=…` (RFC 7240 §4.3), in seconds.

    More than `seconds_max` is that; what cannot be read is no preference.
    """
    for field in request.headers.getall("prefer", []):
        found = _WAIT.search(field)
        if found:
            return min(int(found[1]), seconds_max)
    return 0


def read_last_event_id(request: HttpRequest, what: str = "a version") -> int | None:
    """Read what a follower saw last, a version or a position, from `Last-Event-ID`.

    Raises: MalformedInput
    """
    text = request.headers.get("last-event-id")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 18):  # noqa: PLR2004 fit an int8
        raise malformed("$.headers.Last-Event-ID", what)
    return int(text)


def given(value: ValueT | UnsetType) -> ValueT | None:
    """Return a parameter, None where it was left out (null is nothing a query can say)."""
    return None if value is UNSET else value


def given_or_fault(read: ValueT | Malformed) -> ValueT:
    """Return what was read.

    Raises: MalformedInput (it could not be)
    """
    if isinstance(read, Malformed):
        raise MalformedInput(read)
    return read


def malformed(path: str, expected: str) -> MalformedInput:
    """Make the error that says where and what was expected."""
    return MalformedInput(Malformed(path=path, expected=expected))
