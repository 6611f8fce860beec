"""The cookie that lets a browser in: the secrets of its sessions, neither key nor link.

A browser has a session in each club that something was opened of; the first in the cookie is that
of the club whose pages it shows.

Promises: the cookie is out of reach of scripts (HttpOnly) and of other sites (SameSite=Lax). On
https its name has the prefix `__Host-` (RFC 6265bis, section 4.1.3.2), and no other name is read
there: a browser takes such a cookie from this very host alone, so that no sibling host can plant a
session. It lasts for a year after the last visit: the page that a browser returns to sets it anew.
"""

from typing import Any

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

SESSION = "carnet-session"
SECURE_SESSION = f"__Host-{SESSION}"
# A cookie of this many sessions has 400 bytes. "~" is in no secret (RFC 4648, section 5).
SESSIONS_MAX = 8
_BETWEEN = "~"
YEAR_SECONDS = 365 * 24 * 3600


def session_secrets(connection: ASGIConnection[Any, Any, Any, Any]) -> tuple[str, ...]:
    """Read the secrets of the sessions, one a club; (): none."""
    name = SECURE_SESSION if _secure(connection) else SESSION
    found = connection.cookies.get(name, "").strip().split(_BETWEEN)
    return tuple(filter(None, found))[:SESSIONS_MAX]


def session_cookie(connection: ASGIConnection[Any, Any, Any, Any], *secrets: str) -> Cookie:
    """Make the cookie of these sessions, the last ones dropped where there are too many.

    Without any, it ends the cookie that the browser has.
    """
    secure = _secure(connection)
    return Cookie(
        key=SECURE_SESSION if secure else SESSION,
        value=_BETWEEN.join(secrets[:SESSIONS_MAX]),
        max_age=YEAR_SECONDS if secrets else 0,
        path="/",
        httponly=True,
        samesite="lax",
        secure=secure,
    )


def _secure(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    return connection.url.scheme == "https"
