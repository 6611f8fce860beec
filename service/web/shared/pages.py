"""A game by a link that anybody may open: its replay up to a moment, its score board."""

from functools import partial
from typing import Any

from litestar import get
from litestar.response import Redirect, Response

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
from service.play.possibilities import kept_secret
from service.play.queries import GameQueries
from service.play.snapshots import GameSnapshot
from service.play.views import game_view
from service.store.access.grants import Grant, Grants
from service.web.archive.replay import replay_variables, template_of
from service.web.format.charts import totals
from service.web.format.render import HEADERS, Reader, names_of, version_of
from service.web.shared.picture import picture_of

_PATH = "/shared/{token:str}"
_PUBLIC = {"public": True}


class OpenedPage:
    """What a link opened: the game as `shown`, and as it stands `now`."""

    def __init__(self, request: PageRequest, token: str, link: Grant, now: GameSnapshot) -> None:
        self.reader = Reader(request, cookies=False)
        self.now = now
        until = now.version if link.until is None else max(1, min(link.until, now.version))
        self.shown = now.at(until)
        self.link = link
        self.root = f"/shared/{token}"

    @property
    def headers(self) -> dict[str, str]:
        """What keeps the page where it may be, and its address to itself."""
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

    def page(self, template: str, context: dict[str, Any]) -> Response[str]:
        """Answer with a page."""
        frame: dict[str, Any] = {
            "id": "",
            "ruleset": self.now.ruleset,
            "owner": False,
            "writes": False,
            "shared": True,
            "root": self.root,
            "whole": self.link.until is None,
            "address": shared_base(self.reader.request) + self.root,
            "names": names_of(self.reader, self.now.players),
            "wide": WIDTH,
            "tall": HEIGHT,
        }
        return self.reader.page(template, headers=self.headers, **(frame | context))


async def _open(request: PageRequest, grants: Grants, games: GameQueries, token: str) -> OpenedPage:
    """Open a link.

    Raises: NotFound (nobody gave it out, or it was revoked), StoreUnavailable
    """
    link = await grants.link(token_hash(token), public=True)
    if link is None or not link.opens:
        raise NotFound("link", None)
    return OpenedPage(request, token, link, await games.snapshot(link.game_id))


@get(_PATH, opt=_PUBLIC)
async def shared(
    request: PageRequest, grants: TheGrants, games: TheGames, token: Word
) -> Response[str]:
    """Show the moment that the link leads to, or how the game stands."""
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
    """Show the game as it stood at a moment, the link's or one before."""
    return await _replay(await _open(request, grants, games, token), games, version)


@get(f"{_PATH}/replay", opt=_PUBLIC)
async def shared_replay(
    request: PageRequest,
    grants: TheGrants,
    games: TheGames,
    token: Word,
    version: Asked = "",
) -> Redirect:
    """Lead to a moment: the last of those there are, unless an earlier one is asked for."""
    opened = await _open(request, grants, games, token)
    last = opened.shown.version
    wanted = version_of(version)
    to = max(1, min(last if wanted is None else wanted, last))
    answer = see_other(f"{opened.root}/at/{to}")
    answer.headers.update(opened.headers)
    return answer


@get(f"{_PATH}/scores", opt=_PUBLIC)
async def shared_scores(
    request: PageRequest, grants: TheGrants, games: TheGames, token: Word
) -> Response[str]:
    """Show the score board."""
    opened = await _open(request, grants, games, token)
    return await games.work_on(partial(_scores, opened))


def _scores(opened: OpenedPage) -> Response[str]:
    reader, shown = opened.reader, opened.shown
    gathered = shown.sheet
    game = shown.loaded.history.game
    names = names_of(reader, shown.players)
    return opened.page(
        "shared_scores.html",
        {
            "view": game_view(shown.id, shown.version, game, (), shown.players, ()),
            "sheet": gathered.sheet,
            "erased": gathered.erased,
            "chart": totals(gathered.sheet, names, reader.says),
            "game": reader.game(shown.ruleset),
        },
    )


@get(f"{_PATH}/picture.png", opt=_PUBLIC)
async def shared_picture(
    request: PageRequest, grants: TheGrants, games: TheGames, token: Word
) -> Response[bytes]:
    """Draw the table at the link's moment, for a page that tells where the link leads."""
    opened = await _open(request, grants, games, token)
    told = picture_of(opened.reader, opened.shown)
    content = await games.work_on(partial(picture_png, told))
    headers = HEADERS | opened.headers | {"Content-Language": told.lang}
    return Response(content, media_type=MEDIA_TYPE, headers=headers)


async def _replay(opened: OpenedPage, games: GameQueries, version: int) -> Response[str]:
    """Show a moment.

    Raises: NotFound (the link does not reach it, or there is none)
    """
    if not 1 <= version <= opened.shown.version:
        raise NotFound("version", None)
    secret = kept_secret(opened.now, version, opened.reader.request.app.state["viewers_know"])
    told: dict[str, Any] = await replay_variables(
        opened.reader, games, opened.shown, version, secret=secret
    )
    return await games.work_on(partial(opened.page, template_of(opened.reader.request), told))
