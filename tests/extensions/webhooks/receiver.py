"""An HTTP server that stores webhook calls and answers them as configured."""

import json
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

SECONDS_MAX = 120.0
POLL_SECONDS = 0.05  # the delay of a shutdown

Json = dict[str, Any]


class ReceivedCall(NamedTuple):
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def id(self) -> str:
        """Its `webhook-id`."""
        return self.headers["webhook-id"]

    @property
    def json(self) -> Json:
        found: Json = json.loads(self.body)
        return found


class Reply(NamedTuple):
    status: int = 204
    headers: Mapping[str, str] = {}


class Receiver:
    """The received calls; `answer` returns the response to a call, in its thread."""

    def __init__(self) -> None:
        self.came: list[ReceivedCall] = []
        self.answer: Callable[[ReceivedCall], Reply] = lambda _: Reply()
        self.url = ""
        self._changed = threading.Condition()

    def wait(self, count: int) -> list[ReceivedCall]:
        """Wait for `count` calls; return them."""
        with self._changed:
            enough = self._changed.wait_for(lambda: len(self.came) >= count, SECONDS_MAX)
            assert enough, self.came
            return [*self.came]

    def take(self, came: ReceivedCall) -> Reply:
        with self._changed:
            self.came.append(came)
            self._changed.notify_all()
        return self.answer(came)


@contextmanager
def running_receiver() -> Generator[Receiver]:
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = receiver.take(ReceivedCall(self.path, headers, body))
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- as above
            """Suppress the log."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """Suppress errors of clients that are killed."""

    server = Server(("127.0.0.1", 0), Handler)
    receiver.url = f"http://127.0.0.1:{server.server_port}"
    running = threading.Thread(target=server.serve_forever, args=(POLL_SECONDS,), daemon=True)
    running.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
