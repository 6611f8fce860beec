"""The preview of a game of an upload: its options and score sheet, or the refused entries."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from projections.score_sheet import ScoreSheet
from schemas.catalogue import shapes
from service.language.texts import texts
from service.transfer.record_files import OpenedFile, RecordFault
from service.transfer.uploads import Assessed
from service.web.format.render import Reader


class RecordPreview(Struct, frozen=True, kw_only=True):
    """The game that a valid record would create; `entries` includes `started`.

    `players`: their names, "" where the record names nobody; `names`: the same to show.
    `sheet` None: too long to show.
    """

    ruleset: str
    place: str | None
    options: Any
    chosen: tuple[str, ...]
    players: tuple[str, ...]
    names: tuple[str, ...]
    entries: int
    finished: bool
    sheet: ScoreSheet | None


def refused_entry(reader: Reader, piece: OpenedFile, fault: RecordFault) -> str:
    """Return an entry that a rule refuses as a sentence; "" for other problems."""
    if fault.entry is None:
        return ""
    return reader.say(fault.entry, piece.ruleset, _names(reader, piece.players))


def record_preview(
    reader: Reader, assessed: Assessed, players: Sequence[str | None]
) -> RecordPreview | None:
    record, outcome = assessed.record, assessed.outcome
    if record is None or outcome is None or assessed.hash is None:
        return None
    called = players or (None,) * record.seats
    chosen = shapes(record.ruleset).non_default_options(record.options, record.seats)
    return RecordPreview(
        ruleset=record.ruleset,
        place=record.place,
        options=record.options,
        chosen=tuple(
            texts().option(record.ruleset, name, value, reader.language, _names(reader, called))
            for name, value in chosen.items()
        ),
        players=tuple(name or "" for name in called),
        names=tuple(_names(reader, called)),
        entries=len(outcome.entries) + 1,
        finished=outcome.summary.status == "finished",
        sheet=outcome.sheet,
    )


def _names(reader: Reader, players: Sequence[str | None]) -> list[str]:
    player = reader.gettext("Player")
    return [name or f"{player} {seat}" for seat, name in enumerate(players, 1)]
