"""Histories as Carnet exports them, with a game that cannot be read."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from service.transfer.record_files import BatchWords, NamedFile, OpenedFile, open_files

GAME: dict[str, Any] = {
    "ruleset": "euchre",
    "options": {},
    "status": "finished",
    "started_at": "2019-05-04T12:15:00Z",
    "last_at": "2019-05-04T13:15:00Z",
    "version": 5,
    "players": [{"id": "a", "name": "Ann"}, {"id": "b", "name": "Bob"}],
    "deals": [],
    "totals": [5, 1],
    "places": [1, 2],
}
NOW = datetime(2026, 11, 28, tzinfo=UTC)
WORDS = BatchWords(lang="en", deal="Deal {number}", beside="Beside", ended="Ended")


def opened(folder: Path, *games: dict[str, Any]) -> Sequence[OpenedFile]:
    history = {"$schema": "x", "format": "carnet-history-1", "games": games}
    path = folder / "history.json"
    path.write_bytes(msgspec.json.encode(history))
    return open_files([NamedFile(name="h", path=str(path))], folder / "out", WORDS, NOW).pieces


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("started_at", "2019-02-30T12:15:00Z"),
        ("started_at", "0000-00-00T00:00:00Z"),
        ("started_at", "0001-01-01T00:00:00+14:00"),
        ("started_at", "9999-12-31T23:59:59-14:00"),
        ("started_at", "2019-05-04"),
        ("last_at", "2019-05-04T25:00:00Z"),
        ("deals", [{"deal": 1, "version": 2, "points": [1, 2], "at": "2019-13-01T00:00:00Z"}]),
        ("id", "no UUID"),
        ("totals", [1]),
        ("version", 0),
        ("tags", ["a, b"]),
        ("tags", [str(number) for number in range(11)]),
    ],
)
def test_a_game_that_cannot_be_read_refuses_no_other(
    tmp_path: Path, field: str, value: object
) -> None:
    first, bad, last = [GAME | {"id": str(uuid4())} for _ in range(3)]
    found = opened(tmp_path, first, bad | {field: value}, last)
    assert [one.problem for one in found] == [None, "record", None]
    assert found[1].name == "h: 2"
    assert found[1].message
