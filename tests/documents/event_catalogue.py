"""Writes entries.md and asyncapi.json of docs/reference, and the published schemas.

By `.venv/bin/python -m tests.documents.event_catalogue`.

An example of each entry is one that was recorded or written in the games of `tests/games/`.
"""

import json
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET
from msgspec.structs import fields

from domain.replay import opening
from domain.table.history import History
from schemas.catalogue import SHAPES, decode_record, encode, shapes, type_of
from schemas.entries import (
    Adjust,
    Amend,
    Entry,
    Finish,
    Note,
    SetAside,
    Splice,
    Started,
    TakeBack,
    Void,
)
from schemas.free_text import separate_text
from schemas.published_entries import EntryKind, entry_kinds, entry_schema, published_files
from schemas.strict_json import Malformed
from schemas.upcast import TEXT_INLINE, TEXT_SEPARATE
from service.app import CHANNELS
from service.http.feed import asyncapi

Json: TypeAlias = dict[str, Any]
ROOT = Path(__file__).parents[2]
CATALOGUE = ROOT / "docs" / "reference" / "entries.md"
ASYNCAPI = ROOT / "docs" / "reference" / "asyncapi.json"
PUBLISHED = ROOT / "schemas" / "published" / "entries"
_SALT = bytes(16)
# Entry types that all games share.
COMMON = {
    *("started", "deal_ended", "game_ended", "note", "adjust", "void", "finish", "set_aside"),
    *("take_back", "amend", "splice"),
}
_HEAD = """# Every entry there is

<!-- written by tests/documents/event_catalogue.py from schemas/ -->

What the log and `GET /api/feed` hold, by game and `type`. Any entry may also carry `waive` (a
list of clauses that the table let pass), `unsure` (true: the recorder is not certain of the card)
and `at` (RFC 3339: when it happened, where it was sent later; from a year ago to a day ahead by the
service's clock, in a correction from 1900 on). *Recorder*: sent by who records,
to `POST /api/games/{id}/entries`; *service*: written by Carnet itself.

Stored version 1 is the entry as it was recorded. Version 2 is one whose free text stands beside
the log, so that it can be erased: `data` holds `{"sha256": …}` in the text's place. Each version
of each type has a JSON Schema of its own at `/schema/entries/<game>/<type>/<version>`, and any
entry of a game at `/schema/entries/<game>`; the files of `schemas/published/entries/` hold the
same. What is sent live, in the feed and by webhooks stands in [asyncapi.json](asyncapi.json),
also at `/schema/asyncapi`.
"""


def catalogue() -> str:
    """Return the catalogue: the common entry types once, then those of each game."""
    first, *_ = SHAPES
    lines = ["## Every game\n", *_entries(first, "every game", COMMON)]
    shared = {(kind.name, kind.shape) for kind in entry_kinds(first)}
    for game in SHAPES:
        kinds = {kind.name: kind.shape for kind in entry_kinds(game)}
        # A game may add fields to a common entry.
        own = {name for name, of in kinds.items() if name not in COMMON or (name, of) not in shared}
        lines += [f"## {game}\n", *_entries(game, game, own)]
    return "\n".join([_HEAD, *lines])


def examples(ruleset: str) -> dict[str, Entry]:
    """Find the shortest entry of each type in the recorded games of a ruleset.

    Common entry types that no recorded game has get an invented example.
    """
    found: dict[str, Entry] = {}
    for entry in _record(ruleset):
        known = found.get(type_of(entry))
        if known is None or len(encode(entry)) < len(encode(known)):
            found[type_of(entry)] = entry
    move = min((one for one in found.values() if type_of(one) not in COMMON), key=_length)
    made: tuple[Entry, ...] = (
        *(shape(reason="agreed") for shape in (Void, Finish, SetAside)),
        Adjust(seat=0, points=1, reason="agreed"),
        Note(text="remark"),
        TakeBack(to=1),
        Amend(version=2, move=move),
        Splice(version=2, drop=1, moves=()),
    )
    return {type_of(entry): entry for entry in made} | found


def _length(entry: Entry) -> int:
    return len(encode(entry))


def store(entry: Entry, version: int) -> Json:
    """Return an entry's JSON in a stored version."""
    found: Json = json.loads(
        separate_text(entry, _SALT).data if version == TEXT_SEPARATE else encode(entry)
    )
    return found


def example(entry: Entry, version: int) -> Json:
    """Return an example's JSON in a stored version."""
    return store(_text(entry, version), version)


def write() -> None:
    """Write catalogue and schemas."""
    CATALOGUE.write_text(catalogue(), "utf-8")
    ASYNCAPI.write_bytes(asyncapi.published_bytes(CHANNELS))
    PUBLISHED.mkdir(exist_ok=True)
    for name, content in published_files().items():
        (PUBLISHED / name).write_bytes(content)


def _record(ruleset: str) -> Iterator[Entry]:
    for path in sorted((ROOT / "tests" / "games" / ruleset).glob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            record = decode_record(line)
            if isinstance(record, Malformed):
                continue
            seats: int = json.loads(line)["seats"]
            start = opening(ruleset, record.options, seats)
            version = shapes(ruleset).rules_version
            yield Started(
                ruleset=ruleset, rules_version=version, options=record.options, seats=seats
            )
            yield from _judge(History(start), record.log)


def _judge(history: History, log: Iterable[Entry]) -> Iterator[Entry]:
    for entry in log:
        lines = history.judge(entry)
        if not isinstance(lines, tuple):
            return
        yield from (line.entry for line in lines)


def _entries(ruleset: str, label: str, names: Container[str]) -> Iterator[str]:
    found = examples(ruleset)
    for kind in entry_kinds(ruleset):
        if kind.name not in names:
            continue
        yield f"### {label}: {kind.name}\n"
        yield f"{kind.description}\n"
        versions = " and ".join(map(str, kind.versions))
        word = "versions" if len(kind.versions) > 1 else "version"
        yield f"Written by: {kind.by}. Stored {word}: {versions}.\n"
        yield from _fields(ruleset, kind)
        for version in kind.versions:
            yield f"`{_line(example(found[kind.name], version))}`\n"


def _fields(ruleset: str, kind: EntryKind) -> Iterator[str]:
    common = {one.name for one in fields(Entry)}
    own = [one for one in fields(kind.shape) if one.name not in common]
    if not own:
        return
    schema = entry_schema(ruleset, kind.name, TEXT_INLINE)
    yield "| field | | value |\n| --- | --- | --- |"
    for one in own:
        needed = "required" if one.required else _unsaid(one.default)
        yield f"| `{one.encode_name}` | {needed} | {_value(schema, one.encode_name)} |"
    yield ""


def _unsaid(default: object) -> str:
    return "optional" if default is UNSET else f"`{_line(default)}` if left out"


def _value(schema: Json, name: str) -> str:
    return _describe(schema["properties"][name], schema["$defs"]).replace("|", "\\|")


def _describe(shape: Json, defs: Json) -> str:
    if "$ref" in shape:
        return f"`{shape['$ref'].rpartition('/')[2]}`"
    if "anyOf" in shape:
        return " or ".join(dict.fromkeys(_describe(one, defs) for one in shape["anyOf"]))
    if "enum" in shape:
        return _choice(
            [one for one in shape["enum"] if one is not None], null=None in shape["enum"]
        )
    if shape.get("type") == "array":
        items: Json = shape.get("items") or {}
        inner = " , ".join(_describe(one, defs) for one in shape.get("prefixItems", ()))
        return f"[{inner or _describe(items, defs)}]" if inner or items else "array"
    bounds = [f"from {shape['minimum']}"] if "minimum" in shape else []
    bounds += [f"to {shape['maximum']}"] if "maximum" in shape else []
    bounds += [f"{shape['maxLength']} characters at most"] if "maxLength" in shape else []
    return " ".join([str(shape.get("type", "any")), *bounds])


def _choice(values: list[object], *, null: bool) -> str:
    few = 8
    said = ", ".join(f"`{one}`" for one in values)
    if len(values) > few:
        said = "a card" + (" or `XX`" if "XX" in values else "")
        said += " or `??`" if "??" in values else ""
    return f"{said} or null" if null else said


def _text(entry: Entry, version: int) -> Entry:
    if version == TEXT_INLINE:
        return entry
    data = json.loads(encode(entry))
    if data["type"] == "amend":
        data["move"] = {"type": "note", "text": "rain stopped play"}
    elif data["type"] == "splice":
        data["moves"] = [{"type": "note", "text": "rain stopped play"}]
    else:
        name = "text" if data["type"] == "note" else "reason"
        data[name] = data[name] or "rain stopped play"
    # Entry types with a text are common to all games.
    return shapes("euchre").decode_stored(msgspec.json.encode(data))


def _line(value: object) -> str:
    return msgspec.json.encode(value).decode()


if __name__ == "__main__":
    write()
