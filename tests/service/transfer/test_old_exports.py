"""Exports made by early versions are imported, verified and audited.

`exports/format-1.jsonl` was written by commit a1ccf59 and `format-2.jsonl` by commit 32c4865, after
games had been recorded with them over their API.
"""

from pathlib import Path

import pytest

from tests.service.stored_club import Club

EXPORTS = Path(__file__).with_name("exports")


@pytest.mark.parametrize(
    ("name", "games", "entries"), [("format-1.jsonl", 6, 100), ("format-2.jsonl", 11, 550)]
)
async def test_an_early_export_is_imported_whole(
    elsewhere: Club, name: str, games: int, entries: int
) -> None:
    run = elsewhere.carnet("import", str(EXPORTS / name))
    assert run.stdout == f"{games} games and 4 people taken in\n", run.stderr
    run = elsewhere.carnet("verify")
    assert run.stdout == f"{games} games, {entries} entries: every chain is whole\n"
    run = elsewhere.carnet("audit")
    assert run.stdout == f"{games} games replayed under today's rules: none differs\n"


async def test_a_changed_entry_of_an_early_export_is_named(elsewhere: Club, tmp_path: Path) -> None:
    text = (EXPORTS / "format-1.jsonl").read_text("utf-8")
    file = tmp_path / "changed.jsonl"
    file.write_text(text.replace('"type":"pass","seat":1', '"type":"pass","seat":0', 1), "utf-8")
    run = elsewhere.carnet("import", str(file))
    assert run.returncode != 0
    assert "is not what was recorded" in run.stdout
