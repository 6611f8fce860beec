"""A year in review: one page and one picture, of the club or of one person."""

from itertools import accumulate
from uuid import UUID

from babel.dates import get_month_names
from litestar import get
from litestar.response import Response
from msgspec import Struct

from projections.review import MONTHS, PersonCount
from service.access.admission import Access
from service.club.evenings import YearReview
from service.dependencies import Asked, Now, Number, PageRequest, TheEvenings
from service.errors import NotFound
from service.export.formats.typesetter import strip_controls
from service.export.game.picture import Picture, PictureSide, course_of
from service.language.texts import texts
from service.web.archive.pictures import picture_response
from service.web.format.chart import Axis, Chart, Series, draw
from service.web.format.render import Reader, uuid_of
from service.web.people.players import name_or_forgotten

PEOPLE_DRAWN = 6
TITLES_DRAWN = 4


class PersonRow(Struct, frozen=True, kw_only=True):
    name: str
    count: PersonCount[UUID]

    @property
    def first(self) -> int:
        return sum(self.count.wins)


@get("/years/{year:int}", opt={"access": Access.MEMBER})
async def show_year(
    request: PageRequest, evenings: TheEvenings, now: Now, year: Number, player: Asked = ""
) -> Response[str]:
    reader = Reader(request)
    reviewed = await evenings.year(year, reader.zone, _player(player))
    rows = _rows(reader, reviewed)
    names = {row.count.player: row.name for row in rows}
    pair = reviewed.review.pair
    today = now().astimezone(reader.zone)
    return reader.page(
        "year.html",
        year=year,
        this_year=today.year,
        review=reviewed.review,
        minutes=round(reviewed.review.seconds / 60),
        player=reviewed.player,
        name=name_or_forgotten(reader, reviewed.player) if reviewed.player else "",
        rows=rows,
        pair=[names[member] for member in pair.players] if pair else [],
        chart=_chart(reader, reviewed, today.month if today.year == year else MONTHS),
        query=f"?player={reviewed.player.player_id}" if reviewed.player else "",
    )


@get("/years/{year:int}/picture.png", opt={"access": Access.MEMBER})
async def year_picture(
    request: PageRequest, evenings: TheEvenings, year: Number, player: Asked = ""
) -> Response[bytes]:
    reader = Reader(request)
    reviewed = await evenings.year(year, reader.zone, _player(player))
    review = reviewed.review
    name = name_or_forgotten(reader, reviewed.player) if reviewed.player else ""
    rows = _rows(reader, reviewed)[:PEOPLE_DRAWN]
    wins = [[*accumulate(row.count.wins, initial=0)] for row in rows]
    months = [*zip(*wins, strict=True)]
    games = reader.ngettext("%(num)s game", "%(num)s games", review.games)
    nights = reader.ngettext("%(num)s evening", "%(num)s evenings", review.evenings)
    picture = Picture(
        lang=reader.language,
        title=strip_controls(f"{year} · {name}" if name else str(year)),
        deal="",
        players=tuple(
            PictureSide(name=strip_controls(row.name), total=f"{row.first}/{row.count.finished}")
            for row in rows
        ),
        cards=(),
        said=f"{games}, {nights}",
        day=reader.gettext("First places of finished games"),
        course=course_of(months, [row.name for row in rows]) if rows else (),
        lines=(
            strip_controls(
                " · ".join(
                    f"{_title(reader, title.ruleset, title.name)} {title.games}"
                    for title in review.titles[:TITLES_DRAWN]
                )
            ),
        ),
    )
    return await picture_response(picture, str(year), name or "Carnet")


def _player(typed: str) -> UUID | None:
    player = uuid_of(typed) if typed else None
    if typed and player is None:
        raise NotFound("player", None)
    return player


def _rows(reader: Reader, found: YearReview) -> list[PersonRow]:
    rows = [
        PersonRow(name=name_or_forgotten(reader, found.players.get(one.player)), count=one)
        for one in found.review.people
    ]
    return sorted(rows, key=lambda row: -row.first)


def _title(reader: Reader, ruleset: str, name: str | None) -> str:
    return name or texts().game(ruleset, reader.language)


def _chart(reader: Reader, found: YearReview, months: int) -> Chart | None:
    """Draw the games of the first `months` of the year; those to come are no zeros."""
    counts = found.review.months[:months]
    if not any(counts):
        return None
    names = get_month_names("abbreviated", context="stand-alone", locale=reader.language)
    line = Series(name=reader.gettext("Games"), points=[*enumerate(counts)])
    ends = [(at, str(names[at + 1])) for at in sorted({0, len(counts) - 1})]
    return draw("months", [line], ends, reader.figures.short, Axis(whole=True, zero=True))
