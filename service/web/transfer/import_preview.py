"""The preview of an import: the game it would create, or all problems."""

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
from service.web.transfer.error_excerpts import Excerpt, ExcerptFinder


class ProblemExcerpt(Struct, frozen=True, kw_only=True):
    """A problem on the page. `words`: the refused entry as a sentence, if a rule refuses it."""

    view: ProblemView
    place: Excerpt | None
    ruleset: str
    words: str


class SeatPreview(Struct, frozen=True, kw_only=True):
    """A seat of an imported game: an existing player `id`, or "" for a new player with this name.

    `taken`: another player has the name; `like`: similar names.
    """

    id: str
    name: str
    nameless: bool
    twice: bool
    taken: bool
    like: tuple[str, ...]


class RecordPreview(Struct, frozen=True, kw_only=True):
    """The game that a valid record would create; `entries` includes `started`.

    `began_at`: None if the record does not contain it.
    """

    ruleset: str
    title: str | None
    place: str | None
    options: Any
    chosen: tuple[str, ...]
    seats: tuple[SeatPreview, ...]
    began_at: datetime | None
    names: tuple[str, ...]
    entries: int
    finished: bool
    sheet: ScoreSheet
    hash: str


def problem_excerpts(reader: Reader, assessed: Assessed, text: str) -> tuple[ProblemExcerpt, ...]:
    finder = ExcerptFinder(text)
    names = _names(reader, assessed)
    excerpts: list[ProblemExcerpt] = []
    for fault in assessed.faults:
        view = describe(fault, reader.language, names)
        ruleset, words = "", ""
        if isinstance(fault, Judgement) and view.rule is not None and assessed.record is not None:
            ruleset = fault.ruleset
            words = reader.say(to_builtins(fault.entry), ruleset, names)
        place = finder.mark(view)
        excerpts.append(ProblemExcerpt(view=view, place=place, ruleset=ruleset, words=words))
    return tuple(excerpts)


def record_preview(
    reader: Reader, assessed: Assessed, book: NameBook, *, asked: bool
) -> RecordPreview | None:
    record, outcome, digest = assessed.record, assessed.outcome, assessed.hash
    if record is None or outcome is None or outcome.sheet is None or digest is None:
        return None
    chosen = shapes(record.ruleset).non_default_options(record.options, record.seats)
    return RecordPreview(
        ruleset=record.ruleset,
        title=record.title,
        place=record.place,
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


def _seats(assessed: Assessed, book: NameBook, *, asked: bool) -> tuple[SeatPreview, ...]:
    faults = {fault.path: fault.expected for fault in assessed.unseated} if asked else {}
    seats: list[SeatPreview] = []
    for seat, player in enumerate(assessed.seated):
        fault = faults.get(f"$.players[{seat}]")
        new = player.name if player.id is None else None
        like = tuple(one.name or "" for one in book.like(new)) if new else ()
        seats.append(
            SeatPreview(
                id=str(player.id) if player.id is not None else "",
                name=(player.name or "") if player.id is None else "",
                nameless=fault == NAME_EXPECTED,
                twice=fault not in {None, NAME_EXPECTED, OTHER_NAME_EXPECTED},
                taken=fault == OTHER_NAME_EXPECTED,
                like=like,
            )
        )
    return tuple(seats)


def _names(reader: Reader, assessed: Assessed) -> Sequence[str]:
    seats = assessed.record.seats if assessed.record else 0
    names = [one.name for one in assessed.seated] or [None] * seats
    player = reader.gettext("Player")
    return [name or f"{player} {seat}" for seat, name in enumerate(names, 1)]
