"""Pictures to share: a game, and an evening."""

import asyncio
import re
from datetime import datetime
from functools import partial
from itertools import accumulate
from uuid import UUID

from babel.dates import format_date
from litestar import get
from litestar.response import Response

from projections.evenings import EveningGame
from projections.summary import best_first
from schemas.days import day_without_time, in_zone
from service.access.admission import Access
from service.dependencies import Id, PageRequest, TheEvenings, TheGames
from service.export.formats.typesetter import format_signed, strip_controls
from service.export.game.forms import disposition, file_name
from service.export.game.paper_chart import begun
from service.export.game.picture import (
    CARDS_MAX,
    LINES_BENEATH_MAX,
    LINES_MAX,
    MEDIA_TYPE,
    Face,
    Picture,
    PictureSide,
    course_of,
    picture_png,
)
from service.language.texts import texts
from service.play.course import GameCourse
from service.play.snapshots import GameSnapshot
from service.play.views import game_view
from service.web.archive.evenings import EveningShown, shown_evening
from service.web.format.game_rows import GameRow
from service.web.format.render import HEADERS, Reader, names_of
from service.web.recorder.table.board import LATELY, board_of

# The markup of the macro `face` in `cards.html`.
_FACE = re.compile(r'<span class="card(?: (\w+))?" aria-hidden="true">([^<]*)')
_SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_RED = frozenset("hd")
_JOKER = "★"


def picture_of(reader: Reader, course: GameCourse) -> Picture:
    shown = course.game
    lately = shown.last_entries(LATELY)
    view = game_view(
        shown.id,
        shown.version,
        shown.loaded.history.game,
        (),
        shown.players,
        (),
        chain=shown.loaded.chain,
    )
    reader.follow(shown)
    board = board_of(reader, view, "", lately=lately)
    table = str(reader.game(shown.ruleset).table(board))
    faces = [_face(suit, rank.strip()) for suit, rank in _FACE.findall(table)]
    over = view.status != "open"
    deal = reader.gettext("Deal %(deal)s") % {"deal": view.deal}
    words = reader.say(lately[-1], shown.ruleset, board.names)
    return Picture(
        lang=reader.language,
        title=shown.title_name or texts().game(shown.ruleset, reader.language),
        deal=reader.gettext("Finished") if over else deal,
        players=tuple(
            PictureSide(
                name=strip_controls(board.names[seat]), total=format_signed(view.totals[seat])
            )
            for seat in best_first(shown.loaded.history)
        ),
        cards=tuple(faces[-CARDS_MAX:]),
        said=strip_controls(words[:1].upper() + words[1:]),
        day=_day(reader, shown) if over else "",
        course=course_of(_totals(course), names_of(reader, course.players)) if over else (),
    )


def _face(suit: str, rank: str) -> Face:
    sign = _SIGNS.get(suit, "")
    if not sign and not rank:
        return Face(rank="", suit=_JOKER, red=False)
    return Face(rank=rank, suit=sign or "?", red=suit in _RED)


def _totals(course: GameCourse) -> list[tuple[int | None, ...]]:
    rows = [row.totals for row in course.charted]
    return [begun(rows[0]), *rows] if rows else []


def _day(reader: Reader, shown: GameSnapshot) -> str:
    loaded = shown.loaded
    if loaded.times == "none":
        return ""
    return _date(reader, loaded.began_at or loaded.rows[0].recorded_at)


def _date(reader: Reader, moment: datetime) -> str:
    day = day_without_time(moment) or in_zone(moment, reader.zone)
    return format_date(day, "long", locale=reader.language)


@get("/games/{game_id:uuid}/picture.png", opt={"access": Access.READER})
async def game_picture(request: PageRequest, games: TheGames, game_id: Id) -> Response[bytes]:
    """Return the game as a picture, with what anybody at the table may see."""
    reader = Reader(request)
    shown = await games.course_of(game_id)
    picture = await games.work_on(partial(picture_of, reader, shown))
    return await picture_response(picture, picture.day, picture.title, picture.said)


@get("/evenings/{evening_id:uuid}/picture.png", opt={"access": Access.MEMBER})
async def evening_picture(
    request: PageRequest, evenings: TheEvenings, evening_id: Id
) -> Response[bytes]:
    reader = Reader(request)
    page = await evenings.evening(evening_id)
    shown = shown_evening(reader, page.evenings[0], page.players)
    picture = _picture_of_evening(reader, shown)
    return await picture_response(picture, picture.day, picture.title, *shown.names)


def _picture_of_evening(reader: Reader, shown: EveningShown) -> Picture:
    evening, tally = shown.evening, shown.tally
    most = max(line.tallied.first for line in tally)
    leaders = [line.name for line in tally if line.tallied.first == most > 0]
    names = [line.name for line in tally]
    said = (
        reader.gettext("%(names)s first") % {"names": reader.together(leaders)}
        if leaders
        else reader.together(names)
    )
    won = [_firsts(line.game, evening.people) for line in shown.games if line.game.decided]
    totals = accumulate(won, _add, initial=(0,) * len(names))
    course = course_of([*totals], names)
    return Picture(
        lang=reader.language,
        title=reader.gettext("An evening"),
        deal="",
        players=tuple(
            PictureSide(
                name=strip_controls(line.name),
                total=f"{line.tallied.first}/{line.tallied.finished}",
            )
            for line in tally
        ),
        cards=(),
        said=strip_controls(said[:1].upper() + said[1:]),
        day=_date(reader, evening.started_at),
        course=course,
        lines=tuple(
            _line(reader, line)
            for line in shown.games[-(LINES_BENEATH_MAX if course else LINES_MAX) :]
        ),
    )


def _firsts(game: EveningGame[UUID], people: tuple[UUID, ...]) -> tuple[int, ...]:
    return tuple(int(game.place(one) == 1) for one in people)


def _add(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(sum, zip(one, other, strict=True)))


def _line(reader: Reader, line: GameRow[EveningGame[UUID]]) -> str:
    game = line.game
    title = game.title_name or texts().game(game.ruleset, reader.language)
    totals = zip(line.names, game.totals, strict=True)
    scores = " · ".join(f"{name} {format_signed(total)}" for name, total in totals)
    return strip_controls(f"{title}: {scores}")


async def picture_response(picture: Picture, *words: str) -> Response[bytes]:
    """Return a picture with a file name of some words."""
    content = await asyncio.to_thread(picture_png, picture)
    name = file_name(None, " ".join(word for word in words[:1] if word), words[1:], "png")
    headers = {
        "Content-Language": picture.lang,
        "Content-Disposition": disposition(name, shown=True),
        "Vary": "Accept-Language, Cookie",
    }
    return Response(content, media_type=MEDIA_TYPE, headers=HEADERS | headers)
