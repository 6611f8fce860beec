"""Entries from forms: the button's JSON, completed by the form's other fields."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, cast
from uuid import UUID

from msgspec import UNSET, DecodeError, Struct

from schemas.entries import Version
from schemas.strict_json import decode_strictly
from service.web.format.keypads import CARD, GROUP, KEY
from service.web.format.render import uuid_of, version_of
from service.web.format.template_filters import to_json

Fields = Iterable[tuple[str, Any]]
_SUM = re.compile(r"[+-]?\d{1,9}(?:[+-]\d{1,9})*", re.ASCII)
# An entry that arrives sooner after its tap has the time of its arrival.
_LATE_MIN = timedelta(seconds=3)
_LATE_MAX = timedelta(days=365)


class FormCommand(Struct, frozen=True, kw_only=True):
    """A submitted form: entries as JSON, the expected `version`, and the idempotency key.

    `lacks`: required choices without a value, as seats or as questions in words.
    """

    version: Version
    command_id: UUID
    by: str
    entries: list[dict[str, Any]]
    lacks: tuple[Any, ...] = ()


class CompletedForm(Struct, frozen=True, kw_only=True):
    """Entries of a form; None if the JSON is invalid. `lacks` as in `FormCommand`."""

    entries: list[dict[str, Any]] | None
    lacks: tuple[Any, ...] = ()


def late_time(tapped_at: datetime | None, now: datetime) -> datetime | None:
    """Return the time of a tap that arrives late; None: the time of its arrival counts."""
    if tapped_at is None or not _LATE_MIN < now - tapped_at < _LATE_MAX:
        return None
    return tapped_at


def read_command(fields: Fields) -> FormCommand | None:
    """Parse a form that appends entries: `version`, `command`, and `entry`, `entries` or a key."""
    pairs = [(name, value) for name, value in fields if isinstance(value, str)]
    given = dict(pairs)
    command_id = uuid_of(given.get("command", ""))
    version = version_of(given.get("version", ""))
    lacks: list[Any] = []
    entries = _read_entries(pairs, lacks)
    if command_id is None or version is None or not entries:
        return None
    return FormCommand(
        version=version,
        command_id=command_id,
        by="result" if given.get("by") == "result" else "cards",
        entries=entries,
        lacks=tuple(lacks),
    )


def read_completed(fields: Fields) -> CompletedForm:
    """Parse the entries of a form, complete them, and list the missing choices."""
    lacks: list[Any] = []
    entries = _read_entries(
        [(name, value) for name, value in fields if isinstance(value, str)], lacks
    )
    return CompletedForm(entries=entries, lacks=tuple(lacks))


def _read_entries(pairs: list[tuple[str, str]], lacks: list[Any]) -> list[dict[str, Any]] | None:
    given = dict(pairs)
    try:
        if "entries" in given:
            return decode_strictly(given["entries"], list[dict[str, Any]])
        text = _pressed(given).strip()
        listed = text if text.startswith("[") else f"[{text}]"
        entries = decode_strictly(listed, list[dict[str, Any]])
        if not entries:
            return None
        if entries[-1].get("type") in {"take_back", "splice", "amend"}:
            return entries
        *before, last = [_complete_entry(entry, pairs, lacks) for entry in entries]
        return [*before, last | read_fields(pairs)]
    except DecodeError:
        return None


def _pressed(given: Mapping[str, str]) -> str:
    """Return the entry of the pressed button; that of a key is its group's, with its card."""
    for name, card in given.items():
        if name.startswith(KEY):
            group = given.get(GROUP + name.removeprefix(KEY), "")
            return group.replace(to_json(CARD), to_json(card))
    return given.get("entry", "")


def read_fields(fields: Fields) -> dict[str, Any]:
    """Parse the fields that complete an entry.

    Raises: msgspec.DecodeError (a `with.` field contains invalid JSON)
    """
    found: dict[str, Any] = {}
    for name, value in fields:
        kind, _, field = name.partition(".")
        if kind == "with" and value:
            found[field] = decode_strictly(value, object)
        elif kind == "text":
            found[field] = value.strip()
    return found


def read_number(text: str) -> object:
    """Return a typed number, a sum such as `3+6-2` added up, or any other JSON value.

    A sign at the end is ignored, as by the pad for numbers (`form_entry.js`).
    Raises: msgspec.DecodeError (neither)

    >>> read_number("3+6-2"), read_number("07"), read_number("−5 +"), read_number("null")
    (7, 7, -5, None)
    """
    plain = re.sub(r"\s|[+-]\s*$", "", text.replace("−", "-"))
    if _SUM.fullmatch(plain):
        return sum(int(term) for term in re.findall(r"[+-]?\d+", plain))
    return decode_strictly(text, object)


def _complete_entry(entry: dict[str, Any], fields: Fields, lacks: list[Any]) -> dict[str, Any]:
    chosen: dict[str, list[Any]] = {}
    for name, value in fields:
        kind, _, field = name.partition(".")
        if kind == "open" and value:
            chosen.setdefault(field, []).append(read_number(value))
        elif kind == "opens" and value:
            for part, one in decode_strictly(value, dict[str, Any]).items():
                chosen.setdefault(part, []).append(one)
        elif kind == "cards" and value.strip():
            chosen.setdefault(field, []).append(value.upper().replace(",", " ").split())
    filled = {name: _fill(value, name, chosen, lacks) for name, value in entry.items()}
    found = {name: value for name, value in filled.items() if value is not UNSET}
    lacks[:] = [found.get("seat", who) if who == "seat" else who for who in lacks]
    return found


def _fill(value: Any, name: str, chosen: Mapping[str, list[Any]], lacks: list[Any]) -> Any:  # noqa: ANN401 JSON
    if value == []:
        return chosen.get(name, [])
    if value == {}:
        return chosen[name][-1] if name in chosen else UNSET
    if isinstance(value, dict):
        held = cast("dict[str, Any]", value)
        if "must" in held:
            if name in chosen:
                return chosen[name][-1]
            where, *what = held.get("if", ("",))
            if not where or any(one in what for one in chosen.get(where, ())):
                lacks.append(held["must"])
            return UNSET
        if "is" in held:
            where, wanted = held["is"]
            if chosen.get(where, [UNSET])[-1] == wanted:
                return held["then"]
            return _fill(held["else"], name, chosen, lacks)
        if "from" in held:
            return chosen.get(held["from"], [held.get("or", UNSET)])[-1]
        if "each" in held:
            each = [chosen.get(f"{name}.{at}", [None])[-1] for at in range(held["each"])]
            return UNSET if each.count(None) == len(each) else each
        parts = {
            key: _fill(part, f"{name}.{key}", chosen, lacks)
            for key, part in held.items()
            if key != "else"
        }
        if "else" in held and UNSET in parts.values():
            return _fill(held["else"], name, chosen, lacks)
        return {key: part for key, part in parts.items() if part is not UNSET}
    if isinstance(value, list):
        several = cast("list[Any]", value)  # type: ignore[redundant-cast]  # pyright needs it
        filled = [_fill(part, f"{name}.{at}", chosen, lacks) for at, part in enumerate(several)]
        return [part for part in filled if part is not UNSET]
    return value
