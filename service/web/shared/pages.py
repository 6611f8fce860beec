"""A game behind a public link: the replay up to a version, the score board, a picture."""

from functools import partial
from typing import Any

from litestar import get
from litestar.response import Redirect, Response

from projections.summary import ranking
from service.access.hosts import shared_base
from service.access.secrets import token_hash
from service.dependencies import (
    Asked,
    Number,
    PageRequest,
    TheGames,
    TheGrants,
    Word,
    see_other,
)
from service.errors import NotFound
from service.export.game.picture import HEIGHT, MEDIA_TYPE, WIDTH, picture_png
from service.play.course import GameCourse
from service.play.possibilities import hidden_from_viewers
from service.play.queries import GameQueries
from service.play.snapshots import GameSnapshot
from service.play.views import game_view
from service.store.access.grants import Grant, Grants
from service.web.archive.pictures import picture_of
from service.web.archive.replay import replay_variables, template_of
from service.web.archive.sheet import sheet_page
from service.web.format.render import HEADERS, Reader, names_of
from service.web.recorder.table.board import LATELY, final_entry
from service.web.recorder.table.outcome import Placing, has_totals, places

_PATH = "/shared/{token:str}"
_PUBLIC = {"public": True}


class OpenedPage:
    """A game behind a public link: `course` is limited by the link, `now` is the current version.

    A link without a limit leads on to the game as which it goes on.
    """

    def __init__(
        self, request: PageRequest, token: str, link: Grant, now: GameSnapshot, course: GameCourse
    ) -> None:
        self.reader = Reader(request, cookies=False)
        self.now = now
        self.course = course
        self.shown = course.game
        self.reader.follow(self.shown)
        self.link = link
        self.root = f"/shared/{token}"

    @property
    def headers(self) -> dict[str, str]:
        inside = " ".join(self.link.sites) or "'none'"
        policy = HEADERS["Content-Security-Policy"]
        return {
            "Content-Security-Policy": policy.replace(
                "frame-ancestors 'none'", f"frame-ancestors {inside}"
            ),
            "Referrer-Policy": "no-referrer",
            "Vary": "Accept-Language",
            "X-Robots-Tag": "noindex",
        }

    @property
    def newest(self) -> str:
        """Names the current version; another game has others."""
        return (
            f"{self.now.id}.{self.now.version}" if self.course.is_chain else str(self.now.version)
        )

    def outcome(self) -> str:
        """Return the sentence of the end of the game, "" while it goes on."""
        ended = final_entry(self.shown.last_entries(LATELY))
        names = names_of(self.reader, self.shown.players)
        return self.reader.say(ended, self.now.ruleset, names) if ended else ""

    def standing(self) -> tuple[Placing, ...]:
        """Return the places, () before anybody has points or has won."""
        history = self.shown.loaded.history
        game, ranked = history.game, ranking(history)
        names, scored = names_of(self.reader, self.shown.players), has_totals(game)
        if not any(game.totals) and (scored or not ranked):
            return ()
        return places(ranked, game.totals, names, scored=scored)

    def page(self, template: str, context: dict[str, Any]) -> Response[str]:
        """Render a page with the variables that all public pages share."""
        frame: dict[str, Any] = {
            "id": "",
            "ruleset": self.now.ruleset,
            "title_name": self.now.title_name,
            "owner": False,
            "writes": False,
            "shared": True,
            "root": self.root,
            "newest": self.newest,
            "whole": self.link.until is None,
            "address": shared_base(self.reader.request) + self.root,
            "names": names_of(self.reader, self.now.players),
            "outcome": self.outcome,
            "standing": self.standing,
            "wide": WIDTH,
            "tall": HEIGHT,
        }
        return self.reader.page(template, headers=self.headers, **(frame | context))


async def _open(request: PageRequest, grants: Grants, games: GameQueries, token: str) -> OpenedPage:
    link = await grants.link(token_hash(token), public=True)
    if link is None or not link.opens:
        raise NotFound("link" if link is None else "ended link", None)
    if link.until is None:
        now = shown = await games.newest(link.game_id)
    else:
        now = await games.snapshot(link.game_id)
        shown = now.at(max(1, min(link.until, now.version)))
    return OpenedPage(request, token, link, now, await games.course(shown))


@get(_PATH, opt=_PUBLIC)
async def shared(
    request: PageRequest, grants: TheGrants, games: TheGames, token: Word
) -> Response[str]:
    opened = await _open(request, grants, games, token)
    return await _replay(opened, games, opened.shown.version)


@get(f"{_PATH}/at/{{version:int}}", opt=_PUBLIC)
async def shared_at(
    request: PageRequest,
    grants: TheGrants,
    games: TheGames,
    token: Word,
    version: Number,
) -> Response[str]:
    return await _replay(await _open(request, grants, games, token), games, version)


@get(f"{_PATH}/replay", opt=_PUBLIC)
async def shared_replay(
    request: PageRequest,
    grants: TheGrants,
    games: TheGames,
    token: Word,
    version: Asked = "",
) -> Redirect:
    opened = await _open(request, grants, games, token)
    answer = see_other(f"{opened.root}/at/{opened.course.position(version)}")
    answer.headers.update(opened.headers)
    return answer


@get(f"{_PATH}/scores", opt=_PUBLIC)
async def shared_scores(
    request: PageRequest, grants: TheGrants, games: TheGames, token: Word
) -> Response[str]:
    opened = await _open(request, grants, games, token)
    return await games.work_on(partial(_scores, opened))


def _scores(opened: OpenedPage) -> Response[str]:
    reader, shown = opened.reader, opened.shown
    game = shown.loaded.history.game
    return opened.page(
        "shared_scores.html",
        {
            "view": game_view(shown.id, shown.version, game, (), shown.players, ()),
            **sheet_page(reader, opened.course),
            "game": reader.game(shown.ruleset),
        },
    )


@get(f"{_PATH}/version", opt=_PUBLIC, include_in_schema=False)
async def shared_version(
    request: PageRequest, grants: TheGrants, games: TheGames, token: Word
) -> Response[str]:
    """Return the number that an open page compares with its own."""
    opened = await _open(request, grants, games, token)
    return Response(
        opened.newest,
        media_type="text/plain",
        headers=opened.headers | {"Cache-Control": "no-store"},
    )


@get(f"{_PATH}/picture.png", opt=_PUBLIC)
async def shared_picture(
    request: PageRequest, grants: TheGrants, games: TheGames, token: Word
) -> Response[bytes]:
    opened = await _open(request, grants, games, token)
    picture = await games.work_on(partial(picture_of, opened.reader, opened.course))
    content = await games.work_on(partial(picture_png, picture))
    headers = HEADERS | opened.headers | {"Content-Language": picture.lang}
    return Response(content, media_type=MEDIA_TYPE, headers=headers)


async def _replay(opened: OpenedPage, games: GameQueries, version: int) -> Response[str]:
    part, at = opened.course.locate(version)
    now = opened.now if part.id == opened.now.id else part
    secret = hidden_from_viewers(now, at, opened.reader.request.app.state["viewers_know"])
    variables: dict[str, Any] = await replay_variables(
        opened.reader, games, opened.course, version, secret=secret
    )
    return await games.work_on(partial(opened.page, template_of(opened.reader.request), variables))
