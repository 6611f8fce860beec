"""The API reference, rendered from the OpenAPI document."""

from typing import Any

from litestar import Request
from litestar.response import Response
from msgspec import Struct, json

from service.web.format.render import HEADERS, Reader

ADDRESS = "/schema"


class Body(Struct, frozen=True, kw_only=True):
    """A request or response body in one media type; `example` is "" if there is none."""

    media_type: str
    schema: dict[str, Any]
    example: str = ""


class Operation(Struct, frozen=True, kw_only=True):
    """One API operation. `answers`: status, description and bodies."""

    id: str
    method: str
    path: str
    summary: str
    more: str
    open_to_all: bool
    parameters: list[dict[str, Any]]
    bodies: list[Body]
    answers: list[tuple[str, str, list[Body]]]


async def show_reference(request: Request[Any, Any, Any]) -> Response[str] | None:
    """Render the reference for browsers; None if the client asks for the document."""
    is_own_address = request.url.path.rstrip("/") == ADDRESS
    if not is_own_address or "text/html" not in request.headers.get("accept", ""):
        return None
    document: dict[str, Any] = request.app.state["reference"].document
    return Reader(request).page(
        "reference.html",
        headers={"Vary": f"Accept, {HEADERS['Vary']}"},
        tags=document["tags"],
        operations=operations(document),
        shapes=document["components"]["schemas"],
    )


def operations(document: dict[str, Any]) -> dict[str, list[Operation]]:
    """Return the operations by tag, in the document's order."""
    by_tag: dict[str, list[Operation]] = {tag["name"]: [] for tag in document["tags"]}
    for path, item in document["paths"].items():
        for method, operation in item.items():
            by_tag[operation["tags"][0]].append(_operation(path, method, operation))
    return by_tag


def _operation(path: str, method: str, operation: dict[str, Any]) -> Operation:
    summary, description = operation["summary"], " ".join(operation["description"].split())
    return Operation(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=summary,
        more="" if description.rstrip(".") == summary.rstrip(".") else description,
        open_to_all=operation.get("security") == [],
        parameters=operation.get("parameters", []),
        bodies=_bodies(operation.get("requestBody", {})),
        answers=[
            (status, answer["description"], _bodies(answer))
            for status, answer in operation["responses"].items()
        ],
    )


def _bodies(part: dict[str, Any]) -> list[Body]:
    return [
        Body(
            media_type=media_type,
            schema=media["schema"],
            example=json.encode(media["example"]).decode() if "example" in media else "",
        )
        for media_type, media in part.get("content", {}).items()
    ]
