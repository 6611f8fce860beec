import pytest
from msgspec import json

from schemas.catalogue import decode_record
from schemas.record import decode_portable
from schemas.strict_json import Malformed, find_repeated_name

TWICE = b'{"type":"deal","dealer":0,"turn_up":"QC","turn_up":"QD"}'
RECORD = b'{"ruleset":"euchre","options":{},"seats":2,"log":[%b]}' % TWICE


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (b'{"a": 1, "a": 1}', "$.a"),
        (b'{"a": 1, "\\u0061": 2}', "$.a"),
        (b'{"a":1,"a":1}', "$.a"),
        (b'{"a":1,"\\u0061":1}\n', "$.a"),
        (b'[{"a": [{"b": 1}, {"b": 1, "c": {"d": 1, "d": 2}}]}]', "$[0].a[1].c.d"),
    ],
)
def test_a_repeated_name_is_found_where_it_stands(text: bytes, path: str) -> None:
    assert find_repeated_name(text) == Malformed(path=path, expected="this name once")


@pytest.mark.parametrize("text", [b'{"a": {"a": [{"a": 1}, {"a": 1}]}}', b'{"a":[1.50]}\n', b'"x"'])
def test_other_documents_pass(text: bytes) -> None:
    json.decode(text)
    assert find_repeated_name(text) is None


def test_records_name_each_field_once() -> None:
    refused = decode_record(RECORD)
    assert isinstance(refused, Malformed)
    assert refused.path == "$.log[0].turn_up"
    assert [fault.path for fault in decode_portable(RECORD).faults] == ["$.log[0].turn_up"]
