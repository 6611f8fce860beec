"""Tokens for programs, on the page of the devices: made, listed, revoked."""

import re
from datetime import datetime, timedelta
from typing import cast, get_args
from uuid import UUID

from litestar import post
from litestar.response import Redirect, Response
from msgspec import Struct, convert

from schemas.names import read_name
from service.access.secrets import token_hash
from service.dependencies import Id, NewId, NewToken, PageRequest, TheGrants, see_other
from service.errors import NotFound
from service.store.access.grants import LimitedTo, NewGrant, Token
from service.store.records import MemberRole
from service.tenancy.club_services import services_of
from service.web.access.shown_once import JustMade, ShownOnce
from service.web.format.render import Reader

_ADDRESS = "/devices"
# Where the page speaks of tokens: below the devices.
_PART = "#tokens"
_HERE = f"{_ADDRESS}{_PART}"
_SECRETS = ShownOnce("carnet-token")
GAMES_MAX = 50
_GAME = re.compile(r"(?:\S*/games/)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[/?#]\S*)?")
_LASTS = {str(days): timedelta(days=days) for days in (30, 90, 365)}


class TokenGame(Struct, frozen=True, kw_only=True):
    """A game that a token is limited to, as the list names it."""

    id: UUID
    ruleset: str
    started_at: datetime
    names: str


class TokensPage(Struct, frozen=True, kw_only=True):
    """What the page says of tokens. `made`: one that was just made, and its secret this once.

    `games`: those each is limited to, by token.
    """

    tokens: list[Token]
    games: dict[UUID, list[TokenGame]]
    made: Token | None = None
    secret: str = ""
    roles: tuple[MemberRole, ...] = get_args(MemberRole)
    days: tuple[int, ...] = tuple(one.days for one in _LASTS.values())
    games_max: int = GAMES_MAX


async def shown_tokens(request: PageRequest) -> TokensPage:
    """List the tokens, with the one that was just made."""
    tokens = await services_of(request).grants.tokens()
    fresh = _SECRETS.read(request)
    made = next((one for one in tokens if fresh and one.id == fresh.id), None)
    player = Reader(request).gettext("Player")
    return TokensPage(
        tokens=tokens,
        games={one.id: _limits(one, player) for one in tokens},
        made=made,
        secret=fresh.secret if fresh and made else "",
    )


def _limits(token: Token, player: str) -> list[TokenGame]:
    """Name the games of a token; whose name was forgotten is a `player` with the seat's number."""
    games = convert(token.limited_to, list[LimitedTo])
    return [
        TokenGame(
            id=one.id,
            ruleset=one.ruleset,
            started_at=one.started_at,
            names=" – ".join(name or f"{player} {at}" for at, name in enumerate(one.names, 1)),
        )
        for one in games
    ]


def show_no_more(page: Response[str]) -> None:
    """Forget the token that this page shows."""
    _SECRETS.forget(page, _ADDRESS)


@post(f"{_ADDRESS}/tokens")
async def make_token(
    request: PageRequest, grants: TheGrants, new_id: NewId, new_token: NewToken
) -> Redirect:
    """Make a token, and lead to the page that shows it; what cannot be read makes none."""
    form = await request.form()
    name = read_name(str(form.get("name", "")))
    role, games = str(form.get("role", "")), _games(str(form.get("games", "")))
    if name is None or role not in get_args(MemberRole):
        return see_other(f"{_ADDRESS}?wrong=name{_PART}")
    if games is None or (games and role == "owner"):
        wrong = "games" if games is None else "owner"
        return see_other(f"{_ADDRESS}?wrong={wrong}{_PART}")
    token_id, secret = new_id(), new_token()
    made = NewGrant(
        id=token_id,
        kind="token",
        secret_hash=token_hash(secret),
        name=name,
        role=cast("MemberRole", role),
        games=games,
        lasts=_LASTS.get(str(form.get("days", ""))),
    )
    try:
        await grants.create(made)
    except NotFound:
        return see_other(f"{_ADDRESS}?wrong=games{_PART}")
    return _SECRETS.lead(request, _ADDRESS, JustMade(id=token_id, secret=secret), _HERE)


@post(f"{_ADDRESS}/tokens/{{token_id:uuid}}")
async def revoke_token(grants: TheGrants, token_id: Id) -> Redirect:
    """Make a token open nothing from now on."""
    await grants.revoke("token", token_id)
    return see_other(_HERE)


def _games(text: str) -> list[UUID] | None:
    found = [_GAME.fullmatch(word) for word in text.replace(",", " ").split()]
    games = list(dict.fromkeys(UUID(one[1]) for one in found if one is not None))
    return None if None in found or len(games) > GAMES_MAX else games
