from typing import Any
from uuid import UUID

import pytest
from msgspec import json

from domain.table.rules import Choice
from service.web.recorder.form_refill import refill
from service.web.recorder.forms import FormCommand, read_command
from service.web.recorder.table.board import taps
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


def _read(entry: dict[str, Any], **fields: str) -> object:
    pairs = [(name.replace("__", "."), value) for name, value in fields.items()]
    found = read_entries([("entry", json.encode(entry).decode()), *pairs])
    return found and found[0]


def test_open_place_inside_an_entry_is_filled() -> None:
    entry: dict[str, Any] = {"type": "x", "hands": [None, {"points": {}}]}
    filled = _read(entry, open__hands__1__points="0")
    assert filled == {"type": "x", "hands": [None, {"points": 0}]}


def test_incomplete_object_gives_way_to_its_else() -> None:
    entry: dict[str, Any] = {
        "type": "x",
        "hands": [{"opened": True, "points": {}, "else": {"opened": False}}],
    }
    assert _read(entry) == {"type": "x", "hands": [{"opened": False}]}


def test_complete_object_forgets_its_else() -> None:
    entry: dict[str, Any] = {
        "type": "x",
        "hands": [{"opened": True, "points": {}, "else": {"opened": False}}],
    }
    filled = _read(entry, open__hands__0__points="7")
    assert filled == {"type": "x", "hands": [{"opened": True, "points": 7}]}


def test_typed_cards_fill_a_list_of_lists() -> None:
    filled = _read({"type": "meld", "melds": []}, cards__melds=" tc, jc qc ")
    assert filled == {"type": "meld", "melds": [["TC", "JC", "QC"]]}


def test_empty_field_leaves_an_open_one_out() -> None:
    assert _read({"type": "count", "points": {}}, open__points="") == {"type": "count"}


def _lacks(entry: dict[str, Any], **fields: str) -> tuple[Any, ...]:
    pairs = [(name.replace("__", "."), value) for name, value in fields.items()]
    given = [
        ("version", "1"),
        ("command", str(UUID(int=1))),
        ("entry", json.encode(entry).decode()),
    ]
    command = read_command([*given, *pairs])
    assert command
    return command.lacks


def test_number_that_must_be_told_is_missed_by_its_seat() -> None:
    entry: dict[str, Any] = {"type": "x", "totals": [{"must": 0}, {"must": 1}, {"must": 2}]}
    assert _lacks(entry, open__totals__0="4", open__totals__1="", open__totals__2="0") == (1,)


def test_what_must_be_told_of_the_entrys_own_seat_is_missed_by_it() -> None:
    entry: dict[str, Any] = {"type": "x", "seat": {}, "points": {"must": "seat"}}
    assert _lacks(entry, open__seat="2") == (2,)


def test_number_is_needed_only_beside_what_asks_for_it() -> None:
    entry: dict[str, Any] = {"type": "x", "cards": [], "points": {"must": 1, "if": ["cards", "??"]}}
    assert _lacks(entry, open__cards='"2S"') == ()
    assert _lacks(entry, open__cards='"??"') == (1,)


def test_entry_that_lacks_something_is_none() -> None:
    assert _read({"type": "x", "points": {"must": 0}}) is None


def test_place_is_filled_from_a_field_of_another_name() -> None:
    filled = _read({"type": "x", "dealer": {"from": "dealt"}}, open__dealt="1")
    assert filled == {"type": "x", "dealer": 1}


def test_place_waiting_for_another_name_is_left_out_where_nothing_was_chosen() -> None:
    assert _read({"type": "x", "dealer": {"from": "dealt"}}) == {"type": "x"}


def test_list_of_so_many_holds_null_where_nothing_was_chosen() -> None:
    filled = _read({"type": "x", "hands": {"each": 3}}, cards__hands__1="7S 8S")
    assert filled == {"type": "x", "hands": [None, ["7S", "8S"], None]}


def test_list_of_so_many_is_left_out_where_nothing_was_chosen_at_all() -> None:
    assert _read({"type": "x", "hands": {"each": 3}}) == {"type": "x"}


def test_else_within_an_else_is_filled_by_the_same_names() -> None:
    hand = {"cards": {}, "else": {"points": {}, "else": {"opened": False}}}
    assert _read({"type": "x", "hands": [hand]}, open__hands__0__points="7") == {
        "type": "x",
        "hands": [{"points": 7}],
    }


def test_typed_number_comes_back() -> None:
    page = '<input name="open.totals.0" data-number> <input name="open.totals.1" value="3">'
    assert refill(page, [("open.totals.0", "12"), ("open.totals.1", "")]) == (
        '<input name="open.totals.0" data-number value="12"> <input name="open.totals.1" value="">'
    )


def test_fields_of_one_name_come_back_in_their_order() -> None:
    page = '<input name="cards.melds"><input name="cards.melds">'
    assert refill(page, [("cards.melds", "5H"), ("cards.melds", "TC")]) == (
        '<input name="cards.melds" value="5H"><input name="cards.melds" value="TC">'
    )


def test_choice_comes_back_in_place_of_the_usual_one() -> None:
    page = '<input type="radio" name="m" value="a" checked><input type="radio" name="m" value="b">'
    assert refill(page, [("m", "b")]) == (
        '<input type="radio" name="m" value="a"><input type="radio" name="m" value="b" checked>'
    )


def test_selected_card_comes_back() -> None:
    page = '<select name="f"><option value="?" selected>?</option><option value="2S">2</option>'
    assert refill(page, [("f", "2S")]) == (
        '<select name="f"><option value="?">?</option><option value="2S" selected>2</option>'
    )


def test_what_was_typed_is_escaped() -> None:
    assert refill('<input name="a">', [("a", '"><b>')]) == (
        '<input name="a" value="&quot;&gt;&lt;b&gt;">'
    )


def test_hidden_and_unsent_fields_stay_as_they_are() -> None:
    page = '<input type="hidden" name="version" value="7"><input name="other" value="1">'
    assert refill(page, [("version", "3")]) == page


def test_card__of_its_own_field_is_laid() -> None:
    found = taps([Choice("play", 1, {"card": ("AS",)})])
    assert found == {"AS": [{"type": "play", "seat": 1, "card": "AS"}]}


def test_cards__count_where_one_is_laid_alone() -> None:
    found = taps([Choice("attack", 0, {"cards": (("7S",), ("7S", "7H"))})])
    assert found == {"7S": [{"type": "attack", "seat": 0, "cards": ("7S",)}]}


def test_with__answers_each_card_that_lies_there() -> None:
    beats = [Choice("beat", 2, {"card": (card,), "with": ("9S",)}) for card in ("7S", "8H")]
    assert [entry["card"] for entry in taps(beats)["9S"]] == ["7S", "8H"]
