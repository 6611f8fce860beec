"""What lets a browser in: one cookie, which holds its sessions and neither key nor link.

A browser has a session in each club that something was opened of; the first in the cookie is that
of the club whose pages it shows.

Promises: the cookie is out of reach of scripts (HttpOnly) and of other sites (SameSite=Lax), and
sent over TLS only where it was set over it. It is kept for a year after the last visit: the page
that a browser returns to sets it anew.
"""

from typing import Any

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

SESSION = "carnet-session"
# A cookie of this many sessions has 400 bytes. "~" is in no secret (RFC 4648, section 5).
SESSIONS_MAX = 8
_BETWEEN = "~"
YEAR_SECONDS = 365 * 24 * 3600


def session_secrets(connection: ASGIConnection[Any, Any, Any, Any]) -> tuple[str, ...]:
    """Read the secrets of the sessions, one a club; (): none."""
    kept = connection.cookies.get(SESSION, "").strip().split(_BETWEEN)
    return tuple(filter(None, kept))[:SESSIONS_MAX]


def session_cookie(*secrets: str, secure: bool) -> Cookie:
    """Keep the secrets of sessions; the last ones are dropped where there are too many."""
    return Cookie(
        key=SESSION,
        value=_BETWEEN.join(secrets[:SESSIONS_MAX]),
        max_age=YEAR_SECONDS,
        path="/",
        httponly=True,
        samesite="lax",
        secure=secure,
    )


def forgotten_session() -> Cookie:
    """Forget the sessions."""
    return Cookie(key=SESSION, value="", max_age=0, path="/", httponly=True, samesite="lax")
