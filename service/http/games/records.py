"""The portable record: export as text or JSON, preview, and import as a new game."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.exceptions import ClientException
from msgspec import UNSET, Meta, Struct, UnsetType

from service.access.admission import Access
from service.club.game_filters import PlayersAsked
from service.dependencies import (
    Answer,
    NewId,
    TheDescriptions,
    TheGames,
    TheRecognition,
    TheRecords,
)
from service.export.game.forms import disposition
from service.http.documentation.openapi import RECORD_TEXT, Documented
from service.http.games.plays import (
    PLAYS_BYTES_MAX,
    PLAYS_IMPORT,
    ImportedPlaysView,
    PlaysView,
    ThePlaysImport,
)
from service.http.inputs import HttpRequest, best_offer, find_idempotency_key, malformed, read_query
from service.http.parameters import GameId
from service.http.problem import BODY_BYTES_MAX, RefusedRecord
from service.language.texts import texts
from service.play.snapshots import GameSnapshot
from service.play.views import PlayerView
from service.transfer.plays import BgStatsExport, is_plays
from service.transfer.portable_records import (
    ExportedRecord,
    ImportedRecord,
    Records,
    exported_record,
)
from service.transfer.recognition import Recognition
from service.transfer.upload_problems import ProblemView, describe
from service.transfer.uploads import Assessed, Format, Seated, SimilarNames, traits_of

TEXT = RECORD_TEXT
_JSON = "application/json"
_OK, _CREATED = 200, 201


class ImportQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Options of an import."""

    preview: Annotated[
        bool,
        Meta(description="Only check the record, store nothing; `false` by default."),
    ] = False
    again: Annotated[
        bool,
        Meta(description="Store a game again that exists already; `false` by default."),
    ] = False
    new_names: Annotated[
        bool,
        Meta(
            description="Add people whose names resemble those of others (accents, hyphens,"
            " spaces); `false` by default: such a record is refused as `names-alike`."
        ),
    ] = False
    players: Annotated[
        PlayersAsked | UnsetType,
        Meta(
            description="The ids of the players, separated by commas, seat 0 first. By default"
            " the people with the names in the record; unknown names are added."
        ),
    ] = UNSET
    people: Annotated[
        str | UnsetType,
        Meta(
            description="Of plays: who is meant by a name, as a JSON object of names and ids, or"
            " other names. By default people of that name; unknown names are added, see"
            " `new_names`."
        ),
    ] = UNSET


class OutcomeView(Struct, frozen=True, kw_only=True):
    """The game as recorded. `entries` counts all entries, including `started`."""

    entries: int
    status: Literal["open", "finished"]
    deals: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]


class LookView(Struct, frozen=True, kw_only=True):
    """The preview of an import. `ok`: it can be imported; else see `problems`.

    Fields are null if the record cannot be read so far. `title`: the name of a game by points,
    which becomes a new title if there is none of this name; null: it has none. `hash`: of the game
    to be stored. `players` with a null `id` would be added; `alike`: those whose names resemble
    others', which `new_names` or `players` decides. `here`: existing games with the same content,
    oldest first.
    """

    ok: bool
    problems: tuple[ProblemView, ...]
    ruleset: str | None
    title: str | None
    place: str | None
    options: Any
    players: tuple[Seated, ...]
    alike: tuple[SimilarNames, ...]
    outcome: OutcomeView | None
    hash: str | None
    here: tuple[UUID, ...]


class ImportedView(Struct, frozen=True, kw_only=True):
    """The imported game; `title`: its ruleset or a title's id; `here`: it existed before."""

    id: UUID
    version: int
    ruleset: str
    title: str
    players: tuple[PlayerView, ...]
    outcome: OutcomeView
    hash: str
    here: bool


@get(
    "/games/{game_id:uuid}/record",
    opt={"access": Access.READER, "documented": Documented(record="answer")},
)
async def show_record(
    request: HttpRequest, game_id: GameId, games: TheGames, descriptions: TheDescriptions
) -> Answer:
    """Return the game's record as JSON or, if `Accept` prefers it, as text."""
    json = best_offer(request, (_JSON, TEXT, "text/plain")) == _JSON
    snapshot = await games.snapshot(game_id)
    place = (await descriptions.of_game(game_id)).place
    return await games.work_on(
        partial(_json, snapshot, place) if json else partial(_text, request, snapshot, place)
    )


@get(
    "/games/{game_id:uuid}/record.json",
    opt={"access": Access.READER, "documented": Documented(record="json")},
)
async def show_record_json(
    game_id: GameId, games: TheGames, descriptions: TheDescriptions
) -> Answer:
    """Return the game's record as JSON."""
    snapshot = await games.snapshot(game_id)
    place = (await descriptions.of_game(game_id)).place
    return await games.work_on(partial(_json, snapshot, place))


@get(
    "/games/{game_id:uuid}/record.carnet",
    opt={"access": Access.READER, "documented": Documented(record="text")},
)
async def show_record_text(
    request: HttpRequest, game_id: GameId, games: TheGames, descriptions: TheDescriptions
) -> Answer:
    """Download the game's record as text."""
    snapshot = await games.snapshot(game_id)
    place = (await descriptions.of_game(game_id)).place
    return await games.work_on(partial(_text, request, snapshot, place))


def _json(snapshot: GameSnapshot, place: str) -> Response[Any]:
    record = exported_record(snapshot, place)
    return Response(record.json(), media_type=_JSON, headers=_headers(record))


def _text(request: HttpRequest, snapshot: GameSnapshot, place: str) -> Response[Any]:
    record = exported_record(snapshot, place)
    lang = texts().negotiate(request.headers.get("accept-language"))
    attached = {"Content-Disposition": disposition(record.file_name("carnet", lang))}
    return Response(
        record.text().encode(),
        media_type=TEXT,
        headers={**_headers(record), **attached},
    )


def _headers(record: ExportedRecord) -> dict[str, str]:
    return {"ETag": f'"{record.version}"', "Vary": "Accept"}


@post(
    "/imports",
    request_max_body_size=PLAYS_BYTES_MAX,
    dependencies=PLAYS_IMPORT,
    opt={
        "documented": Documented(
            query=ImportQuery,
            headers=("?Idempotency-Key",),
            record="body",
            body=BgStatsExport,
            answer=ImportedView,
            also={
                "200": (LookView, ImportedView, PlaysView, ImportedPlaysView),
                "201": (ImportedView, ImportedPlaysView),
            },
        ),
    },
)
async def import_record(
    request: HttpRequest,
    records: TheRecords,
    recognition: TheRecognition,
    plays: ThePlaysImport,
    new_id: NewId,
) -> Answer:
    """Import a record as a new game, once per `Idempotency-Key`; `preview` only checks it.

    A BG Stats export (JSON) and plays of BoardGameGeek (XML) become a game per play. Plays that
    exist are not stored again, unless `again` is set; plays with a problem are left out and named.

    Without a key, a game that exists already (same entries, day and players) is not stored again
    and answered with 200, unless `again` is set.

    Unreadable input is `malformed`, a refusal by the rules `illegal-entry`; both list all problems.
    """
    query = read_query(request, ImportQuery)
    command_id = find_idempotency_key(request)
    body = await request.body()
    if is_plays(body):
        lang = texts().negotiate(request.headers.get("accept-language"))
        if query.preview:
            return _plays_response(await plays.preview(body, lang), lang, _OK)
        again = str(command_id or new_id()) if query.again else None
        people = "{}" if query.people is UNSET else query.people
        by = request.user.recorded_as()
        stored = await plays.store(body, lang, people, by, again, new_names=query.new_names)
        return _plays_response(stored, lang, _CREATED if stored.games else _OK)
    if len(body) > BODY_BYTES_MAX:
        raise ClientException(status_code=413)
    assessed = await records.assess(body, _form(request), _parse_players(query.players))
    if query.preview:
        here = await _existing_games(records, recognition, assessed)
        lang = texts().negotiate(request.headers.get("accept-language"))
        return Response(
            msgspec.json.encode(_look_view(assessed, lang, here, new_names=query.new_names)),
            media_type=_JSON,
            status_code=200,
            headers={"Content-Language": lang, "Vary": "Accept-Language"},
        )
    if assessed.faults:
        raise RefusedRecord(assessed.problems, _names(assessed))
    if command_id is None and not query.again:
        here = await _existing_games(records, recognition, assessed)
        if here:
            return _imported_response(assessed, here[0], here=True)
    by = request.user.recorded_as()
    imported = await records.import_record(assessed, by, command_id, new_names=query.new_names)
    if not isinstance(imported, ImportedRecord):
        raise RefusedRecord(imported, _names(assessed))
    return _imported_response(assessed, imported)


def _plays_response(view: Struct, lang: str, status: int) -> Response[Any]:
    return Response(
        msgspec.json.encode(view),
        media_type=_JSON,
        status_code=status,
        headers={"Content-Language": lang, "Vary": "Accept-Language"},
    )


async def _existing_games(
    records: Records, recognition: Recognition, assessed: Assessed
) -> list[ImportedRecord]:
    traits = traits_of(assessed)
    matches = (await recognition.find([traits]))[0] if traits else ()
    games = [await records.existing(match.game_id) for match in matches]
    if not assessed.chosen:
        return games
    chosen = [player.id for player in assessed.seated]
    return [game for game in games if [player.id for player in game.players] == chosen]


def _form(request: HttpRequest) -> Format | None:
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given == _JSON or given.endswith("+json"):
        return "json"
    return "text" if given == TEXT else None


def _parse_players(text: str | UnsetType) -> tuple[Seated, ...]:
    if text is UNSET:
        return ()
    try:
        ids = msgspec.convert(text.split(","), tuple[UUID, ...])
        return tuple(Seated(id=player_id, name=None) for player_id in ids)
    except msgspec.ValidationError:
        raise malformed("$.query.players", "the ids of players, by commas") from None


def _look_view(
    assessed: Assessed, lang: str, here: Sequence[ImportedRecord], *, new_names: bool
) -> LookView:
    record = assessed.record
    return LookView(
        ok=not assessed.problems and (new_names or not assessed.alike),
        problems=tuple(describe(problem, lang, _names(assessed)) for problem in assessed.problems),
        ruleset=record.ruleset if record else None,
        title=record.title if record else None,
        place=record.place if record else None,
        options=record.options if record else None,
        players=assessed.seated,
        alike=assessed.alike,
        outcome=_outcome(assessed),
        hash=assessed.hash,
        here=tuple(game.game_id for game in here),
    )


def _names(assessed: Assessed) -> tuple[str | None, ...]:
    return tuple(player.name for player in assessed.seated)


def _outcome(assessed: Assessed) -> OutcomeView | None:
    outcome = assessed.outcome
    if outcome is None:
        return None
    return OutcomeView(
        entries=len(outcome.entries) + 1,
        status=outcome.summary.status,
        deals=outcome.deals,
        totals=outcome.summary.totals,
    )


def _imported_response(
    assessed: Assessed, imported: ImportedRecord, *, here: bool = False
) -> Response[Any]:
    outcome = _outcome(assessed)
    assert outcome is not None  # noqa: S101 -- an imported record was judged
    assert assessed.record is not None  # noqa: S101 -- as above
    view = ImportedView(
        id=imported.game_id,
        version=imported.version,
        ruleset=assessed.record.ruleset,
        title=imported.title,
        players=imported.players,
        outcome=outcome,
        hash=assessed.hash or "",
        here=here,
    )
    headers = {"Location": f"/api/games/{imported.game_id}", "ETag": f'"{imported.version}"'}
    if imported.replayed:
        headers["Idempotency-Replayed"] = "true"
    status = _OK if here else _CREATED
    return Response(
        msgspec.json.encode(view), media_type=_JSON, headers=headers, status_code=status
    )
