"""The history: all games, newest first, with filters and exports."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from litestar import get
from litestar.response import Response
from litestar.status_codes import HTTP_422_UNPROCESSABLE_ENTITY as UNREADABLE
from msgspec import Struct

from projections.evenings import EveningGame, evenings
from schemas.catalogue import SHAPES
from schemas.history import PastGame
from service.access.admission import Access
from service.club.score_history import ScoreHistory
from service.dependencies import NewId, Now, PageRequest, TheDescriptions, TheHistory
from service.export.history.forms import PDF
from service.store.records import Player
from service.web.format.game_filters import (
    ParsedFilter,
    calendar_periods,
    merge_parameters,
    parse_filter,
    refused_season,
    season_periods,
)
from service.web.format.game_rows import GameRow, rows_of
from service.web.format.render import Reader, version_of
from service.web.people.players import known as with_names

GAMES_SHOWN = 25
# Counting is linear in the number of games.
GAMES_COUNTED_MAX = 10_000


class EveningGroup(Struct, frozen=True, kw_only=True):
    """The games of an evening that are on one page, newest first.

    `evening`: the id of one of them; "" for games that belong to no evening, and `began` is None.
    """

    evening: str
    began: datetime | None
    names: list[str]
    rows: list[GameRow[PastGame]]


class HistoryPage(Struct, frozen=True, kw_only=True):
    """A page of games, the number of matching games, and the cursor of the next page.

    `number` is at most `GAMES_COUNTED_MAX` + 1. `set_aside`: matching games that are hidden because
    they are set aside.
    """

    rows: list[GameRow[PastGame]]
    number: int
    after: str | None
    set_aside: int


_EMPTY_PAGE = HistoryPage(rows=[], number=0, after=None, set_aside=0)


class PersonChoice(Struct, frozen=True, kw_only=True):
    id: UUID
    name: str


@get("/history", opt={"access": Access.MEMBER})
async def history(
    request: PageRequest,
    history: TheHistory,
    descriptions: TheDescriptions,
    now: Now,
    new_id: NewId,
) -> Response[str]:
    reader = Reader(request)
    filtering = parse_filter(merge_parameters(request.query_params.multi_items()), reader.zone)
    known = await descriptions.filter_values()
    which = filtering.which
    chosen = [] if which.player is None else [which.player, *which.others]
    unreadable = bool({*filtering.wrong} - {"cursor"})
    games_page = _EMPTY_PAGE if unreadable else await _page(reader, history, filtering)
    return reader.page(
        "history.html",
        UNREADABLE if unreadable else 200,
        filtering=filtering,
        typed=filtering.typed,
        wrong=filtering.wrong,
        people=_choices(reader, known.players, chosen),
        chosen_people=chosen,
        places=known.places,
        tags=known.tags,
        named=season_periods(known.seasons),
        seasons=known.seasons,
        refused=refused_season(request.query_params),
        failed=version_of(request.query_params.get("failed", "")) or 0,
        rulesets=tuple(SHAPES),
        titles=[one for one in known.titles if one.name],
        years=calendar_periods(now(), reader.zone),
        pdf_games_max=PDF.most or 0,
        rows=games_page.rows,
        groups=_by_evening(games_page.rows) if which.set_aside == "exclude" else (),
        found=min(games_page.number, GAMES_COUNTED_MAX),
        uncounted=games_page.number > GAMES_COUNTED_MAX,
        after=games_page.after,
        set_aside=games_page.set_aside,
        command=new_id(),
    )


async def _page(reader: Reader, history: ScoreHistory, filtering: ParsedFilter) -> HistoryPage:
    page, number = await history.page_and_count(
        filtering.which, filtering.after, GAMES_SHOWN, GAMES_COUNTED_MAX + 1
    )
    rows = rows_of(reader, page.games)
    return HistoryPage(rows=rows, number=number, after=page.next, set_aside=page.set_aside)


def _by_evening(rows: Sequence[GameRow[PastGame]]) -> list[EveningGroup]:
    by_id = {row.game.id: row for row in rows}
    names = {
        player.id: name
        for row in rows
        for player, name in zip(row.game.players, row.names, strict=True)
    }
    found = evenings(
        EveningGame(
            game_id=row.game.id,
            ruleset=row.game.ruleset,
            title=row.game.title,
            status=row.game.status,
            started_at=row.game.started_at,
            last_at=row.game.last_at,
            players=tuple(player.id for player in row.game.players),
            deals=len(row.game.deals),
            totals=row.game.totals,
            places=row.game.places,
            took_part=row.game.took_part,
            times=row.game.times,
        )
        for row in reversed(rows)
    )
    groups = [
        EveningGroup(
            evening=one.evening_id,
            began=one.started_at,
            names=[names[player] for player in one.people],
            rows=[by_id.pop(game.game_id) for game in reversed(one.games)],
        )
        for one in reversed(found)
    ]
    rest = [EveningGroup(evening="", began=None, names=[], rows=[*by_id.values()])] if by_id else []
    return groups + rest


def _choices(
    reader: Reader, people: Sequence[Player], chosen: Sequence[UUID]
) -> list[PersonChoice]:
    choices = [
        PersonChoice(id=one.player_id, name=one.name or "") for one in with_names(list(people))
    ]
    nameless = reader.gettext("somebody without a name")
    missing = [one for one in chosen if one not in {choice.id for choice in choices}]
    return [*choices, *(PersonChoice(id=one, name=nameless) for one in missing)]
