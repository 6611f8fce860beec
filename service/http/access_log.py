"""One line and one measurement a request.

Promises: every request is seen, those that find no route included; a path is logged as its
template, so that no id, and no key in a query, reaches the log by it; each answer carries
`X-Request-ID`, the caller's own where it is a plain one. Assumes to stand around the whole
application.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, cast
from uuid import UUID

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import CollectorRegistry, Counter, Histogram

from service.access.identity import Identity

_PLAIN = re.compile(rb"[\w.:-]{1,64}")
_NO_ROUTE = "-"

log = structlog.get_logger(__name__)


class Measurements:
    """What Prometheus is told of requests."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.requests = Counter(
            "carnet_http_requests",
            "Requests answered",
            ["method", "path", "status"],
            registry=registry,
        )
        self.seconds = Histogram(
            "carnet_http_request_seconds",
            "Time to the first byte of the answer",
            ["method", "path"],
            registry=registry,
        )
        # What is told again and again is looked up once.
        self._answered: dict[tuple[str, str, int], Counter] = {}
        self._lasted: dict[tuple[str, str], Histogram] = {}

    def note(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count an answer, and how long it took."""
        answered = self._answered.get((method, path, status))
        if answered is None:
            answered = self.requests.labels(method, path, status)
            self._answered[method, path, status] = answered
        lasted = self._lasted.get((method, path))
        if lasted is None:
            lasted = self._lasted[method, path] = self.seconds.labels(method, path)
        answered.inc()
        lasted.observe(seconds)


class AccessLog:
    """The application with its requests logged. `seconds` is a clock that only goes forward."""

    def __init__(
        self,
        app: ASGIApp,
        measurements: Measurements,
        seconds: Callable[[], float],
        new_id: Callable[[], UUID],
    ) -> None:
        self._app = app
        self._measurements = measurements
        self._seconds = seconds
        self._new_id = new_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and log its answer when it begins."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        began = self._seconds()
        facts = cast("Mapping[str, Any]", scope)
        request_id = _given_id(facts) or self._new_id().hex
        scope["state"]["request_id"] = request_id

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"x-request-id", request_id.encode())]
                self._record(facts, message["status"], self._seconds() - began)
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            await self._app(scope, receive, answer)

    def _record(self, scope: Mapping[str, Any], status: int, seconds: float) -> None:
        path = scope.get("path_template") or _NO_ROUTE
        method = scope["method"]
        identity = scope.get("user")
        facts: dict[str, Any] = {}
        if isinstance(identity, Identity):
            facts["role"] = identity.role
        game_id = scope.get("path_params", {}).get("game_id")
        if game_id is not None:
            facts["game"] = str(game_id)
        if "version" in scope["state"]:
            facts["version"] = scope["state"]["version"]
        log.info(
            "http.request",
            method=method,
            path=path,
            status=status,
            duration_ms=round(seconds * 1000, 1),
            **facts,
        )
        self._measurements.note(method, path, status, seconds)


def _given_id(scope: Mapping[str, Any]) -> str | None:
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _PLAIN.fullmatch(value):
            return str(value, "ascii")
    return None
