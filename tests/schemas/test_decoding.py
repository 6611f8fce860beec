import json
from importlib.metadata import requires
from typing import Any

import pytest

from schemas.catalogue import decode_record, encode, shapes
from schemas.strict_json import Malformed

RECORD: dict[str, Any] = {"id": "g1", "ruleset": "euchre", "options": {}, "seats": 2, "log": []}


def fault(line: str | bytes) -> Malformed:
    found = decode_record(line if isinstance(line, bytes) else line.encode())
    assert isinstance(found, Malformed), found
    return found


def fault_in(**changed: Any) -> tuple[str, str]:  # noqa: ANN401 any JSON
    found = fault(json.dumps({**RECORD, **changed}))
    assert found.id == "g1"
    return found.path, found.expected


def test_record__with_nothing_but_what_is_required_is_decoded() -> None:
    assert not isinstance(decode_record(json.dumps(RECORD).encode()), Malformed)


@pytest.mark.parametrize("field", ["ruleset", "options", "seats", "log"])
def test_record__each_required_field_is_asked_for(field: str) -> None:
    line = {name: value for name, value in RECORD.items() if name != field}
    assert fault(json.dumps(line)).path == f"$.{field}"


@pytest.mark.parametrize("line", ["", "[]", "nonsense", "7", "null", '{"id":', '"x"'])
def test_record__what_is_no_json_object_is_malformed_at_the_root(line: str) -> None:
    assert fault(line).path == "$"


def test_record__broken_utf8_is_malformed() -> None:
    line = json.dumps({**RECORD, "id": "?"}).encode().replace(b"?", b"\xff")
    assert fault(line) == Malformed(path="$", expected="UTF-8 text")


def test_record__endless_nesting_is_malformed() -> None:
    assert fault(b'{"id":' + b"[" * 50_000).path == "$"


def test_record__an_unknown_ruleset_is_malformed() -> None:
    path, expected = fault_in(ruleset="chess")
    assert path == "$.ruleset"
    assert "euchre" in expected


@pytest.mark.parametrize("seats", [1, 3, "2", 2.0, None, True])
def test_record__another_number_of_seats_is_malformed(seats: object) -> None:
    assert fault_in(seats=seats)[0] == "$.seats"


def test_record__an_unknown_field_is_malformed() -> None:
    assert fault_in(players=["a", "b"]) == ("$.players", "no field of that name")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("deck", 28), ("deck", "24"), ("deck", None),
        ("target", 0), ("target", 101), ("target", "5"), ("target", 10.5), ("target", True),
        ("last_bid", "stuck"), ("turned_down_suit", True), ("jokers", 1),
    ],
)  # fmt: skip
def test_options__outside_their_limits_are_malformed(option: str, value: object) -> None:
    assert fault_in(options={option: value})[0] == f"$.options.{option}"


@pytest.mark.parametrize(
    ("entry", "inside"),
    [
        ({"type": "bid", "seat": 0}, ".type"),
        ({"seat": 0}, ".type"),
        ({"type": "started", "ruleset": "euchre", "rules_version": 1, "seats": 2}, ".type"),
        ({"type": "deal_ended", "deal": 1, "points": [0, 1], "detail": {}}, ".type"),
        ({"type": "game_ended", "totals": [0, 1], "ranking": [[1], [0]]}, ".type"),
        ({"type": "play", "seat": 0, "card": "??"}, ".card"),
        ({"type": "play", "seat": 0, "card": "10S"}, ".card"),
        ({"type": "play", "seat": 0, "card": "aS"}, ".card"),
        ({"type": "play", "seat": 0, "card": "6H*"}, ".card"),
        ({"type": "play", "seat": 0}, ".card"),
        ({"type": "play", "seat": True, "card": "AS"}, ".seat"),
        ({"type": "play", "seat": "0", "card": "AS"}, ".seat"),
        ({"type": "play", "seat": 0, "card": "AS", "trick": 1}, ".trick"),
        ({"type": "deal", "dealer": 0, "turn_up": "??"}, ".turn_up"),
        ({"type": "deal", "dealer": 0, "turn_up": "9S", "hands": [["??"], None]}, ".hands[0][0]"),
        ({"type": "deal", "dealer": 0, "turn_up": "9S", "turn_up_suit": "S"}, ""),
        ({"type": "deal", "dealer": 0, "turn_up": "XX"}, ""),
        ({"type": "deal", "dealer": 0, "turn_up": "XX", "turn_up_suit": "X"}, ".turn_up_suit"),
        ({"type": "exchange", "seat": 0}, ".take"),
        ({"type": "exchange", "seat": 0, "take": False, "discard": "??"}, ""),
        ({"type": "exchange", "seat": 0, "take": True, "discard": None}, ".discard"),
        ({"type": "name", "seat": 0, "suit": "spades"}, ".suit"),
        ({"type": "result", "maker": 0, "tricks": 6}, ".tricks"),
        ({"type": "result", "maker": 0, "tricks": -1}, ".tricks"),
        ({"type": "result", "maker": 0}, ""),
        ({"type": "result", "maker": None, "tricks": 0}, ""),
        ({"type": "result", "tricks": 3}, ".maker"),
        ({"type": "void"}, ".reason"),
        ({"type": "note", "text": 5}, ".text"),
        ({"type": "note", "text": "x", "waive": ["nonsense"]}, ".waive[0]"),
        ({"type": "note", "text": "x", "waive": "table.seat"}, ".waive"),
        ({"type": "note", "text": "x", "unsure": 1}, ".unsure"),
        ({"type": "note", "text": "x", "at": "2024-05-09T20:37:00"}, ".at"),
        ({"type": "note", "text": "x", "at": "yesterday"}, ".at"),
        ({"type": "adjust", "seat": 0, "points": 1.5, "reason": "x"}, ".points"),
        ({"type": "take_back", "to": "1"}, ".to"),
        ({"type": "take_back"}, ".to"),
        ({"type": "amend", "version": 2}, ".move"),
        ({"type": "amend", "version": 2, "move": {"type": "take_back", "to": 1}}, ".move.type"),
        ({"type": "amend", "version": 2, "move": {"type": "pass"}}, ".move.seat"),
        (7, ""),
        (None, ""),
    ],
)  # fmt: skip
def test_entry__that_cannot_be_decoded_is_named_by_its_place(entry: object, inside: str) -> None:
    note = {"type": "note", "text": "tea"}
    assert fault_in(log=[note, entry])[0] == f"$.log[1]{inside}"


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"type": "play", "seat": 0, "card": "zz"}, "a card"),
        ({"type": "name", "seat": 0, "suit": "Z"}, "S"),
        ({"type": "play", "seat": "0", "card": "AS"}, "int"),
        ({"type": "bid"}, "pass"),
        ({"type": "note", "text": "x", "waive": ["nonsense"]}, "a clause of euchre"),
        ({"type": "result", "maker": 0}, "tricks"),
        ({"type": "deal", "dealer": 0, "turn_up": "XX"}, "turn_up_suit"),
    ],
)
def test_entry__that_cannot_be_decoded_is_told_what_was_expected(
    entry: object, expected: str
) -> None:
    assert expected in fault_in(log=[entry])[1]


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "deal", "dealer": 0, "turn_up": "XX", "turn_up_suit": "S"},
        {"type": "deal", "dealer": 1, "turn_up": "9S", "hands": [None, None]},
        {"type": "exchange", "seat": 0, "take": True, "discard": "??"},
        {"type": "accept", "seat": 0},
        {"type": "play", "seat": 0, "card": "XX"},
        {"type": "result", "maker": None, "dealer": 1},
        {"type": "pass", "seat": 0, "waive": [], "unsure": False, "at": "2024-05-09T20:37:00Z"},
        {"type": "pass", "seat": 99},
        {"type": "take_back", "to": 0},
        {"type": "amend", "version": 0, "move": {"type": "note", "text": "x"}},
    ],
)
def test_entry__whose_fault_is_a_clause_and_not_a_shape_is_decoded(entry: object) -> None:
    decoded = decode_record(json.dumps({**RECORD, "log": [entry]}).encode())
    assert not isinstance(decoded, Malformed)


def test_entries__of_a_batch_are_named_from_the_root_that_was_given() -> None:
    found = shapes("euchre").decode_submitted(b'[{"type":"note"}]', "$.entries")
    assert found == Malformed(path="$.entries[0].text", expected="this field")


def test_entries__come_back_from_their_encoding_unchanged() -> None:
    lines = [
        b'{"type":"amend","move":{"type":"play","card":"AS","seat":1,"unsure":true},"version":3}',
        b'{"type":"deal","dealer":0,"hands":[["AS","KS","QS","TS","9S"],null],"turn_up":"9H"}',
        b'{"type":"result","maker":null,"waive":["euchre.stick"]}',
    ]
    for line in lines:
        decoded = shapes("euchre").decode_submitted(b"[" + line + b"]")
        assert not isinstance(decoded, Malformed)
        assert json.loads(encode(decoded[0])) == json.loads(line)
        assert shapes("euchre").decode_stored(encode(decoded[0])) == decoded[0]


def test_msgspec__whose_messages_are_read_has_an_upper_bound() -> None:
    (wanted,) = (one for one in requires("carnet") or () if one.startswith("msgspec"))
    assert "<" in wanted
