"""An evening as a sheet with a tally."""

import asyncio
from collections.abc import Mapping
from datetime import date, timedelta
from functools import partial
from uuid import UUID

from babel.dates import format_date, format_time
from litestar import get
from litestar.response import Response
from msgspec import Struct

from projections.evenings import Evening, EveningGame, EveningTally
from schemas.days import day_without_time, in_zone
from service.access.admission import Access
from service.access.hosts import shared_base
from service.dependencies import Id, PageRequest, TheEvenings
from service.export.formats.typesetter import PaperSize, format_signed, qr_code, strip_controls
from service.export.game import pdf
from service.export.game.forms import disposition, file_name
from service.export.history.season import (
    ListedGame,
    SeasonSheet,
    SeasonTable,
    Side,
    season_pdf,
)
from service.language.texts import texts
from service.store.records import Player
from service.web.access.qr_code import only_here
from service.web.archive.sheet import FILE_HEADERS
from service.web.format.game_rows import GameRow, row_of
from service.web.format.render import Reader


class TallyLine(Struct, frozen=True, kw_only=True):
    """A player's results of an evening."""

    name: str
    tallied: EveningTally[UUID]


class EveningShown(Struct, frozen=True, kw_only=True):
    """An evening with names in the reader's language.

    `minutes`: its duration, rounded to 15; 0 if it is unknown.
    """

    evening: Evening[UUID]
    names: list[str]
    tally: list[TallyLine]
    games: list[GameRow[EveningGame[UUID]]]
    minutes: int

    @property
    def paper(self) -> str:
        return f"/evenings/{self.evening.evening_id}/sheet.pdf"


@get("/evenings/{evening_id:uuid}", opt={"access": Access.MEMBER})
async def evening(request: PageRequest, evenings: TheEvenings, evening_id: Id) -> Response[str]:
    """Show an evening, found by the id of any of its games."""
    reader = Reader(request)
    page = await evenings.evening(evening_id)
    shown = shown_evening(reader, page.evenings[0], page.players)
    last = shown.games[-1].game
    return reader.page("evening.html", shown=shown, last=last, set_aside=page.set_aside)


@get("/evenings/{evening_id:uuid}/sheet.pdf", opt={"access": Access.MEMBER})
async def evening_pdf(
    request: PageRequest, evenings: TheEvenings, evening_id: Id
) -> Response[bytes]:
    """Return an evening on paper, with a QR code of its page if phones reach it."""
    reader = Reader(request)
    page = await evenings.evening(evening_id)
    shown = shown_evening(reader, page.evenings[0], page.players)
    here = f"{shared_base(request)}/evenings/{shown.evening.evening_id}"
    size: PaperSize = "a5" if request.query_params.get("paper") == "a5" else "a4"
    paper = _layout(reader, shown, size, "" if only_here(request) else here)
    content = await asyncio.to_thread(season_pdf, paper, shown.evening.ended_at)
    name = file_name(_day(reader, shown.evening), reader.gettext("An evening"), shown.names, "pdf")
    return Response(
        content,
        media_type=pdf.MEDIA_TYPE,
        headers=FILE_HEADERS
        | {
            "Content-Language": reader.language,
            "Content-Disposition": disposition(name, shown=True),
        },
    )


def _day(reader: Reader, evening: Evening[UUID]) -> date:
    started = evening.started_at
    return day_without_time(started) or in_zone(started, reader.zone).date()


def _layout(reader: Reader, shown: EveningShown, size: PaperSize, address: str) -> SeasonSheet:
    evening, lang = shown.evening, reader.language
    word = partial(texts().word, lang=lang)
    number = partial(reader.ngettext, "%(num)s game", "%(num)s games")
    tally = SeasonTable(
        title="",
        header=("", *map(reader.gettext, ("Name", "Games", "First", "Last"))),
        rows=tuple(
            ("", strip_controls(one.name), str(told.games), str(told.first), str(told.last))
            for one in shown.tally
            for told in [one.tallied]
        ),
    )
    return SeasonSheet(
        lang=lang,
        title=strip_controls(reader.together(shown.names)),
        filters=(number(len(shown.games)),),
        made=format_date(_day(reader, evening), "full", lang),
        standings="",
        tables=(tally,),
        note="",
        games=reader.gettext("What was played"),
        header=tuple(map(word, ("started_at", "ruleset", "deals", "players_and_totals"))),
        lines=tuple(_listed(reader, line) for line in shown.games),
        page=word("page"),
        size=size,
        replay=word("evening").format(address=address),
        code=qr_code(address),
    )


def _listed(reader: Reader, line: GameRow[EveningGame[UUID]]) -> ListedGame:
    game, lang = line.game, reader.language
    started = in_zone(game.started_at, reader.zone)
    return ListedGame(
        day="" if day_without_time(game.started_at) else format_time(started, "short", locale=lang),
        game=game.title_name or texts().game(game.ruleset, lang),
        deals=str(game.deals),
        sides=tuple(
            Side(name=strip_controls(name), total=format_signed(total), first=seat in line.first)
            for seat, (name, total) in enumerate(zip(line.names, game.totals, strict=True))
        ),
        remark="" if game.status == "finished" else texts().word("open", lang),
        said=(),
    )


def shown_evening(
    reader: Reader, evening: Evening[UUID], players: Mapping[UUID, Player]
) -> EveningShown:
    """Return an evening with its names in the reader's language."""

    def called(player: UUID) -> str:
        known = players.get(player)
        return (known.name if known else None) or reader.gettext("Somebody")

    lines = [
        row_of(game, [called(player) for player in game.players], has_leaders=game.decided)
        for game in evening.games
    ]
    took = (evening.duration or timedelta(0)).total_seconds() / 60
    return EveningShown(
        evening=evening,
        names=[called(player) for player in evening.people],
        tally=[TallyLine(name=called(one.player), tallied=one) for one in evening.tally],
        games=lines,
        minutes=15 * round(took / 15),
    )
