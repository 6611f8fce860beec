"""JSON in which every object names its members once (RFC 8259 §4)."""

import json
from typing import Any, cast

from schemas.malformed import Malformed


class _RepeatedError(Exception):
    pass


class _Members(list[tuple[str, Any]]):
    """The members of an object, in the order of the text."""


def find_repeated_name(raw: bytes | str) -> Malformed | None:
    """Find a name that stands twice in one object of a JSON document; None: there is none.

    msgspec takes the last of them and says nothing. `raw` was decoded before: it is JSON.

    >>> find_repeated_name(b'{"log": [{"card": "QC", "card": "QD"}]}')
    Malformed(path='$.log[0].card', expected='this name once', id=UNSET)

    Raises: RecursionError (nested too deeply)
    """
    try:
        json.loads(raw, object_pairs_hook=_once, parse_int=str)
    except _RepeatedError:
        found = _find(json.loads(raw, object_pairs_hook=_Members, parse_int=str), "$")
        return Malformed(path=found or "$", expected="this name once")
    return None


def _once(members: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in members}) != len(members):
        raise _RepeatedError


def _find(node: object, path: str) -> str | None:
    if isinstance(node, _Members):
        seen: set[str] = set()
        for name, value in node:
            below = f"{path}.{name}"
            if name in seen:
                return below
            seen.add(name)
            if found := _find(value, below):
                return found
    elif isinstance(node, list):
        for index, item in enumerate(cast("list[object]", node)):
            if found := _find(item, f"{path}[{index}]"):
                return found
    return None
