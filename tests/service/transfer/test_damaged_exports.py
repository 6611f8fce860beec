"""Exports that were damaged: told in a sentence, with what is in already."""

from pathlib import Path

import pytest
from msgspec import json

from tests.service.stored_club import Club, played

FAILED = 2


async def exported(club: Club, folder: Path) -> list[bytes]:
    """Export two games; return the lines: the head, four people, two games, the end."""
    file = folder / "whole"
    for _ in range(2):
        await club.record(played())
    assert club.carnet("export", str(file)).returncode == 0
    return file.read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize(
    ("number", "found", "damaged"),
    [
        (2, rb'"name":"', rb'"name":"\u0000'),
        (6, rb'"ordinal":0', rb'"ordinal":1000000000'),
        (6, rb'"schema_version":', rb'"schema_version":99999'),
        (6, rb'"recorded_at":"2', rb'"recorded_at":"9'),
    ],
)
async def test_a_line_that_no_log_could_hold_is_told_without_a_traceback(
    number: int, found: bytes, damaged: bytes, here: Club, elsewhere: Club, tmp_path: Path
) -> None:
    lines = await exported(here, tmp_path)
    assert found in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(found, damaged)
    (tmp_path / "damaged").write_bytes(b"".join(lines))
    told = elsewhere.carnet("import", str(tmp_path / "damaged"))
    assert told.returncode == FAILED
    assert "Traceback" not in told.stderr
    assert told.stderr.startswith("carnet import: line ")


async def test_what_stood_before_the_damage_is_in_and_the_whole_file_goes_on_after_it(
    here: Club, elsewhere: Club, tmp_path: Path
) -> None:
    lines = await exported(here, tmp_path)
    assert json.decode(lines[6])["line"] == "game"
    (tmp_path / "damaged").write_bytes(b"".join([*lines[:6], lines[6][:100]]))
    told = elsewhere.carnet("import", str(tmp_path / "damaged"))
    assert told.returncode == FAILED
    assert told.stdout.startswith("Before it broke off: 1 games and 4 people taken in\n")
    again = elsewhere.carnet("import", str(tmp_path / "whole"))
    assert again.stdout == "1 games and 0 people taken in; 1 games were here already\n"
