"""The figures of one person, or of a pair, by title and period."""

from typing import Any

from litestar import get
from litestar.response import Response
from msgspec import Struct

from domain.games import GAMES
from projections.breakdown import Dimension, Group, TitleBreakdown
from projections.standings import RatedAt
from service.access.admission import Access
from service.club.people import PersonFigures
from service.dependencies import Asked, Id, PageRequest, ThePeople, see_other
from service.errors import NotFound
from service.store.read_models.listing import GameFilter
from service.web.format.chart import Chart
from service.web.format.charts import games_chart, ratings_chart
from service.web.format.render import Reader, uuid_of
from service.web.people.players import name_or_forgotten

# With more months, the chart shows years.
MONTHS_CHARTED = 48
_TABLES: tuple[Dimension, ...] = ("opponent", "partner", "seats", "year", "month", "season")


class FiguresRow(Struct, frozen=True, kw_only=True):
    """A group with its name in the reader's language."""

    name: str
    group: Group

    @property
    def minutes(self) -> int:
        return round(self.group.seconds / 60)


class TitleFigures(Struct, frozen=True, kw_only=True):
    """A title: a row for each of the one or two people, and a table for each kind of group.

    `won`: first place wins. `by_month`: the chart of games counts months, not years.
    """

    ruleset: str
    title: str
    title_name: str | None
    won: bool
    people: list[FiguresRow]
    tables: dict[Dimension, list[FiguresRow]]
    games: Chart | None
    by_month: bool
    ratings: Chart | None


@get("/players/{player_id:uuid}/figures", opt={"access": Access.MEMBER})
async def show_figures(
    request: PageRequest, people: ThePeople, player_id: Id, other: Asked = ""
) -> Response[Any]:
    """Show a person's figures; with `other`, those of the games that both played."""
    reader = Reader(request)
    second = uuid_of(other) if other else None
    if other and second is None:
        raise NotFound("player", None)
    if second is None:
        both = [await people.figures(player_id, GameFilter(), reader.zone)]
    else:
        both = await people.figures_of_both(player_id, second, reader.zone)
    ids = [one.player.player_id for one in both]
    if ids != [player_id, second][: len(ids)]:
        more = f"?other={ids[1]}" if second else ""
        return see_other(f"/players/{ids[0]}/figures{more}")
    names = [name_or_forgotten(reader, one.player) for one in both]
    games = sum(one.all.figures.games for one in both[0].titles)
    return reader.page(
        "person_figures.html",
        people=list(zip(ids, names, strict=True)),
        names=names,
        pair=second is not None,
        games=games,
        minutes=round(sum(one.all.seconds for one in both[0].titles) / 60),
        timed=sum(one.all.timed for one in both[0].titles),
        parts=[_title(reader, both, names, at) for at in _by_games(both[0])],
        say=reader.figures,
    )


def _by_games(figures: PersonFigures) -> list[int]:
    """Return the indexes of the titles, those with most finished games first."""
    finished = [-one.all.figures.finished for one in figures.titles]
    return sorted(range(len(finished)), key=finished.__getitem__)


def _title(reader: Reader, both: list[PersonFigures], names: list[str], at: int) -> TitleFigures:
    found, one = both[0], both[0].titles[at]
    manifest, say = GAMES[one.ruleset], reader.figures
    months = [group for group in one.groups["month"] if group.key]
    by_month = len(months) <= MONTHS_CHARTED
    lines = (
        reader.gettext("Games"),
        reader.gettext("Won") if manifest.has_winner else reader.gettext("First"),
    )
    courses: list[tuple[str, tuple[RatedAt, ...]]] = [
        (name, person.ratings.get(one.title, ())) for name, person in zip(names, both, strict=True)
    ]
    return TitleFigures(
        ruleset=one.ruleset,
        title=one.title,
        title_name=found.names.get(one.title),
        won=manifest.has_winner,
        people=[
            FiguresRow(name=name, group=person.titles[at].all)
            for name, person in zip(names, both, strict=True)
        ],
        tables={name: _rows(reader, found, one, name) for name in _TABLES},
        games=games_chart(
            f"games-{one.title}", months if by_month else one.groups["year"], lines, say
        ),
        by_month=by_month,
        ratings=ratings_chart(f"ratings-{one.title}", courses, say),
    )


def _rows(
    reader: Reader, figures: PersonFigures, title: TitleBreakdown, dimension: Dimension
) -> list[FiguresRow]:
    rows = [
        FiguresRow(name=_name(reader, figures, dimension, group.key), group=group)
        for group in title.groups[dimension]
    ]
    return rows[::-1] if dimension in {"year", "month"} else rows


def _name(reader: Reader, found: PersonFigures, dimension: Dimension, key: str) -> str:
    if dimension in {"opponent", "partner"}:
        return found.name(key) or reader.gettext("forgotten player")
    if dimension == "season":
        return found.name(key) or ""
    if dimension == "seats":
        return reader.ngettext("%(num)s player", "%(num)s players", int(key))
    return reader.figures.month(key) if key else reader.gettext("day unknown")
