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
from service.play.possibilities import hidden_from_viewers
from service.play.queries import GameQueries
from service.play.snapshots import GameSnapshot
from service.play.views import game_view
from service.store.access.grants import Grant, Grants
from service.web.archive.pictures import picture_of
from service.web.archive.replay import replay_variables, template_of
from service.web.archive.sheet import sheet_page
from service.web.format.render import HEADERS, Reader, names_of, version_of
from service.web.recorder.table.board import LATELY, final_entry
from service.web.recorder.table.outcome import Placing, places

_PATH = "/shared/{token:str}"
_PUBLIC = {"public": True}


class OpenedPage:
    """A game behind a public link: `shown` is limited by the link, `now` is the current version."""

    def __init__(self, request: PageRequest, token: str, link: Grant, now: GameSnapshot) -> None:
        self.reader = Reader(request, cookies=False)
        self.now = now
        until = now.version if link.until is None else max(1, min(link.until, now.version))
        self.shown = now.at(until)
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

    def outcome(self) -> str:
        """Return the sentence of the end of the game, "" while it goes on."""
        ended = final_entry(self.shown.last_entries(LATELY))
        names = names_of(self.reader, self.shown.players)
        return self.reader.say(ended, self.now.ruleset, names) if ended else ""

    def standing(self) -> tuple[Placing, ...]:
        """Return the places, () before anybody has points."""
        history = self.shown.loaded.history
        names, totals = names_of(self.reader, self.shown.players), history.game.totals
        return places(ranking(history), totals, names) if any(totals) else ()

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
    return OpenedPage(request, token, link, await games.snapshot(link.game_id))


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
    opened = await _open(request, grants, games, token)
    return await games.work_on(partial(_scores, opened))


def _scores(opened: OpenedPage) -> Response[str]:
    reader, shown = opened.reader, opened.shown
    game = shown.loaded.history.game
    return opened.page(
        "shared_scores.html",
        {
            "view": game_view(shown.id, shown.version, game, (), shown.players, ()),
            **sheet_page(reader, shown),
            "game": reader.game(shown.ruleset),
        },
    )


@get(f"{_PATH}/picture.png", opt=_PUBLIC)
async def shared_picture(
    request: PageRequest, grants: TheGrants, games: TheGames, token: Word
) -> Response[bytes]:
    opened = await _open(request, grants, games, token)
    picture = await games.work_on(partial(picture_of, opened.reader, opened.shown))
    content = await games.work_on(partial(picture_png, picture))
    headers = HEADERS | opened.headers | {"Content-Language": picture.lang}
    return Response(content, media_type=MEDIA_TYPE, headers=headers)


async def _replay(opened: OpenedPage, games: GameQueries, version: int) -> Response[str]:
    if not 1 <= version <= opened.shown.version:
        raise NotFound("version", None)
    secret = hidden_from_viewers(
        opened.now, version, opened.reader.request.app.state["viewers_know"]
    )
    variables: dict[str, Any] = await replay_variables(
        opened.reader, games, opened.shown, version, secret=secret
    )
    return await games.work_on(partial(opened.page, template_of(opened.reader.request), variables))
