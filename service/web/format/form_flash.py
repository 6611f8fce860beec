"""Form contents that a redirect passes to the next page in a short-lived cookie."""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import TypeVar

from litestar.datastructures import Cookie
from msgspec import DecodeError, Struct, json

from schemas.strict_json import decode_strictly
from service.dependencies import PageRequest

HOUR_SECONDS = 3600
# With name and attributes below the 4,096 bytes that browsers store per cookie.
_VALUE_LENGTH_MAX = 3800
_BYTES_MAX = 65536

T = TypeVar("T")


class FormFlash(Struct, frozen=True, kw_only=True):
    """A cookie with form contents; `id` is a digest that an address can refer to."""

    id: str
    cookie: Cookie


def make_flash(
    request: PageRequest, name: str, path: str, content: object, seconds: int = HOUR_SECONDS
) -> FormFlash | None:
    """Pack `content` into a cookie for the pages under `path`; None if it is too large."""
    plain = json.encode(content)
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
    return FormFlash(id=_id(packed), cookie=cookie)


def read_flash(
    request: PageRequest, name: str, content: type[T], flash_id: str | None = None
) -> T | None:
    """Read the contents; None if it is absent, expired_flash, malformed or has another id."""
    packed = request.cookies.get(name, "")
    if not packed or (flash_id is not None and flash_id != _id(packed)):
        return None
    try:
        raw = urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        return decode_strictly(zlib.decompressobj().decompress(raw, _BYTES_MAX), content)
    except (ValueError, zlib.error, DecodeError):
        return None


def expired_flash(name: str, path: str) -> Cookie:
    """Return a cookie that deletes the contents."""
    return Cookie(key=name, value="", max_age=0, path=path, httponly=True, samesite="lax")


def _id(packed: str) -> str:
    return sha256(packed.encode()).hexdigest()[:12]
