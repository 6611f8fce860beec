"""Games as input of exports: any legal log, and a short one of Euchre."""

from datetime import UTC, datetime, timedelta
from typing import Any, cast
from uuid import UUID

from msgspec import json

from domain.replay import ReplayedRecord, opening, replay
from projections.games import sheet_of
from schemas.catalogue import decode_record, ruleset_of
from schemas.strict_json import Malformed
from service.export.game.game import GameSheet, LogLine
from service.play.score_sheets import SheetData, game_sheet
from service.play.views import PlayerView, Sheet
from tests.service.refused import HEARTS, Log

NAMES = ("Anna", "Ben")
MARCH = {"type": "result", "maker": 1, "tricks": 5}
FINE = {"type": "adjust", "seat": 0, "points": -3, "reason": 'he said "hearts", twice'}
NOTE = {"type": "note", "text": "=1+1"}
PLAYED: Log = [*HEARTS, MARCH, FINE, NOTE]
STARTED = datetime(2026, 11, 21, 20, 37, 5, tzinfo=UTC)


def told(
    ruleset: str,
    log: Log,
    names: tuple[str, ...] = NAMES,
    lang: str = "en",
    options: dict[str, Any] | None = None,
) -> GameSheet:
    seats = len(names)
    line = {"ruleset": ruleset, "options": options or {}, "seats": seats, "log": log}
    record = decode_record(json.encode(line))
    assert not isinstance(record, Malformed), record
    played = replay(opening(ruleset_of(record), record.options, seats), record.log)
    assert isinstance(played, ReplayedRecord), played
    entries = tuple(
        LogLine(
            version=version,
            type=str(entry["type"]),
            recorded_at=STARTED + timedelta(minutes=version - 1),
            seat=cast("int | None", entry.get("seat")),
            entry=json.encode(entry).decode(),
        )
        for version, entry in enumerate([{"type": "started", "ruleset": ruleset}, *log], 1)
    )
    sheet = Sheet(
        version=len(entries),
        players=tuple(PlayerView(id=UUID(int=seat), name=name) for seat, name in enumerate(names)),
        sheet=sheet_of(played.history),
    )
    gathered = SheetData(
        id=UUID(int=7),
        sheet=sheet,
        options=played.history.game.options,
        log=entries,
        times="recorded",
        seats=seats,
        tag=str(sheet.version),
    )
    return game_sheet(gathered, names, lang)


def euchre(
    log: Log = PLAYED,
    names: tuple[str, ...] = NAMES,
    lang: str = "en",
    options: dict[str, Any] | None = None,
) -> GameSheet:
    """Return a game of Euchre: a march, an adjustment and a note that begins like a formula."""
    return told("euchre", log, names, lang, options)
