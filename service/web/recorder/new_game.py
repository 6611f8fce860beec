"""A new game: who plays, by which rules; or the same again."""

from typing import Any, get_args
from uuid import UUID

from litestar import get, post
from litestar.response import Response
from msgspec import DecodeError, Struct, json
from msgspec.structs import fields

from schemas.catalogue import shapes
from schemas.malformed import Malformed
from service.store.listing import GameFilter
from service.store.players import Players
from service.web.dependencies import Asked, Id, NewId, PageRequest, TheGames, ThePlayers, see_other
from service.web.format.render import Reader, playable, uuid_of
from service.web.people.players import known, name_of
from service.web.recorder.forms import read_fields
from service.web.recorder.game_page import game_address

UNREADABLE = 422


@get("/games/new")
async def new_game(
    request: PageRequest, games: TheGames, players: ThePlayers, new_id: NewId, ruleset: Asked = ""
) -> Response[str]:
    """Ask who plays and how; the game played last is asked about first."""
    latest = (await games.list(GameFilter(), None, 1)).games
    wanted = (ruleset, *(game.ruleset for game in latest), *playable())
    chosen = next(name for name in wanted if name in playable())
    return await _form(request, players, new_id, chosen)


@post("/games/new")
async def start_game(
    request: PageRequest, games: TheGames, players: ThePlayers, new_id: NewId
) -> Response[Any]:
    """Start it; what is missing is asked again, with what was chosen."""
    form = await request.form()
    pairs = [(name, value) for name, value in form.multi_items() if isinstance(value, str)]
    ruleset = dict(pairs).get("ruleset", "")
    if ruleset not in playable():
        return see_other("/games/new")
    seats = shapes(ruleset).seats
    seated = await _seated(players, new_id, pairs, seats[-1])
    try:
        options = read_fields(pairs)
    except DecodeError:
        options = {}
    command = uuid_of(dict(pairs).get("command", "")) or new_id()
    started = await games.start(
        ruleset, json.encode(options), seated, request.user.link_id, command
    )
    if isinstance(started, Malformed):
        return await _form(request, players, new_id, ruleset, seated=seated, fault=started)
    return see_other(game_address(started.id))


@post("/games/new/again/{old_id:uuid}")
async def same_again(
    request: PageRequest, games: TheGames, new_id: NewId, old_id: Id
) -> Response[Any]:
    """Start another game of the same players by the same rules, in the same seats."""
    old = await games.view(old_id)
    seated = [player.id for player in old.players if player.name is not None]
    started = await games.start(
        old.ruleset, json.encode(old.options), seated, request.user.link_id, new_id()
    )
    if isinstance(started, Malformed):
        return see_other(f"/games/new?ruleset={old.ruleset}")
    return see_other(game_address(started.id))


async def _seated(
    players: Players, new_id: NewId, pairs: list[tuple[str, str]], seats_max: int
) -> list[UUID]:
    """Seat who was tapped, in the order shown, then who was typed; a known name is that player."""
    seated = [found for name, value in pairs if name == "player" and (found := uuid_of(value))]
    typed = [name_of(value) for name, value in pairs if name == "name" and name_of(value)]
    if not typed:
        return seated
    by_name = {(player.name or "").casefold(): player for player in known(await players.all())}
    for name in typed[: max(0, seats_max - len(seated))]:
        player = by_name.get(name.casefold()) or await players.create(new_id(), name)
        seated.append(player.player_id)
    return seated


async def _form(
    request: PageRequest,
    players: Players,
    new_id: NewId,
    ruleset: str,
    seated: list[UUID] | None = None,
    fault: Malformed | None = None,
) -> Response[str]:
    reader = Reader(request)
    of = shapes(ruleset)
    return reader.page(
        "new_game.html",
        UNREADABLE if fault else 200,
        players=known(await players.all()),
        seated=seated or [],
        seats=of.seats,
        ruleset=ruleset,
        rulesets=playable(),
        game=reader.game(ruleset),
        options=_as_offered(of.options),
        command=new_id(),
        fault=fault,
    )


def _as_offered(options: type[Struct]) -> Struct:
    """Make the options a form begins with; one that must be said has the first of its values."""
    said = {field.name: get_args(field.type)[0] for field in fields(options) if field.required}
    return options(**said)
