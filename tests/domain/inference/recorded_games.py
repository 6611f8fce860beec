"""Positions of recorded games, and the questions to the kernel there."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.games import GAMES
from domain.inference import Holding, possible
from domain.replay import opening
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.catalogue import decode_record
from schemas.strict_json import Malformed
from tests.domain.inference.recorded_deals import asked_of

SOONER = 8  # entries judged too soon
FOLDER = Path(__file__).parents[2] / "games"
# A few moments of many games: those with a doubt, those with points promised, and some others.
MOMENTS: Mapping[str, Mapping[str, tuple[int, ...]]] = {
    "durak": {
        "durak-true-hidden-000002": (8,),
        "durak-true-doubtful-000003": (34, 142),
        "durak-true-unruly-and-doubtful-000005": (34,),
        "durak-true-unruly-000010": (17,),
        "durak-true-plain-000012": (2,),
        "durak-true-plain-000018": (17,),
        "durak-true-doubtful-000021": (18,),
        "durak-true-plain-000036": (73,),
        "durak-true-doubtful-000039": (60,),
        "durak-true-unruly-000040": (8,),
        "durak-true-unruly-and-doubtful-000047": (34,),
        "durak-true-open-000055": (9,),
        "durak-true-unruly-and-doubtful-000083": (34,),
        "durak-true-plain-000096": (73,),
        "durak-true-doubtful-000105": (198,),
        "durak-true-unruly-000118": (35,),
        "durak-true-unruly-and-doubtful-000119": (34, 189),
        "durak-true-unruly-and-doubtful-000143": (82,),
        "durak-true-plain-000156": (35,),
        "durak-true-doubtful-000309": (34,),
        "durak-true-unruly-and-doubtful-000845": (32,),
        "durak-true-hidden-001076": (17,),
        "durak-true-unruly-and-doubtful-001661": (34, 148),
    },
    "dutch": {
        "dutch-true-001": (32, 33),
        "dutch-true-003": (17,),
        "dutch-true-004": (1,),
        "dutch-true-006": (127, 128),
        "dutch-true-008": (50,),
        "dutch-true-009": (17,),
        "dutch-true-011": (47,),
        "dutch-true-012": (8, 50, 52),
        "dutch-true-013": (54, 55),
        "dutch-true-014": (66,),
        "dutch-true-016": (4,),
        "dutch-true-017": (44,),
        "dutch-true-018": (8,),
        "dutch-true-019": (1,),
        "dutch-true-020": (46, 50),
        "dutch-true-021": (8,),
    },
    "euchre": {
        "euchre-true-002": (2,),
        "euchre-true-006": (1,),
        "euchre-true-008": (5,),
        "euchre-true-017": (2,),
        "euchre-true-021": (1,),
        "euchre-true-022": (3,),
        "euchre-true-023": (11,),
        "euchre-true-025": (0,),
        "euchre-true-030": (1,),
        "euchre-true-033": (1,),
        "euchre-true-035": (8,),
        "euchre-true-036": (7,),
    },
    "rami": {
        "rami-true-doubtful-60001": (17, 34),
        "rami-true-unruly-and-doubtful-60003": (116,),
        "rami-true-unruly-60009": (8,),
        "rami-true-unruly-and-doubtful-60010": (14,),
        "rami-true-hidden-60013": (17,),
        "rami-true-long-60014": (80,),
        "rami-true-long-60021": (8,),
        "rami-true-doubtful-60022": (17, 91),
        "rami-true-unruly-and-doubtful-60024": (2,),
        "rami-true-doubtful-60029": (89,),
        "rami-true-unruly-60030": (17,),
        "rami-true-unruly-and-doubtful-60066": (8,),
    },
}


def true_games(ruleset: str) -> dict[str, dict[str, Any]]:
    lines = (FOLDER / ruleset / "true.jsonl").read_text(encoding="utf-8").splitlines()
    return {record["id"]: record for record in map(json.loads, lines)}


def game(name: str, moment: int) -> Sequence[object]:
    record = true_games(name.partition("-")[0])[name]
    ruleset = record["ruleset"]
    decoded = decode_record(msgspec.json.encode(record))
    assert not isinstance(decoded, Malformed), decoded
    history = History(opening(ruleset, decoded.options, record["seats"]))
    for entry in decoded.log[: moment + 1]:
        judged = history.judge(entry)
        assert not isinstance(judged, Refusal), (entry, judged)
    hidden = GAMES[ruleset].hidden(history.game)
    assert hidden is not None
    everywhere = [place for location in hidden.locations for place in location.places]
    pools = hidden.knowledge.world.pools
    everywhere += sorted({pool.place for pool in pools if pool.place not in everywhere})
    chance = Random(moment)  # noqa: S311 deals, not secrets
    found = asked_of(hidden.knowledge, hidden.pack, everywhere, chance)
    for entry in decoded.log[moment + 2 : moment + 2 + SOONER]:
        found.append(isinstance(history.copy().judge(entry), Refusal))
    known = possible(hidden)
    found.append(
        str([_without_places(one) for one in known.holdings])
        if known.exact and known.is_exact_count
        else None
    )
    found.append(str(known.cards) if known.is_exact_count else None)
    return found


def _without_places(holding: Holding) -> Holding:
    return replace(holding, location=replace(holding.location, places=()))
