"""Writes docs/games/collection: a hundred recorded games of all kinds in the text notation.

By `.venv/bin/python -m tests.generation.collection`. Seeds are fixed: the same games are written
again.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from domain.notation.writing import write as written
from domain.portable import judge_record
from schemas.catalogue import decode_record, ruleset_of, shapes
from schemas.record import PortableRecord
from schemas.strict_json import Malformed
from tests.generation.makers import MAKERS

FOLDER = Path(__file__).parents[2] / "docs" / "games" / "collection"
BYTES_MAX = 6_000
FIRST_EVENING = datetime(2026, 1, 9, 19, 30, tzinfo=UTC)
NAMES = ("Ann", "Bob", "Cléo", "Dirk", "Eve", "Finn", "Gül", "Hugo", "Ina", "Jan", "Kim", "Léo")
HEAD: str = """\
# A hundred recorded games

<!-- written by tests/generation/collection.py -->

Games of all kinds in the [notation](../../../domain/notation/NOTATION.md), for programs:
with corrections, notes and cards that nobody saw. Generators wrote them, nobody played them.
`carnet check FILE …` judges them; `tests/documents/test_collection.py` does so with all.

Licence: [CC0 1.0](https://creativecommons.org/publicdomain/zero/1.0/), use them as you like.

| kind | games |
| --- | --- |
"""
Json = dict[str, Any]


class Kind(NamedTuple):
    """A kind of game: the beginning of its files, what it is, and how many there are."""

    name: str
    words: str
    games: int


# Listed, so that a new game leaves the hundred as they are.
CARD_GAMES = ("durak", "dutch", "euchre", "rami")
KINDS = (
    *(Kind(name, f"{name.capitalize()}, card by card or by results", 17) for name in CARD_GAMES),
    Kind("points", "any other game by its points", 12),
    Kind("teams", "by points, in teams", 6),
    Kind("zero-sum", "by points that add up to zero", 6),
    Kind("together", "won or lost together", 4),
    Kind("goes-on", "goes on with another player: the game before and the game after", 4),
)


def collection() -> Iterator[tuple[str, str]]:
    """Return the names and texts of all games."""
    number = count()
    for kind in KINDS:
        for at, record in enumerate(islice(_fitting(kind.name), kind.games), 1):
            date = FIRST_EVENING + timedelta(days=3 * next(number))
            yield f"{kind.name}-{at:02}.carnet", text(record, date)


def text(record: Json, date: datetime) -> str:
    """Write a record with the entries that Carnet adds, names, and a title if it has one."""
    title = record.pop("title", None)
    decoded = decode_record(msgspec.json.encode(record))
    assert not isinstance(decoded, Malformed), decoded
    portable = PortableRecord(
        ruleset=ruleset_of(decoded),
        rules_version=shapes(record["ruleset"]).rules_version,
        options=decoded.options,
        seats=record["seats"],
        log=decoded.log,
    )
    judged = judge_record(portable)
    assert not judged.faults, judged.faults
    return written(
        msgspec.structs.replace(
            portable,
            log=tuple(line.entry for line in judged.lines),
            players=NAMES[: record["seats"]],
            date=date,
            title=title,
        )
    )


def _fitting(kind: str) -> Iterator[Json]:
    if kind == "together":
        yield from map(_together, range(4))
    elif kind == "goes-on":
        for at in range(2):
            yield from _goes_on(at)
    else:
        for record in _true_games(kind if kind in CARD_GAMES else "scores"):
            wanted = kind in CARD_GAMES or kind == _kind_of(record["options"])
            if wanted and len(text({**record}, FIRST_EVENING)) <= BYTES_MAX:
                yield record


def _true_games(ruleset: str) -> Iterator[Json]:
    maker = MAKERS[ruleset]
    habits = [*maker.PROFILES.values()]
    for seed in count(1):
        record = maker.true_game(seed, habits[seed % len(habits)])
        yield {name: value for name, value in record.items() if name != "expect"}


def _kind_of(options: Json) -> str:
    if options.get("teams"):
        return "teams"
    return "zero-sum" if options.get("zero_sum") else "points"


def _together(at: int) -> Json:
    won = at % 2 == 0
    points = [[18, 18], [21, 21], [3, 3], [25, 25]][at]
    log: list[Json] = [
        {"type": "result", "points": points},
        {"type": "finish", "reason": "the last card", "winners": [0, 1] if won else []},
    ]
    return {"ruleset": "scores", "options": {}, "seats": 2, "title": "Hanabi", "log": log}


def _goes_on(at: int) -> Iterator[Json]:
    """Return a game of two and, after a third has arrived, the game of three that goes on."""
    rounds = [[12 + at, 7], [5, 20 - at]]
    totals = [sum(points) for points in zip(*rounds, strict=True)]
    options = {"wins": "lowest", "target": 100}
    game = {"ruleset": "scores", "options": options, "title": "Skyjo"}
    results: list[Json] = [{"type": "result", "points": points} for points in rounds]
    yield {**game, "seats": 2, "log": results}
    carried: list[Json] = [
        {"type": "adjust", "seat": seat, "points": total, "reason": "carnet:carried"}
        for seat, total in enumerate(totals)
    ]
    arrived = {"type": "adjust", "seat": 2, "points": max(totals), "reason": "carnet:arrived"}
    later: list[Json] = [
        {"type": "result", "points": points} for points in ([9, 30, 4], [41, 12, 22], [50, 8, 3])
    ]
    yield {**game, "seats": 3, "log": [*carried, arrived, *later]}


def page(names: list[str]) -> str:
    """Return README.md of the collection, which links to every game."""
    lines = HEAD.splitlines()
    for kind in KINDS:
        of_kind = [name for name in names if name.startswith(f"{kind.name}-")]
        games = ", ".join(f"[{name[-9:-7]}]({name})" for name in of_kind)
        lines.append(f"| {kind.words} | {games} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    games = dict(collection())
    for old in FOLDER.glob("*.carnet"):
        old.unlink()
    for name, game in games.items():
        (FOLDER / name).write_text(game, "utf-8")
    (FOLDER / "README.md").write_text(page([*games]), "utf-8")


if __name__ == "__main__":
    main()
