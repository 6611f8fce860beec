"""One page for a change at a running table: players, or who wins, target, rounds, sum of zero.

The game goes on as another one; the consequences are shown first, and one tap undoes it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal
from uuid import UUID

from litestar import get, post
from litestar.response import Redirect, Response
from msgspec import Struct, json, to_builtins

from domain.games import GAMES
from projections.summary import places, ranking
from schemas.catalogue import shapes
from schemas.entries import UNDONE, SetAside
from schemas.names import NAME_LENGTH_MAX, read_name
from schemas.strict_json import Malformed
from service.access.admission import Access
from service.dependencies import (
    Id,
    NewId,
    PageRequest,
    TheCommands,
    TheGames,
    ThePlayers,
    see_other,
)
from service.errors import GameBeforeMoved, GameContinued, KeyReused, NotFound, VersionConflict
from service.play.continuing import CannotContinue, Continuing, Prepared, obstacle, prepare
from service.play.snapshots import Appended, GameSnapshot
from service.play.views import GameView
from service.store.club.players import Players
from service.web.format.render import Reader, names_of, uuid_of, version_of
from service.web.people.players import known
from service.web.recorder.table.board import game_address, place

OK, CONFLICT, REFUSED = 200, 409, 422
StartKind = Literal["zero", "last", "average", "number"]
# Why a form is not accepted; the page has a sentence for each.
Wrong = Literal[
    "moved", "seated", "alike", "size", "nobody", "nothing", "rounds", "number", "options", "all"
]
_NOBODY = UUID(int=0)


class Form(Struct, frozen=True, kw_only=True):
    """A submitted form. `joins`: a known person; `name`: a new one. `options`: as typed."""

    leaves: tuple[UUID, ...] = ()
    joins: UUID | None = None
    name: str = ""
    start: str = "zero"
    points: str = ""
    options: Mapping[str, str] = {}

    @classmethod
    def of(cls, fields: Sequence[tuple[str, str]]) -> "Form":
        last = dict(fields)
        return cls(
            leaves=tuple(
                one for name, value in fields if name == "leaves" and (one := uuid_of(value))
            ),
            joins=uuid_of(last.get("joins", "")),
            name=last.get("name", "").strip(),
            start=last.get("start", "zero"),
            points=last.get("points", "").strip(),
            options={
                name.removeprefix("option."): value.strip()
                for name, value in fields
                if name.startswith("option.")
            },
        )


class Change(Struct, frozen=True, kw_only=True):
    """The fields of a sent form. `newcomer`: the name of a person to add; their id is `_NOBODY`."""

    continuing: Continuing
    newcomer: str | None = None


class Answer(Struct, frozen=True, kw_only=True):
    """The answer to a form: why it is not accepted, or its consequences."""

    wrong: Wrong | None = None
    change: Change | None = None
    prepared: Prepared | None = None

    @property
    def status(self) -> int:
        if self.wrong is None:
            return OK
        return CONFLICT if self.wrong == "moved" else REFUSED


class PreviewRow(Struct, frozen=True, kw_only=True):
    """A player after the change. `place` None: has none yet."""

    name: str
    total: int
    place: int | None
    arrives: bool


def may_go_on(moment: GameSnapshot, view: GameView) -> bool:
    """Return whether players or options may change now: between deals, not before the first."""
    return (
        view.continued_by is None
        and view.version > 1
        and obstacle(moment.loaded.history.game) is None
    )


@get("/games/{game_id:uuid}/go-on", opt={"access": Access.STARTER})
async def show_change(
    request: PageRequest, games: TheGames, players: ThePlayers, new_id: NewId, game_id: Id
) -> Response[Any]:
    moment = await games.snapshot(game_id)
    return await _page(request, games, players, new_id, moment)


@post("/games/{game_id:uuid}/go-on", opt={"access": Access.STARTER})
async def change_game(
    request: PageRequest,
    games: TheGames,
    commands: TheCommands,
    players: ThePlayers,
    new_id: NewId,
    game_id: Id,
) -> Response[Any]:
    """Show the consequences of a change; with `step` "do", make it."""
    pairs = (await request.form()).multi_items()
    fields = [(name, value) for name, value in pairs if isinstance(value, str)]
    form, last = Form.of(fields), dict(fields)
    moment = await games.snapshot(game_id)
    command = uuid_of(last.get("command", "")) or new_id()
    again = moment.loaded.chain is not None and moment.loaded.chain.continued_by is not None
    view = await games.show(moment)
    if last.get("step") == "do" and again:
        # A second tap: the game before is as it was then.
        pass
    elif version_of(last.get("version", "")) != moment.version or not may_go_on(moment, view):
        return await _page(request, games, players, new_id, moment, form, Answer(wrong="moved"))
    change = await _change(moment, view, form, players)
    if isinstance(change, str):
        return await _page(request, games, players, new_id, moment, form, Answer(wrong=change))
    prepared = prepare(moment, change.continuing)
    if not isinstance(prepared, Prepared):
        return await _page(
            request, games, players, new_id, moment, form, Answer(wrong=_why(prepared))
        )
    if last.get("step") != "do":
        answer = Answer(change=change, prepared=prepared)
        return await _page(request, games, players, new_id, moment, form, answer)
    continuing = change.continuing
    if change.newcomer is not None and not again:
        person = (await players.create(new_id(), change.newcomer)).player_id
        continuing = _with_person(continuing, person)
    by = request.user.recorded_as()
    try:
        started = await commands.go_on(moment, continuing, by, command)
    except (GameContinued, KeyReused):
        return see_other(game_address(game_id))
    except GameBeforeMoved:
        moment = await games.snapshot(game_id)
        return await _page(request, games, players, new_id, moment, form, Answer(wrong="moved"))
    if not isinstance(started, GameSnapshot):
        return await _page(
            request, games, players, new_id, moment, form, Answer(wrong=_why(started))
        )
    return see_other(game_address(started.id))


@post("/games/{game_id:uuid}/go-on/undo", opt={"access": Access.WRITER})
async def undo_change(
    request: PageRequest, games: TheGames, commands: TheCommands, new_id: NewId, game_id: Id
) -> Response[Any] | Redirect:
    """Undo a change of players or rules: the game before the change is continued instead.

    If rounds were entered since, the page asks first.
    """
    form = await request.form()
    moment = await games.snapshot(game_id)
    chain = moment.loaded.chain
    if chain is not None and chain.continued_by is not None:
        moment = await games.snapshot(chain.continued_by)
        chain = moment.loaded.chain
    if chain is None or chain.continues is None:
        raise NotFound("game", game_id)
    before = chain.continues.game_id
    lost = len(moment.loaded.history.game.deals)
    if moment.loaded.history.game.set_aside:
        return see_other(game_address(before))
    if (lost or moment.loaded.history.game.deal is not None) and "sure" not in form:
        reader = Reader(request)
        view = await games.show(moment)
        return reader.page(
            "undo_change.html",
            **place(view, request.user),
            game=reader.game(view.ruleset),
            here=game_id,
            lost=lost,
            names=names_of(reader, view.players),
            totals=view.totals,
        )
    by = request.user.recorded_as(game_id)
    try:
        done = await commands.append(
            moment.id, moment.version, new_id(), by, [SetAside(reason=UNDONE)]
        )
    except (VersionConflict, GameContinued):
        return see_other(game_address(game_id))
    return see_other(game_address(before if isinstance(done, Appended) else game_id))


def _why(found: Malformed | CannotContinue) -> Wrong:
    if isinstance(found, CannotContinue):
        return "moved"
    if found.path == "$.players":
        return "all" if "somebody" in found.expected else "size"
    return "number" if found.path.startswith("$.starts") else "options"


def _with_person(continuing: Continuing, person: UUID) -> Continuing:
    return Continuing(
        players=[person if one == _NOBODY else one for one in continuing.players],
        options=continuing.options,
        starts={person if one == _NOBODY else one: at for one, at in continuing.starts.items()},
        dealer=continuing.dealer,
        reason=continuing.reason,
        ends=continuing.ends,
    )


async def _change(
    moment: GameSnapshot, view: GameView, form: Form, players: Players
) -> Change | Wrong:
    old = [one.id for one in view.players]
    seated = [one for one in old if one not in form.leaves]
    arrivals: list[UUID] = []
    newcomer: str | None = None
    names = await players.names()
    person = names.person(form.joins) if form.joins else None
    if form.joins and person is None:
        return "nobody"
    if person is not None:
        arrivals.append(person.player_id)
    if form.name:
        name = read_name(form.name)
        if name is None or len(name) > NAME_LENGTH_MAX:
            return "nobody"
        found = names.find(name, set())
        if found is None and names.like(name):
            return "alike"
        newcomer = name if found is None else None
        arrivals.append(_NOBODY if found is None else found.player_id)
    if set(arrivals) & set(seated) or len(set(arrivals)) < len(arrivals):
        return "seated"
    start = _start(moment, form, seated)
    if start is None:
        return "number"
    options = _options(view, form)
    if isinstance(options, str):
        return options
    given, ends = options
    if not arrivals and len(seated) == len(old) and not given and not ends:
        return "nothing"
    everybody = [*seated, *arrivals]
    return Change(
        continuing=Continuing(
            players=everybody,
            options=json.encode(given),
            starts=dict.fromkeys(arrivals, start),
            dealer=_dealer(view, everybody),
            ends=ends,
        ),
        newcomer=newcomer,
    )


def start_points(moment: GameSnapshot, seated: Sequence[UUID]) -> dict[StartKind, int]:
    """Return points to start with: 0, as many as the last, the average of those who stay."""
    game = moment.loaded.history.game
    ids = [one.id for one in moment.players]
    totals = [game.totals[ids.index(one)] for one in seated] or [0]
    ranked = ranking(moment.loaded.history)
    last = game.totals[ranked[-1][0]] if ranked else 0
    return {
        "zero": 0,
        "last": last,
        "average": (2 * sum(totals) + len(totals)) // (2 * len(totals)),
    }


def _start(moment: GameSnapshot, form: Form, seated: Sequence[UUID]) -> int | None:
    if form.start == "number":
        text = form.points.replace("−", "-").removeprefix("+")
        digits = text.removeprefix("-")
        return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 7 else None  # noqa: PLR2004 -- a million
    return next((at for kind, at in start_points(moment, seated).items() if kind == form.start), 0)


def current_options(view: GameView) -> dict[str, Any]:
    """Return the options that can be put right; the number of deals is that of the whole game."""
    manifest = GAMES[view.ruleset]
    options: dict[str, Any] = to_builtins(view.options)
    shown = {name: options.get(name) for name in manifest.correctable}
    left = shown.get(manifest.deals_option)
    if left is not None:
        shown[manifest.deals_option] = left + view.deals_before
    return shown


def _options(view: GameView, form: Form) -> tuple[dict[str, Any], bool] | Wrong:
    """Return the options that change, and whether the game ends by its number of deals."""
    if not form.options:
        return {}, False
    manifest, now = GAMES[view.ruleset], current_options(view)
    played = view.deal - 1
    given: dict[str, Any] = {}
    ends = False
    for name, before in now.items():
        typed = form.options.get(name, "")
        value: Any = typed or None
        if isinstance(before, bool):
            value = typed == "true"
        elif isinstance(before, str):
            value = typed or before
        elif typed:
            if not (typed.isascii() and typed.isdigit()):
                return "options"
            value = int(typed)
        if value == before:
            continue
        if name == manifest.deals_option and value is not None:
            if value < played:
                return "rounds"
            ends = value == played
            value = None if ends else value - played
        given[name] = value
    return given, ends


def _dealer(view: GameView, seated: Sequence[UUID]) -> int | None:
    """Return the seat that deals next: whose turn it would have been, or the next one's."""
    table: Mapping[str, Any] = view.table
    dealer = table.get("dealer") if len(view.to_act) != 1 else view.to_act[0]
    if not isinstance(dealer, int):
        return None
    old = [one.id for one in view.players]
    turned = [*old[dealer:], *old[:dealer]]
    return next((seated.index(one) for one in turned if one in seated), None)


async def _page(
    request: PageRequest,
    games: TheGames,
    players: ThePlayers,
    new_id: NewId,
    moment: GameSnapshot,
    form: Form | None = None,
    answer: Answer | None = None,
) -> Response[Any]:
    answer = answer or Answer()
    change, prepared = answer.change, answer.prepared
    reader = Reader(request)
    view = await games.show(moment)
    if view.continued_by is not None:
        return see_other(game_address(moment.id))
    seated = {one.id for one in view.players}
    names = names_of(reader, view.players)
    people = known([*(await players.names()).everybody()])
    called = {one.player_id: one.name or "" for one in people} | {
        one.id: name for one, name in zip(view.players, names, strict=True)
    }
    if change is not None and change.newcomer is not None:
        called[_NOBODY] = change.newcomer
    several = len(shapes(view.ruleset).seats) > 1 and not getattr(view.options, "teams", None)
    form = form or Form(options={})
    now = current_options(view)
    typed = {
        name: form.options.get(name, "" if form.options else _as_typed(value))
        for name, value in now.items()
    }
    return reader.page(
        "change_game.html",
        answer.status,
        **place(view, request.user),
        view=view,
        names=names,
        game=reader.game(view.ruleset),
        form=form,
        typed=typed,
        wrong=answer.wrong,
        command=new_id(),
        players_change=several,
        joining=[one for one in people if one.player_id not in seated] if several else [],
        starts=start_points(moment, [one for one in seated if one not in form.leaves]),
        played=view.deal - 1,
        preview=_preview(change, prepared, called) if change and prepared else None,
        decided=prepared is not None and prepared.decided,
        leaving=[called[one] for one in form.leaves if one in called],
        options=now,
        endless=_may_be_endless(view.ruleset),
    )


def _may_be_endless(ruleset: str) -> bool:
    """Return whether a game may have no target."""
    decoded = shapes(ruleset).decode_options(b'{"target":null}')
    return not isinstance(decoded, Malformed)


def _as_typed(value: Any) -> str:  # noqa: ANN401 -- of an option
    if isinstance(value, bool):
        return "true" if value else ""
    return "" if value is None else str(value)


def _preview(change: Change, prepared: Prepared, called: Mapping[UUID, str]) -> list[PreviewRow]:
    game = prepared.history.game
    placed = places(ranking(prepared.history), game.seats)
    rows = [
        PreviewRow(
            name=called.get(player, ""),
            total=game.totals[seat],
            place=placed[seat] or None,
            arrives=player in change.continuing.starts,
        )
        for seat, player in enumerate(change.continuing.players)
    ]
    return sorted(rows, key=lambda row: row.place or len(rows) + 1)
