from pathlib import Path

import pytest
from msgspec import json

from service.cli import main
from service.commands.support.recorded import differences
from tests.service.refused import DEAL, REVOKED, Log


def recorded(log: Log, **expect: object) -> bytes:
    options: dict[str, object] = {}
    record = {"id": "g", "ruleset": "euchre", "options": options, "seats": 2, "log": log}
    return json.encode(record | {"expect": expect})


@pytest.mark.parametrize(
    "line",
    [
        recorded([DEAL], ok=True, totals=[0, 0], to_act=[1], stock=14),
        recorded(REVOKED, ok=False, at=7, rules=["cards.held", "euchre.follow-suit"]),
        recorded(REVOKED, ok=False, contradicts=5),
        recorded([{"type": "?"}], ok=False, malformed=True),
    ],
)
def test_recorded__as_expected_does_not_differ(line: bytes) -> None:
    assert differences(line, "en") == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (recorded([DEAL], totals=[0, 1]), "g: totals is [0,0], expected [0,1]"),
        (recorded(REVOKED, at=6), "g: at is 7, expected 6 (Player 1 cannot have the king"),
        (
            recorded(REVOKED, rules=["cards.held"]),
            'g: rules is "euchre.follow-suit", expected ["cards.held"]',
        ),
        (recorded([DEAL], malformed=True), "g: malformed is null, expected true"),
        (b"{}", "a recorded game needs the field"),
        (b"{", "not a recorded game"),
    ],
)
def test_recorded__otherwise_than_expected_is_told(line: bytes, said: str) -> None:
    assert differences(line, "en")[0].startswith(said)


def test_audit__of_a_folder_names_file_and_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "euchre"
    folder.mkdir()
    path = folder / "games.jsonl"
    path.write_bytes(b"\n".join((recorded([DEAL], ok=True), b"", recorded([DEAL], ok=False))))
    assert main(["audit", "--records", str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{path}:3: g: ok is true, expected false",
        "2 recorded games replayed under today's rules: 1 differ",
    ]


def test_audit__of_a_folder_without_games_is_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", "--records", str(tmp_path)]) == 2
    assert "no recorded games" in capsys.readouterr().err
