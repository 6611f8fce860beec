"""A new game: players, seats and options; or another game of the same players."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, get_args
from uuid import UUID

from litestar import get, post
from litestar.response import Response
from litestar.status_codes import HTTP_422_UNPROCESSABLE_ENTITY as UNREADABLE
from msgspec import (
    UNSET,
    DecodeError,
    Meta,
    Struct,
    ValidationError,
    convert,
    json,
    structs,
    to_builtins,
)

from domain.games import TITLED
from schemas.catalogue import shapes
from schemas.entries import SetAside
from schemas.names import NAME_LENGTH_MAX, normalized_name, read_name, similar_spellings
from schemas.strict_json import Malformed
from service.access.admission import Access
from service.club.describing import read_typed
from service.dependencies import (
    Asked,
    Id,
    NewId,
    Now,
    PageRequest,
    TheCommands,
    TheDescriptions,
    TheGames,
    ThePlayers,
    TheTitles,
    see_other,
)
from service.errors import KeyReused, TitleTaken, VersionConflict
from service.language.known_titles import find_known_title
from service.language.texts import texts
from service.play.commands import GameCommands
from service.play.new_game import open_game
from service.play.queries import GameQueries
from service.play.views import GameView
from service.store.club.name_book import NameBook
from service.store.club.players import Players
from service.store.club.titles import Titles
from service.store.read_models.descriptions import Descriptions, FilterValues
from service.store.records import Title
from service.web.format.environments import playable
from service.web.format.form_flash import make_flash, read_flash
from service.web.format.render import Reader, uuid_of, version_of
from service.web.people.players import known
from service.web.recorder.forms import late_time, read_fields
from service.web.recorder.starting.offered_games import (
    FEW_MAX,
    OfferedGame,
    few_games,
    games_called,
    offered_games,
)
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
WINS = "text.wins"
CALLED = "called"  # the button of the search field for games
NEW_TITLE = "new-title"  # what was sought is a new game's name
SAME_PLAYERS = "same-players"
_ADDRESS = "/games/new"
_DRAFT = "carnet-new-game"
# The script puts numbers for the sign.
_PRESET_WORDS = {"target": "%1", "rounds": "%1", "zero_sum": True}


@get(_ADDRESS, opt={"access": Access.STARTER})
async def new_game(
    request: PageRequest,
    games: TheGames,
    descriptions: TheDescriptions,
    new_id: NewId,
    ruleset: Asked = "",
    draft: Asked = "",
) -> Response[str]:
    """Show the form, by default for the game that was played last.

    `?ruleset=`: a ruleset, the id of a title, or a name.

    `?after=`: as in another game; `?instead=`: in place of a game without entries.
    """
    form = read_flash(request, _DRAFT, NewGame, draft)
    like = None if form else _other(request)
    if like is not None:
        form = await _like_another(request, games, like)
    if form is None:
        chosen = ruleset in playable() or uuid_of(ruleset) is not None
        form = NewGame(ruleset="", choose=ruleset if chosen or not ruleset else CALLED)
        form = structs.replace(form, sought="" if chosen else ruleset)
    return await _page(request, descriptions, new_id, form, like=like)


@post(_ADDRESS, opt={"access": Access.STARTER})
async def start_game(
    request: PageRequest,
    commands: TheCommands,
    players: ThePlayers,
    descriptions: TheDescriptions,
    titles: TheTitles,
    new_id: NewId,
    now: Now,
) -> Response[Any]:
    """Start a game; if fields are missing or the ruleset changes, show the form again."""
    sent = (await request.form()).multi_items()
    pairs = [(name, value) for name, value in sent if isinstance(value, str)]
    form = read_new_game(pairs)
    given = dict(pairs)
    if form.ruleset not in playable():
        return see_other(_ADDRESS)
    if form.ruleset == TITLED:
        form = _with_known_options(form)
    other = given.get("choose")
    sought = given.get("called", "").strip()
    if other is not None or sought:  # the Enter key in that field searches, too
        form = structs.replace(form, choose=other or CALLED, sought=sought[:NAME_LENGTH_MAX])
        return await _show_form_again(request, descriptions, new_id, form, fault=None)
    said = read_typed(form.place, form.tags)
    if isinstance(said, Malformed):
        return await _show_form_again(request, descriptions, new_id, form, said)
    command = uuid_of(form.command) or new_id()
    started = await _start(request, commands, players, titles, new_id, form, command, now())
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


def _with_known_options(form: NewGame) -> NewGame:
    """Return the form with the options of a known game unless it names a winner."""
    known = find_known_title(form.title)
    if known is None or any(name == WINS for name, _ in form.chosen):
        return form
    given = [pair for pair in form.chosen if pair[1]]
    names = {name for name, _ in given}
    filled = [pair for pair in as_fields(known.options) if pair[0] not in names]
    return structs.replace(form, options=form.options | {TITLED: [*given, *filled]})


def _choose(
    form: NewGame, games: Sequence[OfferedGame], before: FilterValues
) -> tuple[NewGame, list[OfferedGame]]:
    """Return the form with what was chosen, and the games among which to choose."""
    choose, sought = form.choose, form.sought
    form = structs.replace(form, choose="", sought="")
    if choose == SAME_PLAYERS and before.recent:
        named = {one.player_id for one in before.players if one.name is not None}
        sitting = [str(one) for one in before.recent[0].players if one in named]
        numbers = {player: str(seat) for seat, player in enumerate(sitting, 1)}
        form = structs.replace(form, players=sitting, names=[], numbers=numbers)
    if choose == CALLED and sought:
        found = games_called(games, sought)
        exact = bool(found and found[0].spellings & similar_spellings(sought))
        if found and not exact:
            return structs.replace(form, sought=sought), found
        choose = found[0].choice if exact else NEW_TITLE
    if choose == NEW_TITLE and sought:
        options = form.options | {TITLED: []}
        return structs.replace(form, ruleset=TITLED, title=sought, options=options), []
    if not choose and form.ruleset not in playable():
        last = before.recent[0] if before.recent else None
        choose = str(last.title_id or last.ruleset) if last else playable()[0]
    game = next((one for one in games if one.choice == choose), None)
    if game is not None and game.options is not None:
        settled = default_options(shapes(TITLED).options) | dict(game.options)
        fields = as_fields({name: value for name, value in settled.items() if value is not None})
        options = form.options | {TITLED: fields}
        return structs.replace(form, ruleset=TITLED, title=game.name, options=options), []
    if choose in playable():
        # Another game by points does not take over the rules of the one before.
        kept = {name: fields for name, fields in form.options.items() if name != TITLED}
        form = structs.replace(form, ruleset=choose, title="", options=kept)
    if form.ruleset not in playable():
        form = structs.replace(form, ruleset=playable()[0])
    return form, []


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
    now: datetime,
) -> UUID | Malformed:
    title: Title | None = None
    if form.ruleset == TITLED:
        name = read_name(form.title)
        if name is None or len(name) > NAME_LENGTH_MAX:
            return Malformed(path="title", expected="a name")
        title = await titles.find_by_name(name)
        if form.asks_wins and all(field != WINS for field, _ in form.chosen):
            return Malformed(path="wins", expected="who wins")
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
        options = json.encode(_options(form, title, len(ids)))
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
        try:
            title = await titles.create(new_id(), form.title.strip(), read_fields(form.chosen))
        except TitleTaken:
            # Another phone has started a game of this name meanwhile.
            title = await titles.find_by_name(form.title)
    begun = start_command_id(command) if instead else command
    by = request.user.recorded_as()
    at = late_time(_tapped_at(form), now)
    try:
        started = await commands.start(form.ruleset, options, ids, by, begun, title, at)
    except KeyReused:
        # Somebody went back to the form of a started game, and changed it.
        started = await commands.start(form.ruleset, options, ids, by, new_id(), title, at)
    return started if isinstance(started, Malformed) else started.id


def _tapped_at(form: NewGame) -> datetime | None:
    try:
        at: datetime = convert(form.tapped_at, Annotated[datetime, Meta(tz=True)])
    except ValidationError:
        return None
    return at


def _options(form: NewGame, title: Title | None, seats: int) -> dict[str, Any]:
    """Return the chosen options.

    The teams of a known game or a title apply only where as many play as sit in them.

    Raises: msgspec.DecodeError (as `read_fields`)
    """
    options = read_fields(form.chosen)
    teams = options.get("teams")
    if form.ruleset != TITLED or not teams:
        return options
    known = find_known_title(form.title)
    usual = [title.options if title else {}, known.options if known else {}]
    if json.encode(teams) in [json.encode(one.get("teams")) for one in usual] and (
        sum(map(len, teams)) != seats
    ):
        options["teams"] = None
    return options


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
    reason = Reader(request).gettext("Change seats")
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
    # The address shows the chosen game also when the form has been forgotten.
    game = form.choose if form.choose in playable() or uuid_of(form.choose) else form.ruleset
    return see_other(f"{_ADDRESS}?ruleset={game}&draft={draft.id}", draft.cookie)


async def _page(
    request: PageRequest,
    descriptions: Descriptions,
    new_id: NewId,
    form: NewGame,
    status: int = 200,
    like: UUID | None = None,
) -> Response[str]:
    reader = Reader(request)
    before = await descriptions.filter_values(like, recent=True)
    if like is not None:
        said = before.said
        form = structs.replace(form, place=said.place, tags=", ".join(said.tags))
    games = offered_games(before.titles, reader.language)
    form, found = _choose(form, games, before)
    of = shapes(form.ruleset)
    titled = form.ruleset == TITLED
    people = {player for text in form.players if (player := uuid_of(text)) is not None}
    few = few_games(games, before.recent, people)
    current = _current(form, games)
    if current is not None and current not in few:
        few = [current, *few[: FEW_MAX - 1]]
    options = shown_options(default_options(of.options), form.chosen)
    # A title that the club plays has its rules; a new one asks who wins.
    settled = titled and current is not None and uuid_of(current.choice) is not None
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
        titled=TITLED if titled else "",
        another=TITLED,
        few=few,
        found=found,
        current=current.choice if current else TITLED,
        games=games,
        data=json.encode([_for_script(one) for one in games]).decode(),
        last_players=_last_players(before) if not (form.players or form.names) else [],
        last_ids=" ".join(map(str, before.recent[0].players)) if before.recent else "",
        game=reader.game(form.ruleset),
        options=options,
        settled=settled,
        preset=preset_words(options, reader.language, *(("wins",) if settled else ()))
        if titled
        else (),
        preset_words=preset_words(_PRESET_WORDS, reader.language),
        elsewhere=json.encode(elsewhere).decode(),
        command=form.command or new_id(),
        name_length_max=NAME_LENGTH_MAX,
    )


def _current(form: NewGame, games: Sequence[OfferedGame]) -> OfferedGame | None:
    """Return the offered game that the form is for; None: a game by points of another name."""
    if form.ruleset != TITLED:
        return next((game for game in games if game.choice == form.ruleset), None)
    called = normalized_name(form.title)
    by_points = (game for game in games if game.options is not None)
    return next((game for game in by_points if normalized_name(game.name) == called), None)


def _last_players(before: FilterValues) -> list[str]:
    """Return the names of those who played the last game; [] if one of them has none."""
    if not before.recent:
        return []
    names = {one.player_id: one.name for one in before.players}
    found = [names.get(player) for player in before.recent[0].players]
    return [name for name in found if name] if all(found) else []


def _for_script(game: OfferedGame) -> list[object]:
    return [game.choice, game.name, game.also, game.options]


def preset_words(options: Mapping[str, object], lang: str, *before: str) -> list[str]:
    """Return in words when the game ends and how it is counted, other options before that."""
    shown = {name: options.get(name) for name in (*before, "target", "rounds", "zero_sum")}
    return [texts().option(TITLED, name, value, lang) for name, value in shown.items() if value]


def default_options(options: type[Struct]) -> dict[str, object]:
    fields = structs.fields(options)
    said = {one.name: get_args(one.type)[0] for one in fields if one.required}
    first = options(**said)
    found = {one.name: getattr(first, one.name) for one in fields}
    return {name: value for name, value in found.items() if value is not UNSET}
