"""The replay: any version of a game, its chapters, and the knowledge at that time."""

from functools import partial
from typing import Any
from uuid import UUID

from litestar import get
from litestar.response import Redirect, Response
from markupsafe import Markup
from msgspec import Struct, to_builtins

from schemas.entries import Entry
from service.access.admission import Access
from service.dependencies import (
    Asked,
    Id,
    NewId,
    Number,
    PageRequest,
    TheGames,
    see_other,
)
from service.play.course import GameCourse, begins
from service.play.possibilities import Eyes, hidden_from_viewers
from service.play.queries import GameQueries
from service.play.snapshots import GameSnapshot
from service.play.views import status_of
from service.web.archive.knowledge import (
    entry_mask,
    games_as_seen,
    knowledge_growth,
    number_of_deals,
    openness,
    probability_grid,
    sightings,
    split_by_knowledge,
)
from service.web.archive.moment import moment_variables, passed, table_time
from service.web.format.render import Reader, names_of, version_of
from service.web.recorder.entries.entries_page import deals_around
from service.web.recorder.table.board import place
from service.web.recorder.table.timeline import chapter, chapter_of

# Results further away are shown, and not passed over, until their page is loaded anew.
PASSED_NEAR = 300
AHEAD = 12  # versions per response while the slider moves
MARKS_MAX = 100  # of deals under the slider: more would fill it
PARTS = frozenset({"moments", "chapters", "known", "openness"})


class OtherPart(Struct, frozen=True, kw_only=True):
    """A game of the chain: where it begins, who plays, its first and its last deal."""

    position: int
    names: list[str]
    deals: tuple[int, int]


@get("/games/{game_id:uuid}/replay", opt={"access": Access.READER})
async def replay(games: TheGames, game_id: Id, version: Asked = "") -> Redirect:
    course = await games.course(await games.newest(game_id))
    return see_other(f"/games/{course.game.id}/at/{course.position(version)}")


@get("/games/{game_id:uuid}/at/{version:int}", opt={"access": Access.READER})
async def at_version(
    request: PageRequest,
    games: TheGames,
    new_id: NewId,
    game_id: Id,
    version: Number,
) -> Response[Any]:
    """Show the game at a version; `eyes` selects whose knowledge, by default the recorder's.

    The versions of earlier games of a chain are at 0 and below (`GameCourse.locate`).
    """
    reader = Reader(request)
    asked = await games.snapshot(game_id)
    course = await games.course(await games.newest(game_id))
    if course.game.id != game_id:
        part = next(one for one in course.parts if one.id == game_id)
        asked.at(version)  # raises NotFound
        position = max(version, begins(part)) + course.shift(part)
        return see_other(f"/games/{course.game.id}/at/{position}")
    now, at = course.locate(version)
    told = request.app.state["viewers_know"]
    secret = not request.user.may_write(game_id) and hidden_from_viewers(now, at, told)
    shown = await replay_variables(reader, games, course, version, secret=secret)
    root = f"/games/{game_id}"
    frame = {**place(course.game, request.user), "shared": False, "root": root, "command": new_id()}
    return await games.work_on(partial(reader.page, template_of(request), **frame, **shown))


def template_of(request: PageRequest) -> str:
    """Return the template of the part in the `X-Part` header, by default the whole page."""
    part = request.headers.get("x-part", "")
    return f"{part}.html" if part in PARTS else "replay.html"


async def replay_variables(
    reader: Reader, games: GameQueries, course: GameCourse, position: int, *, secret: bool
) -> dict[str, Any]:
    """Build the variables of the page, at a position, or the requested part of it.

    `secret`: the deal is in progress and this reader may not see what is known.
    """
    now, version = course.locate(position)
    first, last, shift = course.first, course.game.version, course.shift(now)
    part = reader.request.headers.get("x-part", "")
    asked = reader.request.query_params.get("eyes", "")
    eyes = _eyes(asked, len(now.players))
    reader.shown = entry_mask(now.ruleset, eyes) or reader.shown
    shown: dict[str, Any] = {"version": position, "first": first, "last": last, "eyes": asked}
    shown |= {"shift": shift}
    shown |= {"through": f"?eyes={eyes}" if asked else "", "seer": eyes}
    shown |= {"names": names_of(reader, now.players), "game": reader.game(now.ruleset)}
    if part in {"moments", ""}:
        ahead = range(position, min(position + AHEAD, last + 1) if part else position + 1)
        moments = await games.work_on(partial(_moments, reader, course, ahead, eyes))
        shown |= {"moments": moments} if part else {"moment": moments[0]}
    if part in {"chapters", ""}:
        near = range(max(first, position - PASSED_NEAR), min(last, position + PASSED_NEAR) + 1)
        shown["passed"] = passed(course, near)
        shown["others"] = _other_parts(reader, course, now)
        reader.follow(now)
        shown["deals_before"] = now.deals_before
        over = version == now.version and status_of(now.loaded.history.game) == "finished"
        told = partial(_chapter_variables, reader, now, None if over else version)
        shown |= await games.work_on(told)
    if part == "openness":
        told = partial(_openness_variables, now, version, eyes)
        shown |= {"line": []} if secret else await games.work_on(told)
    if part == "known" or (part == "" and asked):
        until = reader.request.app.state["viewers_know"]
        shown |= (
            {"secret": until}
            if secret
            else await _knowledge_variables(reader, games, now, version, eyes)
        )
    return shown


def _moments(
    reader: Reader, course: GameCourse, positions: range, eyes: Eyes
) -> list[dict[str, Any]]:
    by_part: dict[UUID, list[int]] = {}
    located = [(at, *course.locate(at)) for at in positions]
    for _, part, version in located:
        by_part.setdefault(part.id, []).append(version)
    seen = {
        part.id: games_as_seen(part, by_part[part.id], eyes)
        for part in course.parts
        if part.id in by_part
    }
    return [
        moment_variables(reader, course, at, seen[part.id].get(version))
        for at, part, version in located
    ]


def _other_parts(
    reader: Reader, course: GameCourse, now: GameSnapshot
) -> tuple[list[OtherPart], list[OtherPart]]:
    """Return the games of the chain before and after the one that is shown, latest first."""
    found = [
        OtherPart(
            position=begins(part) + course.shift(part),
            names=names_of(reader, part.players),
            deals=(part.deals_before + 1, part.deals_before + len(part.deals.ended)),
        )
        for part in course.parts
    ]
    at = course.index(now)
    return found[:at][::-1], found[at + 1 :][::-1]


def _chapter_variables(reader: Reader, now: GameSnapshot, version: int | None) -> dict[str, Any]:
    shown = deals_around(reader, now, version)
    places = [
        (line.source.version, line.source.part)
        for deal in shown
        for section in deal.sections or ()
        for line in section.lines
    ]
    latest = {place: now.deals.latest_correction(place) for place in places}
    return {
        "deals": shown,
        "corrected_at": {place: table_time(now, at) for place, at in latest.items() if at},
        "outcomes": {deal.number: now.deals.row(deal.number) for deal in shown},
    }


def _openness_variables(now: GameSnapshot, version: int, eyes: Eyes) -> dict[str, Any]:
    numbers = range(1, len(now.deals) + 1)
    parts = chapter(now, chapter_of(now, version)).parts
    return {
        "line": openness(now, version, eyes),
        "starts": [now.deals.start(one) for one in numbers] if len(numbers) <= MARKS_MAX else [],
        "marks": [min(one.version for one in part.entries) for part in parts if part.entries],
    }


async def _knowledge_variables(
    reader: Reader, games: GameQueries, now: GameSnapshot, version: int, eyes: Eyes
) -> dict[str, Any]:
    then = now.at(version)
    found = await games.possible(then, eyes)
    names = names_of(reader, now.players)
    grown = await games.work_on(partial(knowledge_growth, now, version, eyes))

    lit, unlit = split_by_knowledge(found.locations)

    def words_of(entry: Entry) -> Markup:
        return reader.show(to_builtins(entry), now.ruleset, names)

    return {
        "secret": False,
        "found": found,
        "whose": eyes,
        "deals_said": number_of_deals(found.deals or found.deals_min or "1", reader.language),
        "rows": probability_grid(found),
        "lit": lit,
        "unlit": unlit,
        "chart": grown.chart,
        "where": {
            card: [(step.version, words_of(step.entry)) for step in steps]
            for card, steps in sightings(now, version, eyes).items()
        },
        "telling": [(one, words_of(one.entry)) for one in grown.informative],
    }


def _eyes(asked: str, seats: int) -> Eyes:
    seat = version_of(asked)
    if seat is not None and seat < seats:
        return seat
    return "everybody" if asked == "everybody" else "recorder"
