import re
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec import json

from tests.service.stored_club import PLAYED_VERSIONS, Club, played

VERIFIER = Path(__file__).parents[3] / "deploy" / "verify_head.py"
ALL = 2 * PLAYED_VERSIONS


def verify(*arguments: str | Path) -> tuple[int, str]:
    run = subprocess.run(
        [sys.executable, "-I", str(VERIFIER), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )
    return run.returncode, run.stdout + run.stderr


async def export(club: Club, folder: Path) -> tuple[Path, Path]:
    settings = {"CARNET_DATA_DIR": str(folder / "data")}
    kept, file = folder / "kept", folder / "everything.jsonl"
    await club.record(played())
    kept.write_text(club.carnet("head", **settings).stdout)
    await club.record(played())
    run = club.carnet("export", str(file), **settings)
    assert run.returncode == 0, run.stderr
    return file, kept


async def test_an_export_is_verified_without_carnet_and_keeps_its_heads_elsewhere(
    here: Club, elsewhere: Club, tmp_path: Path
) -> None:
    file, kept = await export(here, tmp_path)
    holds = "3 heads: the export contains everything they cover\n"
    assert verify(file, kept) == (0, holds)

    there = {"CARNET_DATA_DIR": str(tmp_path / "elsewhere")}
    elsewhere.carnet("import", str(file), **there)
    run = elsewhere.carnet("verify", "--head", str(kept), **there)
    assert run.stdout.splitlines() == [
        "3 heads: the log holds all that they stood for",
        f"2 games, {ALL} entries: all hash chains are intact",
    ]
    # Later entries there are signed with another key.
    await elsewhere.record(played())
    again = tmp_path / "again.jsonl"
    elsewhere.carnet("head", **there)
    elsewhere.carnet("export", str(again), **there)
    lines = [json.decode(line) for line in again.read_bytes().splitlines()]
    (heads,) = [line for line in lines if line["line"] == "heads"]
    assert (len(heads["keys"]), len(heads["notes"])) == (2, 3)
    assert verify(again, kept) == (0, "4 heads: the export contains everything they cover\n")


def change(file: Path, before: str, after: str) -> None:
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after, 1))


def with_another_card(file: Path) -> None:
    change(file, '"card":"9S"', '"card":"TS"')


def with_another_size(file: Path) -> None:
    change(file, f"\\n{ALL}\\n", f"\\n{ALL - 1}\\n")


def seated_otherwise(file: Path) -> None:
    lines = [json.decode(line) for line in file.read_bytes().splitlines()]
    game = next(line for line in lines if line["line"] == "game")
    first, second = game["players"]
    change(file, f'["{first}","{second}"]', f'["{second}","{first}"]')


def cut(file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    at, game = next((at, one) for at, one in enumerate(lines) if b'"line":"game"' in one)
    lines[at] = game[: game.rindex(b',{"data":')] + b"]}\n"
    file.write_bytes(b"".join(lines))


def without_a_game(file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    lines.remove(next(one for one in lines if re.search(rb'"position":1\b', one)))
    file.write_bytes(b"".join(lines))


def without_heads(file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(one for one in lines if b'"line":"heads"' not in one))


@pytest.mark.parametrize(
    ("tamper", "told"),
    [
        (with_another_card, "was changed after it was recorded"),
        (seated_otherwise, "entry 1 of game"),
        (cut, "is missing"),
        (without_a_game, "is missing"),
        (with_another_size, "none of the given keys"),
        (without_heads, "none of the given keys"),
    ],
    ids=["an entry", "the seats", "the tail", "a game", "a head", "the keys"],
)
async def test_what_was_changed_in_an_export_is_found_by_the_verifier(
    tamper: Callable[[Path], None], told: str, here: Club, tmp_path: Path
) -> None:
    file, kept = await export(here, tmp_path)
    tamper(file)
    status, said = verify(file, kept)
    assert (status, "does not match" in said) == (1, True)
    assert told in said


async def test_a_changed_note_is_found_by_the_verifier(here: Club, tmp_path: Path) -> None:
    file, kept = await export(here, tmp_path)
    change(file, "a card shown", "no card shown")
    status, said = verify(file, kept)
    assert status == 1
    assert re.search(r"the text of entry \d+ of game [0-9a-f-]+ was changed", said)


async def test_an_export_without_one_of_its_games_is_taken_in_without_heads(
    here: Club, elsewhere: Club, tmp_path: Path
) -> None:
    file, _ = await export(here, tmp_path)
    without_a_game(file)
    *lines, end = file.read_bytes().splitlines(keepends=True)
    told = json.decode(end)
    told["games"], told["entries"] = 1, PLAYED_VERSIONS
    told["sha256"] = sha256(b"".join(lines)).hexdigest()
    file.write_bytes(b"".join((*lines, json.encode(told))))
    there = {"CARNET_DATA_DIR": str(tmp_path / "elsewhere")}
    assert elsewhere.carnet("import", str(file), **there).returncode == 0
    run = elsewhere.carnet("verify", **there)
    assert run.stdout == f"1 games, {PLAYED_VERSIONS} entries: all hash chains are intact\n"
