"""A batch of entries, judged: what the store is given, or why it is given nothing."""

from collections.abc import Callable, Sequence

from msgspec import Raw, Struct

from domain.table.history import History, Line
from domain.table.refusal import Refusal
from projections import summary as summaries
from schemas.catalogue import encode, type_of
from schemas.entries import CORRECTIONS, DealEnded, Entry, Finish
from schemas.free_text import emptied, free_text, part
from schemas.upcast import TEXT_APART, WHOLE
from service.errors import GameTooLarge, GameTooLong
from service.store.records import (
    DealScore,
    FreeText,
    GameStart,
    GameSummary,
    NewEntry,
    StoredEntry,
)

# Far more than any game has, outcomes included, and no more than one command may store (32,767).
ENTRIES_MAX = 20_000
# A game of 19,000 long notes made one answer of 41 MB.
GAME_BYTES_MAX = 4 * 2**20
_SCORED = frozenset({DealEnded, *CORRECTIONS})


class RefusedBatch(Struct, frozen=True, kw_only=True):
    """Why a batch was not stored: its entry `index` (from 0) cannot stand."""

    index: int
    refusal: Refusal


class JudgedBatch(Struct, frozen=True, kw_only=True):
    """A batch that stands: the history with it, and its `lines`, derived entries included."""

    history: History
    lines: tuple[Line, ...]


def judge(history: History, entries: Sequence[Entry]) -> JudgedBatch | RefusedBatch:
    """Judge a batch on a copy of the history; the first entry that cannot stand refuses it all."""
    trial = history.copy()
    lines: list[Line] = []
    for index, entry in enumerate(entries):
        judged = trial.judge(entry)
        if isinstance(judged, Refusal):
            return RefusedBatch(index=index, refusal=judged)
        lines.extend(judged)
    return JudgedBatch(history=trial, lines=tuple(lines))


def check_length(version: int, entries: Sequence[Entry]) -> None:
    """Refuse a log longer than any game, which would only cost everybody memory.

    A game can always be ended.

    Raises: GameTooLong
    """
    length = version + len(entries)
    if length > ENTRIES_MAX and not isinstance(entries[-1], Finish):
        raise GameTooLong(length, ENTRIES_MAX)


def check_size(size: int, entries: Sequence[NewEntry], last: Entry) -> None:
    """Refuse entries with which a game of `size` bytes would be too large; `last` may end it.

    Raises: GameTooLarge
    """
    more = sum(len(one.data) + len(one.free.text if one.free else b"") for one in entries)
    if size + more > GAME_BYTES_MAX and not isinstance(last, Finish):
        raise GameTooLarge(GAME_BYTES_MAX)


def new_entries(entries: Sequence[Entry], new_salt: Callable[[], bytes]) -> list[NewEntry]:
    """Write entries as they are stored: free text beside them, its digest inside.

    `new_salt` makes 16 bytes of chance or more.
    """
    return [_new_entry(entry, new_salt) for entry in entries]


def _new_entry(entry: Entry, new_salt: Callable[[], bytes]) -> NewEntry:
    if not free_text(entry):
        return NewEntry(type=type_of(entry), schema_version=WHOLE, data=encode(entry))
    salt = new_salt()
    parted = part(entry, salt)
    return NewEntry(
        type=type_of(entry),
        schema_version=TEXT_APART,
        data=parted.data,
        free=FreeText(salt=salt, text=parted.text),
    )


def repeats(rows: Sequence[StoredEntry], stored: Sequence[Entry], entries: Sequence[Entry]) -> bool:
    """Tell whether entries are those of `rows`, which were read as `stored`.

    What an erased text was nobody knows: any text is taken for it.
    """
    return len(rows) == len(entries) and all(
        (emptied(entry) if row.erased else entry) == was
        for row, was, entry in zip(rows, stored, entries, strict=True)
    )


def deal_scores(judged: JudgedBatch) -> list[DealScore] | None:
    """Score every ended deal, if the batch ended or corrected one; None where none can differ."""
    if not any(type(line.entry) in _SCORED for line in judged.lines):
        return None
    return scores_of(judged.history)


def scores_of(history: History) -> list[DealScore]:
    """Score every ended deal of a game."""
    return [
        DealScore(
            deal=score.deal,
            version=score.version,
            points=score.points,
            detail=Raw(encode(score.detail)),
        )
        for score in summaries.deal_scores(history.steps())
    ]


def summary_of(history: History, start: GameStart | None = None) -> GameSummary:
    """Sum up a game for the list; `start` writes its whole row."""
    summed = summaries.summary(history)
    return GameSummary(
        status=summed.status,
        deals=summed.deals,
        totals=summed.totals,
        places=summed.places,
        set_aside=summed.set_aside,
        start=start,
    )
