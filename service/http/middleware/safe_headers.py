"""Security headers of all responses."""

from typing import Any, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

_NO_SNIFFING = (b"x-content-type-options", b"nosniff")
_HTTPS_ONLY = (b"strict-transport-security", b"max-age=31536000")
_EVENTS = b"text/event-stream"
# Without this header, nginx and similar proxies buffer events (ngx_http_proxy_module,
# `proxy_buffering`).
_UNBUFFERED = (b"x-accel-buffering", b"no")
# Chromium drains an abandoned response for five seconds to reuse its connection
# (net/http/http_response_body_drainer.h). With six connections per host, six abandoned streams
# would block the next page. A connection that ends with its response is closed at once
# (RFC 9112 §9.6).
_ENDS_WITH_IT = (b"connection", b"close")


class SafeHeaders:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        https = cast("dict[str, Any]", scope)["scheme"] == "https"
        wanted = (_NO_SNIFFING, _HTTPS_ONLY) if https else (_NO_SNIFFING,)

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = {name.lower(): value for name, value in message["headers"]}
                streamed = there.get(b"content-type", b"").startswith(_EVENTS)
                more = (*wanted, _UNBUFFERED, _ENDS_WITH_IT) if streamed else wanted
                missing = (header for header in more if header[0] not in there)
                message["headers"] = [*message["headers"], *missing]
            await send(message)

        await self._app(scope, receive, answer)
