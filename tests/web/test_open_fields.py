"""What a form leaves open is filled by the fields around it, wherever in the entry it is."""

from typing import Any
from uuid import UUID

from msgspec import json

from service.web.recorder.forms import read_command
from tests.web.entries_read import read_entries


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
