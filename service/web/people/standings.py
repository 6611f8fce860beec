"""The standings of a period: wins and ratings per game."""

from collections import Counter
from collections.abc import Iterable, Iterator
from uuid import UUID

from litestar import get
from litestar.response import Response
from litestar.status_codes import HTTP_422_UNPROCESSABLE_ENTITY as UNREADABLE
from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAMES
from domain.table.manifest import StandingsColumn
from projections.standings import RATED_GAMES_MIN, RulesetStandings, Standing
from schemas.catalogue import SHAPES
from service.access.admission import Access
from service.club.people import PeriodStandings
from service.dependencies import Now, PageRequest, ThePeople
from service.language.texts import texts
from service.web.format.chart import LINES_MAX, Chart
from service.web.format.charts import RatingRow, rating_table, ratings_chart
from service.web.format.figures import FigureFormat
from service.web.format.game_filters import (
    calendar_periods,
    parse_filter,
    refused_season,
    season_periods,
)
from service.web.format.render import Reader
from service.web.people.players import name_or_forgotten

_PARAMETERS = ("ruleset", "set_aside", "from", "to")
_EMPTY = PeriodStandings(rulesets=(), players={})


class StandingsRow(Struct, frozen=True, kw_only=True):
    name: str
    standing: Standing[UUID]


class StandingsTable(Struct, frozen=True, kw_only=True):
    """The standings of one ruleset.

    `charted`: names in the ratings chart, `moments` its numbers. `won`: first place wins;
    `counted`: the ruleset's extra columns.
    """

    ruleset: str
    title: str
    title_name: str | None
    won: bool
    counted: tuple[StandingsColumn, ...]
    games: int
    finished: int
    rows: list[StandingsRow]
    chart: Chart | None
    charted: list[str]
    moments: list[RatingRow]


@get("/standings", opt={"access": Access.MEMBER})
async def standings(request: PageRequest, people: ThePeople, now: Now) -> Response[str]:
    reader = Reader(request)
    parameters = {
        name: value for name, value in request.query_params.items() if name in _PARAMETERS
    }
    filtering = parse_filter(parameters, reader.zone)
    which = filtering.which
    period_standings = (
        _EMPTY
        if filtering.wrong
        else await people.standings(
            which.ruleset,
            which.started_from,
            which.started_before,
            which.set_aside,
            which.title,
        )
    )
    say = reader.figures
    tables = [_table(reader, say, one, period_standings) for one in period_standings.rulesets]
    tables.sort(key=lambda table: -table.finished)
    return reader.page(
        "standings.html",
        UNREADABLE if filtering.wrong else 200,
        filtering=filtering,
        set_aside=period_standings.set_aside,
        typed=filtering.typed,
        wrong=filtering.wrong,
        years=calendar_periods(now(), reader.zone),
        year=now().astimezone(reader.zone).year,
        named=season_periods(period_standings.seasons),
        seasons=period_standings.seasons,
        refused=refused_season(request.query_params),
        rulesets=tuple(SHAPES),
        titles=[one for one in period_standings.titles if one.name],
        tables=[*_numbered(tables, reader.language)],
        games_of_a_rating=RATED_GAMES_MIN,
        say=say,
    )


def _table(
    reader: Reader,
    say: FigureFormat,
    ruleset_standings: RulesetStandings[UUID],
    period: PeriodStandings,
) -> StandingsTable:
    rows = [
        StandingsRow(
            name=name_or_forgotten(reader, period.players.get(standing.player)), standing=standing
        )
        for standing in ruleset_standings.standings
    ]
    charted = [row for row in rows if row.standing.course][:LINES_MAX]
    courses = [row.standing.course for row in charted]
    names = [row.name for row in charted]
    return StandingsTable(
        ruleset=ruleset_standings.ruleset,
        title=ruleset_standings.title,
        title_name=period.names.get(ruleset_standings.title),
        won=GAMES[ruleset_standings.ruleset].has_winner,
        counted=GAMES[ruleset_standings.ruleset].standings_columns,
        games=ruleset_standings.games,
        finished=ruleset_standings.finished,
        rows=rows,
        chart=ratings_chart(
            f"ratings-{ruleset_standings.title}", list(zip(names, courses, strict=True)), say
        ),
        charted=names,
        moments=rating_table(courses),
    )


def _numbered(tables: Iterable[StandingsTable], language: str) -> Iterator[StandingsTable]:
    """Yield the tables, with a number for each nameless game after the first one."""
    nameless = Counter[str]()
    for table in tables:
        nameless[table.ruleset] += table.title_name is None
        number = nameless[table.ruleset]
        if table.title_name is None and number > 1:
            name = f"{texts().game(table.ruleset, language)} ({number})"
            yield replace(table, title_name=name)
        else:
            yield table
