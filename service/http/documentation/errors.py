"""The problems that an operation may answer with, and an example of each."""

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeAlias
from uuid import UUID

import msgspec

from domain.table.refusal import Refusal
from service.errors import (
    AlreadyMerged,
    Forbidden,
    GameBeforeMoved,
    GameContinued,
    GameTooLarge,
    GameTooLong,
    KeyReused,
    NamesAlike,
    NameTaken,
    NotFound,
    NotPrintable,
    QuotaReached,
    SameGame,
    StoreBusy,
    StoreFull,
    StoreUnavailable,
    Suspended,
    TooManyRequests,
    TotalCarried,
    Unauthorized,
    UploadTooLarge,
    VersionConflict,
)
from service.http.inputs import PreconditionRequired, malformed
from service.http.problem import (
    IllegalEntry,
    NotContinued,
    Problem,
    problem_members,
    problem_of,
)
from service.play.append import RefusedBatch

Schema: TypeAlias = dict[str, Any]
_LANGUAGE = "en"
_ID = UUID("6f1c2b1e-5d0a-4c58-9f0e-3f6a1c2d4b5e")
_EXAMPLES: tuple[Exception, ...] = (
    malformed("$.name", "a text of 1 to 40 characters"),
    Unauthorized(),
    Forbidden(),
    Suspended(),
    QuotaReached("games", 1_000),
    QuotaReached("entries", 100_000),
    QuotaReached("people", 200),
    QuotaReached("bytes", 10_000_000),
    NotFound("game", _ID),
    VersionConflict(12),
    KeyReused(_ID),
    GameContinued(_ID, _ID),
    GameBeforeMoved(_ID),
    TotalCarried(_ID),
    NotContinued("finished"),
    NameTaken("Ann", _ID),
    NamesAlike(0, "Anne", [{"id": str(_ID), "name": "Ann"}]),
    SameGame(_ID),
    AlreadyMerged(_ID),
    GameTooLarge(1_000_000),
    GameTooLong(10_001, 10_000),
    UploadTooLarge(1),
    NotPrintable(1),
    IllegalEntry(
        RefusedBatch(index=0, refusal=Refusal("cards.deck", facts={"seat": 1, "card": "2H"})),
        ("Ann", "Bob"),
    ),
    PreconditionRequired("If-Match"),
    TooManyRequests(60),
    StoreUnavailable(),
    StoreBusy(),
    StoreFull(),
)
_ANY = ("too-many-requests", "unavailable", "busy")
_SIGNED_IN = ("unauthorized", "forbidden")
_WRITING = ("suspended", "storage-full")
_NAMING = ("name-taken", "quota-people")
_MERGING = ("already-merged",)
_PDF = ("not-printable",)
# The types of problems that the parameters, headers and body of an operation do not imply.
OWN: Mapping[str, tuple[str, ...]] = {
    "addPlayer": _NAMING,
    "renamePlayer": _NAMING,
    "mergePlayers": (*_MERGING, "same-game"),
    "addTitle": ("name-taken",),
    "changeTitle": ("name-taken",),
    "mergeTitles": _MERGING,
    "startGame": ("cannot-continue", "game-before-moved", "quota-games", "quota-bytes"),
    "appendEntries": (
        *("version-conflict", "game-continued", "total-carried", "illegal-entry", "game-full"),
        *("quota-entries", "quota-bytes"),
    ),
    "previewEntry": ("version-conflict", "game-continued", "total-carried"),
    "previewMoves": ("illegal-entry",),
    "importRecord": (
        *("illegal-entry", "upload-too-large", "game-full", "names-alike"),
        *("quota-games", "quota-entries", "quota-people", "quota-bytes"),
    ),
    "showSheetPdf": _PDF,
    "exportHistoryPdf": _PDF,
}


@cache
def examples() -> Mapping[str, Problem]:
    """Return a problem of each type that an operation may answer with."""
    problems = [problem_of(error, _LANGUAGE) for error in _EXAMPLES]
    return {problem.type: problem for problem in problems if problem is not None}


def problems_of(
    operation: Schema, method: str, *, open_to_all: bool
) -> dict[str, dict[str, Schema]]:
    """Return the documents of an operation's problems, by status and type."""
    problems: dict[str, dict[str, Schema]] = {}
    for name in sorted(_types_of(operation, method, open_to_all=open_to_all)):
        problem = examples()[name]
        document = msgspec.to_builtins(problem_members(problem, _LANGUAGE))
        problems.setdefault(str(problem.status), {})[name] = document
    return dict(sorted(problems.items()))


def _types_of(operation: Schema, method: str, *, open_to_all: bool) -> set[str]:
    parameters = operation.get("parameters", ())
    headers = [parameter for parameter in parameters if parameter["in"] == "header"]
    types = {*_ANY, *OWN.get(operation["operationId"], ())}
    if not open_to_all:
        types.update(_SIGNED_IN)
    if any(
        parameter["in"] == "path" or _is_asked_id(parameter["in"], parameter)
        for parameter in parameters
    ):
        types.add("not-found")
    if parameters or "requestBody" in operation:
        types.add("malformed")
    if "requestBody" in operation:
        types.add("too-large")
    if method != "get":
        types.update(_WRITING)
    if any(header["name"] == "Idempotency-Key" for header in headers):
        types.add("key-reused")
    if any(header.get("required") for header in headers):
        types.add("precondition-required")
    return types


def _is_asked_id(place: str, parameter: Schema) -> bool:
    schema = parameter.get("schema", {})
    shapes = (schema, *schema.get("anyOf", ()), *schema.get("oneOf", ()))
    return place == "query" and any(shape.get("format") == "uuid" for shape in shapes)
