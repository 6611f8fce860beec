"""The shelf: the games that are set aside, to look at and to bring back; and the way onto it."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias
from uuid import UUID, uuid5

from litestar import get, post
from litestar.response import Redirect, Response
from msgspec import Struct, json

from schemas.entries import Entry, SetAside
from schemas.malformed import Malformed
from service.access.admission import Access
from service.dependencies import (
    NewId,
    PageRequest,
    TheCommands,
    TheGames,
    TheHistory,
    see_other,
)
from service.errors import GameTooLarge, GameTooLong, NotFound, VersionConflict
from service.play.commands import GameCommands
from service.play.moments import Appended
from service.store.read_models.listing import GameCursor, GameFilter
from service.web.format.game_rows import rows_of
from service.web.format.render import Reader, uuid_of, version_of
from service.web.recorder.table.game_page import bringing_back

GAMES_SHOWN = 50
GAMES_AT_ONCE = 200
_ADDRESS = "/shelf"
_REASON_LENGTH_MAX = 2_000


# What is to be entered in a game, and as of which version; nothing: it is so already.
_Entries: TypeAlias = Callable[[UUID], Awaitable[tuple[int, tuple[Entry, ...]]]]


class _Asked(Struct, frozen=True, kw_only=True):
    """What a form asks: which games, why, and the id of its command."""

    games: tuple[UUID, ...]
    reason: str
    command: UUID


@get(_ADDRESS, opt={"access": Access.MEMBER})
async def show_shelf(request: PageRequest, history: TheHistory, new_id: NewId) -> Response[str]:
    """Show a page of the games that are set aside; `?failed=`: so many could not be changed.

    Raises: MalformedCursor, StoreUnavailable
    """
    reader = Reader(request)
    cursor = request.query_params.get("cursor", "")
    after = GameCursor.parse(cursor) if cursor else None
    page = await history.page(GameFilter(set_aside="only"), after, GAMES_SHOWN)
    return reader.page(
        "set_aside_page.html",
        rows=rows_of(reader, page.games),
        next=page.next,
        after=after,
        command=new_id(),
        failed=version_of(request.query_params.get("failed", "")) or 0,
    )


@post(_ADDRESS, opt={"access": Access.STARTER})
async def put_on_shelf(
    request: PageRequest, games: TheGames, commands: TheCommands, new_id: NewId
) -> Redirect:
    """Set the games aside that are ticked, for a reason that may be said."""
    asked = await _asked(request, new_id)
    entry = SetAside(reason=asked.reason)

    async def entries(game_id: UUID) -> tuple[int, tuple[Entry, ...]]:
        moment = await games.moment(game_id)
        return moment.version, () if bringing_back(moment) else (entry,)

    return await _each(request, commands, asked, entries)


@post(f"{_ADDRESS}/back", opt={"access": Access.STARTER})
async def take_from_shelf(
    request: PageRequest, games: TheGames, commands: TheCommands, new_id: NewId
) -> Redirect:
    """Let the games count again that are ticked."""

    async def entries(game_id: UUID) -> tuple[int, tuple[Entry, ...]]:
        moment = await games.moment(game_id)
        back = bringing_back(moment)
        found = await games.decode(game_id, json.encode([back] if back else []))
        return moment.version, () if isinstance(found, Malformed) else found

    return await _each(request, commands, await _asked(request, new_id), entries)


async def _asked(request: PageRequest, new_id: NewId) -> _Asked:
    fields = [
        (name, value)
        for name, value in (await request.form()).multi_items()
        if isinstance(value, str)
    ]
    ticked = [uuid_of(value) for name, value in fields if name == "game"]
    said = dict(fields)
    return _Asked(
        games=tuple(one for one in ticked if one is not None)[:GAMES_AT_ONCE],
        reason=said.get("reason", "").strip()[:_REASON_LENGTH_MAX],
        command=uuid_of(said.get("command", "")) or new_id(),
    )


async def _each(
    request: PageRequest, commands: GameCommands, asked: _Asked, entries: _Entries
) -> Redirect:
    """Enter what `entries` says of each game, and lead to the shelf."""
    failed = 0
    for game_id in asked.games:
        try:
            version, entered = await entries(game_id)
            if entered:
                command = uuid5(asked.command, str(game_id))
                by = request.user.by()
                done = await commands.append(game_id, version, command, by, entered)
                failed += not isinstance(done, Appended)
        except (VersionConflict, NotFound, GameTooLong, GameTooLarge):
            failed += 1
    return see_other(f"{_ADDRESS}?failed={failed}" if failed else _ADDRESS)
