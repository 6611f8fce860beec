"""A game's log: append, read, preview an entry, erase free text."""

from datetime import datetime
from functools import partial
from typing import Annotated
from urllib.parse import urlencode

import msgspec
from litestar import Response, delete, get, post
from msgspec import UNSET, Meta, Raw, Struct

from schemas.strict_json import Malformed
from service.access.admission import Access
from service.dependencies import Answer, TheCommands, TheExports, TheGames, TheTable
from service.http.documentation.openapi import Documented
from service.http.games.previews import PreviewView, preview_view
from service.http.inputs import (
    HttpRequest,
    MalformedInput,
    or_raise,
    prefers,
    read_body,
    read_idempotency_key,
    read_if_match,
    read_query,
)
from service.http.parameters import GameId, LineFormat, Version
from service.http.problem import IllegalEntry
from service.language.texts import texts
from service.play.commands import DERIVED_TYPES
from service.play.snapshots import GameSnapshot, Rejected
from service.play.views import EntryView, GameView
from service.store.records import StoredEntry

PAGE_MAX = 1_000
_NDJSON = "application/x-ndjson"


class EntriesBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A batch, stored as a whole or not at all. Entries have the shapes of the game's ruleset."""

    entries: Raw


class PreviewBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An entry to preview."""

    entry: Raw


class LogQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Page and format of the log."""

    after: Annotated[
        int,
        Meta(
            ge=0,
            le=2**31 - 1,
            description="Only entries after this version; 0 by default.",
        ),
    ] = 0
    effective: Annotated[
        bool,
        Meta(
            description="Return only the effective entries, after all corrections; by default"
            " `false`: all entries as recorded."
        ),
    ] = False
    limit: Annotated[
        int,
        Meta(
            ge=1,
            le=PAGE_MAX,
            description=f"The page size, 1 to {PAGE_MAX}; {PAGE_MAX} by default. `Link` leads to"
            " the next page.",
        ),
    ] = PAGE_MAX
    skip: Annotated[
        int,
        Meta(
            ge=0,
            le=2**31 - 1,
            description="How many entries to skip; set by `Link` if the entries are not in the"
            " order of their versions.",
        ),
    ] = 0
    format: LineFormat = UNSET


class AppendedView(Struct, frozen=True, kw_only=True):
    """The stored batch with derived entries, and the game after it."""

    version: int
    entries: tuple[EntryView, ...]
    state: GameView


class EntryReceipt(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The fields that the log adds to an entry; `hash` in hexadecimal. `entry`.

    Only of derived entries.
    """

    version: int
    type: str
    recorded_at: datetime
    hash: str
    entry: Raw | None = None


class ReceiptView(Struct, frozen=True, kw_only=True):
    """The stored batch without the content the client sent (RFC 7240 §4.2, `return=minimal`)."""

    version: int
    entries: tuple[EntryReceipt, ...]


class LogView(Struct, frozen=True, kw_only=True):
    """A page of the log."""

    entries: tuple[EntryView, ...]


@post(
    "/games/{game_id:uuid}/entries",
    opt={
        "access": Access.WRITER,
        "documented": Documented(
            body=EntriesBody,
            headers=("If-Match", "Idempotency-Key", "?Prefer"),
            entries="array",
            answer=AppendedView,
            minimal=ReceiptView,
        ),
    },
)
async def append_entries(request: HttpRequest, game_id: GameId, table: TheTable) -> Answer:
    """Append a batch as a whole or not at all.

    A retry with the same `Idempotency-Key` gets the same answer.
    """
    expected_version = read_if_match(request)
    command_id = read_idempotency_key(request)
    body = await read_body(request, EntriesBody)
    entries = or_raise(
        await table.games.decode(game_id, body.entries, "$.entries", of_command=True)
    )
    user = request.user
    done = await table.commands.append(
        game_id, expected_version, command_id, user.recorded_as(game_id), entries
    )
    if isinstance(done, Rejected):
        names = tuple(player.name for player in done.snapshot.players)
        raise IllegalEntry(done.refused, names)
    headers = {"ETag": f'"{done.version}"'}
    if done.replayed:
        headers["Idempotency-Replayed"] = "true"
    answer: AppendedView | ReceiptView
    if prefers(request, "return=minimal"):
        headers["Preference-Applied"] = "return=minimal"
        answer = ReceiptView(version=done.version, entries=tuple(map(_receipt, done.rows)))
    else:
        state = await table.games.show(done.snapshot)
        answer = AppendedView(version=done.version, entries=done.entries, state=state)
    return Response(msgspec.json.encode(answer), media_type="application/json", headers=headers)


def _receipt(row: StoredEntry) -> EntryReceipt:
    return EntryReceipt(
        version=row.version,
        type=row.type,
        recorded_at=row.recorded_at,
        hash=row.hash.hex(),
        entry=Raw(row.json) if row.type in DERIVED_TYPES else None,
    )


@get(
    "/games/{game_id:uuid}/entries",
    opt={
        "access": Access.READER,
        "documented": Documented(query=LogQuery, answer=LogView, formats=(_NDJSON,)),
    },
)
async def show_log(request: HttpRequest, game_id: GameId, games: TheGames) -> Answer:
    """Return the log as JSON or, by `format` or `Accept`, as JSON lines.

    For callers who cannot record, cards that only one seat was shown are `??`, or absent where a
    field does not admit that, until the time set by `CARNET_VIEWERS_KNOW`.
    """
    query = read_query(request, LogQuery)
    accepted = request.headers.get("accept", "")
    lines = query.format == "ndjson" or (query.format is UNSET and _NDJSON in accepted)
    moment = await games.snapshot(game_id)
    body, last = await games.work_on(partial(_page, moment, query, lines=lines))
    headers = {"Vary": "Accept"}
    if last is not None:
        headers["Link"] = f'<{_next_page(request, query, last)}>; rel="next"'
    return Response(body, media_type=_NDJSON if lines else "application/json", headers=headers)


def _page(moment: GameSnapshot, query: LogQuery, *, lines: bool) -> tuple[bytes, int | None]:
    part = slice(query.skip, query.skip + query.limit + 1)
    entries = moment.log(query.after, effective=query.effective, part=part)
    # One more was read than is shown, to know whether there is another page.
    last = entries[-2].version if len(entries) > query.limit else None
    entries = entries[: query.limit]
    if lines:
        return msgspec.json.Encoder().encode_lines(entries), last
    return msgspec.json.encode(LogView(entries=entries)), last


def _next_page(request: HttpRequest, query: LogQuery, last: int) -> str:
    where: dict[str, int | str] = {"limit": query.limit}
    if query.effective:
        where |= {"effective": "true", "after": query.after, "skip": query.skip + query.limit}
    else:
        where["after"] = last
    if query.format is not UNSET:
        where["format"] = query.format
    return f"{request.scope['path']}?{urlencode(where)}"


@delete("/games/{game_id:uuid}/entries/{version:int}/text")
async def erase_text(
    game_id: GameId, version: Version, commands: TheCommands, exports: TheExports
) -> None:
    """Erase the free text of an entry permanently; the entry and its points stay."""
    await commands.erase_text(game_id, version)
    exports.drop_temporary()


@post(
    "/games/{game_id:uuid}/preview",
    status_code=200,
    opt={
        "access": Access.WRITER,
        "stores_nothing": True,
        "documented": Documented(
            body=PreviewBody,
            entries="one",
            example={"entry": {"type": "take_back", "to": 1}},
            answer=PreviewView,
        ),
    },
)
async def preview_entry(request: HttpRequest, game_id: GameId, games: TheGames) -> Answer:
    """Return the effects of an entry or correction without storing it."""
    body = await read_body(request, PreviewBody)
    entries = await games.decode(game_id, b"[" + bytes(body.entry) + b"]", "$.entry")
    if isinstance(entries, Malformed):
        path = entries.path.replace("$.entry[0]", "$.entry", 1)
        raise MalformedInput(Malformed(path=path, expected=entries.expected))
    (entry,) = entries
    preview = await games.preview(await games.snapshot(game_id), entry)
    lang = texts().negotiate(request.headers.get("accept-language"))
    view = preview_view(preview, lang)
    return Response(msgspec.json.encode(view), media_type="application/json")
