import json
from pathlib import Path
from typing import Any

import pytest

from schemas.catalogue import SHAPES
from tests.answers import Answer, answer

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*/*.jsonl"))


def records() -> list[Any]:
    return [
        pytest.param(record, id=record["id"])
        for path in FILES
        for record in map(json.loads, path.read_text(encoding="utf-8").splitlines())
    ]


@pytest.mark.parametrize("record", records())
def test_recorded_game__comes_to_its_stored_outcome(record: Answer) -> None:
    answered, expected = answer(record), dict(record["expect"])
    if expected.get("malformed") is True:
        assert "malformed" in answered
        return
    rules: list[str] | None = expected.pop("rules", None)
    assert {key: answered.get(key) for key in expected} == expected
    assert rules is None or answered["rule"] in rules


def test_recorded_games__are_there_for_every_game() -> None:
    assert {path.parent.name for path in FILES} >= set(SHAPES)


def test_recorded_games__have_ids_of_their_own() -> None:
    ids = [record.id for record in records()]
    assert len(set(ids)) == len(ids)
