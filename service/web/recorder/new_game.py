"""A new game: who plays, in which seats, by which rules; or the same again.

Promises: what was chosen and typed, the order included, outlives another choice of game and a
refusal; nobody new is kept before the game can start; going back sends nothing again.
"""

from typing import Any, get_args
from uuid import UUID

from litestar import get, post
from litestar.response import Response
from msgspec import UNSET, DecodeError, Struct, json, structs, to_builtins

from schemas.catalogue import shapes
from schemas.malformed import Malformed
from schemas.names import NAME_LENGTH_MAX
from service.dependencies import (
    Asked,
    Id,
    NewId,
    PageRequest,
    TheCommands,
    TheGames,
    ThePlayers,
    see_other,
)
from service.play.commands import GameCommands
from service.play.new_game import open_game
from service.store.listing import GameFilter
from service.store.players import Players
from service.texts import texts
from service.web.format.drafts import draft_of, read_draft
from service.web.format.render import Reader, playable, uuid_of
from service.web.people.players import known
from service.web.recorder.forms import read_fields
from service.web.recorder.game_page import game_address
from service.web.recorder.seating import NewGame, Sitter, as_fields, offered, read_new_game, seated

UNREADABLE = 422
_ADDRESS = "/games/new"
_DRAFT = "carnet-new-game"


@get(_ADDRESS)
async def new_game(
    request: PageRequest,
    games: TheGames,
    players: ThePlayers,
    new_id: NewId,
    ruleset: Asked = "",
    draft: Asked = "",
) -> Response[str]:
    """Ask who plays and how; the game played last is asked about first."""
    form = read_draft(request, _DRAFT, NewGame, draft)
    if form is None or form.ruleset not in playable():
        latest = (await games.list(GameFilter(), None, 1)).games
        asked = texts().games_called(ruleset) if ruleset else ()
        wanted = (ruleset, *asked, *(game.ruleset for game in latest), *playable())
        form = NewGame(ruleset=next(name for name in wanted if name in playable()))
    return await _page(request, players, new_id, form)


@post(_ADDRESS)
async def start_game(
    request: PageRequest, commands: TheCommands, players: ThePlayers, new_id: NewId
) -> Response[Any]:
    """Start it; what is missing is asked again, and another game is asked about, as things are."""
    sent = (await request.form()).multi_items()
    pairs = [(name, value) for name, value in sent if isinstance(value, str)]
    form = read_new_game(pairs)
    given = dict(pairs)
    if form.ruleset not in playable():
        return see_other(_ADDRESS)
    other = given.get("choose")
    if other in playable():
        return await _asked_again(
            request, players, new_id, structs.replace(form, ruleset=other), fault=None
        )
    command = uuid_of(given.get("command", "")) or new_id()
    started = await _start(request, commands, players, new_id, form, command)
    if isinstance(started, Malformed):
        return await _asked_again(request, players, new_id, form, started)
    return see_other(game_address(started))


@post(f"{_ADDRESS}/again/{{old_id:uuid}}")
async def same_again(
    request: PageRequest,
    games: TheGames,
    commands: TheCommands,
    players: ThePlayers,
    new_id: NewId,
    old_id: Id,
) -> Response[Any]:
    """Start another game of the same players by the same rules, in the same seats."""
    old = await games.view(old_id)
    sitting = [player.id for player in old.players if player.name is not None]
    options = shapes(old.ruleset).meant(old.options)
    started = await commands.start(
        old.ruleset, json.encode(options), sitting, request.user.link_id, new_id()
    )
    if isinstance(started, Malformed):
        form = NewGame(
            ruleset=old.ruleset,
            players=[str(player) for player in sitting],
            numbers={str(player): str(seat) for seat, player in enumerate(sitting, 1)},
            options={old.ruleset: as_fields(to_builtins(options))},
        )
        return await _asked_again(request, players, new_id, form, started)
    return see_other(game_address(started.id))


async def _start(
    request: PageRequest,
    commands: GameCommands,
    players: Players,
    new_id: NewId,
    form: NewGame,
    command: UUID,
) -> UUID | Malformed:
    """Start what the form asks for; people are added once nothing else can refuse it."""
    sitters = seated(form)
    if sitters is None:
        return Malformed(path="order", expected="a number for everybody")
    if any(sitter.id is None and sitter.name is None for sitter in sitters):
        return Malformed(path="name", expected="a name")
    by_name = {(one.name or "").casefold(): one.player_id for one in known(await players.all())}
    new: dict[UUID, str] = {}
    ids = [_identified(sitter, by_name, new, new_id) for sitter in sitters]
    try:
        options = json.encode(read_fields(form.chosen))
    except DecodeError:
        options = b"{}"
    opening = open_game(form.ruleset, options, ids)
    if isinstance(opening, Malformed):
        return opening
    if len({*ids}) < len(ids):
        return Malformed(path="$.players", expected="different players")
    for player_id, name in new.items():
        await players.create(player_id, name)
    started = await commands.start(form.ruleset, options, ids, request.user.link_id, command)
    return started if isinstance(started, Malformed) else started.id


def _identified(
    sitter: Sitter, by_name: dict[str, UUID], new: dict[UUID, str], new_id: NewId
) -> UUID:
    """Say who it is; a name that is known is that player, another one somebody new."""
    if sitter.id is not None:
        return sitter.id
    name = sitter.name or ""
    if name.casefold() in by_name:
        return by_name[name.casefold()]
    player_id = new_id()
    new[player_id] = name
    return player_id


async def _asked_again(
    request: PageRequest,
    players: Players,
    new_id: NewId,
    form: NewGame,
    fault: Malformed | None,
) -> Response[Any]:
    """Lead back to the form as it was left; more than a browser hands on is shown at once."""
    if fault is not None:
        form = structs.replace(form, path=fault.path, expected=fault.expected)
    draft = draft_of(request, _DRAFT, _ADDRESS, form)
    if draft is None:
        return await _page(request, players, new_id, form, UNREADABLE if fault else 200)
    return see_other(f"{_ADDRESS}?ruleset={form.ruleset}&draft={draft.id}", draft.cookie)


async def _page(
    request: PageRequest, players: Players, new_id: NewId, form: NewGame, status: int = 200
) -> Response[str]:
    reader = Reader(request)
    of = shapes(form.ruleset)
    elsewhere = {name: sent for name, sent in form.options.items() if name != form.ruleset}
    return reader.page(
        "new_game.html",
        status,
        players=known(await players.all()),
        form=form,
        seats=of.seats,
        ruleset=form.ruleset,
        rulesets=playable(),
        game=reader.game(form.ruleset),
        options=offered(_defaults(of.options), form.chosen),
        elsewhere=json.encode(elsewhere).decode(),
        command=new_id(),
        name_length_max=NAME_LENGTH_MAX,
    )


def _defaults(options: type[Struct]) -> dict[str, object]:
    """Return what a form begins with; an option that must be said has the first of its values."""
    fields = structs.fields(options)
    said = {one.name: get_args(one.type)[0] for one in fields if one.required}
    first = options(**said)
    found = {one.name: getattr(first, one.name) for one in fields}
    return {name: value for name, value in found.items() if value is not UNSET}
