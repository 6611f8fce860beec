"""Errors as `application/problem+json` (RFC 9457) in the reader's language."""
# ruff: noqa: N818 -- errors are named by their fact, as in service.errors

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException
from msgspec import Struct, field

from domain.table.refusal import Refusal
from service.errors import (
    AlreadyMerged,
    CarnetError,
    Forbidden,
    GameBeforeMoved,
    GameContinued,
    GameTooLarge,
    GameTooLong,
    KeyReused,
    MalformedCursor,
    NamesAlike,
    NameTaken,
    NotFound,
    NotPrintable,
    QuotaReached,
    ReaderKilled,
    SameGame,
    StoreBusy,
    StoreFull,
    StoreUnavailable,
    Suspended,
    TitleMerged,
    TitleTaken,
    TooManyGames,
    TooManyRequests,
    TotalCarried,
    Unauthorized,
    UploadTooLarge,
    VersionConflict,
    as_store_full,
)
from service.http.inputs import MalformedInput, PreconditionRequired, malformed
from service.http.middleware import allowed
from service.language.sentence import Sentence
from service.language.texts import Texts, texts
from service.play.append import RefusedBatch
from service.play.continuing import Obstacle
from service.transfer.upload_problems import AnyProblem, ProblemView, describe
from service.transfer.uploads import BYTES_MAX as RECORD_BYTES_MAX

BODY_BYTES_MAX = RECORD_BYTES_MAX  # nothing longer is sent than a record
RETRY_AFTER_SECONDS = 1

log = structlog.get_logger(__name__)


class IllegalEntry(CarnetError):
    def __init__(self, refused: RefusedBatch, names: tuple[str | None, ...]) -> None:
        super().__init__(refused.refusal.rule)
        self.refused = refused
        self.names = names


class NotContinued(CarnetError):
    """A game cannot go on as another one; `why` as of `CannotContinue`."""

    def __init__(self, why: Obstacle) -> None:
        super().__init__(why)
        self.why: Obstacle = why


class RefusedRecord(CarnetError):
    def __init__(self, problems: Sequence[AnyProblem], names: tuple[str | None, ...]) -> None:
        super().__init__(f"{len(problems)} problems")
        self.problems = problems
        self.names = names


class Problem(Struct, frozen=True, kw_only=True):
    """A problem. `facts`: its extension members; `detail` None: the default text.

    `variant`: selects one of several texts of a type.
    """

    type: str
    status: int
    variant: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    detail: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class _ProblemTexts(Struct, frozen=True, forbid_unknown_fields=True):
    title: Sentence
    detail: Sentence | None = None
    variants: dict[str, Sentence] = {}
    titles: dict[str, Sentence] = {}


def to_problem(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Return the response to an error; unexpected errors are logged with their traceback."""
    error = as_store_full(error)
    lang = texts().negotiate(request.headers.get("accept-language"))
    problem = problem_of(error, lang)
    if problem is None:
        log.error("http.failed", exc_info=error)
        facts = {"request_id": str(request.scope["state"].get("request_id", ""))}
        problem = Problem(type="internal", status=500, facts=facts)
    return _response(problem, lang)


def problem_of(error: Exception, lang: str) -> Problem | None:
    """Return an expected error as a problem; None: an unexpected one."""
    return _access_problem(error) or _person_problem(error) or _problem(error, texts(), lang)


def _access_problem(error: Exception) -> Problem | None:
    match error:
        case Unauthorized():
            return Problem(type="unauthorized", status=401, headers={"WWW-Authenticate": "Bearer"})
        case Forbidden():
            return Problem(type="forbidden", status=403)
        case TooManyRequests(retry_after_seconds=seconds):
            return Problem(
                type="too-many-requests",
                status=429,
                facts={"retry_after": seconds},
                headers={"Retry-After": str(seconds)},
            )
        case Suspended():
            return Problem(type="suspended", status=403)
        case QuotaReached(what=what, most=most):
            return Problem(type=f"quota-{what}", status=403, facts={"most": most})
        case NotFound():
            return Problem(type="not-found", status=404)
        case _:
            return None


def _person_problem(error: Exception) -> Problem | None:
    match error:
        case NameTaken(name=name, player_id=player_id):
            return Problem(type="name-taken", status=409, facts={"id": player_id, "name": name})
        case NamesAlike(seat=seat, name=name, players=players, others=others):
            facts = {"seat": seat, "name": name, "players": players, "others": others}
            return Problem(type="names-alike", status=409, facts=facts)
        case SameGame(game_id=game_id):
            return Problem(type="same-game", status=409, facts={"game": game_id})
        case TitleTaken(name=name, title_id=title_id):
            facts = {"id": title_id, "name": name}
            return Problem(type="name-taken", status=409, variant="game", facts=facts)
        case AlreadyMerged(player_id=player_id):
            return Problem(type="already-merged", status=409, facts={"id": player_id})
        case TitleMerged(title_id=title_id):
            return Problem(type="already-merged", status=409, facts={"id": title_id})
        case _:
            return None


def _problem(error: Exception, spoken: Texts, lang: str) -> Problem | None:
    match error:
        case IllegalEntry(refused=refused, names=names):
            return _illegal(refused.index, refused.refusal, names, spoken, lang)
        case RefusedRecord(problems=problems, names=names):
            return _refused_record([describe(problem, lang, names) for problem in problems])
        case MalformedInput():
            return _malformed_problem(error, spoken, lang)
        case MalformedCursor():
            fault = malformed("$.query.cursor", "the `next` of an earlier page")
            return _malformed_problem(fault, spoken, lang)
        case TooManyGames(games=games, games_max=most):
            expected = f"dates in which at most {most} games were started, not {games}"
            return _malformed_problem(malformed("$.query.from", expected), spoken, lang)
        case PreconditionRequired(header=header):
            return Problem(type="precondition-required", status=428, facts={"header": header})
        case GameContinued(by=by):
            return Problem(type="game-continued", status=409, facts={"game": by})
        case GameBeforeMoved(game_id=game_id):
            return Problem(type="game-before-moved", status=409, facts={"game": game_id})
        case VersionConflict(version=version):
            return Problem(type="version-conflict", status=409, facts={"version": version})
        case TotalCarried(before=before):
            variant = None if before else "by-hand"
            return Problem(
                type="total-carried", status=409, facts={"game": before}, variant=variant
            )
        case KeyReused():
            return Problem(type="key-reused", status=409)
        case NotContinued(why=why):
            return Problem(type="cannot-continue", status=409, facts={"why": why}, variant=why)
        case GameTooLong() | GameTooLarge() | NotPrintable() | UploadTooLarge():
            return _too_long(error)
        case StoreUnavailable():
            return _store_problem(error)
        case ReaderKilled():
            headers = {"Retry-After": str(RETRY_AFTER_SECONDS)}
            return Problem(type="unavailable", status=503, variant="reader", headers=headers)
        case HTTPException():
            return _framework_problem(error)
        case _:
            return None


def _store_problem(error: StoreUnavailable) -> Problem:
    headers = {"Retry-After": str(RETRY_AFTER_SECONDS)}
    match error:
        case StoreFull():
            return Problem(type="storage-full", status=507)
        case StoreBusy():
            return Problem(type="busy", status=503, headers=headers)
        case _:
            return Problem(type="unavailable", status=503, headers=headers)


def _too_long(error: GameTooLong | GameTooLarge | NotPrintable | UploadTooLarge) -> Problem:
    if isinstance(error, GameTooLarge):
        facts = {"bytes_max": error.bytes_max}
        return Problem(type="too-large", status=413, facts=facts, variant="game")
    if isinstance(error, UploadTooLarge):
        return Problem(type="upload-too-large", status=413)
    if isinstance(error, NotPrintable):
        return Problem(type="not-printable", status=413)
    return Problem(type="game-full", status=413, facts={"entries_max": error.entries_max})


def _framework_problem(error: HTTPException) -> Problem | None:
    match error.status_code:
        case 404:
            return Problem(type="not-found", status=404)
        case 405:
            allow = allowed((error.headers or {}).get("allow", "").split(", "))
            headers = {"Allow": allow}
            return Problem(
                type="method-not-allowed", status=405, facts={"allow": allow}, headers=headers
            )
        case 413:
            return Problem(type="too-large", status=413, facts={"bytes_max": BODY_BYTES_MAX})
        case _:
            return None


def _illegal(
    index: int, refusal: Refusal, names: tuple[str | None, ...], spoken: Texts, lang: str
) -> Problem:
    facts: dict[str, Any] = {
        "index": index,
        "rule": refusal.rule,
        "clause": spoken.clause(refusal.rule, lang),
    }
    if refusal.contradicts is not None:
        facts["contradicts"] = refusal.contradicts
    detail = spoken.refusal(refusal, lang, names=names)
    return Problem(type="illegal-entry", status=422, facts=facts, detail=detail)


def _malformed_problem(error: MalformedInput, spoken: Texts, lang: str) -> Problem:
    fault = error.fault
    facts = {"path": fault.path, "expected": fault.expected}
    detail = spoken.malformed(fault, lang)
    return Problem(type="malformed", status=400, facts=facts, detail=detail)


def _refused_record(problems: list[ProblemView]) -> Problem:
    first = problems[0]
    readable = first.index is not None
    facts: dict[str, Any] = {**msgspec.to_builtins(first), "problems": problems}
    del facts["message"]
    if not readable:
        facts = {"path": "$", "expected": "", **facts}
    return Problem(
        type="illegal-entry" if readable else "malformed",
        status=422 if readable else 400,
        facts=facts,
        detail=first.message,
    )


def problem_members(problem: Problem, lang: str) -> dict[str, Any]:
    """Return the members of a problem's document, with its sentences in a language."""
    texts_of_type = _problem_texts()[problem.type]
    detail = problem.detail
    sentence = texts_of_type.variants[problem.variant] if problem.variant else texts_of_type.detail
    if detail is None and sentence is not None:
        detail = sentence.of(lang).format_map(problem.facts)
    return {
        "type": problem.type,
        "title": texts_of_type.titles.get(problem.variant or "", texts_of_type.title).of(lang),
        "status": problem.status,
        **({"detail": detail} if detail else {}),
        **problem.facts,
    }


def _response(problem: Problem, lang: str) -> Response[bytes]:
    return Response(
        msgspec.json.encode(problem_members(problem, lang)),
        status_code=problem.status,
        media_type="application/problem+json",
        headers={
            **problem.headers,
            "Content-Language": lang,
            "Vary": "Accept-Language",
            "Cache-Control": "no-store",
        },
    )


def problem_types() -> list[str]:
    """Return every `type` of a problem."""
    return list(_problem_texts())


@lru_cache
def _problem_texts() -> dict[str, _ProblemTexts]:
    raw = files("service.http").joinpath("problems.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(raw), dict[str, _ProblemTexts])
