"""The recorded cases beside each game's clauses: `domain/<game>/cases.jsonl`.

A line is a record as `carnet check` reads it. Its `id` names the clause and the fact; `expect` is
the answer: the state after the last entry, or the index of the first refused entry with its clause.
`expect.facts` are the facts of the refusal, from which its sentence is made, `expect.ranking` the
seats by place. Somebody who knows the rules can review and add lines without Python.
"""

import msgspec
import pytest

from domain.replay import ReplayedRecord, StoppedRecord, opening, replay
from schemas.catalogue import decode_record
from schemas.strict_json import Malformed
from tests.answers import Answer, answer
from tests.domain.cases import CASES, Case


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.ruleset} {case.id}")
def test_a_record_is_answered_as_its_case_expects(case: Case) -> None:
    __tracebackhide__ = True
    expected = dict(case.expect)
    answered = {key: value for key, value in answered_to(case).items() if key in expected}
    if answered != expected:
        record = msgspec.json.encode(case).decode()
        pytest.fail(f"{case.id}\nexpected {expected}\ngot      {answered}\nrecord   {record}")


def test_no_two_cases_of_a_game_have_one_id() -> None:
    ids = [(case.ruleset, case.id) for case in CASES]
    assert len(ids) == len(set(ids))


def answered_to(case: Case) -> Answer:
    record: Answer = msgspec.to_builtins(case)
    record.pop("expect")
    answered = answer(record)
    if "malformed" in answered:
        answered["malformed"] = {"path": answered["malformed"]["path"]}
    if "facts" in case.expect:
        stopped = replayed(record)
        assert isinstance(stopped, StoppedRecord), record
        answered["facts"] = msgspec.to_builtins(stopped.refusal.facts)
    if "ranking" in case.expect and "ranking" not in answered:
        whole = replayed(record)
        assert not isinstance(whole, StoppedRecord), record
        game = whole.history.game
        answered["ranking"] = [list(seats) for seats in game.rules.ranking(game)]
    return answered


def replayed(record: Answer) -> ReplayedRecord | StoppedRecord:
    decoded = decode_record(msgspec.json.encode(record))
    assert not isinstance(decoded, Malformed), decoded
    return replay(opening(record["ruleset"], decoded.options, record["seats"]), decoded.log)
