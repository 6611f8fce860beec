from typing import Any

import msgspec
import pytest

from domain.replay import opening
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.catalogue import decode_record
from schemas.strict_json import Malformed
from tests.generation.durak import PROFILES, true_game
from tests.generation.sizes import games

FIRST_SEED = 40_000


def rank(by: str, ends: list[Any], seats: int) -> list[list[int]]:
    ways = ["durak", "places", "first"]
    ways = ways[ways.index(by) :] + ways[: ways.index(by)]

    def counted(seat: int) -> list[int]:
        found: dict[str, int] = dict.fromkeys(ways, 0)
        for end in ends:
            before = 0
            for group in end["places"]:
                found["places"] += (before + 1) * (seat in group)
                before += len(group)
            found["first"] -= seat in end["places"][0]
            found["durak"] += end["points"][seat]
        return [found[way] for way in ways]

    order = sorted({tuple(counted(seat)) for seat in range(seats)})
    return [[seat for seat in range(seats) if tuple(counted(seat)) == best] for best in order]


@pytest.mark.parametrize("by", ["durak", "places", "first"])
def test_true_games__are_won_as_the_table_says(by: str) -> None:
    told = 0
    for seed in games(FIRST_SEED, share=3):
        record = true_game(seed, PROFILES["plain"])
        options = {**record["options"], "winner_by": by, "deals": None}
        log = [entry for entry in record["log"] if entry["type"] != "adjust"]
        decoded = decode_record(msgspec.json.encode({**record, "options": options, "log": log}))
        assert not isinstance(decoded, Malformed)
        history = History(opening("durak", decoded.options, record["seats"]))
        if any(isinstance(history.judge(entry), Refusal) for entry in decoded.log):
            continue  # a correction named the version of an adjustment
        game = history.game
        ends = [
            {"places": detail.places, "points": points}
            for detail, points in zip(game.details, game.deals, strict=True)
        ]
        told += bool(ends)
        ranking = [list(group) for group in game.rules.ranking(game)]
        assert ranking == rank(by, ends, record["seats"]), (seed, ends)
    assert told
