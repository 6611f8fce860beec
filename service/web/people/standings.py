"""The standings of a period: who won how often, with a rating, in each game."""

from collections.abc import Mapping
from uuid import UUID

from litestar import get
from litestar.response import Response
from litestar.status_codes import HTTP_422_UNPROCESSABLE_ENTITY as UNREADABLE
from msgspec import Struct

from domain.games import GAMES
from domain.table.manifest import StandingsColumn
from projections.standings import GAMES_OF_A_RATING, RulesetStandings, Standing
from schemas.catalogue import SHAPES
from service.access.admission import Access
from service.club.people import PeriodStandings
from service.dependencies import Now, PageRequest, ThePeople
from service.store.records import Player
from service.web.format.chart import LINES_MAX, Chart
from service.web.format.charts import RatingRow, rating_table, ratings_chart
from service.web.format.figures import Say
from service.web.format.game_filters import named, read_filtering, years
from service.web.format.render import Reader
from service.web.people.player import called

_READ = ("ruleset", "set_aside", "from", "to")
_NOBODY = PeriodStandings(rulesets=(), players={})


class StandingsRow(Struct, frozen=True, kw_only=True):
    """Somebody in the standings."""

    name: str
    standing: Standing[UUID]


class StandingsTable(Struct, frozen=True, kw_only=True):
    """The standings of one game; `charted`: whose ratings are drawn, `moments` those in numbers.

    `won`: coming first is winning; `counted` is what is counted beside that.
    """

    ruleset: str
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
    """Show the standings of a period, of one game or of all."""
    reader = Reader(request)
    asked = {name: value for name, value in request.query_params.items() if name in _READ}
    filtering = read_filtering(asked, reader.zone)
    which = filtering.which
    found = (
        _NOBODY
        if filtering.wrong
        else await people.standings(
            which.ruleset, which.started_from, which.started_before, which.set_aside
        )
    )
    say = reader.says
    return reader.page(
        "standings.html",
        UNREADABLE if filtering.wrong else 200,
        filtering=filtering,
        set_aside=found.set_aside,
        typed=filtering.typed,
        wrong=filtering.wrong,
        years=years(now(), reader.zone),
        named=named(found.seasons),
        rulesets=tuple(SHAPES),
        tables=[_table(reader, say, one, found.players) for one in found.rulesets],
        games_of_a_rating=GAMES_OF_A_RATING,
        say=say,
    )


def _table(
    reader: Reader, say: Say, found: RulesetStandings[UUID], players: Mapping[UUID, Player]
) -> StandingsTable:
    rows = [
        StandingsRow(name=called(reader, players.get(one.player)), standing=one)
        for one in found.standings
    ]
    charted = [row for row in rows if row.standing.course][:LINES_MAX]
    courses = [row.standing.course for row in charted]
    names = [row.name for row in charted]
    return StandingsTable(
        ruleset=found.ruleset,
        won=GAMES[found.ruleset].won,
        counted=GAMES[found.ruleset].counted,
        games=found.games,
        finished=found.finished,
        rows=rows,
        chart=ratings_chart(
            f"ratings-{found.ruleset}", list(zip(names, courses, strict=True)), say
        ),
        charted=names,
        moments=rating_table(courses),
    )
