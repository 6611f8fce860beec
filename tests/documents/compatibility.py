"""Compares two versions of a described interface, and finds what an existing client would notice.

A schema is compared in a direction. What Carnet reads (requests, records) may become wider, never
narrower. What it writes (answers, the feed, exports) may get more fields and loses none, and no
field gets values of another type. A narrower type of what is read, a wider one of what is written,
and a changed keyword that is not known here are breaks.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, cast

Schema: TypeAlias = dict[str, Any]
Direction: TypeAlias = Literal["read", "written"]

# Keywords without a meaning for what is valid.
_ANNOTATIONS = {
    *("$schema", "$comment", "$id", "$defs", "title", "description", "summary", "example"),
    *("examples", "deprecated", "discriminator"),
}
_LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_EXACT = ("pattern", "format", "uniqueItems", "not", "contains", "multipleOf", "allOf")
_KNOWN = {
    *_ANNOTATIONS,
    *_LOWER,
    *_UPPER,
    *_EXACT,
    *("type", "enum", "const", "properties", "required", "additionalProperties", "propertyNames"),
    *("items", "prefixItems", "default", "if", "then", "else", "anyOf", "oneOf", "$ref"),
}
# A pattern that lists words, or other patterns: `^(durak|euchre|[0-9]+)$`.
_WORDS = re.compile(r"\^\((.+)\)\$")


class Change(NamedTuple):
    """A difference at a place: a break, or else an addition."""

    where: str
    what: str
    breaks: bool

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


class Comparison:
    """Collects the changes between two documents, whose `$ref`s are resolved within each.

    `growing`: whether Carnet may write more values or kinds of objects at a place (that of a
    `Change`); they never become fewer.
    """

    def __init__(
        self,
        old: Mapping[str, Any],
        new: Mapping[str, Any],
        growing: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self.changes: dict[Change, None] = {}
        self._old, self._new, self._growing = old, new, growing
        self._compared: set[tuple[str, str, Direction]] = set()

    @property
    def breaks(self) -> list[str]:
        return [str(one) for one in self.changes if one.breaks]

    @property
    def additions(self) -> list[str]:
        return [str(one) for one in self.changes if not one.breaks]

    def __str__(self) -> str:
        lists = (("Breaks", self.breaks), ("Additions", self.additions))
        return "\n".join("\n  ".join([f"{name}: {len(many)}", *many]) for name, many in lists)

    def note(self, where: str, what: str, *, breaks: bool) -> None:
        self.changes[Change(where, what, breaks)] = None

    def names(self, where: str, kind: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
        """Note which names are missing (breaks) and which are new (additions)."""
        for name in old.keys() - new.keys():
            self.note(where, f"the {kind} {name} is missing", breaks=True)
        for name in new.keys() - old.keys():
            self.note(where, f"the {kind} {name} is new", breaks=False)

    def schemas(self, where: str, old: object, new: object, direction: Direction) -> None:
        """Compare a schema with its next version, in a direction."""
        before = list(_alternatives(old, self._old))
        after = list(_alternatives(new, self._new))
        narrow, wide = (before, after) if direction == "read" else (after, before)
        named = {one.name for one in narrow} - {""}
        met: list[_Alternative] = []
        for one in narrow:
            # One that has kept its name is the partner of that name alone.
            free = [other for other in wide if other.name == one.name or other.name not in named]
            partner = self._partner(where, one, free, direction)
            if partner is not None:
                met.append(partner)
                self._alternative(where, *_in_time(one, partner, direction), direction)
            elif direction == "read":
                self.note(where, f"{one.label} is no longer accepted", breaks=True)
            else:
                grows = self._growing(where) and _type(one.schema) == "object"
                self.note(where, f"can be {one.label}, too", breaks=not grows)
        for one in wide:
            if one not in met and direction == "read":
                self.note(where, f"{one.label} is accepted, too", breaks=False)
            elif one not in met and self._growing(where):
                self.note(where, f"{one.label} is missing", breaks=True)

    def _partner(
        self,
        where: str,
        one: "_Alternative",
        others: "Sequence[_Alternative]",
        direction: Direction,
    ) -> "_Alternative | None":
        """Find the alternative of the other version: of the same name, label or values."""
        named = [other for other in others if other.name == one.name != ""]
        named = named or [other for other in others if other.label == one.label]
        if len(named) == 1:
            return named[0]
        for other in named or others:
            trial = Comparison(self._old, self._new, self._growing)
            trial._compared = set(self._compared)
            trial._alternative(where, *_in_time(one, other, direction), direction)
            if not trial.breaks:
                return other
        return None

    def _alternative(
        self, where: str, old: "_Alternative", new: "_Alternative", direction: Direction
    ) -> None:
        if old.name and new.name:
            where = old.name
            if (old.name, new.name, direction) in self._compared:
                return
            self._compared.add((old.name, new.name, direction))
        self._values(where, old.schema, new.schema, direction)
        self._bounds(where, old.schema, new.schema, direction)
        self._exact(where, old.schema, new.schema, direction)
        self._object(where, old.schema, new.schema, direction)
        self._array(where, old.schema, new.schema, direction)
        self._conditions(where, old.schema, new.schema, direction)

    def _values(self, where: str, old: Schema, new: Schema, direction: Direction) -> None:
        narrow, wide = (old, new) if direction == "read" else (new, old)
        if not _type_fits(_type(narrow), _type(wide)):
            self.note(where, f"{_type(old)} became {_type(new)}", breaks=True)
        before, after = _listed(old), _listed(new)
        if before is None and after is None:
            return
        if before is None or after is None:
            fits = (after is None) == (direction == "read")
            self.note(where, "is one of a list" if before is None else "is any", breaks=not fits)
            return
        grows = self._growing(where)
        for value in sorted(before - after):
            if direction == "read" or grows:
                self.note(where, f"the value {value} is missing", breaks=True)
        for value in sorted(after - before):
            breaks = direction == "written" and not grows
            self.note(where, f"the value {value} is new", breaks=breaks)

    def _bounds(self, where: str, old: Schema, new: Schema, direction: Direction) -> None:
        for keys, sign in ((_LOWER, 1), (_UPPER, -1)):
            for key in keys:
                before, after = (
                    sign * one[key] if key in one else float("-inf") for one in (old, new)
                )
                said = f"{key} {old.get(key, 'none')} became {new.get(key, 'none')}"
                if after > before and direction == "read":
                    self.note(where, said, breaks=True)
                elif after < before:
                    self.note(where, said, breaks=False)

    def _exact(self, where: str, old: Schema, new: Schema, direction: Direction) -> None:
        unknown = sorted((old.keys() | new.keys()) - _KNOWN)
        for key in (*_EXACT, *unknown):
            if old.get(key) == new.get(key) or (key == "pattern" and _listed(old) and _listed(new)):
                continue
            freed = key not in (new if direction == "read" else old)
            breaks = key in unknown or not freed
            self.note(where, f"{key} {old.get(key)} became {new.get(key)}", breaks=breaks)
        if direction == "read" and "default" in old and old["default"] != new.get("default"):
            said = f"the default {old['default']} became {new.get('default')}"
            self.note(where, said, breaks=True)

    def _object(self, where: str, old: Schema, new: Schema, direction: Direction) -> None:
        before, after = old.get("properties", {}), new.get("properties", {})
        for name in before:
            if name in after:
                self.schemas(f"{where}.{name}", before[name], after[name], direction)
        self.names(where, "field", before, after)
        required, now = set(old.get("required", ())), set(new.get("required", ()))
        changed = now - required if direction == "read" else (required - now) & after.keys()
        for name in sorted(changed):
            said = "required" if direction == "read" else "optional"
            self.note(where, f"the field {name} is {said} now", breaks=True)
        for key in ("additionalProperties", "propertyNames"):
            # Carnet may write new fields even where the old schema forbids them: readers skip them.
            if direction == "read" or old.get(key, True) not in (True, False):
                self._part(f"{where}.*", key, old, new, direction)

    def _array(self, where: str, old: Schema, new: Schema, direction: Direction) -> None:
        self._part(f"{where}[]", "items", old, new, direction)
        before, after = old.get("prefixItems", ()), new.get("prefixItems", ())
        if len(before) != len(after):
            self.note(where, f"{len(before)} items became {len(after)}", breaks=True)
        for at, (one, other) in enumerate(zip(before, after, strict=False)):
            self.schemas(f"{where}[{at}]", one, other, direction)

    def _part(self, where: str, key: str, old: Schema, new: Schema, direction: Direction) -> None:
        if key in old or key in new:
            self.schemas(where, old.get(key, True), new.get(key, True), direction)

    def _conditions(self, where: str, old: Schema, new: Schema, direction: Direction) -> None:
        before, after = dict(_chain(old)), dict(_chain(new))
        for condition in before.keys() & after.keys():
            self.schemas(where, before[condition], after[condition], direction)
        for condition in after.keys() - before.keys():
            # A condition on a value that was not there before concerns nobody.
            breaks = direction == "read" and not _is_of_a_value(condition)
            self.note(where, f"a condition is new: {condition}", breaks=breaks)
        for condition in before.keys() - after.keys():
            breaks = direction == "written"
            self.note(where, f"a condition is gone: {condition}", breaks=breaks)


class _Alternative(NamedTuple):
    """One of the schemas of which a value fits any. `name`: that of a `$ref`, or empty."""

    label: str
    name: str
    schema: Schema


def _in_time(
    narrow: _Alternative, wide: _Alternative, direction: Direction
) -> tuple[_Alternative, _Alternative]:
    return (narrow, wide) if direction == "read" else (wide, narrow)


def _alternatives(schema: object, document: Mapping[str, Any]) -> Iterator[_Alternative]:
    """Split a schema into alternatives: of unions, of several types, and null of an enum."""
    if schema is False:
        return
    whole = cast("Schema", {} if schema is True else schema)
    name = ""
    while "$ref" in whole:
        name = whole["$ref"].removeprefix("#/").removeprefix("components/schemas/")
        whole = _target(document, whole["$ref"])
    parts = next((whole[key] for key in ("anyOf", "oneOf") if key in whole), None)
    if parts is not None:
        rest = {key: value for key, value in whole.items() if key not in {"anyOf", "oneOf"}}
        beside = {key: value for key, value in rest.items() if key not in _ANNOTATIONS}
        for part in parts:
            yield from _alternatives({**beside, **part} if beside else part, document)
        return
    if isinstance(whole.get("type"), list):
        for one in whole["type"]:
            yield from _alternatives({**whole, "type": one}, document)
        return
    values = whole.get("enum", ())
    if None in values and len(values) > 1:
        yield from _alternatives({"type": "null"}, document)
        whole = {**whole, "enum": [value for value in values if value is not None]}
    yield _Alternative(_label(whole, name), name, whole)


def _target(document: Mapping[str, Any], reference: str) -> Schema:
    found: Any = document
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return cast("Schema", found)


def _label(schema: Schema, name: str) -> str:
    tag = _listed(schema.get("properties", {}).get("type", {}))
    if tag is not None and len(tag) == 1:
        return f"type {next(iter(tag))}"
    return name or _type(schema)


def _type(schema: Schema) -> str:
    if "type" in schema:
        return str(schema["type"])
    if values := schema.get("enum", [schema["const"]] if "const" in schema else []):
        return {str: "string", int: "integer", bool: "boolean"}.get(type(values[0]), "null")
    return "any"


def _type_fits(narrow: str, wide: str) -> bool:
    return wide in {narrow, "any"} or (narrow, wide) == ("integer", "number")


def _listed(schema: Schema) -> frozenset[str] | None:
    """Return the values that a schema lists as JSON, None if it lists none."""
    if "const" in schema:
        return frozenset({json.dumps(schema["const"])})
    if "enum" in schema:
        return frozenset(map(json.dumps, schema["enum"]))
    pattern = _WORDS.fullmatch(schema.get("pattern", ""))
    words = _branches(pattern[1]) if pattern else []
    return frozenset(map(json.dumps, words)) if words else None


def _branches(pattern: str) -> list[str]:
    """Split a pattern at each `|` that is in no parentheses; [] if these do not match.

    >>> _branches("durak|(a|b)c"), _branches("a)|(b")
    (['durak', '(a|b)c'], [])
    """
    found, depth = [""], 0
    for sign in pattern:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return []
        if sign == "|" and not depth:
            found.append("")
        else:
            found[-1] += sign
    return [] if depth else found


def _chain(schema: Schema) -> Iterator[tuple[str, object]]:
    """List the conditions of a chain of `if`, `then`, `else`, each with what follows from it."""
    while "if" in schema:
        yield json.dumps(schema["if"], sort_keys=True), schema.get("then", True)
        following = schema.get("else", {})
        if following and "if" not in following:
            yield "else", following
        schema = following


def _is_of_a_value(condition: str) -> bool:
    return condition.count('"const"') == 1
