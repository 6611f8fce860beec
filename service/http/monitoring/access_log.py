"""One log line and one measurement per request."""

import re
import time
from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any, cast
from uuid import UUID

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import CollectorRegistry, Counter, Histogram

from service.access.principal import Principal
from service.errors import ClientLeft, ReaderKilled, StoreFull, StoreUnavailable, as_store_full
from service.http.middleware import first_cause
from service.log import request_facts, request_version
from service.store.connection.silence import request_began

_PLAIN = re.compile(rb"[\w.:-]{1,64}")
_NO_ROUTE = "-"

log = structlog.get_logger(__name__)


class RequestMetrics:
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
        # Cache the labels of frequent routes.
        self._answered: dict[tuple[str, str, int], Counter] = {}
        self._lasted: dict[tuple[str, str], Histogram] = {}

    def note(self, method: str, path: str, status: int, seconds: float) -> None:
        self.count(method, path, status)
        lasted = self._lasted.get((method, path))
        if lasted is None:
            lasted = self._lasted[method, path] = self.seconds.labels(method, path)
        lasted.observe(seconds)

    def count(self, method: str, path: str, status: int) -> None:
        answered = self._answered.get((method, path, status))
        if answered is None:
            answered = self.requests.labels(method, path, status)
            self._answered[method, path, status] = answered
        answered.inc()


class AccessLog:
    def __init__(
        self,
        app: ASGIApp,
        measurements: RequestMetrics,
        seconds: Callable[[], float],
        new_id: Callable[[], UUID],
    ) -> None:
        self._app = app
        self._measurements = measurements
        self._seconds = seconds
        self._new_id = new_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        began = self._seconds()
        facts = cast("Mapping[str, Any]", scope)
        given = (
            str(value, "ascii")
            for name, value in facts["headers"]
            if name == b"x-request-id" and _PLAIN.fullmatch(value)
        )
        request_id = next(given, None) or self._new_id().hex
        scope["state"]["request_id"] = request_id

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"x-request-id", request_id.encode())]
                path, method = facts.get("path_template") or _NO_ROUTE, facts["method"]
                status, seconds = message["status"], self._seconds() - began
                lasted_ms = round(seconds * 1000, 1)
                log.info(
                    "http.request",
                    method=method,
                    path=path,
                    status=status,
                    duration_ms=lasted_ms,
                )
                self._measurements.note(method, path, status, seconds)
            await send(message)

        before, version = request_facts.set(partial(facts_of, facts)), request_version.set(None)
        since = request_began.set(time.monotonic())
        try:
            await self._app(scope, receive, answer)
        except Exception as error:
            cause = first_cause(error)
            if isinstance(cause, ClientLeft):
                return  # its stream had begun, and nobody reads the rest
            # The status is sent already; the client sees an answer that ends too early.
            status = _status_of(cause)
            path, method = facts.get("path_template") or _NO_ROUTE, facts["method"]
            log.exception("http.broken_off", method=method, path=path, status=status)
            self._measurements.count(method, path, status)
            raise
        finally:
            request_facts.reset(before)
            request_version.reset(version)
            request_began.reset(since)


def _status_of(error: Exception) -> int:
    match as_store_full(error):
        case StoreFull():
            return HTTPStatus.INSUFFICIENT_STORAGE
        case StoreUnavailable() | ReaderKilled():
            return HTTPStatus.SERVICE_UNAVAILABLE
        case _:
            return HTTPStatus.INTERNAL_SERVER_ERROR


def facts_of(scope: Mapping[str, Any]) -> dict[str, str | int]:
    """Return the facts of a request known so far: id, club, caller and role, game, version.

    `actor` as recorded beside entries: the id of a member, link or token, or `owner`.
    """
    state = scope["state"]
    facts: dict[str, str | int] = {"request_id": state["request_id"]}
    game_id = scope.get("path_params", {}).get("game_id")
    who = scope.get("user")
    if "club_id" in state:
        facts["club"] = str(state["club_id"])
    if isinstance(who, Principal):
        by = who.recorded_as(game_id)
        facts["role"] = who.role(game_id)
        facts["actor"] = "owner" if by is None else str(by)
    if game_id is not None:
        facts["game"] = str(game_id)
    if "version" in scope.get("path_params", {}):
        facts["version"] = scope["path_params"]["version"]
    return facts
