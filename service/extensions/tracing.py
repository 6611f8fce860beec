"""OpenTelemetry traces, enabled by the standard variables (`OTEL_…`)."""

import threading
from collections.abc import Generator, Mapping, MutableMapping
from contextlib import contextmanager
from typing import Any, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.errors import StartupError
from service.http.monitoring.access_log import facts_of
from service.log import request_version

END_SECONDS_MAX = 2.0
_STREAMED = b"text/event-stream"
_SERVER_ERROR = 500
_CARRIED = {b"traceparent", b"tracestate"}
_NOT_INSTALLED = "Traces are asked for (OTEL_…), and what makes them is not installed"


class Traces:
    """The traces of this process. `tracer` None: disabled or not started."""

    def __init__(self) -> None:
        self.tracer: Any = None

    @contextmanager
    def running(self, environ: Mapping[str, str]) -> Generator[None]:
        protocol = environ.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") or environ.get(
            "OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"
        )
        if protocol != "http/protobuf":
            raise StartupError(
                f"Traces are asked for by {protocol}, and are sent by http/protobuf",
                "Unset OTEL_EXPORTER_OTLP_PROTOCOL, or set it to http/protobuf",
            )
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415 -- optional
                OTLPSpanExporter,
            )
            from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 -- optional
            from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 -- optional
            from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 -- optional
        except ImportError as error:
            raise StartupError(_NOT_INSTALLED, "pip install 'carnet[tracing]'") from error
        named = "OTEL_SERVICE_NAME" in environ or "service.name=" in environ.get(
            "OTEL_RESOURCE_ATTRIBUTES", ""
        )
        resource = Resource.create({} if named else {"service.name": "carnet"})
        provider, exporter = TracerProvider(resource=resource), OTLPSpanExporter()
        provider.add_span_processor(BatchSpanProcessor(exporter))
        self.tracer = provider.get_tracer("carnet")
        try:
            yield
        finally:
            self.tracer = None
            # A slow collector must not delay the shutdown.
            giving_up = threading.Timer(END_SECONDS_MAX, exporter.shutdown)
            giving_up.daemon = True
            giving_up.start()
            provider.shutdown()
            giving_up.cancel()


class RequestSpans:
    def __init__(self, app: ASGIApp, traces: Traces) -> None:
        from opentelemetry.trace import SpanKind, StatusCode  # noqa: PLC0415 -- optional
        from opentelemetry.trace.propagation.tracecontext import (  # noqa: PLC0415 -- optional
            TraceContextTextMapPropagator,
        )

        self._app = app
        self._traces = traces
        self._kind, self._failed = SpanKind.SERVER, StatusCode.ERROR
        self._carried = TraceContextTextMapPropagator()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        tracer = self._traces.tracer
        if scope["type"] != ScopeType.HTTP or tracer is None:
            await self._app(scope, receive, send)
            return
        facts = cast("MutableMapping[str, Any]", scope)
        carrier = {
            name.decode("latin-1"): value.decode("latin-1")
            for name, value in facts["headers"]
            if name in _CARRIED
        }
        with tracer.start_as_current_span(
            facts["method"],
            context=self._carried.extract(carrier),
            kind=self._kind,
            record_exception=False,
            set_status_on_exception=False,
            end_on_exit=False,
        ) as span:

            async def answer(message: Message) -> None:
                if message["type"] == "http.response.start":
                    self._set_attributes(span, facts, message["status"])
                    if any(value.startswith(_STREAMED) for _, value in message["headers"]):
                        span.end()  # a stream may last for hours
                await send(message)

            try:
                await self._app(scope, receive, answer)
            finally:
                if span.is_recording():
                    span.end()

    def _set_attributes(self, span: Any, scope: Mapping[str, Any], status: int) -> None:  # noqa: ANN401 an extra
        route = scope.get("path_template")
        if route:
            span.update_name(f"{scope['method']} {route}")
            span.set_attribute("http.route", route)
        attributes: dict[str, str | int] = {
            "http.request.method": scope["method"],
            "http.response.status_code": status,
        }
        version = request_version.get()
        known = facts_of(scope) | ({} if version is None else {"version": version})
        attributes |= {f"carnet.{name}": value for name, value in known.items()}
        span.set_attributes(attributes)
        if status >= _SERVER_ERROR:
            span.set_status(self._failed)
