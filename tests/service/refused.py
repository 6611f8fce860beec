"""One short log for every clause of Euchre that an entry can break; its last entry is refused."""

from typing import Any

from msgspec import json

from domain.replay import Replayed, Stopped, opening, replay
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.catalogue import decode_record, ruleset_of
from schemas.malformed import Malformed

Log = list[dict[str, Any]]

DEAL = {"type": "deal", "dealer": 0, "turn_up": "QC"}
PASSES: Log = [{"type": "pass", "seat": 1}, {"type": "pass", "seat": 0}]
ROUND_TWO: Log = [DEAL, *PASSES]
HEARTS: Log = [*ROUND_TWO, {"type": "name", "seat": 1, "suit": "H"}]
KNOWN_HAND = ["9S", "9H", "9D", "9C", "TS"]


def play(seat: int, card: str) -> dict[str, Any]:
    return {"type": "play", "seat": seat, "card": card}


# A hand that was given, of which one card has gone that nobody is sure of.
ONE_UNSURE: Log = [
    {**DEAL, "hands": [KNOWN_HAND, None]},
    *HEARTS[1:],
    *(play(1, "AS"), {**play(0, "9S"), "unsure": True}),
]
REFUSED: dict[str, tuple[Log, dict[str, Any]]] = {
    "table.seat": ([DEAL, {"type": "pass", "seat": 5}], {}),
    "table.turn": ([*HEARTS, play(1, "AS"), play(1, "KS")], {}),
    "table.phase": ([play(1, "AS")], {}),
    "table.dealer": ([*ROUND_TWO, *PASSES, DEAL], {}),
    "table.result": ([*HEARTS, {"type": "result", "maker": 0, "tricks": 3}], {}),
    "table.version": ([DEAL, {"type": "take_back", "to": 99}], {}),
    "cards.deck": ([*HEARTS, play(1, "7S")], {}),
    "cards.seen": ([*HEARTS, play(1, "QC")], {}),
    "cards.count": ([{**DEAL, "hands": [KNOWN_HAND[:4], None]}], {}),
    "cards.held": (
        [
            {**DEAL, "hands": [None, KNOWN_HAND]},
            *HEARTS[1:],
            play(1, "AS"),
        ],
        {},
    ),
    "cards.impossible": ([*ONE_UNSURE, play(1, "KS"), play(0, "AC")], {}),
    "euchre.bid-first": ([DEAL, PASSES[1]], {}),
    "euchre.order": ([DEAL, {"type": "order", "seat": 0}], {}),
    "euchre.exchange": (
        [
            DEAL,
            {"type": "order", "seat": 1},
            {"type": "exchange", "seat": 0, "take": True, "discard": "QC"},
        ],
        {},
    ),
    "euchre.accept": ([DEAL, PASSES[0], {"type": "accept", "seat": 0, "discard": "QC"}], {}),
    "euchre.turned-down": (
        [*ROUND_TWO, {"type": "name", "seat": 1, "suit": "C"}],
        {"turned_down_suit": "forbidden"},
    ),
    "euchre.stick": ([*ROUND_TWO, *PASSES], {"last_bid": "stick"}),
    "euchre.lead": ([*HEARTS, play(0, "AS")], {}),
    "euchre.follow-suit": (
        [*HEARTS, play(1, "AS"), play(0, "9D"), play(1, "KD"), play(0, "KS")],
        {},
    ),
}


def outcome(log: Log, options: dict[str, Any]) -> Replayed | Stopped:
    line = json.encode({"ruleset": "euchre", "options": options, "seats": 2, "log": log})
    record = decode_record(line)
    assert not isinstance(record, Malformed), record
    return replay(opening(ruleset_of(record), record.options, 2), record.log)


def refusal(rule: str, *, waived: bool = False) -> Refusal | None:
    """Return what the last entry of a clause's log is answered, the clause waived or not."""
    log, options = REFUSED[rule]
    last = {**log[-1], "waive": [rule]} if waived else log[-1]
    stopped = outcome([*log[:-1], last], options)
    if isinstance(stopped, Replayed):
        return None
    assert stopped.index == len(log) - 1, (rule, stopped.refusal)
    return stopped.refusal


def history(log: Log, options: dict[str, Any] | None = None) -> History:
    replayed = outcome(log, options or {})
    assert isinstance(replayed, Replayed), replayed
    return replayed.history
