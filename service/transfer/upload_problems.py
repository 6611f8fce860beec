"""Problems of an uploaded record as sentences in the reader's language."""

import tomllib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

from msgspec import Struct, convert

from domain.notation.forms import entry_forms
from domain.notation.problem import Problem
from domain.notation.values import OR
from domain.notation.writing import entry_text
from domain.portable import RefusedEntry, WrongDerivedEntry, WrongNumber
from schemas.catalogue import type_of
from schemas.entries import Entry
from schemas.strict_json import Malformed
from service.language.sentence import Sentence
from service.language.texts import texts


class Judgement(Struct, frozen=True, kw_only=True):
    """A refusal by the rules in a readable record. `line` None: the record is JSON.

    `entry`: the refused one; None at the end of the record.
    """

    ruleset: str
    fault: RefusedEntry | WrongDerivedEntry | WrongNumber
    line: int | None
    entry: Entry | None


AnyProblem = Problem | Malformed | Judgement


class ProblemView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A problem as shown. `index`: in the log, from 0; `contradicts`: a version.

    `line` and `column` from 1 in a text; `path` in JSON.
    """

    message: str
    line: int | None = None
    column: int | None = None
    index: int | None = None
    path: str | None = None
    found: str | None = None
    expected: str | None = None
    rule: str | None = None
    clause: str | None = None
    contradicts: int | None = None


def describe(problem: AnyProblem, lang: str, names: Sequence[str | None] = ()) -> ProblemView:
    """Describe a problem in words; `names`: the players, seat 0 first."""
    match problem:
        case Problem(line=line, column=column, found=found, expected=expected):
            message = sentence("found" if found else "missing", lang).format(
                line=line, column=column, found=found, expected=_expectation_text(expected, lang)
            )
            return ProblemView(
                message=message, line=line, column=column, found=found, expected=expected
            )
        case Malformed(path=path, expected=expected):
            return ProblemView(
                message=texts().malformed(problem, lang), path=path, expected=expected
            )
        case Judgement():
            return _judgement(problem, lang, names)


def _judgement(problem: Judgement, lang: str, names: Sequence[str | None]) -> ProblemView:
    index, line = problem.fault.index, problem.line
    match problem.fault:
        case RefusedEntry(refusal=refusal):
            return ProblemView(
                message=texts().refusal(refusal, lang, names=names),
                line=line,
                index=index,
                rule=refusal.rule,
                clause=texts().clause(refusal.rule, lang),
                contradicts=refusal.contradicts,
            )
        case WrongDerivedEntry(due=None):
            return ProblemView(message=sentence("ends-nothing", lang), line=line, index=index)
        case WrongDerivedEntry(due=due):
            # Type checkers do not infer what the case above excludes.
            assert due is not None  # noqa: S101 -- asked only where one is
            text = entry_text(entry_forms(problem.ruleset)[type_of(due)], due)
            message = sentence("differs", lang).format(due=text)
            return ProblemView(message=message, line=line, index=index, expected=text)
        case WrongNumber(version=version):
            message = sentence("misnumbered", lang).format(version=version)
            return ProblemView(message=message, line=line, index=index, expected=str(version))


def _expectation_text(expectation: str, lang: str) -> str:
    first, *others = (texts().expected(part, lang) for part in expectation.split(OR))
    for other in others:
        first = sentence("or", lang).format(expected=first, other=other)
    return first


def sentence(name: str, lang: str) -> str:
    """Return a sentence of `upload_problems.toml`."""
    return _sentences()[name].of(lang)


@lru_cache
def _sentences() -> dict[str, Sentence]:
    raw = files("service.transfer").joinpath("upload_problems.toml").read_text("utf-8")
    return convert(tomllib.loads(raw), dict[str, Sentence])
