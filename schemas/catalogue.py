"""The registry of games and their shapes: strict decoding, canonical encoding, JSON Schema.

A new game adds its name to `GAMES`; every layer finds its own part of a game by that name
(`game_attribute`). Decoding returns a `Malformed` value and raises nothing.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from importlib import import_module
from types import ModuleType, new_class
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct
from msgspec.structs import force_setattr

from schemas.entries import Entry, Record, is_splice, moves_in
from schemas.strict_json import FAULTS, Malformed, find_repeated_name, read_fault

# The only list of games. The documents take their examples from the first: new ones follow.
GAMES = ("durak", "dutch", "euchre", "rami", "scores")


def module_of(path: str) -> ModuleType:
    """Import the module in which a layer keeps its part of a game.

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


def game_attribute(path: str, name: str) -> Any:  # noqa: ANN401 its type depends on the layer
    """Return an attribute that a game's module in a layer must define.

    >>> game_attribute("schemas.euchre", "NAME")
    'euchre'

    Raises:
        LookupError: there is no such module or attribute.
    """
    found = getattr(module_of(path), name, None)
    if found is None:
        raise LookupError(f"{path.replace('.', '/')}.py must define {name}")
    return found


SHAPES: dict[str, ModuleType] = {name: module_of(f"schemas.{name}") for name in GAMES}
# Field values of single games that cannot be enumerated.
FREE_SHAPES: tuple[str, ...] = tuple(
    shape for module in SHAPES.values() for shape in getattr(module, "FREE_SHAPES", ())
)

_encoder = msgspec.json.Encoder(order="deterministic")


def _as_given(options: Struct, _seats: int, _rules_version: int) -> Struct:
    return options


def _unchanged(options: Struct) -> Struct:
    return options


class Shapes:
    """The shapes of one ruleset, taken from its module in `schemas`; decoders are built once."""

    def __init__(self, module: ModuleType) -> None:
        self.name: str = module.NAME
        self.rules_version: int = module.RULES_VERSION
        self.rules_versions: tuple[int, ...] = getattr(
            module, "RULES_VERSIONS", (self.rules_version,)
        )
        self.seats: range = module.SEATS
        self.titled: bool = getattr(module, "TITLED", False)
        self.clauses: frozenset[str] = frozenset(module.CLAUSES)
        self.examples: Mapping[str, Any] = getattr(module, "EXAMPLES", {})
        self.options: type[Struct] = module.Options
        self.detail: type[Struct] = module.Detail
        self.submitted: Any = module.Submitted
        self.stored: Any = module.Stored
        self.complete: Callable[[Struct, int, int], Struct] = getattr(
            module, "complete_options", _as_given
        )
        self.current_options: Callable[[Struct], Struct] = getattr(
            module, "current_options", _unchanged
        )
        self._batch: Any = tuple.__class_getitem__((self.submitted, ...))

    @cached_property
    def _stored_decoder(self) -> msgspec.json.Decoder[Entry]:
        return msgspec.json.Decoder(self.stored)

    @cached_property
    def _submitted_decoder(self) -> msgspec.json.Decoder[tuple[Entry, ...]]:
        return msgspec.json.Decoder(self._batch)

    def decode_stored(self, data: bytes) -> Entry:
        """Decode one entry of the log, derived entries included.

        >>> shapes("euchre").decode_stored(b'{"type": "pass", "seat": 1}')
        Pass(seat=1, waive=(), unsure=False, at=UNSET)

        Raises:
            msgspec.ValidationError: no version of this ruleset wrote these bytes.
        """
        return self._stored_decoder.decode(data)

    def decode_submitted(self, raw: bytes, root: str = "$") -> tuple[Entry, ...] | Malformed:
        """Decode a JSON array of hand-written entries. `root` is the JSON path of the array itself.

        >>> shapes("euchre").decode_submitted(b'[{"type": "pass", "seat": "x"}]').path
        '$[0].seat'
        """
        try:
            entries = self._submitted_decoder.decode(raw)
        except FAULTS as fault:
            found = read_fault(fault, raw, self._batch)
            return Malformed(path=root + found.path[1:], expected=found.expected)
        return self.unknown_clause(entries, root) or entries

    def decode_options(self, raw: bytes, root: str = "$") -> Struct | Malformed:
        """Decode an options object and fill in defaults.

        >>> shapes("euchre").decode_options(b'{"deck": 32}').deck
        32
        """
        try:
            return msgspec.json.decode(raw, type=self.options)
        except FAULTS as fault:
            found = read_fault(fault, raw, self.options)
            return Malformed(path=root + found.path[1:], expected=found.expected)

    def complete_options(
        self, options: Struct, seats: int, rules_version: int | None = None
    ) -> Struct | Malformed:
        """Complete options for a number of seats, on which some defaults and limits depend.

        `rules_version` None means the current version.

        >>> shapes("euchre").complete_options(shapes("euchre").options(), 3)
        Malformed(path='$.seats', expected='2 players', id=UNSET)
        """
        if seats not in self.seats:
            few, many = self.seats[0], self.seats[-1]
            expected = f"{few} players" if few == many else f"{few} to {many} players"
            return Malformed(path="$.seats", expected=expected)
        try:
            return self.complete(options, seats, rules_version or self.rules_version)
        except ValueError as fault:
            return Malformed(path="$.options", expected=str(fault))

    def non_default_options(self, options: Struct, seats: int) -> dict[str, Any]:
        """Return the completed options that differ from their defaults.

        Required options always count.

        >>> of = shapes("euchre")
        >>> of.non_default_options(of.options(deck=32), 2)
        {'deck': 32}
        """
        options = self.current_options(options)
        fields = msgspec.structs.fields(self.options)
        required = {field.name: getattr(options, field.name) for field in fields if field.required}
        defaults = self.options(**required)
        completed = self.complete_options(defaults, seats)
        completed_defaults = defaults if isinstance(completed, Malformed) else completed
        values = {field.name: getattr(options, field.name) for field in fields}
        return {
            name: value
            for name, value in values.items()
            if name in required or value != getattr(completed_defaults, name)
        }

    def unknown_clause(self, entries: Iterable[Entry], root: str) -> Malformed | None:
        """Return a fault for the first waived clause that does not exist in this game.

        >>> raw = b'[{"type": "pass", "seat": 1, "waive": ["rami.set"]}]'
        >>> shapes("euchre").decode_submitted(raw).path
        '$[0].waive[0]'
        """
        for index, entry in enumerate(entries):
            waivers = [("waive", entry.waive)]
            for place, move in enumerate(moves_in(entry)):
                inside = f"moves[{place}].waive" if is_splice(entry) else "move.waive"
                waivers.append((inside, move.waive))
            for inside, waived in waivers:
                for place, clause in enumerate(waived):
                    if clause not in self.clauses:
                        path = f"{root}[{index}].{inside}[{place}]"
                        expected = f"a clause of {self.name} or of every game, such as table.turn"
                        return Malformed(path=path, expected=expected)
        return None

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema (2020-12) of a submitted entry. The value is shared.

        Do not change it.
        """
        return _json_schema(self.submitted)

    def options_schema(self) -> dict[str, Any]:
        """Return the JSON Schema (2020-12) of the options. It is shared: do not change it."""
        return _json_schema(self.options)


@lru_cache
def _json_schema(shape: Any) -> dict[str, Any]:  # noqa: ANN401 a type made here, or of a game
    return msgspec.json.schema(shape)


@lru_cache
def shapes(ruleset: str) -> Shapes:
    """Return the shapes of a ruleset.

    >>> shapes("dutch").seats
    range(2, 9)

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
        force_setattr(
            record, "options", of.complete(record.options, record.seats, of.rules_version)
        )

    def write(body: dict[str, Any]) -> None:
        body |= {"__annotations__": {"seats": seats}, "__post_init__": settle}

    record: Any = Record
    bases = (record[of.options, of.submitted],)
    return new_class(f"{of.name}_record", bases, {"frozen": True, "tag": of.name}, write)


def decode_record(line: bytes) -> Record[Any, Any] | Malformed:
    """Decode one input line of `carnet check`.

    >>> decode_record(b'{"ruleset": "chess"}').path
    '$.ruleset'
    """
    decoder, shape = _record_decoder()
    try:
        record = decoder.decode(line)
        repeated = find_repeated_name(line)
    except FAULTS as fault:
        found = read_fault(fault, line, shape)
        return msgspec.structs.replace(found, id=_id_of(line))
    unknown = repeated or shapes(ruleset_of(record)).unknown_clause(record.log, "$.log")
    return msgspec.structs.replace(unknown, id=record.id) if unknown else record


def ruleset_of(record: Record[Any, Any]) -> str:
    """Return the ruleset of a decoded record."""
    return str(type(record).__struct_config__.tag)


class _OnlyId(Struct):
    id: object = UNSET


def _id_of(line: bytes) -> object:
    try:
        return msgspec.json.decode(line, type=_OnlyId).id
    except FAULTS:
        return UNSET


def encode(entry: Struct) -> bytes:
    """Encode canonically: these bytes are stored and hashed.

    >>> encode(shapes("euchre").decode_stored(b'{"seat": 1, "type": "pass"}'))
    b'{"type":"pass","seat":1}'
    """
    return _encoder.encode(entry)


def type_of(entry: Entry) -> str:
    """Return the tag of an entry.

    >>> type_of(shapes("euchre").decode_stored(b'{"type": "pass", "seat": 1}'))
    'pass'
    """
    return str(entry.__struct_config__.tag)
