"""Time of judging an entry and of listing the choices, by game and profile.

In CPU time, for each entry of generated games: the median, the 99th percentile and the maximum.
`worst games found` are those of `tests/generation/worst_games.json`.
"""

import time
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from domain.replay import opening
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.catalogue import decode_record
from schemas.strict_json import Malformed
from tests.bench.table import Line, Size, Table, spread
from tests.generation import dutch
from tests.generation.makers import FOLLOWED, MAKERS
from tests.generation.test_effort import WORST, generated_game

GAMES, SEED = 20, 7_000
SEATS_MOST = 8
PROFILES = tuple((game, one) for game in FOLLOWED for one in MAKERS[game].TIMED)


class Timed(Struct, frozen=True):
    judged: list[float]
    listed: list[float]


def timed(written: dict[str, Any]) -> Timed:
    record = decode_record(msgspec.json.encode(written))
    assert not isinstance(record, Malformed)
    history = History(opening(written["ruleset"], record.options, written["seats"]))
    found = Timed([], [])
    for entry in record.log:
        began = time.process_time()
        judgement.choices(history.game)
        between = time.process_time()
        judged = history.judge(entry)
        found.judged.append(time.process_time() - between)
        found.listed.append(between - began)
        assert not isinstance(judged, Refusal)
    return found


def _games(ruleset: str, profile: str, number: int) -> Iterator[dict[str, Any]]:
    module = MAKERS[ruleset]
    for seed in range(SEED, SEED + number):
        yield module.true_game(seed, module.PROFILES[profile])


def _eight_seats(number: int) -> Iterator[dict[str, Any]]:
    seed = SEED
    while number:
        written = dutch.true_game(seed, dutch.PROFILES["unsure"])
        seed += 1
        if written["seats"] == SEATS_MOST:
            number -= 1
            yield written


def measure(size: Size) -> Iterator[Table]:
    number = size.of(GAMES)
    material = [(f"{name}, {kind}", list(_games(name, kind, number))) for name, kind in PROFILES]
    material.append(("dutch, unsure, eight seats", list(_eight_seats(size.of(GAMES // 4)))))
    worst = WORST[: size.of(len(WORST))]
    games = [generated_game(one.ruleset, one.profile, one.seed) for one in worst]
    material.append(("worst games found", games))
    judged: list[Line] = []
    listed: list[Line] = []
    for name, written in material:
        times = [timed(one) for one in written]
        judged.append(Line(name, spread([one for game in times for one in game.judged])))
        listed.append(Line(name, spread([one for game in times for one in game.listed])))
    yield Table("one list of what may be entered (choices)", tuple(listed))
    yield Table("one judgement", tuple(judged))
