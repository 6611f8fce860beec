"""What the import page shows of a record: the game it would be, or everything that is wrong."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct, to_builtins

from projections.score_sheet import ScoreSheet
from schemas.catalogue import shapes
from service.language.texts import texts
from service.store.club.players import NameBook
from service.transfer.upload_problems import Judgement, ProblemView, describe
from service.transfer.uploads import NAME_EXPECTED, OTHER_NAME_EXPECTED, Assessed
from service.web.format.render import Reader
from service.web.transfer.error_excerpts import ExcerptFinder, Marked


class ToldProblem(Struct, frozen=True, kw_only=True):
    """A problem as the page tells it. `words`: the entry it is about, where a rule refuses it."""

    view: ProblemView
    place: Marked | None
    ruleset: str
    words: str


class SeatShown(Struct, frozen=True, kw_only=True):
    """A seat to be taken: by the player `id`, or by somebody new (empty) of this name.

    `taken`: somebody else has the name; `like`: those whose names are much like it.
    """

    id: str
    name: str
    nameless: bool
    twice: bool
    taken: bool
    like: tuple[str, ...]


class RecordShown(Struct, frozen=True, kw_only=True):
    """The game a record without faults would be. `entries` counts them all, `started` too.

    `began_at`: None where the record does not tell.
    """

    ruleset: str
    options: Any
    chosen: tuple[str, ...]
    seats: tuple[SeatShown, ...]
    began_at: datetime | None
    names: tuple[str, ...]
    entries: int
    finished: bool
    sheet: ScoreSheet
    hash: str


def problems_shown(reader: Reader, assessed: Assessed, text: str) -> tuple[ToldProblem, ...]:
    """Tell every fault of a record, `text` as far as it could be read."""
    finder = ExcerptFinder(text)
    names = _names(reader, assessed)
    found: list[ToldProblem] = []
    for fault in assessed.faults:
        view = describe(fault, reader.language, names)
        ruleset, words = "", ""
        if isinstance(fault, Judgement) and view.rule is not None and assessed.record is not None:
            ruleset = fault.ruleset
            words = reader.say(to_builtins(fault.entry), ruleset, names)
        place = finder.mark(view)
        found.append(ToldProblem(view=view, place=place, ruleset=ruleset, words=words))
    return tuple(found)


def record_shown(
    reader: Reader, assessed: Assessed, book: NameBook, *, asked: bool
) -> RecordShown | None:
    """Show the game; None while there are faults. `asked`: who cannot be seated is told."""
    record, outcome, digest = assessed.record, assessed.outcome, assessed.hash
    if record is None or outcome is None or outcome.sheet is None or digest is None:
        return None
    chosen = shapes(record.ruleset).chosen(record.options, record.seats)
    return RecordShown(
        ruleset=record.ruleset,
        options=record.options,
        chosen=tuple(
            texts().option(record.ruleset, name, value, reader.language)
            for name, value in chosen.items()
        ),
        seats=_seats(assessed, book, asked=asked),
        began_at=record.date,
        names=tuple(_names(reader, assessed)),
        entries=len(outcome.entries) + 1,
        finished=outcome.summary.status == "finished",
        sheet=outcome.sheet,
        hash=digest,
    )


def _seats(assessed: Assessed, book: NameBook, *, asked: bool) -> tuple[SeatShown, ...]:
    faults = {fault.path: fault.expected for fault in assessed.unseated} if asked else {}
    seats: list[SeatShown] = []
    for seat, sits in enumerate(assessed.seated):
        fault = faults.get(f"$.players[{seat}]")
        new = sits.name if sits.id is None else None
        like = tuple(one.name or "" for one in book.like(new)) if new else ()
        seats.append(
            SeatShown(
                id=str(sits.id) if sits.id is not None else "",
                name=(sits.name or "") if sits.id is None else "",
                nameless=fault == NAME_EXPECTED,
                twice=fault not in {None, NAME_EXPECTED, OTHER_NAME_EXPECTED},
                taken=fault == OTHER_NAME_EXPECTED,
                like=like,
            )
        )
    return tuple(seats)


def _names(reader: Reader, assessed: Assessed) -> Sequence[str]:
    seats = assessed.record.seats if assessed.record else 0
    given = [one.name for one in assessed.seated] or [None] * seats
    player = reader.gettext("Player")
    return [name or f"{player} {seat}" for seat, name in enumerate(given, 1)]
