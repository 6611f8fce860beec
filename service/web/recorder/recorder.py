"""The recorder: the table page, the board alone, and the form and JSON ways to append entries."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from litestar import get, post
from litestar.response import Redirect, Response
from msgspec import Meta, Raw, Struct, json
from msgspec.structs import replace

from schemas.entries import Entry
from schemas.strict_json import FAULTS, Malformed, find_repeated_name
from service.access.admission import Access
from service.dependencies import Id, MaybeSeat, Now, PageRequest, Table, TheTable, see_other
from service.errors import KeyReused, QuotaReached, VersionConflict
from service.play.snapshots import Appended, GameSnapshot, Rejected
from service.web.format.form_flash import read_flash
from service.web.format.render import HEADERS, Reader, uuid_of, version_of
from service.web.recorder.form_refill import refill
from service.web.recorder.forms import late_time, read_command
from service.web.recorder.sent_form import DRAFT, FormFields, SentForm
from service.web.recorder.table.board import board_context, by_of, course_shown, game_address
from service.web.recorder.table.board_cache import BOARDS, NO_COMMAND, variant_of
from service.web.recorder.table.concurrent_entries import ConcurrentEntries
from service.web.recorder.table.outcome import changed_by
from service.web.recorder.table.refusals import describe_refusal

# Form fields that name the dealer.
DEALER_FIELDS = ("open.dealer", "open.dealt")
CREATED, CONFLICT, REFUSED, BAD = 201, 409, 422, 400


class OutboxBody(Struct, frozen=True):
    """The batch that the script sends; `tapped_at`: when it was tapped, by the server's clock."""

    entries: Raw
    tapped_at: Annotated[datetime, Meta(tz=True)] | None = None


class Dated(Struct, frozen=True):
    """The time of a stored entry, if it has its own."""

    at: datetime | None = None


@get("/games/{game_id:uuid}", opt={"access": Access.READER})
async def recorder(
    request: PageRequest, table: TheTable, game_id: Id, seat: MaybeSeat = None
) -> Response[str]:
    """Show the table, and to writers the keypad of `seat`.

    Query parameters: `by`: cards or result; `out`: the seat acts out of turn or against the rules;
    `dealer`: the first dealer; `draft`: a submitted form that was not accepted; `had`: what other
    recorders had entered before.
    """
    sent = SentForm(request, table, game_id)
    asked = request.query_params
    draft, by = asked.get("draft", ""), asked.get("by", "")
    fields = read_flash(request, DRAFT, FormFields, draft) if draft else None
    if fields is not None:
        return await sent.again(fields)
    moment = await table.games.snapshot(game_id)
    had = version_of(asked.get("had", ""))
    words = (await sent.others()).had(moment, had) if had else ""
    page = await sent.page(moment, by, seat, out="out" in asked, had=words)
    chain = moment.loaded.chain
    dealer = version_of(asked.get("dealer", ""))
    if dealer is None and chain and chain.continues and not moment.loaded.history.game.deals:
        dealer = chain.continues.dealer
    if dealer is not None:
        page.content = refill(page.content, [(name, str(dealer)) for name in DEALER_FIELDS])
    return page


@get("/games/{game_id:uuid}/board", opt={"access": Access.READER})
async def board(request: PageRequest, table: TheTable, game_id: Id) -> Response[str]:
    return await _board(request, table, await table.games.snapshot(game_id))


@post("/games/{game_id:uuid}/entries", opt={"access": Access.WRITER})
async def enter(request: PageRequest, table: TheTable, game_id: Id) -> Response[Any]:
    """Append the entries of a form; if it fails, redirect back with the reason and all values."""
    pairs = (await request.form()).multi_items()
    fields = [(name, value) for name, value in pairs if isinstance(value, str)]
    sent = SentForm(request, table, game_id)
    command = read_command(fields)
    if command is None or command.lacks:
        return await sent.back(fields)
    entries = await table.games.decode(game_id, json.encode(command.entries), of_command=True)
    if isinstance(entries, Malformed):
        return await sent.back(fields)
    address = game_address(game_id, command.by)
    try:
        done = await table.commands.append(
            game_id, command.version, command.command_id, request.user.recorded_as(game_id), entries
        )
    except VersionConflict:
        others = await sent.others()
        since = others.since(await table.games.snapshot(game_id), command.version, entries)
        if not since.same:
            return await sent.back(fields)
        return see_other(f"{address}{'&' if '?' in address else '?'}had={since.version}")
    except KeyReused:
        return see_other(address)
    if not isinstance(done, Appended):
        return await sent.back(fields)
    chain = done.snapshot.loaded.chain
    # A corrected game that goes on as another: the sheet shows the whole.
    corrected = chain is not None and chain.continued_by is not None
    return see_other(f"/games/{game_id}/sheet" if corrected else address)


@get("/games/{game_id:uuid}/entries", opt={"access": Access.READER})
async def back_to_table(game_id: Id) -> Redirect:
    return see_other(game_address(game_id))


@post("/games/{game_id:uuid}/outbox", opt={"access": Access.WRITER})
async def send(request: PageRequest, table: TheTable, now: Now, game_id: Id) -> Response[str]:
    """Append the script's entries: `If-Match`, `Idempotency-Key`, `{"entries": […]}`.

    Entries that arrive late have the time of their tap. `X-Moment`: the time of the last entry.
    """
    version = version_of(request.headers.get("if-match", "").strip('"'))
    command_id = uuid_of(request.headers.get("idempotency-key", ""))
    entries = await _entries(table, game_id, await request.body(), now())
    if isinstance(entries, Malformed):
        return Reader(request).page("unreadable_form.html", BAD, id=game_id)
    if command_id is None or version is None:
        return Response("", status_code=BAD, media_type="text/plain", headers=HEADERS)
    try:
        done = await table.commands.append(
            game_id, version, command_id, request.user.recorded_as(game_id), entries
        )
    except QuotaReached as error:
        # With status 422 the phone treats it as a refusal: it keeps the tap and shows the reason.
        return Reader(request).page("quota.html", REFUSED, id=game_id, quota=error)
    except (VersionConflict, KeyReused):
        moment = await table.games.snapshot(game_id)
        others = await SentForm(request, table, game_id).others()
        since = others.since(moment, version, entries)
        board = await _board(request, table, moment, since=since)
        board.status_code = CONFLICT
        return board
    if isinstance(done, Rejected):
        reader = Reader(request)
        return reader.page(
            "refusal.html",
            REFUSED,
            id=done.snapshot.id,
            game=reader.game(done.snapshot.ruleset),
            ruleset=done.snapshot.ruleset,
            command=table.new_id(),
            refused=describe_refusal(reader, done, entries),
        )
    moment = await table.games.snapshot(game_id) if done.replayed else done.snapshot
    board = await _board(request, table, moment)
    board.status_code = CREATED
    last = done.rows[-1]
    at = json.decode(last.data, type=Dated).at or last.recorded_at
    board.headers["X-Moment"] = at.isoformat(timespec="milliseconds")
    # The version after this command: if it was repeated, others may have appended since.
    board.headers["ETag"] = f'"{done.version}"'
    return board


async def _entries(
    table: Table, game_id: UUID, raw: bytes, now: datetime
) -> tuple[Entry, ...] | Malformed:
    try:
        body = json.decode(raw, type=OutboxBody)
        repeated = find_repeated_name(raw)
    except FAULTS:
        return Malformed(path="$", expected="a JSON object with `entries`")
    if repeated is not None:
        return repeated
    entries = await table.games.decode(game_id, body.entries, "$.entries", of_command=True)
    at = late_time(body.tapped_at, now)
    if isinstance(entries, Malformed) or at is None:
        return entries
    return tuple(entry if entry.at else replace(entry, at=at) for entry in entries)


async def _board(
    request: PageRequest,
    table: Table,
    moment: GameSnapshot,
    since: ConcurrentEntries | None = None,
) -> Response[str]:
    reader = Reader(request)
    by = by_of(request.query_params.get("by", ""))
    command = table.new_id()
    variant = variant_of(request, reader, moment.id, by)
    html = BOARDS.get(moment, variant, command) if since is None else None
    if html is not None:
        return reader.respond(html)
    view = await table.games.show(moment)
    changed = await changed_by(request, moment)
    course = await course_shown(table.games, moment)

    def markup() -> str:
        context = board_context(reader, course, view, request.user, by)
        return reader.markup(
            "board.html", **context, command=NO_COMMAND, since=since, changed=changed
        )

    if view.status == "finished":
        # The score sheet of a finished game is computed from all its deals.
        html = await table.games.work_on(markup)
    else:
        html = markup()
        if since is None:
            BOARDS.put(moment, variant, html)
    return reader.respond(html.replace(str(NO_COMMAND), str(command)))
