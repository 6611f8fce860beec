"""What a form said, handed on to the page its answer leads to: kept by the browser, for a while."""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import TypeVar

from litestar.datastructures import Cookie
from msgspec import DecodeError, Struct, json

from service.dependencies import PageRequest

HOUR_SECONDS = 3600
# With the cookie's name and attributes less than what a browser keeps.
_VALUE_LENGTH_MAX = 3800
_BYTES_MAX = 65536

T = TypeVar("T")


class Draft(Struct, frozen=True, kw_only=True):
    """What is handed on. `id`: what an address says to mean this draft and no other."""

    id: str
    cookie: Cookie


def draft_of(
    request: PageRequest, name: str, path: str, said: object, seconds: int = HOUR_SECONDS
) -> Draft | None:
    """Hand `said` on to the pages under `path`; None: it is longer than a browser keeps."""
    plain = json.encode(said)
    if len(plain) > _BYTES_MAX:
        return None
    packed = urlsafe_b64encode(zlib.compress(plain, 9)).decode().rstrip("=")
    if len(packed) > _VALUE_LENGTH_MAX:
        return None
    cookie = Cookie(
        key=name,
        value=packed,
        max_age=seconds,
        path=path,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return Draft(id=_id(packed), cookie=cookie)


def read_draft(
    request: PageRequest, name: str, said: type[T], draft_id: str | None = None
) -> T | None:
    """Read what was handed on; None: nothing, no more, or not the draft that is meant."""
    packed = request.cookies.get(name, "")
    if not packed or (draft_id is not None and draft_id != _id(packed)):
        return None
    try:
        raw = urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        return json.decode(zlib.decompressobj().decompress(raw, _BYTES_MAX), type=said)
    except (ValueError, zlib.error, DecodeError):
        return None


def dropped(name: str, path: str) -> Cookie:
    """Let a browser forget what was handed on."""
    return Cookie(key=name, value="", max_age=0, path=path, httponly=True, samesite="lax")


def _id(packed: str) -> str:
    return sha256(packed.encode()).hexdigest()[:12]
