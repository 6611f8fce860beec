"""ASGI middleware for all requests: one valid `Host`, HEAD and OPTIONS, safe headers."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, time
from email.utils import format_datetime
from functools import lru_cache
from ipaddress import IPv6Address
from typing import Any, cast

from litestar import Request, Response
from litestar.enums import ScopeType
from litestar.exceptions import LitestarException
from litestar.routes import BaseRoute, HTTPRoute
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from msgspec import Struct

from service.http.inputs import MalformedInput, malformed

_HOST = re.compile(rb"(?:[\w.~-]+|\[([0-9A-Fa-f:.]+)\])(?::(\d{1,5}))?")
_PORT_MAX = 65_535
_HTTP_1_0 = "1.0"
_NO_SNIFFING = (b"x-content-type-options", b"nosniff")
_HTTPS_ONLY = (b"strict-transport-security", b"max-age=31536000")
# Pages have their own policy. Browsers show a PDF in a page that a policy of sources would break.
_POLICY = (
    b"content-security-policy",
    b"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
)
_POLICY_OF_PDF = (
    b"content-security-policy",
    b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
)
_PDF = b"application/pdf"
_EVENTS = b"text/event-stream"
# Without this header, nginx and similar proxies buffer events (ngx_http_proxy_module,
# `proxy_buffering`).
_UNBUFFERED = (b"x-accel-buffering", b"no")
# Chromium drains an abandoned response for five seconds to reuse its connection
# (net/http/http_response_body_drainer.h). With six connections per host, six abandoned streams
# would block the next page. A connection that ends with its response is closed at once
# (RFC 9112 §9.6).
_ENDS_WITH_IT = (b"connection", b"close")
_END = cast("Message", {"type": "http.response.body", "body": b"", "more_body": False})

Refuse = Callable[[Request[Any, Any, Any], Exception], Response[Any]]


class Deprecation(Struct, frozen=True, kw_only=True):
    """The end of a route: its `opt["deprecation"]`.

    `since`: the first day on which it is deprecated, `sunset`: the first day on which it may be
    gone, both in UTC; `instead`: what to use, in a sentence.
    """

    since: date
    sunset: date
    instead: str

    @property
    def headers(self) -> tuple[tuple[bytes, bytes], ...]:
        """Return `Deprecation` (RFC 9745) and `Sunset` (RFC 8594)."""
        since, sunset = (datetime.combine(day, time(), UTC) for day in (self.since, self.sunset))
        return (
            (b"deprecation", f"@{since.timestamp():.0f}".encode()),
            (b"sunset", format_datetime(sunset, usegmt=True).encode()),
        )


class RequestRules:
    """Checks `Host` and `Content-Encoding`, answers HEAD, and completes the headers of answers.

    `allowed`: `Allow` of each path, for OPTIONS.
    """

    def __init__(self, app: ASGIApp, refuse: Refuse, allowed: Mapping[str, str]) -> None:
        self._app = app
        self._refuse = refuse
        self._allowed = allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        facts = cast("dict[str, Any]", scope)
        method = facts["method"]
        wanted = (_NO_SNIFFING, _HTTPS_ONLY) if facts["scheme"] == "https" else (_NO_SNIFFING,)
        started = ended = False

        async def answer(message: Message) -> None:
            nonlocal started, ended
            if message["type"] == "http.response.start":
                started = True
                facts["method"] = method
                headers = [*message["headers"]]
                allowed = self._allowed.get(facts.get("path_template", ""))
                if method == "OPTIONS" and allowed is not None:
                    headers = [header for header in headers if header[0].lower() != b"allow"]
                    headers.append((b"allow", allowed.encode()))
                present = {name.lower(): value for name, value in headers}
                of_type = present.get(b"content-type", b"")
                policy = _POLICY_OF_PDF if of_type.startswith(_PDF) else _POLICY
                streamed = of_type.startswith(_EVENTS)
                added = (*wanted, policy)
                if streamed:
                    added = (*added, _UNBUFFERED, _ENDS_WITH_IT)
                if "route_handler" in facts:
                    deprecation = facts["route_handler"].opt.get("deprecation")
                    added = added if deprecation is None else (*added, *deprecation.headers)
                headers += [header for header in added if header[0] not in present]
                message["headers"] = headers
            elif method == "HEAD":
                if ended:
                    return
                ended, message = True, _END
            await send(message)

        if method == "HEAD":
            facts["method"] = "GET"
        error: Exception | None = _header_error(facts)
        if error is None:
            try:
                await self._app(scope, receive, answer)
            except Exception as failed:
                if started:
                    raise
                # Compression sends the head of a stream with its first bytes, which failed.
                error = first_cause(failed)
            else:
                return
        request: Request[Any, Any, Any] = Request(scope, receive, send)
        refused = self._refuse(request, error)
        await cast("ASGIApp", refused.to_asgi_response(None, request))(scope, receive, answer)


def first_cause(error: Exception) -> Exception:
    """Return the first error of a task group, or the error itself.

    Litestar wraps an error that is raised after the head of an answer.
    """
    while True:
        if isinstance(error, ExceptionGroup):
            error = error.exceptions[0]
        elif type(error) is LitestarException and isinstance(error.__cause__, Exception):
            error = error.__cause__
        else:
            return error


def _header_error(facts: dict[str, Any]) -> MalformedInput | None:
    hosts = [value for name, value in facts["headers"] if name == b"host"]
    if not (
        (len(hosts) == 1 and is_host(hosts[0]))
        or (not hosts and facts["http_version"] == _HTTP_1_0)
    ):
        # Error handlers read the URL of the request, which needs a valid host.
        facts["headers"] = [fact for fact in facts["headers"] if fact[0] != b"host"]
        return malformed("$.headers.Host", "a host, such as a.example")
    if any(name == b"content-encoding" for name, _ in facts["headers"]):
        return malformed("$.headers.Content-Encoding", "a body without a content coding")
    return None


@lru_cache(maxsize=256)
def is_host(host: bytes) -> bool:
    """Return whether `Host` is a name or address with an optional port (RFC 3986 §3.2)."""
    match = _HOST.fullmatch(host)
    if match is None or int(match[2] or 0) > _PORT_MAX:
        return False
    try:
        return match[1] is None or bool(IPv6Address(match[1].decode()))
    except ValueError:
        return False


def methods_of(routes: Iterable[BaseRoute]) -> dict[str, str]:
    """Return `Allow` of each path; Litestar itself lists only those of one router."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for route in routes:
        if isinstance(route, HTTPRoute):
            found[route.path_format].update(route.methods)
    return {path: allowed(methods) for path, methods in found.items()}


def allowed(methods: Iterable[str]) -> str:
    all_of_them = {*methods}
    return ", ".join(sorted(all_of_them | ({"HEAD"} if "GET" in all_of_them else set())))
