"""One persistent connection for thousands of requests, with the headers of a client.

A table of all routes and rights needs thousands of requests, and httpx takes longer for cookies,
pools and redirects than the service for the answers. This one follows no redirect and stores no
cookie.
"""

from collections.abc import Mapping
from http.client import HTTPConnection, HTTPResponse
from time import monotonic
from urllib.parse import urlencode

import httpx
from msgspec import Struct

from tests.http.club import SHORT_KEEPALIVE

_SECONDS_MAX = 120


class ShortResponse(Struct, frozen=True):
    """A response; of an endless stream, only the head."""

    status: int
    location: str
    body: bytes


class PersistentConnection:
    def __init__(self, client: httpx.AsyncClient) -> None:
        url = client.base_url
        self._http = HTTPConnection(url.host, url.port, timeout=_SECONDS_MAX)
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        known = {"Authorization": client.headers.get("Authorization", ""), "Cookie": cookies}
        self._headers = {"Accept": "*/*"} | {name: said for name, said in known.items() if said}
        self._asked = monotonic()

    def request(
        self,
        method: str,
        path: str,
        form: Mapping[str, str] | None,
        headers: Mapping[str, str],
    ) -> ShortResponse:
        # As clients do: a connection is left before the service may leave it.
        if monotonic() - self._asked > (SHORT_KEEPALIVE.keepalive_expiry or 0):
            self.close()
        sent = None if form is None else urlencode(form)
        kind = {} if form is None else {"Content-Type": "application/x-www-form-urlencoded"}
        self._http.request(method, path, sent, {**self._headers, **kind, **headers})
        told = self._told(self._http.getresponse())
        self._asked = monotonic()
        return told

    def _told(self, answer: HTTPResponse) -> ShortResponse:
        location = answer.getheader("Location", "")
        if answer.getheader("Content-Type", "").startswith("text/event-stream"):
            answer.close()
            self.close()
            return ShortResponse(answer.status, location, b"")
        return ShortResponse(answer.status, location, answer.read())

    def close(self) -> None:
        """Close it; the next request opens another connection."""
        self._http.close()
