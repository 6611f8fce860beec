"""Random walks stored as data with all visible states, so that any change of behaviour is noticed.

`tests/games/<game>/walks.jsonl` has the walks as recorded games, whose outcomes must never change.
`walks.json` has a digest per version of everything visible or possible then. After an intended
change, write the digests again:

    .venv/bin/python -m tests.generic.recorded [game]

For a game without them, this also writes walks and true games (`true.jsonl`). Existing records are
never changed.
"""

import json
import sys
from hashlib import sha256
from pathlib import Path

import msgspec

from domain.replay import opening
from domain.table.history import History
from schemas.catalogue import SHAPES, decode_record
from schemas.strict_json import Malformed
from tests.answers import answer
from tests.generation.makers import MAKERS
from tests.generic.walks import Written, accept, picture, walk

GAMES = Path(__file__).parents[1] / "games"
KEPT = 4  # walks of each game
TRUE_GAMES = 12
LENGTH = 40
PRINT = 8  # hexadecimal digits


def kept(ruleset: str) -> list[Written]:
    path = GAMES / ruleset / "walks.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


def prints(ruleset: str) -> dict[str, list[str]]:
    path = GAMES / ruleset / "walks.json"
    found: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def printed(record: Written) -> list[str]:
    decoded = decode_record(msgspec.json.encode(record))
    assert not isinstance(decoded, Malformed), decoded
    history = History(opening(record["ruleset"], decoded.options, record["seats"]))
    found = [_print(history)]
    for entry in decoded.log:
        accept(history, entry)
        found.append(_print(history))
    return found


def _print(history: History) -> str:
    seen = msgspec.json.encode(picture(history.game), order="deterministic")
    return sha256(seen).hexdigest()[:PRINT]


def _walk(ruleset: str) -> list[Written]:
    found: list[Written] = []
    for seed in range(KEPT):
        record = {"id": f"{ruleset}-walk-{seed}", **walk(ruleset, seed, LENGTH).record}
        found.append({**record, "expect": answer(record)})
    return found


def true_games(ruleset: str) -> list[Written]:
    maker = MAKERS[ruleset]
    habits = [*maker.PROFILES.values()]
    found: list[Written] = []
    for seed in range(max(TRUE_GAMES, len(habits))):
        written = maker.true_game(seed, habits[seed % len(habits)])
        found.append({"id": f"{ruleset}-true-{seed:03}", **written})
    return found


def _keep(path: Path, records: list[Written]) -> None:
    path.parent.mkdir(exist_ok=True)
    lines = [json.dumps(record, separators=(",", ":")) + "\n" for record in records]
    path.write_text("".join(lines), encoding="utf-8")


def main() -> None:
    for ruleset in sys.argv[1:] or SHAPES:
        records = kept(ruleset) or _walk(ruleset)
        folder = GAMES / ruleset
        _keep(folder / "walks.jsonl", records)
        if not (folder / "true.jsonl").exists():
            _keep(folder / "true.jsonl", true_games(ruleset))
        found = {record["id"]: printed(record) for record in records}
        (folder / "walks.json").write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
