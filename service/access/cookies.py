"""The session cookie: the secrets of a browser's sessions, one per club, the shown club first.

Promises: the cookie is `HttpOnly` and `SameSite=Lax`. On https its name has the prefix `__Host-`
(RFC 6265bis, section 4.1.3.2) and no other name is read, so that no sibling host can plant a
session. It expires a year after the last visit; pages renew it.
"""

from typing import Any

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

SESSION = "carnet-session"
SECURE_SESSION = f"__Host-{SESSION}"
# A cookie with this many sessions has 400 bytes. "~" is in no secret (RFC 4648, section 5).
SESSIONS_MAX = 8
_BETWEEN = "~"
YEAR_SECONDS = 365 * 24 * 3600


def session_secrets(connection: ASGIConnection[Any, Any, Any, Any]) -> tuple[str, ...]:
    name = SECURE_SESSION if _secure(connection) else SESSION
    secrets = connection.cookies.get(name, "").strip().split(_BETWEEN)
    return tuple(filter(None, secrets))[:SESSIONS_MAX]


def session_cookie(connection: ASGIConnection[Any, Any, Any, Any], *secrets: str) -> Cookie:
    """Build the session cookie; surplus sessions at the end are dropped.

    Without sessions it deletes the browser's cookie.
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
