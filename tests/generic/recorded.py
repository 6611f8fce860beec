"""Walks kept as data, with all that was seen on the way, so that any change of behaviour shows up.

`tests/games/<game>/walks.jsonl` holds the walks as recorded games: what they come to must never
change. `walks.json` beside it holds, by the id of a walk, one print a version of what anybody could
see and enter then. Where that was meant to change, the prints are written anew:

    .venv/bin/python -m tests.generic.recorded

That also walks for a game that has no walks yet, and never touches a walk that there is.
"""

import json
from hashlib import sha256
from pathlib import Path

import msgspec

from domain.replay import opening
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.catalogue import SHAPES, decode_record
from schemas.malformed import Malformed
from tests.answers import answer
from tests.generic.walks import Written, picture, walk

GAMES = Path(__file__).parents[1] / "games"
KEPT = 4  # walks of each game
LENGTH = 40
PRINT = 8  # hexadecimal digits


def kept(ruleset: str) -> list[Written]:
    """Return the walks that are kept of a game."""
    path = GAMES / ruleset / "walks.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


def prints(ruleset: str) -> dict[str, list[str]]:
    """Return the prints that are kept of a game's walks."""
    path = GAMES / ruleset / "walks.json"
    found: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def printed(record: Written) -> list[str]:
    """Walk again, and print what could be seen and entered before every entry and at the end."""
    decoded = decode_record(msgspec.json.encode(record))
    assert not isinstance(decoded, Malformed), decoded
    history = History(opening(record["ruleset"], decoded.options, record["seats"]))
    found = [_print(history)]
    for entry in decoded.log:
        judged = history.judge(entry)
        assert not isinstance(judged, Refusal), (entry, judged)
        found.append(_print(history))
    return found


def _print(history: History) -> str:
    seen = msgspec.json.encode(picture(history.game), order="deterministic")
    return sha256(seen).hexdigest()[:PRINT]


def _walked(ruleset: str) -> list[Written]:
    """Walk, and keep what the walks come to."""
    found: list[Written] = []
    for seed in range(KEPT):
        record = {"id": f"{ruleset}-walk-{seed}", **walk(ruleset, seed, LENGTH).record}
        found.append({**record, "expect": answer(record)})
    return found


def main() -> None:
    """Keep walks of every game that has none, and print all of them anew."""
    for ruleset in SHAPES:
        records = kept(ruleset) or _walked(ruleset)
        folder = GAMES / ruleset
        lines = [json.dumps(record, separators=(",", ":")) + "\n" for record in records]
        (folder / "walks.jsonl").write_text("".join(lines), encoding="utf-8")
        found = {record["id"]: printed(record) for record in records}
        (folder / "walks.json").write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
