"""Recorded games as data: inputs of `carnet check` with the answer they `expect`."""

import sys
from pathlib import Path
from typing import Any

from msgspec import DecodeError, Struct, json

from service.commands.support.progress import Progress
from service.commands.support.verdict import verdict

_MUCH = 1 << 20  # bytes


class _Expecting(Struct):
    id: Any = None
    expect: dict[str, Any] | None = None


def audit_records(folder: Path, lang: str) -> int:
    """Replay the recorded games of a folder; print those that differ; return the exit status."""
    paths = sorted(folder.rglob("*.jsonl"))
    if not paths:
        sys.stderr.write(f"carnet audit: no recorded games (*.jsonl) under {folder}\n")
        return 2
    games = differing = 0
    with Progress("auditing", sum(path.stat().st_size for path in paths), much=_MUCH) as progress:
        for path in paths:
            for number, line in enumerate(path.read_bytes().splitlines(), 1):
                progress.advance(len(line) + 1)
                if not line.strip():
                    continue
                games += 1
                for difference in differences(line, lang):
                    sys.stdout.write(f"{path}:{number}: {difference}\n")
                    differing += 1
                    break
    outcome = f"{differing} differ" if differing else "none differs"
    sys.stdout.write(f"{games} recorded games replayed under today's rules: {outcome}\n")
    return 1 if differing else 0


def differences(line: bytes, lang: str) -> list[str]:
    """Compare the answer to one line with its expectation; describe each differing key."""
    try:
        expecting = json.decode(line, type=_Expecting)
    except DecodeError as error:
        return [f"not a recorded game: {error}"]
    if expecting.expect is None:
        return ["a recorded game needs the field `expect`"]
    answer: dict[str, Any] = json.decode(verdict(line, lang)[0])
    why = answer.get("message") or answer.get("malformed")
    said = f" ({why})" if why else ""
    lines: list[str] = []
    for key, wanted in expecting.expect.items():
        given = answer.get(_ANSWER_KEYS.get(key, key))
        if not _fits(given, key, wanted):
            shown = f"{key} is {_as_json(given)}, expected {_as_json(wanted)}"
            lines.append(f"{expecting.id}: {shown}{said}")
    return lines


_ANSWER_KEYS = {"rules": "rule"}


def _fits(given: Any, key: str, wanted: Any) -> bool:  # noqa: ANN401 any JSON value
    if key == "rules":
        return given in wanted
    if key == "malformed":
        return (given is not None) == bool(wanted)
    return bool(given == wanted)


def _as_json(value: Any) -> str:  # noqa: ANN401 any JSON value
    return json.encode(value).decode()
