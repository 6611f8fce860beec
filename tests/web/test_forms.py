"""Entries as forms send them."""

from uuid import UUID

import pytest

from service.web.recorder.forms import FormCommand, read_command
from tests.web.entries_read import read_entries

COMMAND = "7f2d0f5e-0f43-4a4f-9d49-2f5f4a2c9c11"


def test_button_is_completed_by_the_fields_around_it() -> None:
    fields = [
        ("entry", '{"type":"deal","turn_up":"QH"}'),
        ("with.dealer", "1"),
        ("with.unsure", "true"),
    ]
    entry = {"type": "deal", "turn_up": "QH", "dealer": 1, "unsure": True}
    assert read_entries(fields) == [entry]


def test_text_stays_text() -> None:
    fields = [("entry", '{"type":"note"}'), ("text.text", " 12 ")]
    assert read_entries(fields) == [{"type": "note", "text": "12"}]


def test_taking_back_is_complete_by_itself() -> None:
    fields = [("entry", '{"type":"take_back","to":3}'), ("with.dealer", "1")]
    assert read_entries(fields) == [{"type": "take_back", "to": 3}]


@pytest.mark.parametrize("value", ["", "{", "[]", '"x"', "1"])
def test_what_is_no_entry_is_none(value: str) -> None:
    assert read_entries([("entry", value)]) is None


def test_field_that_is_no_json_makes_no_entry() -> None:
    assert read_entries([("entry", '{"type":"deal"}'), ("with.dealer", "first")]) is None


def test_command_has_version_and_id() -> None:
    fields = [("version", "7"), ("command", COMMAND), ("by", "result"), ("entry", '{"type":"x"}')]
    assert read_command(fields) == FormCommand(
        version=7, command_id=UUID(COMMAND), by="result", entries=[{"type": "x"}]
    )


@pytest.mark.parametrize(
    ("name", "value"), [("version", "-1"), ("version", "x"), ("command", "x"), ("entry", "x")]
)
def test_command_that_cannot_be_read_is_none(name: str, value: str) -> None:
    fields = {"version": "7", "command": COMMAND, "entry": '{"type":"x"}', name: value}
    assert read_command(fields.items()) is None


def test_fields_chosen_together_fill_what_waits_for_them() -> None:
    fields = [
        ("entry", '{"type":"snap","seat":{},"slot":{},"card":"8S"}'),
        ("opens.place", ""),
        ("opens.place", '{"seat":1,"slot":2,"place":[1,2]}'),
    ]
    assert read_entries(fields) == [{"type": "snap", "seat": 1, "slot": 2, "card": "8S"}]


def test_entries_of_one_button_are_completed_each() -> None:
    fields = [
        ("entry", '[{"type":"draw","seat":{}},{"type":"drop","seat":{},"card":"7S"}]'),
        ("open.seat", "2"),
        ("with.unsure", "true"),
    ]
    drop = {"type": "drop", "seat": 2, "card": "7S", "unsure": True}
    assert read_entries(fields) == [{"type": "draw", "seat": 2}, drop]
