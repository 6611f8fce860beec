"""Answers of `carnet check`, one line of JSON per record."""

import re
import sys
import traceback
from collections.abc import Callable
from typing import Any, Literal, assert_never

from msgspec import UNSET, Struct, UnsetType, json
from msgspec.structs import replace

from domain import notation
from domain.portable import RefusedEntry, judge_record
from domain.replay import ReplayedRecord, StoppedRecord, opening, replay
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from domain.table.rules import Ranking, Status
from projections.summary import ranking
from schemas.catalogue import decode_record, ruleset_of
from schemas.entries import DERIVED
from schemas.strict_json import Malformed
from service.language.texts import texts
from service.transfer.upload_problems import Judgement, describe

LEGAL, ILLEGAL, UNREADABLE = 0, 1, 2

_encoder = json.Encoder()
# A tag, after blanks and comments: to the end of the line, or between braces (but no JSON object).
_TEXT = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s|;[^\n]*\n|\{(?!\s*[\"}])[^}]*\})*"
    rb"\[\s*(?:carnet|ruleset|rules|options|seats|players|date|title|place|hash)[\s\]]",
    re.IGNORECASE,
)


class _Answer(Struct, frozen=True, kw_only=True):
    """`file`: the file of the record, if several are checked."""

    file: str | UnsetType = UNSET


class _LegalRecord(_Answer, frozen=True, kw_only=True):
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
    ranking: Ranking | UnsetType = UNSET


class _RefusalAnswer(_Answer, frozen=True, kw_only=True):
    id: object = UNSET
    ok: Literal[False] = False
    at: int
    rule: str
    contradicts: int | UnsetType = UNSET
    message: str


class _Place(Struct, frozen=True, kw_only=True):
    path: str
    expected: str


class _Unreadable(_Answer, frozen=True, kw_only=True):
    id: object = UNSET
    ok: Literal[False] = False
    malformed: _Place


class _FailureAnswer(_Answer, frozen=True, kw_only=True):
    ok: Literal[False] = False
    failed: str


def is_text(head: bytes) -> bool:
    """Return whether input that begins so is a record in the notation; otherwise, JSON lines.

    >>> is_text(b"{ one evening } [Carnet 1]"), is_text(b'{"id": 1}'), is_text(b"[true]")
    (True, False, False)
    """
    return _TEXT.match(head) is not None


def verdicts(lines: list[bytes], lang: str, file: str | UnsetType = UNSET) -> tuple[bytes, int]:
    """Judge records; return their answers, one line each, and the highest exit status."""
    answers: list[bytes] = []
    status = LEGAL
    for line in lines:
        answer, its = _answer_or_failure(_judge_line, line, lang, file)
        answers.append(answer)
        status = max(status, its)
    answers.append(b"")
    return b"\n".join(answers), status


def text_verdict(data: bytes, lang: str, file: str | UnsetType = UNSET) -> tuple[bytes, int]:
    """Judge a record in the notation; return its answer as a line, and the exit status.

    `at` and `contradicts` count the entries written by hand, as in JSON.
    """
    answer, status = _answer_or_failure(_judge_text, data, lang, file)
    return answer + b"\n", status


def verdict(line: bytes, lang: str) -> tuple[bytes, int]:
    """Judge one JSON record; return the answer without a line end, and its exit status."""
    answer, status = _judge_line(line, lang)
    return _encoder.encode(answer), status


def _answer_or_failure(
    judge: Callable[[bytes, str], tuple[_Answer, int]],
    data: bytes,
    lang: str,
    file: str | UnsetType,
) -> tuple[bytes, int]:
    try:
        answer, status = judge(data, lang)
    except Exception as error:  # noqa: BLE001 -- reported on standard error and in the answer
        traceback.print_exc(file=sys.stderr)
        answer, status = (
            _FailureAnswer(
                failed="an internal error of Carnet, not a fault in the record:"
                f" {type(error).__name__}"
            ),
            UNREADABLE,
        )
    return _encoder.encode(replace(answer, file=file)), status


def _judge_line(line: bytes, lang: str) -> tuple[_Answer, int]:
    record = decode_record(line)
    if isinstance(record, Malformed):
        expected = texts().expected(record.expected, lang)
        return _unreadable(record.path, expected, record.id), UNREADABLE
    seated: Any = record  # each game's record declares how many seats it may have
    start = opening(ruleset_of(record), record.options, seated.seats)
    outcome = replay(start, record.log)
    match outcome:
        case ReplayedRecord():
            return _legal_record(record.id, len(record.log), outcome.history), LEGAL
        case StoppedRecord():
            refused = _refusal_answer(
                record.id, outcome.index, outcome.refusal, outcome.contradicts, lang
            )
            return refused, ILLEGAL
    assert_never(outcome)


def _judge_text(data: bytes, lang: str) -> tuple[_Answer, int]:
    reading = notation.read(data)
    if reading.record is None:
        problem = reading.problems[0]
        place = f"line {problem.line}, column {problem.column}"
        return _unreadable(place, describe(problem, lang).message), UNREADABLE
    record = reading.record
    by_hand = [index for index, entry in enumerate(record.log) if type(entry) not in DERIVED]
    judged = judge_record(record, reading.numbers)
    if not judged.faults:
        return _legal_record(UNSET, len(by_hand), judged.history), LEGAL
    fault = judged.faults[0]
    if isinstance(fault, RefusedEntry):
        versions = [line.version for line in judged.lines if type(line.entry) not in DERIVED]
        contradicted = fault.refusal.contradicts
        other = versions.index(contradicted) if contradicted in versions else None
        at = by_hand.index(fault.index)
        return _refusal_answer(UNSET, at, fault.refusal, other, lang), ILLEGAL
    entry = record.log[fault.index] if fault.index < len(record.log) else None
    line = reading.lines[fault.index] if entry is not None else None
    why = describe(Judgement(ruleset=record.ruleset, fault=fault, line=line, entry=entry), lang)
    return _unreadable("the end" if line is None else f"line {line}", why.message), UNREADABLE


def _unreadable(path: str, expected: str, record_id: object = UNSET) -> _Unreadable:
    return _Unreadable(id=record_id, malformed=_Place(path=path, expected=expected))


def _legal_record(record_id: object, entries: int, history: History) -> _LegalRecord:
    game = history.game
    now = judgement.situation(game)
    over = game.status is Status.OVER
    return _LegalRecord(
        id=record_id,
        entries=entries,
        deals=tuple(game.deals),
        totals=game.totals,
        finished=over,
        phase=now.phase,
        to_act=now.to_act,
        hand_counts=now.hand_counts,
        stock=now.stock,
        ranking=ranking(history) if over else UNSET,
    )


def _refusal_answer(
    record_id: object, at: int, refusal: Refusal, other: int | None, lang: str
) -> _RefusalAnswer:
    cited = refusal if other is not None else replace(refusal, contradicts=None)
    label = None if other is None else f"log[{other}]"
    return _RefusalAnswer(
        id=record_id,
        at=at,
        rule=cited.rule,
        contradicts=UNSET if other is None else other,
        message=texts().refusal(cited, lang, entry_label=label),
    )
