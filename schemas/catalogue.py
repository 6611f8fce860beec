"""Ruleset name → shapes: strict decoding, canonical encoding, JSON Schema.

Adding a game adds its name to `GAMES`, and nowhere else: every layer finds its part of a game by
that name (`part`). Decoders are built once, when a game's shapes are first
asked for. Decoding returns a `Malformed` value instead of raising: a bad line is an answer.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from importlib import import_module
from types import ModuleType, new_class
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct
from msgspec.structs import force_setattr

from schemas.entries import Entry, Record, is_splice, moves_in
from schemas.malformed import FAULTS, Malformed, read_fault

# Every game there is, and the only list of them.
GAMES = ("durak", "dutch", "euchre", "rami")


def module_of(path: str) -> ModuleType:
    """Return the module in which a layer keeps its part of a game.

    Raises:
        LookupError: there is no such module.

    """
    try:
        return import_module(path)
    except ModuleNotFoundError as fault:
        if fault.name is None or not f"{path}.".startswith(f"{fault.name}."):
            raise
        file = path.replace(".", "/") + ".py"
        raise LookupError(
            f"{file} is missing: a game in `schemas.catalogue.GAMES` brings it"
        ) from None


def part(path: str, name: str) -> Any:  # noqa: ANN401 what the layer that asks says it is
    """Return what a game's module in a layer must define under a name.

    Raises:
        LookupError: there is no such module, or it does not define that.

    """
    found = getattr(module_of(path), name, None)
    if found is None:
        raise LookupError(f"{path.replace('.', '/')}.py must define {name}")
    return found


SHAPES: dict[str, ModuleType] = {name: module_of(f"schemas.{name}") for name in GAMES}
# What fields of games hold that others do not have, where it cannot be listed.
FREE_SHAPES: tuple[str, ...] = tuple(
    shape for module in SHAPES.values() for shape in getattr(module, "FREE_SHAPES", ())
)

_encoder = msgspec.json.Encoder(order="deterministic")


def _as_given(options: Struct, _seats: int, _rules_version: int) -> Struct:
    return options


def _as_said(options: Struct) -> Struct:
    return options


class Shapes:
    """The shapes of one ruleset, read off its module in `schemas`, with decoders built once."""

    def __init__(self, module: ModuleType) -> None:
        self.name: str = module.NAME
        self.rules_version: int = module.RULES_VERSION
        self.rules_versions: tuple[int, ...] = getattr(
            module, "RULES_VERSIONS", (self.rules_version,)
        )
        self.seats: range = module.SEATS
        self.clauses: frozenset[str] = frozenset(module.CLAUSES)
        self.examples: Mapping[str, Any] = getattr(module, "EXAMPLES", {})
        self.options: type[Struct] = module.Options
        self.detail: type[Struct] = module.Detail
        self.submitted: Any = module.Submitted
        self.stored: Any = module.Stored
        self.settle: Callable[[Struct, int, int], Struct] = getattr(module, "settled", _as_given)
        self.meant: Callable[[Struct], Struct] = getattr(module, "meant", _as_said)
        self._batch: Any = tuple.__class_getitem__((self.submitted, ...))

    @cached_property
    def _stored_decoder(self) -> msgspec.json.Decoder[Entry]:
        return msgspec.json.Decoder(self.stored)

    @cached_property
    def _submitted_decoder(self) -> msgspec.json.Decoder[tuple[Entry, ...]]:
        return msgspec.json.Decoder(self._batch)

    def decode_stored(self, data: bytes) -> Entry:
        """Decode one entry of the log, derived ones included.

        Raises:
            msgspec.ValidationError: the log holds what no version of this ruleset wrote.

        """
        return self._stored_decoder.decode(data)

    def decode_submitted(self, raw: bytes, root: str = "$") -> tuple[Entry, ...] | Malformed:
        """Decode a JSON array of entries written by hand; `root` is the array's own JSON path."""
        try:
            entries = self._submitted_decoder.decode(raw)
        except FAULTS as fault:
            found = read_fault(fault, raw, self._batch)
            return Malformed(path=root + found.path[1:], expected=found.expected)
        return self.unknown_clause(entries, root) or entries

    def decode_options(self, raw: bytes, root: str = "$") -> Struct | Malformed:
        """Decode an options object, defaults filled in."""
        try:
            return msgspec.json.decode(raw, type=self.options)
        except FAULTS as fault:
            found = read_fault(fault, raw, self.options)
            return Malformed(path=root + found.path[1:], expected=found.expected)

    def settled(
        self, options: Struct, seats: int, rules_version: int | None = None
    ) -> Struct | Malformed:
        """Fit options to a number of seats; some defaults and limits depend on it.

        `rules_version` None: today's.
        """
        if seats not in self.seats:
            few, many = self.seats[0], self.seats[-1]
            expected = f"{few} players" if few == many else f"{few} to {many} players"
            return Malformed(path="$.seats", expected=expected)
        try:
            return self.settle(options, seats, rules_version or self.rules_version)
        except ValueError as fault:
            return Malformed(path="$.options", expected=str(fault))

    def chosen(self, options: Struct, seats: int) -> dict[str, Any]:
        """Return what was chosen: the settled options that differ from what they would be unsaid.

        An option without a default is always chosen; the others are compared with what it gives.
        """
        options = self.meant(options)
        fields = msgspec.structs.fields(self.options)
        required = {field.name: getattr(options, field.name) for field in fields if field.required}
        unsaid = self.options(**required)
        settled = self.settled(unsaid, seats)
        usual = unsaid if isinstance(settled, Malformed) else settled
        values = {field.name: getattr(options, field.name) for field in fields}
        return {
            name: value
            for name, value in values.items()
            if name in required or value != getattr(usual, name)
        }

    def unknown_clause(self, entries: Iterable[Entry], root: str) -> Malformed | None:
        """Find the first waived clause that neither this game nor the common clauses have."""
        for index, entry in enumerate(entries):
            for inside, waived in _waived(entry):
                for place, clause in enumerate(waived):
                    if clause not in self.clauses:
                        path = f"{root}[{index}].{inside}[{place}]"
                        expected = f"a clause of {self.name} or of every game, such as table.turn"
                        return Malformed(path=path, expected=expected)
        return None

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema (2020-12) of a submitted entry; it is for reading alone."""
        return _json_schema(self.submitted)

    def options_schema(self) -> dict[str, Any]:
        """Return the JSON Schema (2020-12) of the options; it is for reading alone."""
        return _json_schema(self.options)


@lru_cache
def _json_schema(shape: Any) -> dict[str, Any]:  # noqa: ANN401 a type made here, or of a game
    return msgspec.json.schema(shape)


@lru_cache
def shapes(ruleset: str) -> Shapes:
    """Return the shapes of a ruleset.

    Raises:
        KeyError: no such ruleset.

    """
    return Shapes(SHAPES[ruleset])


@lru_cache
def _record_decoder() -> tuple[msgspec.json.Decoder[Record[Any, Any]], object]:
    shape: Any = None
    for name in SHAPES:
        record = _record_shape(shapes(name))
        shape = record if shape is None else shape | record
    return msgspec.json.Decoder(shape), shape


def _record_shape(of: Shapes) -> Any:  # noqa: ANN401 a type made here
    few, many = of.seats[0], of.seats[-1]
    seats: Any = Literal[few] if few == many else Annotated[int, Meta(ge=few, le=many)]

    def settle(record: Any) -> None:  # noqa: ANN401 of the shape made below
        force_setattr(record, "options", of.settle(record.options, record.seats, of.rules_version))

    def write(body: dict[str, Any]) -> None:
        body |= {"__annotations__": {"seats": seats}, "__post_init__": settle}

    record: Any = Record
    bases = (record[of.options, of.submitted],)
    return new_class(f"{of.name}_record", bases, {"frozen": True, "tag": of.name}, write)


def decode_record(line: bytes) -> Record[Any, Any] | Malformed:
    """Decode one line of `carnet check`."""
    decoder, shape = _record_decoder()
    try:
        record = decoder.decode(line)
    except FAULTS as fault:
        found = read_fault(fault, line, shape)
        return msgspec.structs.replace(found, id=_id_of(line))
    unknown = shapes(ruleset_of(record)).unknown_clause(record.log, "$.log")
    return msgspec.structs.replace(unknown, id=record.id) if unknown else record


def ruleset_of(record: Record[Any, Any]) -> str:
    """Return the ruleset a decoded record belongs to."""
    return str(type(record).__struct_config__.tag)


def _waived(entry: Entry) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "waive", entry.waive
    for place, move in enumerate(moves_in(entry)):
        yield f"moves[{place}].waive" if is_splice(entry) else "move.waive", move.waive


class _OnlyId(Struct):
    id: object = UNSET


def _id_of(line: bytes) -> object:
    try:
        return msgspec.json.decode(line, type=_OnlyId).id
    except FAULTS:
        return UNSET


def encode(entry: Struct) -> bytes:
    """Encode canonically: these are the bytes that are stored and hashed."""
    return _encoder.encode(entry)


def type_of(entry: Entry) -> str:
    """Return the word an entry is tagged with."""
    return str(entry.__struct_config__.tag)
