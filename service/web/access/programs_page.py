"""The page for programs: first calls of the API, and tokens, created, listed and revoked."""

import re
from datetime import timedelta
from pathlib import Path
from typing import cast, get_args
from uuid import UUID

from litestar import get, post
from litestar.response import Redirect, Response
from msgspec import Struct, convert, json

from schemas.names import NAME_LENGTH_MAX, read_name
from service.access.hosts import shared_base
from service.access.secrets import token_hash
from service.dependencies import Asked, Id, NewId, NewToken, PageRequest, TheGrants, see_other
from service.errors import NotFound
from service.store.access.grants import LimitedTo, NewGrant, Token
from service.store.records import MemberRole
from service.web.access.shown_once import JustMade, ShownOnce
from service.web.format.game_rows import NamedGame
from service.web.format.render import Reader

_ADDRESS = "/programs"
# The anchor of the tokens section.
_ANCHOR = "#tokens"
_SECTION_ADDRESS = f"{_ADDRESS}{_ANCHOR}"
_SECRETS = ShownOnce("carnet-token")
GAMES_MAX = 50
_GAME = re.compile(r"(?:\S*/games/)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[/?#]\S*)?")
# The calls on the page, in the shell; SITE is the service's address.
_CALLS: dict[str, str] = json.decode((Path(__file__).parent / "first_calls.json").read_bytes())
_LIFETIMES = {str(days): timedelta(days=days) for days in (30, 90, 365)}


class TokensSection(Struct, frozen=True, kw_only=True):
    """The tokens: `games` by token id; `made` is a new token with its `secret`."""

    tokens: list[Token]
    games: dict[UUID, list[NamedGame]]
    made: Token | None = None
    secret: str = ""
    roles: tuple[MemberRole, ...] = get_args(MemberRole)
    days: tuple[int, ...] = tuple(one.days for one in _LIFETIMES.values())
    games_max: int = GAMES_MAX


@get(_ADDRESS)
async def show_programs(
    request: PageRequest, grants: TheGrants, wrong: Asked = ""
) -> Response[str]:
    """Show the first calls of the API and all tokens; `wrong`: the invalid field of a token."""
    tokens = await grants.tokens()
    new = _SECRETS.read(request)
    made = next((one for one in tokens if new and one.id == new.id), None)
    site = shared_base(request)
    player = Reader(request).gettext("Player")
    section = TokensSection(
        tokens=tokens,
        games={one.id: _limited_games(one, player) for one in tokens},
        made=made,
        secret=new.secret if new and made else "",
    )
    page = Reader(request).page(
        "programs.html",
        tokens=section,
        wrong=wrong,
        calls={name: call.replace("SITE", site) for name, call in _CALLS.items()},
        name_length_max=NAME_LENGTH_MAX,
    )
    if made:
        _SECRETS.forget(page, _ADDRESS)
    return page


def _limited_games(token: Token, player: str) -> list[NamedGame]:
    games = convert(token.limited_to, list[LimitedTo])
    return [
        NamedGame(
            id=one.id,
            ruleset=one.ruleset,
            started_at=one.started_at,
            names=" – ".join(name or f"{player} {at}" for at, name in enumerate(one.names, 1)),
        )
        for one in games
    ]


@post(f"{_ADDRESS}/tokens")
async def make_token(
    request: PageRequest, grants: TheGrants, new_id: NewId, new_token: NewToken
) -> Redirect:
    form = await request.form()
    name = read_name(str(form.get("name", "")))
    role, games = str(form.get("role", "")), _read_games(str(form.get("games", "")))
    if name is None or role not in get_args(MemberRole):
        return see_other(f"{_ADDRESS}?wrong=name{_ANCHOR}")
    if games is None or (games and role == "owner"):
        wrong = "games" if games is None else "owner"
        return see_other(f"{_ADDRESS}?wrong={wrong}{_ANCHOR}")
    token_id, secret = new_id(), new_token()
    grant = NewGrant(
        id=token_id,
        kind="token",
        secret_hash=token_hash(secret),
        name=name,
        role=cast("MemberRole", role),
        games=games,
        lasts=_LIFETIMES.get(str(form.get("days", ""))),
    )
    try:
        await grants.create(grant)
    except NotFound:
        return see_other(f"{_ADDRESS}?wrong=games{_ANCHOR}")
    return _SECRETS.redirect(
        request, _ADDRESS, JustMade(id=token_id, secret=secret), _SECTION_ADDRESS
    )


@post(f"{_ADDRESS}/tokens/{{token_id:uuid}}")
async def revoke_token(grants: TheGrants, token_id: Id) -> Redirect:
    await grants.revoke("token", token_id)
    return see_other(_SECTION_ADDRESS)


def _read_games(text: str) -> list[UUID] | None:
    matches = [_GAME.fullmatch(word) for word in text.replace(",", " ").split()]
    games = list(dict.fromkeys(UUID(one[1]) for one in matches if one is not None))
    return None if None in matches or len(games) > GAMES_MAX else games
