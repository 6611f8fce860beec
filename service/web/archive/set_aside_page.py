"""The shelf: the forms of the history that set games aside and bring them back."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias
from uuid import UUID, uuid5

from litestar import post
from litestar.response import Redirect
from msgspec import Struct, json

from schemas.entries import Entry, SetAside
from schemas.strict_json import Malformed
from service.access.admission import Access
from service.dependencies import (
    NewId,
    PageRequest,
    TheCommands,
    TheGames,
    see_other,
)
from service.errors import GameTooLarge, GameTooLong, NotFound, VersionConflict
from service.play.commands import GameCommands
from service.play.snapshots import Appended
from service.web.format.render import uuid_of
from service.web.recorder.table.board import restoring_entry

GAMES_AT_ONCE = 200
_ADDRESS = "/shelf"
_PAGE = "/history?set_aside=only"
_REASON_LENGTH_MAX = 2_000


# Returns a game's version and the entries to append; empty if nothing changes.
_Entries: TypeAlias = Callable[[UUID], Awaitable[tuple[int, tuple[Entry, ...]]]]


class _ShelfForm(Struct, frozen=True, kw_only=True):
    """A submitted form: the ticked games, a reason, and the idempotency key."""

    games: tuple[UUID, ...]
    reason: str
    command: UUID


@post(_ADDRESS, opt={"access": Access.STARTER})
async def put_on_shelf(
    request: PageRequest, games: TheGames, commands: TheCommands, new_id: NewId
) -> Redirect:
    form = await _read_form(request, new_id)
    entry = SetAside(reason=form.reason)

    async def entries(game_id: UUID) -> tuple[int, tuple[Entry, ...]]:
        snapshot = await games.snapshot(game_id)
        return snapshot.version, () if restoring_entry(snapshot) else (entry,)

    return await _append_to_each(request, commands, form, entries)


@post(f"{_ADDRESS}/back", opt={"access": Access.STARTER})
async def take_from_shelf(
    request: PageRequest, games: TheGames, commands: TheCommands, new_id: NewId
) -> Redirect:
    async def entries(game_id: UUID) -> tuple[int, tuple[Entry, ...]]:
        snapshot = await games.snapshot(game_id)
        back = restoring_entry(snapshot)
        decoded = await games.decode(game_id, json.encode([back] if back else []))
        return snapshot.version, () if isinstance(decoded, Malformed) else decoded

    return await _append_to_each(request, commands, await _read_form(request, new_id), entries)


async def _read_form(request: PageRequest, new_id: NewId) -> _ShelfForm:
    fields = [
        (name, value)
        for name, value in (await request.form()).multi_items()
        if isinstance(value, str)
    ]
    game_ids = [uuid_of(value) for name, value in fields if name == "game"]
    values = dict(fields)
    return _ShelfForm(
        games=tuple(one for one in game_ids if one is not None)[:GAMES_AT_ONCE],
        reason=values.get("reason", "").strip()[:_REASON_LENGTH_MAX],
        command=uuid_of(values.get("command", "")) or new_id(),
    )


async def _append_to_each(
    request: PageRequest, commands: GameCommands, form: _ShelfForm, entries: _Entries
) -> Redirect:
    failed = 0
    for game_id in form.games:
        try:
            version, new_entries = await entries(game_id)
            if new_entries:
                command = uuid5(form.command, str(game_id))
                by = request.user.recorded_as()
                result = await commands.append(game_id, version, command, by, new_entries)
                failed += not isinstance(result, Appended)
        except (VersionConflict, NotFound, GameTooLong, GameTooLarge):
            failed += 1
    return see_other(f"{_PAGE}&failed={failed}" if failed else _PAGE)
