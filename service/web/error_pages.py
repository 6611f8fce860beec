"""Errors as pages, with a link to continue; they do not reveal what exists."""

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
    ReaderKilled,
    StoreBusy,
    StoreFull,
    StoreUnavailable,
    Suspended,
    TooManyRequests,
    TotalCarried,
    Unauthorized,
    UnreadableForm,
    as_store_full,
)
from service.web.format.render import Reader

BROKEN = 500
BAD_FORM = 400
NOT_FOUND = 404
CONFLICT = 409
TOO_LARGE, REFUSED = 413, 422
# Temporary errors: the page offers to try again.
TEMPORARY = frozenset({429, BROKEN, 503})
_OUTBOX_SUFFIX = "/outbox"
_OUTSIDE_PAGES = ("/api/", "/schema", "/healthz", "/readyz", "/metrics")

log = structlog.get_logger(__name__)


def to_page(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Render an error as a page; unexpected errors are logged."""
    if isinstance(error, Unauthorized):
        key = request.query_params.get("key")
        return see_other(login_path(key) if key else "/login")
    error = as_store_full(error)
    status = status_of(error)
    headers: dict[str, str] = {}
    if status >= BROKEN and not isinstance(error, StoreUnavailable | ReaderKilled):
        log.error("page.failed", exc_info=error)
    if isinstance(error, TooManyRequests):
        headers["Retry-After"] = str(error.retry_after_seconds)
    reader = Reader(request)
    game = request.url.path.removesuffix(_OUTBOX_SUFFIX)
    if isinstance(error, Suspended | TotalCarried) and game != request.url.path:
        # With status 422 the phone treats it as a refusal: it keeps the tap and shows the reason.
        carried = isinstance(error, TotalCarried)
        return reader.page("rejected_tap.html", REFUSED, game=game, carried=carried)
    return reader.page(
        "error.html",
        status,
        headers,
        status=status,
        again=_retry_address(request, reader.here) if status in TEMPORARY else "",
        ended_link=isinstance(error, NotFound) and error.kind == "ended link",
        busy=isinstance(error, StoreBusy),
        reading=isinstance(error, ReaderKilled),
        form=isinstance(error, UnreadableForm | HTTPException) and status in {BAD_FORM, TOO_LARGE},
        unprintable=isinstance(error, NotPrintable),
        suspended=isinstance(error, Suspended),
        carried=isinstance(error, TotalCarried),
        quota=error if isinstance(error, QuotaReached) else None,
        other_club=error if isinstance(error, OtherClub) else None,
    )


def wants_page(request: Request[Any, Any, Any]) -> bool:
    """Return whether a request comes from a browser and is outside the API."""
    path = request.url.path
    return "text/html" in request.headers.get("accept", "") and not path.startswith(_OUTSIDE_PAGES)


def status_of(error: Exception) -> int:
    match error:
        case Forbidden() | Suspended() | QuotaReached():
            return 403
        case OtherClub() | TotalCarried():
            return CONFLICT
        case NotFound():
            return NOT_FOUND
        case GameTooLong() | GameTooLarge() | NotPrintable():
            return TOO_LARGE
        case TooManyRequests():
            return 429
        case StoreFull():
            return 507
        case StoreUnavailable() | ReaderKilled():
            return 503
        case HTTPException(status_code=413):
            return TOO_LARGE
        case UnreadableForm(too_large=too_large):
            return TOO_LARGE if too_large else BAD_FORM
        case HTTPException():
            # Malformed ids are reported as not found.
            return NOT_FOUND if error.status_code < BROKEN else BROKEN
        case _:
            return BROKEN


def _retry_address(request: Request[Any, Any, Any], here: str) -> str:
    if request.method == "GET":
        return here
    referer = urlsplit(request.headers.get("referer", ""))
    if referer.netloc != request.url.netloc:
        return ""
    return f"{referer.path}?{referer.query}" if referer.query else referer.path
