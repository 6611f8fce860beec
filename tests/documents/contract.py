"""The contract of the last release in `schemas/published/contract/`, and what changed since.

`.venv/bin/python -m tests.documents.contract` lists the breaks and additions since the release;
with `--release` it writes the contract anew. The OpenAPI document holds records and exports, too.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, cast

from schemas.catalogue import SHAPES
from schemas.published_entries import published_files
from service.app import CHANNELS, create_routes
from service.http.documentation.openapi import Reference
from service.http.feed.asyncapi import asyncapi
from tests.documents.compatibility import Comparison

Json: TypeAlias = dict[str, Any]
FOLDER = Path(__file__).parents[2] / "schemas" / "published" / "contract"
# What Carnet writes of these becomes more with a problem, an event, a game or an option of one.
# Programs skip what they do not know (docs/release.md).
_GROWING = (
    *("Problem.type", "WebhookMessage.type", "Entry", "Record"),
    *("FallenView.entry", "WayView.entries", "ShiftView.entries", "PlayerMovesView."),
    "GET /api/games/{game_id}/record",
    *(game.capitalize() for game in SHAPES),
)
_PROSE = {"description", "summary", "title", "example", "tags"}
# Below these, every key is a name.
_NAMED = {"properties", "schemas", "paths", "channels", "messages", "operations", "$defs"}


def contract() -> dict[str, Json]:
    """Return the documents as they are now, without prose and examples, by name."""
    documents = {
        "openapi": _bare(Reference(create_routes()).document),
        "asyncapi": _bare(asyncapi(CHANNELS)),
        "entries": {
            name: _bare(_rooted(json.loads(content), name))
            for name, content in published_files().items()
        },
    }
    plain: dict[str, Json] = json.loads(json.dumps(documents))  # lists for tuples
    return plain


def released() -> dict[str, Json]:
    """Return the documents of the last release, by name."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.json")}


def write() -> None:
    """Make the documents of now those of the release."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, document in contract().items():
        text = json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False)
        (FOLDER / f"{name}.json").write_text(text + "\n", "utf-8")


def changes(old: Mapping[str, Json], new: Mapping[str, Json]) -> Comparison:
    """Compare two contracts."""
    api = Comparison(old["openapi"], new["openapi"], _grows)
    for path, item in _shared(
        api, "API", "route", old["openapi"]["paths"], new["openapi"]["paths"]
    ):
        for method, operations in _shared(api, path, "method", *item):
            _operation(api, f"{method.upper()} {path}", *operations)
    events = Comparison(old["asyncapi"], new["asyncapi"], _grows)
    _events(events, old["asyncapi"], new["asyncapi"])
    entries = Comparison(old["entries"], new["entries"], lambda _: True)
    _entries(entries, old["entries"], new["entries"])
    for one in (events, entries):
        api.changes |= one.changes
    return api


def _grows(where: str) -> bool:
    return where.startswith(_GROWING)


def _shared(
    found: Comparison, where: str, kind: str, old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Yield the values of each name in both documents, and note names in one of them only."""
    found.names(where, kind, old, new)
    yield from ((name, (old[name], new[name])) for name in old if name in new)


def _operation(found: Comparison, where: str, old: Json, new: Json) -> None:
    if old["operationId"] != new["operationId"]:
        found.note(where, f"{old['operationId']} became {new['operationId']}", breaks=True)
    if old.get("security") == [] != new.get("security"):
        found.note(where, "needs a key now", breaks=True)
    if new.get("deprecated") and not old.get("deprecated"):
        found.note(where, "is deprecated", breaks=False)
    _parameters(found, where, old, new)
    _request(found, where, old.get("requestBody"), new.get("requestBody"))
    for status, answers in _shared(found, where, "status", old["responses"], new["responses"]):
        _answer(found, f"{where} {status}", *answers)
    for status in new["responses"].keys() - old["responses"].keys():
        if status < "400":
            found.note(where, f"can answer {status}, too", breaks=True)


def _parameters(found: Comparison, where: str, old: Json, new: Json) -> None:
    before, after = (
        {f"{one['name']} ({one['in']})": one for one in of.get("parameters", ())}
        for of in (old, new)
    )
    for name, (one, other) in _shared(found, where, "parameter", before, after):
        found.schemas(f"{where} {name}", one["schema"], other["schema"], "read")
    for name, one in after.items():
        if one.get("required") and not before.get(name, {}).get("required"):
            found.note(where, f"{name} is required now", breaks=True)


def _request(found: Comparison, where: str, old: Json | None, new: Json | None) -> None:
    if new is not None and new.get("required") and not (old or {}).get("required"):
        found.note(where, "needs a body now", breaks=True)
    before, after = ((one or {}).get("content", {}) for one in (old, new))
    for media, (one, other) in _shared(found, f"{where} body", "media type", before, after):
        found.schemas(f"{where} body as {media}", one["schema"], other["schema"], "read")


def _answer(found: Comparison, where: str, old: Json, new: Json) -> None:
    found.names(where, "header", old.get("headers", {}), new.get("headers", {}))
    before, after = (one.get("content", {}) for one in (old, new))
    for _, (one, other) in _shared(found, where, "media type", before, after):
        found.names(where, "problem", one.get("examples", {}), other.get("examples", {}))
        found.schemas(where, one["schema"], other["schema"], "written")


def _events(found: Comparison, old: Json, new: Json) -> None:
    for name, (one, other) in _shared(found, "events", "channel", old["channels"], new["channels"]):
        if one["address"] != other["address"]:
            found.note(name, f"{one['address']} became {other['address']}", breaks=True)
        found.names(name, "message", one["messages"], other["messages"])
    found.names("events", "operation", old["operations"], new["operations"])
    messages = (of["components"]["messages"] for of in (old, new))
    for name, (one, other) in _shared(found, "events", "message", *messages):
        for part in ("payload", "headers"):
            found.schemas(f"{name} {part}", one.get(part, True), other.get(part, True), "written")


def _entries(found: Comparison, old: Json, new: Json) -> None:
    """Compare stored entries: the log of an old release is read, and programs read the feed."""
    games = (
        {name: of["entries"] for name, of in one.items() if "entries" in of} for one in (old, new)
    )
    for file, kinds in _shared(found, "entries", "game", *games):
        for kind, versions in _shared(found, file, "entry", *kinds):
            where = f"{file} {kind}"
            for version, shapes in _shared(found, where, "stored version", *versions):
                found.schemas(f"{where} {version}", *shapes, "read")
                found.schemas(f"{where} {version}", *shapes, "written")


def _rooted(part: Any, file: str) -> Any:  # noqa: ANN401 -- of JSON
    """Let references of one of several files start at the document that holds all of them."""
    if isinstance(part, dict):
        return {key: _rooted(one, file) for key, one in cast("Json", part).items()}
    if isinstance(part, list):
        return [_rooted(one, file) for one in part]
    if isinstance(part, str) and "#/$defs/" in part:
        return f"#/{part.partition('#')[0] or file}/{part.partition('#/')[2]}"
    return part


def _bare(part: Any, *, named: bool = False) -> Any:  # noqa: ANN401 -- of JSON
    if isinstance(part, list):
        return [_bare(one) for one in part]
    if not isinstance(part, dict):
        return part
    found: Json = {}
    for key, one in cast("Json", part).items():
        if named:
            found[key] = _bare(one)
        elif key == "examples" and isinstance(one, dict):
            found[key] = {name: {} for name in cast("Json", one)}  # the problems of an answer
        elif key not in {*_PROSE, "examples"} and (key, one) != ("deprecated", False):
            found[key] = _bare(one, named=key in _NAMED)
    return found


def main(arguments: Sequence[str]) -> None:
    if "--release" in arguments:
        write()
        return
    sys.stdout.write(f"{changes(released(), contract())}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
