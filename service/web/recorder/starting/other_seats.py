"""Changes the players between two deals: ends the game and starts its successor."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from litestar import post
from litestar.response import Redirect
from msgspec import json

from schemas.catalogue import shapes
from schemas.entries import Finish
from schemas.names import NAME_LENGTH_MAX, read_name
from schemas.strict_json import Malformed
from service.access.admission import Access
from service.dependencies import (
    Id,
    NewId,
    PageRequest,
    TheCommands,
    TheDescriptions,
    TheGames,
    ThePlayers,
    TheTitles,
    see_other,
)
from service.errors import KeyReused, NotFound, VersionConflict
from service.play.commands import GameCommands
from service.play.new_game import open_game
from service.play.snapshots import Appended, GameSnapshot
from service.play.views import GameView
from service.store.club.players import Players
from service.store.records import Title
from service.web.format.render import Reader, uuid_of, version_of
from service.web.recorder.table.board import game_address
from service.web.recorder.table.replacement import continuing_command_id, leaving_command_id


def may_change_seats(moment: GameSnapshot, view: GameView) -> bool:
    """Return whether players may leave or join: the game has entries and no deal is open."""
    between = moment.loaded.history.game.deal is None
    return between and view.status == "open" and not view.set_aside and view.version > 1


def sizes(view: GameView) -> tuple[bool, bool]:
    """Return whether one player fewer, and one more, can play by the same options."""
    seats = len(view.players)
    return _allowed(view, seats - 1), _allowed(view, seats + 1)


def _allowed(view: GameView, seats: int) -> bool:
    nobody = [UUID(int=number) for number in range(seats)]
    return not isinstance(open_game(view.ruleset, _options(view), nobody), Malformed)


def _options(view: GameView) -> bytes:
    return json.encode(shapes(view.ruleset).current_options(view.options))


@post("/games/{game_id:uuid}/seats", opt={"access": Access.STARTER})
async def change_seats(
    request: PageRequest,
    games: TheGames,
    commands: TheCommands,
    players: ThePlayers,
    titles: TheTitles,
    descriptions: TheDescriptions,
    new_id: NewId,
    game_id: Id,
) -> Redirect:
    """End the game and start one like it without `leaves`, or with `joins` in the last seat."""
    fields = (await request.form()).multi_items()
    form = {name: value for name, value in fields if isinstance(value, str)}
    moment = await games.snapshot(game_id)
    view = await games.show(moment)
    back = f"/games/{game_id}/more?wrong="
    version = version_of(form.get("version", ""))
    ends = may_change_seats(moment, view) and version == view.version
    if not ends and moment.loaded.rows[-1].command_id != leaving_command_id(game_id):
        return see_other(f"{back}moved#seats")
    seated = await _seated(view, form, players, new_id)
    if isinstance(seated, str):
        return see_other(f"{back}{seated}#seats")
    title = None if view.title == view.ruleset else await titles.get(UUID(view.title))
    opening = open_game(view.ruleset, _options(view), seated, title)
    if isinstance(opening, Malformed):
        return see_other(f"{back}size#seats")
    by = request.user.recorded_as(game_id)
    if ends and not await _finish(commands, view, by, Reader(request), new_id):
        return see_other(f"{back}moved#seats")
    started = await _start(commands, view, seated, title, request.user.recorded_as(), new_id)
    await descriptions.describe_new(started.id, await descriptions.of_game(game_id))
    dealer = _dealer(view, seated)
    return see_other(game_address(started.id) + (f"?dealer={dealer}" if dealer is not None else ""))


async def _seated(
    view: GameView, form: Mapping[str, str], players: Players, new_id: NewId
) -> list[UUID] | str:
    """Return who plays on, or why that is not known."""
    seated = [one.id for one in view.players]
    leaves, joins = uuid_of(form.get("leaves", "")), uuid_of(form.get("joins", ""))
    if leaves in seated:
        return [one for one in seated if one != leaves]
    names = await players.names()
    name = read_name(form.get("name", ""))
    person = names.person(joins) if joins else names.find(name, set()) if name else None
    if person is not None:
        return "seated" if person.player_id in seated else [*seated, person.player_id]
    if name is None or joins or len(name) > NAME_LENGTH_MAX:
        return "nobody"
    if names.like(name):
        return "alike"
    if not _allowed(view, len(seated) + 1):
        return "size"
    return [*seated, (await players.create(new_id(), name)).player_id]


async def _finish(
    commands: GameCommands, view: GameView, by: UUID | None, reader: Reader, new_id: NewId
) -> bool:
    reason = reader.gettext("The evening goes on with other seats")
    entry = Finish(reason=reason)
    # The first command's answer is repeated; after an undo it is not the end any more.
    for command in (leaving_command_id(view.id), new_id()):
        try:
            done = await commands.append(view.id, view.version, command, by, [entry])
        except KeyReused:
            continue
        except VersionConflict:
            return False
        if not isinstance(done, Appended):
            return False
        if not done.replayed:
            return True
    return False


async def _start(
    commands: GameCommands,
    view: GameView,
    seated: Sequence[UUID],
    title: Title | None,
    by: UUID | None,
    new_id: NewId,
) -> GameSnapshot:
    for command in (continuing_command_id(view.id), new_id()):
        try:
            started = await commands.start(view.ruleset, _options(view), seated, by, command, title)
        except KeyReused:
            continue
        if not isinstance(started, Malformed):
            return started
    raise NotFound("player", None)


def _dealer(view: GameView, seated: Sequence[UUID]) -> int | None:
    """Return the seat that deals next: whose turn it would have been, or the next one's."""
    table: Mapping[str, Any] = view.table
    dealer = table.get("dealer") if len(view.to_act) != 1 else view.to_act[0]
    if not isinstance(dealer, int):
        return None
    old = [one.id for one in view.players]
    turned = [*old[dealer:], *old[:dealer]]
    return next(seated.index(one) for one in turned if one in seated)
