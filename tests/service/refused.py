"""A recorded case of every clause of Euchre that an entry can break, and logs to begin with."""

from typing import Any

from msgspec import json

from domain.replay import ReplayedRecord, StoppedRecord, opening, replay
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.catalogue import SHAPES, decode_record, ruleset_of
from schemas.strict_json import Malformed
from service.language.clause_files import COMMON, SentenceForm
from service.language.texts import texts
from tests.domain.cases import cases_of

Log = list[dict[str, Any]]

DEAL = {"type": "deal", "dealer": 0, "turn_up": "QC"}
PASSES: Log = [{"type": "pass", "seat": 1}, {"type": "pass", "seat": 0}]
ROUND_TWO: Log = [DEAL, *PASSES]
HEARTS: Log = [*ROUND_TWO, {"type": "name", "seat": 1, "suit": "H"}]


def forms_of(rule: str) -> list[SentenceForm]:
    """Return the sentences of refusals by a clause, of every game."""
    found = [form for game in (COMMON, *SHAPES) for form in texts().forms(game, rule)]
    return [form for place, form in enumerate(found) if form not in found[:place]]


def play(seat: int, card: str) -> dict[str, Any]:
    return {"type": "play", "seat": seat, "card": card}


REVOKED: Log = [*HEARTS, play(1, "AS"), play(0, "9D"), play(1, "KD"), play(0, "KS")]
# By clause, the first recorded case whose last entry the clause refuses.
REFUSED: dict[str, tuple[Log, dict[str, Any]]] = {
    case.expect["rule"]: (case.log, case.options)
    for case in reversed(cases_of("euchre"))
    if case.expect.get("at") == len(case.log) - 1
    and not any("waive" in entry for entry in case.log)
}


def outcome(log: Log, options: dict[str, Any]) -> ReplayedRecord | StoppedRecord:
    line = json.encode({"ruleset": "euchre", "options": options, "seats": 2, "log": log})
    record = decode_record(line)
    assert not isinstance(record, Malformed), record
    return replay(opening(ruleset_of(record), record.options, 2), record.log)


def refusal(rule: str, *, waived: bool = False) -> Refusal | None:
    """Return the answer to the last entry of a clause's log, the clause waived or not."""
    log, options = REFUSED[rule]
    last = {**log[-1], "waive": [rule]} if waived else log[-1]
    stopped = outcome([*log[:-1], last], options)
    if isinstance(stopped, ReplayedRecord):
        return None
    assert stopped.index == len(log) - 1, (rule, stopped.refusal)
    return stopped.refusal


def history(log: Log, options: dict[str, Any] | None = None) -> History:
    replayed = outcome(log, options or {})
    assert isinstance(replayed, ReplayedRecord), replayed
    return replayed.history
