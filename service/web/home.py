"""The first page: the game to continue, the last evening, the leaders of the year; and More."""

import asyncio
from typing import Any
from uuid import UUID

from litestar import get
from litestar.response import Response
from msgspec import Struct

from domain.games import GAMES
from projections.standings import Figures
from service.access.admission import Access
from service.club.people import People
from service.club.score_history import ScoreHistory
from service.dependencies import (
    Now,
    PageRequest,
    TheEvenings,
    TheHistory,
    TheImportRuns,
    ThePeople,
    see_other,
)
from service.store.read_models.listing import GameFilter
from service.tenancy.club_services import services_of
from service.web.archive.evenings import shown_evening
from service.web.format.game_filters import calendar_periods, parse_filter
from service.web.format.game_rows import rows_of
from service.web.format.render import Reader
from service.web.people.players import name_or_forgotten
from service.web.recorder.table.board import game_address

_LEADERS_SHOWN = 4
_RUNNING_SHOWN = 6


class Leader(Struct, frozen=True, kw_only=True):
    """The player in first place of a title's standings. `won`: its first place wins."""

    ruleset: str
    title: str
    title_name: str | None
    name: str
    figures: Figures
    won: bool


@get("/", opt={"access": Access.KNOWN})
async def home(
    request: PageRequest,
    history: TheHistory,
    evenings: TheEvenings,
    people: ThePeople,
    import_runs: TheImportRuns,
    now: Now,
) -> Response[Any]:
    """Show the running games, the last evening and the leaders of the year; imports to owners.

    A guest sees the games of their links, and a single one directly.
    """
    if request.user.club is None:
        return await _guests_home(request, history)
    reader = Reader(request)
    page = await evenings.page(GameFilter(), None, 2)
    latest = [shown_evening(reader, one, page.players) for one in page.evenings]
    games = [line for one in latest for line in reversed(one.games)]
    over = (one for one in latest if any(line.game.status != "open" for line in one.games))
    year = calendar_periods(now(), reader.zone)["this year"]
    return reader.page(
        "home.html",
        running=[line for line in games if line.game.status == "open"][:_RUNNING_SHOWN],
        last=games[0] if games else None,
        evening=next(over, None),
        runs=await asyncio.to_thread(import_runs.latest) if request.user.owner else [],
        set_aside=page.set_aside,
        played=bool(latest),
        leaders=await _leaders(reader, people, year.begins, year.ends) if latest else [],
        year=year.begins[:4],
        extensions=services_of(request).extensions,
        samples=not latest and request.user.owner and request.app.state["samples"].offered,
    )


async def _leaders(reader: Reader, people: People, begins: str, ends: str) -> list[Leader]:
    which = parse_filter({"from": begins, "to": ends}, reader.zone).which
    found = await people.standings(None, which.started_from, which.started_before)
    tables = [one for one in found.rulesets if one.finished]
    tables.sort(key=lambda one: -one.finished)
    return [
        Leader(
            ruleset=table.ruleset,
            title=table.title,
            title_name=found.names.get(table.title),
            name=name_or_forgotten(reader, found.players.get(table.standings[0].player)),
            figures=table.standings[0].figures,
            won=GAMES[table.ruleset].has_winner,
        )
        for table in tables[:_LEADERS_SHOWN]
    ]


@get("/more", opt={"access": Access.MEMBER})
async def more(request: PageRequest) -> Response[str]:
    """Link to the pages that are not in the bar."""
    samples = request.app.state["samples"].offered and services_of(request).sample_of is None
    return Reader(request).page("more.html", samples=samples)


async def _guests_home(request: PageRequest, history: ScoreHistory) -> Response[Any]:
    games = request.user.games
    which = GameFilter(games=games, set_aside="include")
    latest = (await history.page(which, None, max(1, len(games)))).games
    if len(latest) == 1:
        return see_other(game_address(UUID(latest[0].id)))
    reader = Reader(request)
    return reader.page("guests_home.html", rows=rows_of(reader, latest))
