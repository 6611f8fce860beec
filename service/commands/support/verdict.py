"""Answers of `carnet check`, one line of JSON per record."""

import sys
import traceback
from typing import Any, Literal, assert_never

from msgspec import UNSET, Struct, UnsetType, json
from msgspec.structs import replace

from domain.replay import ReplayedRecord, StoppedRecord, opening, replay
from domain.table import judgement
from domain.table.rules import Status
from schemas.catalogue import decode_record, ruleset_of
from schemas.strict_json import Malformed
from service.language.texts import texts

LEGAL, ILLEGAL, UNREADABLE = 0, 1, 2

_encoder = json.Encoder()


class _LegalRecord(Struct, frozen=True, kw_only=True):
    id: object = UNSET
    ok: Literal[True] = True
    entries: int
    deals: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    finished: bool
    phase: str
    to_act: tuple[int, ...]
    hand_counts: tuple[int, ...]
    stock: int


class _RefusalAnswer(Struct, frozen=True, kw_only=True):
    id: object = UNSET
    ok: Literal[False] = False
    at: int
    rule: str
    contradicts: int | UnsetType = UNSET
    message: str


class _Place(Struct, frozen=True, kw_only=True):
    path: str
    expected: str


class _Unreadable(Struct, frozen=True, kw_only=True):
    id: object = UNSET
    ok: Literal[False] = False
    malformed: _Place


class _FailureAnswer(Struct, frozen=True, kw_only=True):
    ok: Literal[False] = False
    failed: str


def verdicts(lines: list[bytes], lang: str) -> tuple[bytes, int]:
    """Judge records; return their answers, one line each, and the highest exit status."""
    answers: list[bytes] = []
    status = LEGAL
    for line in lines:
        answer, its = _verdict_or_failure(line, lang)
        answers.append(answer)
        status = max(status, its)
    answers.append(b"")
    return b"\n".join(answers), status


def _verdict_or_failure(line: bytes, lang: str) -> tuple[bytes, int]:
    try:
        return verdict(line, lang)
    except Exception as error:  # noqa: BLE001 -- reported on standard error and in the answer
        traceback.print_exc(file=sys.stderr)
        failed = _FailureAnswer(
            failed=f"an internal error of Carnet, not a fault in the record: {type(error).__name__}"
        )
        return _encoder.encode(failed), UNREADABLE


def verdict(line: bytes, lang: str) -> tuple[bytes, int]:
    """Judge one record; return the answer without a line end, and its exit status."""
    record = decode_record(line)
    if isinstance(record, Malformed):
        expected = texts().expected(record.expected, lang)
        place = _Place(path=record.path, expected=expected)
        return _encoder.encode(_Unreadable(id=record.id, malformed=place)), UNREADABLE
    seated: Any = record  # each game's record declares how many seats it may have
    start = opening(ruleset_of(record), record.options, seated.seats)
    outcome = replay(start, record.log)
    match outcome:
        case ReplayedRecord():
            return _encoder.encode(_legal_record(record.id, len(record.log), outcome)), LEGAL
        case StoppedRecord():
            return _encoder.encode(_refusal_answer(record.id, outcome, lang)), ILLEGAL
    assert_never(outcome)


def _legal_record(record_id: object, entries: int, outcome: ReplayedRecord) -> _LegalRecord:
    game = outcome.history.game
    now = judgement.situation(game)
    return _LegalRecord(
        id=record_id,
        entries=entries,
        deals=tuple(game.deals),
        totals=game.totals,
        finished=game.status is Status.OVER,
        phase=now.phase,
        to_act=now.to_act,
        hand_counts=now.hand_counts,
        stock=now.stock,
    )


def _refusal_answer(record_id: object, outcome: StoppedRecord, lang: str) -> _RefusalAnswer:
    at, other = outcome.index, outcome.contradicts
    refusal = outcome.refusal if other is not None else replace(outcome.refusal, contradicts=None)
    label = None if other is None else f"log[{other}]"
    return _RefusalAnswer(
        id=record_id,
        at=at,
        rule=refusal.rule,
        contradicts=UNSET if other is None else other,
        message=texts().refusal(refusal, lang, entry_label=label),
    )
