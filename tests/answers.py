"""The expected answer of `carnet check` to a record: the last state or the first refusal."""

from typing import Any

import msgspec

from domain.replay import StoppedRecord, opening, replay
from domain.table import judgement
from domain.table.rules import Status
from projections.summary import ranking
from schemas.catalogue import decode_record, ruleset_of
from schemas.strict_json import Malformed

Answer = dict[str, Any]


def answer(record: Answer) -> Answer:
    """Decode and replay a record as a stranger would send it."""
    decoded = decode_record(msgspec.json.encode(record))
    if isinstance(decoded, Malformed):
        return {"ok": False, "malformed": {"path": decoded.path, "expected": decoded.expected}}
    start = opening(ruleset_of(decoded), decoded.options, record["seats"])
    outcome = replay(start, decoded.log)
    if isinstance(outcome, StoppedRecord):
        stopped: Answer = {"ok": False, "at": outcome.index, "rule": outcome.refusal.rule}
        if outcome.contradicts is not None:
            stopped["contradicts"] = outcome.contradicts
        return stopped
    game = outcome.history.game
    seen = judgement.situation(game)
    over = game.status is Status.OVER
    return {
        "ok": True,
        "deals": [list(points) for points in game.deals],
        "totals": list(game.totals),
        "finished": over,
        "to_act": list(seen.to_act),
        "hand_counts": list(seen.hand_counts),
        "stock": seen.stock,
        **({"ranking": [list(seats) for seats in ranking(outcome.history)]} if over else {}),
    }


def judged(record: Answer) -> Answer:
    """Answer a generated record, without the ranking where its referee computed none."""
    answered = answer(record)
    if "ranking" not in record.get("expect", {}):
        answered.pop("ranking", None)
    return answered
