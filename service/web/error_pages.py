"""What went wrong, as a page with a way on. Nobody learns from it what exists."""

from typing import Any
from urllib.parse import urlsplit

import structlog
from litestar import Request
from litestar.exceptions import HTTPException
from litestar.response import Response

from service.access.secrets import login_path
from service.dependencies import see_other
from service.errors import (
    Forbidden,
    GameTooLarge,
    GameTooLong,
    NotFound,
    NotPrintable,
    OtherClub,
    QuotaReached,
    StoreBusy,
    StoreFull,
    StoreUnavailable,
    Suspended,
    TooManyRequests,
    Unauthorized,
)
from service.web.format.render import Reader

BROKEN = 500
NOT_FOUND = 404
CONFLICT = 409
FULL, REFUSED = 413, 422
PASSING = frozenset({429, BROKEN, 503})
"""What may go well the next time."""
_TAPS = "/outbox"
APART = ("/api/", "/schema", "/healthz", "/readyz", "/metrics")

log = structlog.get_logger(__name__)


def to_page(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Answer a page that failed; an error nobody foresaw is logged."""
    if isinstance(error, Unauthorized):
        return _ask_for_key(request)
    status = status_of(error)
    headers: dict[str, str] = {}
    if status >= BROKEN and not isinstance(error, StoreUnavailable):
        log.error("page.failed", exc_info=error)
    if isinstance(error, TooManyRequests):
        headers["Retry-After"] = str(error.retry_after_seconds)
    reader = Reader(request)
    game = request.url.path.removesuffix(_TAPS)
    if isinstance(error, Suspended) and game != request.url.path:
        # As a refusal, so that the phone keeps the tap and shows why.
        return reader.page("suspended.html", REFUSED, game=game)
    return reader.page(
        "error.html",
        status,
        headers,
        status=status,
        again=_again(request, reader.here) if status in PASSING else "",
        busy=isinstance(error, StoreBusy),
        unprintable=isinstance(error, NotPrintable),
        suspended=isinstance(error, Suspended),
        quota=error if isinstance(error, QuotaReached) else None,
        other_club=error if isinstance(error, OtherClub) else None,
    )


def wants_page(request: Request[Any, Any, Any]) -> bool:
    """Say whether whoever asked reads pages: a browser, at an address outside the API."""
    path = request.url.path
    return "text/html" in request.headers.get("accept", "") and not path.startswith(APART)


def status_of(error: Exception) -> int:
    """Return the HTTP status of an error."""
    match error:
        case Forbidden() | Suspended() | QuotaReached():
            return 403
        case OtherClub():
            return CONFLICT
        case NotFound():
            return NOT_FOUND
        case GameTooLong() | GameTooLarge() | NotPrintable():
            return FULL
        case TooManyRequests():
            return 429
        case StoreFull():
            return 507
        case StoreUnavailable():
            return 503
        case HTTPException():
            # An address with an id that is none, or a form that is none of ours, leads nowhere.
            return NOT_FOUND if error.status_code < BROKEN else BROKEN
        case _:
            return BROKEN


def _again(request: Request[Any, Any, Any], here: str) -> str:
    if request.method == "GET":
        return here
    came = urlsplit(request.headers.get("referer", ""))
    if came.netloc != request.url.netloc:
        return ""
    return f"{came.path}?{came.query}" if came.query else came.path


def _ask_for_key(request: Request[Any, Any, Any]) -> Response[Any]:
    key = request.query_params.get("key")
    return see_other(login_path(key) if key else "/login")
