"""The recorder: the page, the board alone, and the two ways entries come in: by form and by script.

Promises: a form is answered by a redirect or by the page with the refusal; the script by the whole
board (201, or 409 as it is now) or by the refusal (422). Nothing is judged here.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from litestar import get, post
from litestar.response import Redirect, Response
from msgspec import DecodeError, json
from msgspec.structs import replace

from schemas.entries import Entry
from schemas.malformed import Malformed
from service.access.identity import Access
from service.dependencies import (
    Asked,
    Id,
    MaybeSeat,
    NewId,
    PageRequest,
    TheCommands,
    TheGames,
    see_other,
)
from service.errors import KeyReused, VersionConflict
from service.play.moments import Appended, Moment, Rejected
from service.play.queries import GameQueries
from service.play.views import GameView
from service.web.format.render import HEADERS, Reader, uuid_of, version_of
from service.web.recorder.forms import Command, read_command
from service.web.recorder.game_page import board_context, game_address, tell_refusal
from service.web.recorder.refill import refill

# What a page says in its own words (`recorder.html`).
TOLD_UNREAD, TOLD_MOVED = "unread", "moved"
Said = list[tuple[str, Any]]
CREATED, CONFLICT, REFUSED, BAD = 201, 409, 422, 400


@get("/games/{game_id:uuid}", opt={"access": Access.READER})
async def recorder(
    request: PageRequest,
    games: TheGames,
    new_id: NewId,
    game_id: Id,
    by: Asked = "cards",
    seat: MaybeSeat = None,
) -> Response[str]:
    """Show the table, and the keypad to those who may write: of `seat`, if it is asked for.

    With `out` in the address it does what is not its turn, or what its turn does not allow.
    """
    reader = Reader(request)
    moment = await games.moment(game_id)
    actor = seat if seat in range(len(moment.players)) else None
    view = await games.show(moment)
    context = board_context(reader, moment, view, request.user, _by(by), actor)
    if actor is not None and "out" in request.query_params:
        context["board"] = replace(context["board"], out=True)
    return reader.page(
        "recorder.html",
        **context,
        command=new_id(),
        refused=None,
    )


@get("/games/{game_id:uuid}/board", opt={"access": Access.READER})
async def board(
    request: PageRequest, games: TheGames, new_id: NewId, game_id: Id, by: Asked = "cards"
) -> Response[str]:
    """Send the board alone, as it is now."""
    moment = await games.moment(game_id)
    return _board(request, new_id, moment, await games.show(moment), by)


@post("/games/{game_id:uuid}/entries", opt={"access": Access.WRITER})
async def enter(
    request: PageRequest, games: TheGames, commands: TheCommands, new_id: NewId, game_id: Id
) -> Response[Any]:
    """Enter what a form sends; else the page again, with why not and all that was said."""
    fields = list((await request.form()).multi_items())
    sent = _Sent(request, games, new_id, game_id, fields)
    command = read_command(fields)
    if command is None:
        return await sent.again(told=TOLD_UNREAD)
    if command.lacks:
        return await sent.again(command, lacks=command.lacks)
    entries = await games.decode(game_id, json.encode(command.entries))
    if isinstance(entries, Malformed):
        return await sent.again(command, told=TOLD_UNREAD)
    try:
        done = await commands.append(
            game_id, command.version, command.command_id, request.user.link_id, entries
        )
    except (VersionConflict, KeyReused):
        if any(name.startswith("open.") and value for name, value in fields):
            return await sent.again(command, status=CONFLICT, told=TOLD_MOVED)
        return see_other(game_address(game_id, command.by))
    if isinstance(done, Appended):
        return see_other(game_address(game_id, command.by))
    return await sent.again(command, refused=(done, entries))


@get("/games/{game_id:uuid}/entries", opt={"access": Access.READER})
async def back_to_table(game_id: Id) -> Redirect:
    """Lead somebody who asks for a form's address to the table."""
    return see_other(game_address(game_id))


@post("/games/{game_id:uuid}/outbox", opt={"access": Access.WRITER})
async def send(
    request: PageRequest,
    games: TheGames,
    commands: TheCommands,
    new_id: NewId,
    game_id: Id,
    by: Asked = "cards",
) -> Response[str]:
    """Enter what the script sends: `If-Match`, `Idempotency-Key`, `{"entries": […]}`."""
    version = version_of(request.headers.get("if-match", "").strip('"'))
    command_id = uuid_of(request.headers.get("idempotency-key", ""))
    entries = await _entries(games, game_id, await request.body())
    if isinstance(entries, Malformed):
        return Reader(request).page("unread.html", REFUSED, id=game_id)
    if command_id is None or version is None:
        return Response("", status_code=BAD, media_type="text/plain", headers=HEADERS)
    try:
        done = await commands.append(game_id, version, command_id, request.user.link_id, entries)
    except (VersionConflict, KeyReused):
        now = await games.moment(game_id)
        return _board(request, new_id, now, await games.show(now), by, CONFLICT)
    if isinstance(done, Rejected):
        return _refusal(request, new_id, entries, done)
    now = await games.moment(game_id) if done.replayed else done.moment
    return _board(request, new_id, now, await games.show(now), by, CREATED)


async def _entries(games: GameQueries, game_id: UUID, raw: bytes) -> tuple[Entry, ...] | Malformed:
    try:
        body = json.decode(raw, type=dict[str, Any])
    except DecodeError:
        return Malformed(path="$", expected="a JSON object")
    return await games.decode(game_id, json.encode(body.get("entries")), "$.entries")


def _refusal(
    request: PageRequest, new_id: NewId, entries: Sequence[Entry], rejected: Rejected
) -> Response[str]:
    reader = Reader(request)
    return reader.page(
        "refusal.html",
        REFUSED,
        id=rejected.moment.id,
        ruleset=rejected.moment.ruleset,
        command=new_id(),
        refused=tell_refusal(reader, rejected, entries),
    )


def _board(
    request: PageRequest,
    new_id: NewId,
    moment: Moment,
    view: GameView,
    by: str,
    status: int = 200,
) -> Response[str]:
    reader = Reader(request)
    context = board_context(reader, moment, view, request.user, _by(by))
    return reader.page("board.html", status, **context, command=new_id())


def _by(text: str) -> str:
    return "result" if text == "result" else "cards"


class _Sent:
    """A form that was sent and entered nothing: the page it came from, with all it said."""

    def __init__(
        self, request: PageRequest, games: GameQueries, new_id: NewId, game_id: UUID, fields: Said
    ) -> None:
        self._request, self._games, self._new_id = request, games, new_id
        self._game_id, self._fields = game_id, fields

    async def again(
        self,
        command: Command | None = None,
        *,
        status: int = REFUSED,
        told: str = "",
        lacks: Sequence[Any] = (),
        refused: tuple[Rejected, Sequence[Entry]] | None = None,
    ) -> Response[str]:
        """Show the page again, with why nothing was entered."""
        reader, games = Reader(self._request), self._games
        moment = refused[0].moment if refused else await games.moment(self._game_id)
        view = await games.show(moment)
        seat = command.entries[0].get("seat") if command else None
        actor = seat if isinstance(seat, int) and seat in view.to_act else None
        by = _by(dict(self._fields).get("by", ""))
        page = reader.page(
            "recorder.html",
            status,
            **board_context(reader, moment, view, self._request.user, by, actor),
            command=self._new_id(),
            refused=tell_refusal(reader, *refused) if refused else None,
            told=told,
            lacks=lacks,
        )
        page.content = refill(page.content, self._fields)
        return page
