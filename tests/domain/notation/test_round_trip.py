"""The text record says the same as the entries: nothing is lost either way, for every game."""

from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.inspect import StructType

from domain.notation import canonical, read, write
from domain.notation.forms import entry_forms
from domain.replay import opening
from domain.table.history import History
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas.catalogue import SHAPES, decode_record, ruleset_of, shapes
from schemas.entries import Entry
from schemas.record import PortableRecord, decode_portable, encode_record
from schemas.strict_json import Malformed
from tests.domain.shaped import entries, entry_types, records

GAMES = Path(__file__).parents[2] / "games"
FILES = sorted(GAMES.rglob("*.jsonl"))
ENTRIES = [
    pytest.param(ruleset, kind, id=f"{ruleset}-{kind.tag}")
    for ruleset in SHAPES
    for kind in entry_types(ruleset)
]


class _Seats(msgspec.Struct):
    seats: int


def minimal(ruleset: str, *log: Entry) -> PortableRecord:
    of = shapes(ruleset)
    raw = b'{"rules": "fr"}' if ruleset == "durak" else b"{}"
    decoded = of.decode_options(raw)
    assert not isinstance(decoded, Malformed)
    options = of.settled(decoded, of.seats[0])
    assert not isinstance(options, Malformed)
    return PortableRecord(
        ruleset=ruleset,
        rules_version=of.rules_version,
        options=options,
        seats=of.seats[0],
        log=log,
    )


@pytest.mark.parametrize(("ruleset", "kind"), ENTRIES)
def test_entry__of_every_type_comes_back_as_it_was_written(ruleset: str, kind: StructType) -> None:
    @settings(max_examples=settings().max_examples // 4)
    @given(entries(ruleset, kind))
    def comes_back(entry: Entry) -> None:
        record = minimal(ruleset, entry)
        assert read(write(record)).record == record

    comes_back()


@pytest.mark.parametrize("ruleset", SHAPES)
def test_record__has_one_text_and_one_hash_and_the_text_one_record(ruleset: str) -> None:
    @settings(max_examples=settings().max_examples // 3)
    @given(records(ruleset))
    def the_same(record: PortableRecord) -> None:
        text = write(record)
        again = read(text.encode()).record
        assert again is not None
        assert again == record
        assert write(again) == text
        assert canonical(again) == canonical(record)

    the_same()


@pytest.mark.parametrize("ruleset", SHAPES)
def test_json__says_what_the_text_says(ruleset: str) -> None:
    @settings(max_examples=settings().max_examples // 3)
    @given(records(ruleset))
    def the_same(record: PortableRecord) -> None:
        assert decode_portable(encode_record(record, "sha256:" + "0" * 64)).record == record

    the_same()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(GAMES)))
def test_recorded_games__come_back_with_the_outcomes_the_rules_wrote(path: Path) -> None:
    for line in path.read_bytes().splitlines():
        decoded = decode_record(line)
        if isinstance(decoded, Malformed):
            continue
        seats = msgspec.json.decode(line, type=_Seats).seats
        log = raw_log(opening(ruleset_of(decoded), decoded.options, seats), decoded.log)
        record = PortableRecord(
            ruleset=ruleset_of(decoded),
            rules_version=1,
            options=decoded.options,
            seats=seats,
            log=log,
        )
        assert read(write(record)).record == record


def raw_log(start: Game, log: Iterable[Entry]) -> tuple[Entry, ...]:
    history = History(start)
    lines: list[Entry] = []
    for entry in log:
        judged = history.judge(entry)
        lines += [entry] if isinstance(judged, Refusal) else [line.entry for line in judged]
    return tuple(lines)


@given(st.text() | st.text('2. [](){};"\\/-?\n\r Carnetplyukd10AH'))
def test_any_text__is_read_without_an_accident(text: str) -> None:
    reading = read(text)
    assert (reading.record is None) == bool(reading.problems)


@given(st.binary())
def test_any_bytes__are_read_without_an_accident(data: bytes) -> None:
    reading = read(data)
    assert (reading.record is None) == bool(reading.problems)


@pytest.mark.parametrize("ruleset", SHAPES)
def test_words__no_value_without_a_name_can_be_taken_for_a_field(ruleset: str) -> None:
    for form in entry_forms(ruleset).values():
        codes = str(form.bare.kinds).casefold() if form.bare else ""
        assert not [name for name in form.names if f"'{name}'" in codes]
