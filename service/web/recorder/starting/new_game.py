"""A new game: players, seats and options; or another game of the same players."""

from collections.abc import Sequence
from typing import Any, get_args
from uuid import UUID

from litestar import get, post
from litestar.response import Response
from litestar.status_codes import HTTP_422_UNPROCESSABLE_ENTITY as UNREADABLE
from msgspec import UNSET, DecodeError, Struct, json, structs, to_builtins

from domain.games import TITLED
from schemas.catalogue import shapes
from schemas.entries import SetAside
from schemas.names import NAME_LENGTH_MAX, read_name
from schemas.strict_json import Malformed
from service.access.admission import Access
from service.club.describing import read_typed
from service.dependencies import (
    Asked,
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
from service.errors import KeyReused, VersionConflict
from service.language.texts import texts
from service.play.commands import GameCommands
from service.play.new_game import open_game
from service.play.queries import GameQueries
from service.play.views import GameView
from service.store.club.players import NameBook, Players
from service.store.club.titles import Titles
from service.store.read_models.descriptions import Descriptions
from service.store.read_models.listing import GameFilter
from service.store.records import Title
from service.web.format.form_flash import make_flash, read_flash
from service.web.format.render import Reader, playable, uuid_of, version_of
from service.web.people.players import known
from service.web.recorder.forms import read_fields
from service.web.recorder.starting.seating import (
    NewGame,
    Sitter,
    as_fields,
    of_one_name,
    read_new_game,
    seat_order,
    shown_options,
)
from service.web.recorder.table.board import game_address
from service.web.recorder.table.replacement import set_aside_command_id, start_command_id

NOTHING_RECORDED = 1
CALLED = "called"  # the button of the search field for games
_ADDRESS = "/games/new"
_DRAFT = "carnet-new-game"


@get(_ADDRESS, opt={"access": Access.STARTER})
async def new_game(
    request: PageRequest,
    games: TheGames,
    descriptions: TheDescriptions,
    new_id: NewId,
    ruleset: Asked = "",
    draft: Asked = "",
) -> Response[str]:
    """Show the form, by default for the ruleset that was played last.

    `?after=`: as in another game; `?instead=`: in place of a game without entries.
    """
    form = read_flash(request, _DRAFT, NewGame, draft)
    like = None if form else _other(request)
    if like is not None:
        form = await _like_another(request, games, like)
    if form is None or form.ruleset not in playable():
        latest = (await games.list(GameFilter(), None, 1)).games
        asked = texts().games_called(ruleset) if ruleset else ()
        wanted = (ruleset, *asked, *(game.ruleset for game in latest), *playable())
        form = NewGame(ruleset=next(name for name in wanted if name in playable()))
    return await _page(request, descriptions, new_id, form, like=like)


@post(_ADDRESS, opt={"access": Access.STARTER})
async def start_game(
    request: PageRequest,
    commands: TheCommands,
    players: ThePlayers,
    descriptions: TheDescriptions,
    titles: TheTitles,
    new_id: NewId,
) -> Response[Any]:
    """Start a game; if fields are missing or the ruleset changes, show the form again."""
    sent = (await request.form()).multi_items()
    pairs = [(name, value) for name, value in sent if isinstance(value, str)]
    form = read_new_game(pairs)
    given = dict(pairs)
    if form.ruleset not in playable():
        return see_other(_ADDRESS)
    other = given.get("choose")
    sought = given.get("called", "").strip()
    if sought and other is None:  # the Enter key in that field searches, too
        other = CALLED
    if other == CALLED:
        other = texts().game_called(sought, playable())
        if other is None:
            fault = Malformed(path=CALLED, expected=sought) if sought else None
            return await _show_form_again(request, descriptions, new_id, form, fault)
    if other in playable():
        form = structs.replace(form, ruleset=other)
        return await _show_form_again(request, descriptions, new_id, form, fault=None)
    if (chosen := uuid_of(other or "")) is not None:
        form = _of_title(form, await titles.get(chosen))
        return await _show_form_again(request, descriptions, new_id, form, fault=None)
    said = read_typed(form.place, form.tags)
    if isinstance(said, Malformed):
        return await _show_form_again(request, descriptions, new_id, form, said)
    command = uuid_of(form.command) or new_id()
    started = await _start(request, commands, players, titles, new_id, form, command)
    if isinstance(started, Malformed):
        return await _show_form_again(request, descriptions, new_id, form, started)
    # A repeated submission starts nothing and must not overwrite the description.
    await descriptions.describe_new(started, said)
    dealer = version_of(form.dealer)
    return see_other(game_address(started) + (f"?dealer={dealer - 1}" if dealer else ""))


@post(f"{_ADDRESS}/again/{{old_id:uuid}}", opt={"access": Access.STARTER})
async def same_again(
    request: PageRequest,
    games: TheGames,
    commands: TheCommands,
    descriptions: TheDescriptions,
    titles: TheTitles,
    new_id: NewId,
    old_id: Id,
) -> Response[Any]:
    """Start another game with the same players, seats and options."""
    old = await games.view(old_id)
    sitting = [player.id for player in old.players if player.name is not None]
    options = shapes(old.ruleset).current_options(old.options)
    title = None if old.title == old.ruleset else await titles.get(UUID(old.title))
    started = await commands.start(
        old.ruleset, json.encode(options), sitting, request.user.recorded_as(), new_id(), title
    )
    if isinstance(started, Malformed):
        return await _show_form_again(request, descriptions, new_id, _as_in(old), started)
    return see_other(game_address(started.id))


def _other(request: PageRequest) -> UUID | None:
    asked = request.query_params
    return uuid_of(asked.get("instead", "") or asked.get("after", ""))


async def _like_another(request: PageRequest, games: GameQueries, other: UUID) -> NewGame:
    instead = request.query_params.get("instead", "")
    return structs.replace(_as_in(await games.view(other)), instead=instead)


def _of_title(form: NewGame, title: Title) -> NewGame:
    options = form.options | {TITLED: as_fields(title.options)}
    return structs.replace(form, ruleset=TITLED, title=title.name or "", options=options)


def _as_in(game: GameView) -> NewGame:
    sitting = [str(player.id) for player in game.players if player.name is not None]
    options = shapes(game.ruleset).current_options(game.options)
    return NewGame(
        ruleset=game.ruleset,
        title=game.title_name or "",
        players=sitting,
        numbers={player: str(seat) for seat, player in enumerate(sitting, 1)},
        options={game.ruleset: as_fields(to_builtins(options))},
    )


async def _start(
    request: PageRequest,
    commands: GameCommands,
    players: Players,
    titles: Titles,
    new_id: NewId,
    form: NewGame,
    command: UUID,
) -> UUID | Malformed:
    title: Title | None = None
    if form.ruleset == TITLED:
        name = read_name(form.title)
        if name is None or len(name) > NAME_LENGTH_MAX:
            return Malformed(path="title", expected="a name")
        title = await titles.find_by_name(name)
    sitters = seat_order(form)
    if sitters is None:
        return Malformed(path="order", expected="a number for everybody")
    if any(sitter.id is None and sitter.name is None for sitter in sitters):
        return Malformed(path="name", expected="a name")
    names = await players.names()
    chosen = {one.id: names.person(one.id) for one in sitters if one.id is not None}
    of_one = of_one_name(sitters, {who: one.name or "" for who, one in chosen.items() if one})
    if of_one and not form.two:
        return Malformed(path="same", expected=of_one)
    new: dict[UUID, str] = {}
    ids = _player_ids(sitters, names, new, new_id, similar=form.one)
    like = [
        other.name
        for name in new.values()
        for other in names.like(name)
        if other.player_id not in ids
    ]
    if like and not form.two:
        return Malformed(path="alike", expected=like[0] or "")
    try:
        options = json.encode(read_fields(form.chosen))
    except DecodeError:
        options = b"{}"
    opening = open_game(form.ruleset, options, ids)
    if isinstance(opening, Malformed):
        return opening
    if len({*ids}) < len(ids):
        return Malformed(path="$.players", expected="different players")
    instead = uuid_of(form.instead)
    if instead and not await _set_aside(request, commands, instead, set_aside_command_id(command)):
        return Malformed(path="begun", expected="a game in which nothing is recorded")
    for player_id, name in new.items():
        await players.create(player_id, name, same_name=form.two)
    if form.ruleset == TITLED and title is None:
        # The options that the first game was started with are those of the next ones.
        title = await titles.create(new_id(), form.title.strip(), read_fields(form.chosen))
    begun = start_command_id(command) if instead else command
    by = request.user.recorded_as()
    try:
        started = await commands.start(form.ruleset, options, ids, by, begun, title)
    except KeyReused:
        # Somebody went back to the form of a started game, and changed it.
        started = await commands.start(form.ruleset, options, ids, by, new_id(), title)
    return started if isinstance(started, Malformed) else started.id


def _player_ids(
    sitters: Sequence[Sitter],
    names: NameBook,
    new: dict[UUID, str],
    new_id: NewId,
    *,
    similar: bool,
) -> list[UUID]:
    taken = {sitter.id for sitter in sitters if sitter.id is not None}
    found: list[UUID] = []
    for sitter in sitters:
        person = None if sitter.id else names.find(sitter.name or "", taken)
        if sitter.id is None and person is None and similar:
            like = names.like(sitter.name or "")
            person = next((one for one in like if one.player_id not in taken), None)
        player_id = sitter.id or (person.player_id if person else new_id())
        if sitter.id is None and person is None:
            new[player_id] = sitter.name or ""
        taken.add(player_id)
        found.append(player_id)
    return found


async def _set_aside(
    request: PageRequest, commands: GameCommands, game_id: UUID, command: UUID
) -> bool:
    reason = Reader(request).gettext("Other seats")
    aside = SetAside(reason=reason)
    try:
        await commands.append(
            game_id, NOTHING_RECORDED, command, request.user.recorded_as(), [aside]
        )
    except VersionConflict:
        return False
    return True


async def _show_form_again(
    request: PageRequest,
    descriptions: Descriptions,
    new_id: NewId,
    form: NewGame,
    fault: Malformed | None,
) -> Response[Any]:
    if fault is not None:
        form = structs.replace(form, path=fault.path, expected=fault.expected)
    draft = make_flash(request, _DRAFT, _ADDRESS, form)
    if draft is None:
        return await _page(request, descriptions, new_id, form, UNREADABLE if fault else 200)
    return see_other(f"{_ADDRESS}?ruleset={form.ruleset}&draft={draft.id}", draft.cookie)


async def _page(
    request: PageRequest,
    descriptions: Descriptions,
    new_id: NewId,
    form: NewGame,
    status: int = 200,
    like: UUID | None = None,
) -> Response[str]:
    reader = Reader(request)
    before = await descriptions.filter_values(like)
    if like is not None:
        said = before.said
        form = structs.replace(form, place=said.place, tags=", ".join(said.tags))
    of = shapes(form.ruleset)
    elsewhere = {name: sent for name, sent in form.options.items() if name != form.ruleset}
    return reader.page(
        "new_game.html",
        status,
        players=known([*before.players]),
        places=before.places,
        tags=before.tags,
        form=form,
        seats=of.seats,
        ruleset=form.ruleset,
        rulesets=playable(),
        titled=form.ruleset == TITLED,
        titles=[one for one in before.titles if one.name],
        game=reader.game(form.ruleset),
        options=shown_options(default_options(of.options), form.chosen),
        elsewhere=json.encode(elsewhere).decode(),
        command=form.command or new_id(),
        name_length_max=NAME_LENGTH_MAX,
    )


def default_options(options: type[Struct]) -> dict[str, object]:
    fields = structs.fields(options)
    said = {one.name: get_args(one.type)[0] for one in fields if one.required}
    first = options(**said)
    found = {one.name: getattr(first, one.name) for one in fields}
    return {name: value for name, value in found.items() if value is not UNSET}
