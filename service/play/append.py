"""Judges a batch of entries and prepares it for the store."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Raw, Struct
from msgspec.structs import asdict, replace

from domain.table.history import History, Line, Step
from domain.table.refusal import Refusal
from projections import summary as summaries
from schemas.catalogue import encode, type_of
from schemas.entries import CORRECTIONS, UNDONE, DealEnded, Entry, Finish, SetAside
from schemas.free_text import free_text, separate_text, without_text
from schemas.upcast import TEXT_INLINE, TEXT_SEPARATE
from service.errors import GameTooLarge, GameTooLong
from service.store.records import (
    DealScore,
    FreeText,
    GameStart,
    GameSummary,
    NewEntry,
    StoredEntry,
)

# Entries of one command.
BATCH_MAX = 1_000
# Far beyond any real game, and below the store's limit per command (32,767).
ENTRIES_MAX = 20_000
# A game of 19,000 long notes made a response of 41 MB.
GAME_BYTES_MAX = 4 * 2**20
_SCORED = frozenset({DealEnded, *CORRECTIONS})


class RefusedBatch(Struct, frozen=True, kw_only=True):
    """A refused batch; `index`: of the illegal entry, from 0."""

    index: int
    refusal: Refusal


class JudgedBatch(Struct, frozen=True, kw_only=True):
    """A legal batch: the history with it, and its `lines`, derived entries included."""

    history: History
    lines: tuple[Line, ...]


def judge(history: History, entries: Sequence[Entry]) -> JudgedBatch | RefusedBatch:
    """Judge a batch on a copy of the history; stop at the first illegal entry."""
    trial = history.copy()
    lines: list[Line] = []
    for index, entry in enumerate(entries):
        judged = trial.judge(entry)
        if isinstance(judged, Refusal):
            return RefusedBatch(index=index, refusal=judged)
        lines.extend(judged)
    return JudgedBatch(history=trial, lines=tuple(lines))


def check_limits(
    version: int, size: int, entries: Sequence[Entry], written: Sequence[NewEntry]
) -> None:
    """Limit the entries and bytes of a log, which protects the memory of all users.

    `written`: the entries and the derived ones. A `Finish` is always accepted.

    Raises: GameTooLong, GameTooLarge
    """
    if isinstance(entries[-1], Finish):
        return
    length = version + len(entries)
    if length > ENTRIES_MAX:
        raise GameTooLong(length, ENTRIES_MAX)
    more = sum(len(row.data) + len(row.free.text if row.free else b"") for row in written)
    if size + more > GAME_BYTES_MAX:
        raise GameTooLarge(GAME_BYTES_MAX)


def new_entries(entries: Sequence[Entry], new_salt: Callable[[], bytes]) -> list[NewEntry]:
    """Prepare entries for the store: free text apart, with its digest in the entry.

    `new_salt` returns at least 16 random bytes.
    """
    found: list[NewEntry] = []
    for entry in entries:
        version, data, free = TEXT_INLINE, b"", None
        if free_text(entry):
            salt = new_salt()
            parted = separate_text(entry, salt)
            version, data = TEXT_SEPARATE, parted.data
            free = FreeText(salt=salt, text=parted.text)
        data = data or encode(entry)
        found.append(NewEntry(type=type_of(entry), schema_version=version, data=data, free=free))
    return found


def repeats(rows: Sequence[StoredEntry], stored: Sequence[Entry], entries: Sequence[Entry]) -> bool:
    """Return whether entries equal `rows`, given decoded as `stored`.

    An erased text equals any text. `at` may differ: the first try may have arrived in time, and a
    retry late.
    """
    return len(rows) == len(entries) and all(
        replace(without_text(entry) if row.erased else entry, at=was.at) == was
        for row, was, entry in zip(rows, stored, entries, strict=True)
    )


def deal_scores(before: History, judged: JudgedBatch) -> list[DealScore] | None:
    """Score the ended deals that changed; None if the batch neither ended nor corrected one."""
    if not any(type(line.entry) in _SCORED for line in judged.lines):
        return None
    known, ends = _ends(before), _ends(judged.history)
    last, end = next(known, None), next(ends, None)
    if last is end:
        return None
    changed: list[Step] = []
    # Histories share their steps: before the same end, all ended deals are the same.
    while end is not None and end is not last:
        if last is not None and len(last.game.deals) > len(end.game.deals):
            last = next(known, None)
        else:
            changed.append(end)
            end = next(ends, None)
    return _scores(reversed(changed))


def _ends(history: History) -> Iterator[Step]:
    """Yield the steps that ended a deal, the last one first."""
    step = history.head(history.version)
    while step is not None:
        if any(type(line.entry) is DealEnded for line in step.derived):
            yield step
        step = step.before


def scores_of(history: History) -> list[DealScore]:
    return _scores(history.steps())


def _scores(steps: Iterable[Step]) -> list[DealScore]:
    return [
        DealScore(
            deal=score.deal,
            version=score.version,
            points=score.points,
            detail=Raw(encode(score.detail)),
        )
        for score in summaries.deal_scores(steps)
    ]


def is_detached(history: History) -> bool:
    """Return whether a game was set aside because the one before it goes on instead."""
    if not history.game.set_aside:
        return False
    step = history.head(history.version)
    while step is not None and not isinstance(step.entry, SetAside):
        step = step.before
    return step is not None and isinstance(step.entry, SetAside) and step.entry.reason == UNDONE


def summary_of(history: History, start: GameStart | None = None) -> GameSummary:
    """Build the list row of a game; `start`: for a new one."""
    detached = is_detached(history) or None
    return GameSummary(**asdict(summaries.summary(history)), start=start, detached=detached)
