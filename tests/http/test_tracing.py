import re
import threading
from collections.abc import Generator
from contextlib import contextmanager
from gzip import decompress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from msgspec import json
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from service.settings import Settings
from tests.http.club import DEAL, Game, add_player, client_with_key
from tests.service_process import KEY, ServiceProcess

SECONDS_MAX = 120.0
TRACE = "0af7651916cd43dd8448eb211c80319c"
CALLER = "b7ad6b7169203331"
# A library of the trace exporter that is visible in /proc.
IMPORTED = "google/_upb"
ENTRIES = "POST /api/games/{game_id}/entries"


class Collector:
    """The received spans and bytes."""

    def __init__(self) -> None:
        self.url = ""
        self.spans: list[Span] = []
        self.services: set[str] = set()
        self.sent = b""
        self._changed = threading.Condition()

    def take(self, body: bytes) -> None:
        told = ExportTraceServiceRequest.FromString(body)
        with self._changed:
            self.sent += body
            for resource in told.resource_spans:
                named = {one.key: one.value.string_value for one in resource.resource.attributes}
                self.services.add(named["service.name"])
                for scope in resource.scope_spans:
                    self.spans += scope.spans
            self._changed.notify_all()

    def wait(self, name: str, trace: str = "") -> Span:
        def found() -> list[Span]:
            named = (one for one in self.spans if one.name == name)
            return [one for one in named if trace in {"", one.trace_id.hex()}]

        with self._changed:
            assert self._changed.wait_for(found, SECONDS_MAX), {one.name for one in self.spans}
            return found()[0]


@contextmanager
def collecting() -> Generator[Collector]:
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            packed = self.headers.get("Content-Encoding") == "gzip"
            if self.path == "/v1/traces":
                collector.take(decompress(body) if packed else body)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- as it has it
            """Suppress the log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    collector.url = f"http://127.0.0.1:{server.server_port}"
    running = threading.Thread(target=server.serve_forever, daemon=True)
    running.start()
    try:
        yield collector
    finally:
        server.shutdown()
        server.server_close()


def attributes(span: Span) -> dict[str, str | int]:
    return {
        one.key: one.value.string_value
        if one.value.HasField("string_value")
        else one.value.int_value
        for one in span.attributes
    }


def imported(service: ServiceProcess) -> bool:
    return IMPORTED in Path(f"/proc/{service.pid}/maps").read_text()


def log_line_of(log: Path, request_id: str) -> dict[str, str | int]:
    lines = map(json.decode, re.findall(rb"^\{.+\}$", log.read_bytes(), re.MULTILINE))
    (line,) = (
        one for one in lines if one["event"] == "http.request" and one["request_id"] == request_id
    )
    found: dict[str, str | int] = line
    return found


async def test_a_request_and_its_calls_to_the_store_are_spans_with_the_ids_of_the_log(
    service_database: str, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    with collecting() as collector:
        asked = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, "OTEL_BSP_SCHEDULE_DELAY": "100"}
        with ServiceProcess.running(log, CARNET_DATABASE_URL=service_database, **asked) as service:
            async with client_with_key(service.url, KEY) as http:
                await add_player(http, "Zoé Unheard")
                game = await Game.start(http)
                http.headers["traceparent"] = f"00-{TRACE}-{CALLER}-01"
                answer = await game.send(*DEAL, {"type": "note", "text": "by the window"})
                assert answer.status_code == 201
                assert imported(service)
                request = collector.wait(ENTRIES)
                call = collector.wait("append", TRACE)
                await http.get("/nowhere/Unheard?q=window")
                # A last request, so that all earlier spans have arrived.
                await http.get("/healthz")
                collector.wait("GET /healthz")
    assert collector.services == {"carnet"}
    assert (request.trace_id.hex(), request.parent_span_id.hex()) == (TRACE, CALLER)
    assert (call.trace_id, call.parent_span_id) == (request.trace_id, request.span_id)
    told = attributes(request)
    line = log_line_of(log, answer.headers["x-request-id"])
    for name in ("request_id", "club", "game", "version", "actor", "role"):
        assert told[f"carnet.{name}"] == line[name], name
    assert told["carnet.version"] == answer.json()["version"]
    assert (told["http.route"], told["http.response.status_code"]) == (ENTRIES[5:], 201)
    assert attributes(call)["db.system.name"] == "postgresql"
    reads = [one for one in collector.spans if one.name.startswith("SELECT")]
    assert {one.trace_id for one in reads} <= {
        one.trace_id for one in collector.spans if one.kind == Span.SPAN_KIND_SERVER
    }
    for secret in ("Unheard", "window", "Ann", KEY):
        assert secret.encode() not in collector.sent


async def test_a_receiver_that_is_not_there_delays_nothing(
    service_database: str, tmp_path: Path
) -> None:
    nobody = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_BSP_SCHEDULE_DELAY": "50"}
    log = tmp_path / "log"
    with ServiceProcess.running(log, CARNET_DATABASE_URL=service_database, **nobody) as service:
        async with client_with_key(service.url, KEY) as http:
            game = await Game.start(http)
            await game.record(*DEAL)
        service.signal_stop()
        assert service.exit_status(SECONDS_MAX) == 0


@pytest.mark.parametrize(
    ("variables", "traced"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://a"}, True),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, True),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://a"}, False),
        ({"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://a"}, False),
        ({"OTEL_SERVICE_NAME": "cards"}, False),
    ],
)
def test_variables_of_opentelemetry_ask_for_traces(
    variables: dict[str, str],
    traced: bool,  # noqa: FBT001 -- of the table above
) -> None:
    assert Settings(data_dir=Path("unused"), otel=variables).traced is traced


def test_without_them_nothing_of_it_is_imported(service_database: str, tmp_path: Path) -> None:
    with ServiceProcess.running(tmp_path / "log", CARNET_DATABASE_URL=service_database) as service:
        assert not imported(service)
