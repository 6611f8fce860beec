import re

import msgspec
import pytest

from schemas.catalogue import SHAPES
from schemas.record import (
    FAULTS_MAX,
    Decoded,
    decode_portable,
    encode_record,
    json_schema,
    portable_shape,
)

HASH = "sha256:" + "0" * 64


def decode(**changes: object) -> Decoded:
    document: dict[str, object] = {"ruleset": "euchre", "seats": 2, "log": []}
    return decode_portable(msgspec.json.encode(document | changes))


def paths(**changes: object) -> list[str]:
    found = decode(**changes)
    assert found.record is None
    return [fault.path for fault in found.faults]


def test_schema__every_reference_leads_somewhere() -> None:
    schema = json_schema()
    text = msgspec.json.encode(schema).decode()
    references = set(re.findall(r'"\$ref":"#/\$defs/([^"]+)"', text))
    assert references <= set(schema["$defs"])
    assert [one["$ref"].rpartition("/")[2] for one in schema["anyOf"]] == [
        f"{name}.{name}_record" for name in SHAPES
    ]


def test_schema__is_of_the_shape_that_is_written() -> None:
    record = decode(players=["Ann", None], log=[{"type": "note", "text": "x"}]).record
    assert record is not None
    written = encode_record(record, HASH)
    read = msgspec.json.decode(written, type=portable_shape("euchre"))
    again = msgspec.json.decode(msgspec.json.encode(read))
    assert again == msgspec.json.decode(written) | {"date": None, "place": None}


def test_defaults__are_filled_in_and_written_out() -> None:
    record = decode().record
    assert record is not None
    assert record.rules_version == 1
    assert b'"target":10' in encode_record(record, HASH)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"ruleset": "go"}, ["$.ruleset"]),
        ({"seats": 3}, ["$.seats"]),
        ({"rules_version": 2}, ["$.rules_version"]),
        ({"options": {"deck": 52}}, ["$.options.deck"]),
        ({"players": ["Ann"]}, ["$.players"]),
        ({"players": ["Ann", ""]}, ["$.players[1]"]),
        ({"hash": "md5:0"}, ["$.hash"]),
        ({"site": "here"}, ["$.site"]),
        (
            {"log": [{"type": "pass"}, 0, {"type": "pass", "seat": 0}]},
            ["$.log[0].seat", "$.log[1]"],
        ),
        ({"log": [{"type": "pass", "seat": 0, "waive": ["x"]}]}, ["$.log[0].waive[0]"]),
        ({"log": [{"type": "note"}], "options": 1}, ["$.options", "$.log[0].text"]),
    ],
)
def test_faults__are_told_with_their_places(
    changes: dict[str, object], expected: list[str]
) -> None:
    assert paths(**changes) == expected


def test_faults__of_very_many_the_first_are_told() -> None:
    assert len(paths(log=[0] * (FAULTS_MAX + 1))) == FAULTS_MAX


def test_started__is_no_part_of_the_log() -> None:
    started: dict[str, object] = {
        "type": "started",
        "ruleset": "euchre",
        "rules_version": 1,
        "options": dict[str, object](),
        "seats": 2,
    }
    assert paths(log=[started]) == ["$.log[0].type"]
