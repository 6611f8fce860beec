"""What lets a browser in: one cookie for the owner's key, one beside it for each link.

Promises: a link's cookie never takes the place of another's, nor of the owner's key; cookies are
out of reach of scripts (HttpOnly) and of other sites (SameSite=Lax), and sent over TLS only where
they were set over it. Assumes that a link has tokens of its own: its cookie is named by their hash.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

OWNER = "carnet"
GUEST = "carnet-guest-"
LINKS_MAX = 50
_NAME_DIGITS = 16
_YEAR_SECONDS = 365 * 24 * 3600


def owner_secret(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Read the owner's key, or the link's token that was kept in its place once; "": none."""
    return connection.cookies.get(OWNER, "").strip()


def link_tokens(connection: ASGIConnection[Any, Any, Any, Any]) -> tuple[str, ...]:
    """Read the tokens of links, those that came last; at most `LINKS_MAX`."""
    held = (value for name, value in connection.cookies.items() if name.startswith(GUEST))
    return tuple(token for token in held if token)[-LINKS_MAX:]


def owner_cookie(key: str, *, secure: bool) -> Cookie:
    """Keep the owner's key."""
    return _kept(OWNER, key, secure=secure)


def link_cookie(token: str, *, secure: bool) -> Cookie:
    """Keep a link's token beside whatever else is kept."""
    return _kept(link_cookie_name(token), token, secure=secure)


def link_cookie_name(token: str) -> str:
    """Name the cookie of a link."""
    return GUEST + sha256(token.encode()).hexdigest()[:_NAME_DIGITS]


def forgotten(names: Iterable[str]) -> list[Cookie]:
    """Forget what was kept under these names."""
    return [
        Cookie(key=name, value="", max_age=0, path="/", httponly=True, samesite="lax")
        for name in names
    ]


def names_kept(connection: ASGIConnection[Any, Any, Any, Any]) -> list[str]:
    """Name every cookie that lets this browser in."""
    return [name for name in connection.cookies if name == OWNER or name.startswith(GUEST)]


def _kept(name: str, value: str, *, secure: bool) -> Cookie:
    return Cookie(
        key=name,
        value=value,
        max_age=_YEAR_SECONDS,
        path="/",
        httponly=True,
        samesite="lax",
        secure=secure,
    )
