"""A deprecated route says so in its answers and in the document."""

from datetime import date
from typing import Any, cast

import httpx
from litestar import get

from service.app import create_routes
from service.errors import NotFound
from service.http.documentation.openapi import Reference
from service.http.middleware import Deprecation, RequestRules
from service.http.problem import to_problem

ENDS = Deprecation(
    since=date(2027, 1, 1), sunset=date(2027, 7, 1), instead="Use `GET /api/standings`."
)


@get("/api/old", opt={"deprecation": ENDS})
async def old() -> str:
    return "as ever"


@get("/api/refused", opt={"deprecation": ENDS})
async def refused() -> str:
    raise NotFound("game", None)


@get("/api/kept")
async def kept() -> str:
    return "as ever"


async def test_a_deprecated_route_names_its_end() -> None:
    app = create_routes()
    for handler in (old, refused, kept):
        app.register(handler)
    transport = httpx.ASGITransport(cast("Any", RequestRules(app, to_problem, {})))
    async with httpx.AsyncClient(transport=transport, base_url="http://carnet") as http:
        for name, status in (("old", 200), ("refused", 404)):
            answer = await http.get(f"/api/{name}")
            assert answer.status_code == status
            assert answer.headers["Deprecation"] == "@1798761600"  # RFC 9745
            assert answer.headers["Sunset"] == "Thu, 01 Jul 2027 00:00:00 GMT"  # RFC 8594
        answer = await http.get("/api/kept")
        assert answer.status_code == 200
        assert not {"deprecation", "sunset"} & {*answer.headers}
    paths = Reference(app).document["paths"]
    operation = paths["/api/old"]["get"]
    assert operation["deprecated"] is True
    assert operation["description"] == "Use `GET /api/standings`. May be gone from 2027-07-01 on."
    assert not paths["/api/kept"]["get"].get("deprecated")
