"""The list of players (add, rename, forget, merge), and the page of one."""

from typing import Any, cast, get_args
from uuid import UUID

from litestar import get, post
from litestar.response import Redirect, Response
from msgspec import Struct

from domain.games import GAMES
from domain.table.manifest import StandingsColumn
from projections.person import PersonRuleset, PlacedGame
from projections.standings import RATED_GAMES_MIN, Figures, Standing
from schemas.names import NAME_LENGTH_MAX, read_name
from service.access.admission import Access
from service.club.exports import Exports
from service.club.people import ListedPlayer, People, Person
from service.dependencies import (
    Asked,
    Id,
    NewId,
    PageRequest,
    TheExports,
    ThePeople,
    ThePlayers,
    see_other,
)
from service.errors import AlreadyMerged, NameTaken, SameGame
from service.export.history.season import GAMES_MAX
from service.store.club.name_book import NameBook
from service.store.club.players import Players
from service.store.records import Player, SetAside
from service.web.format.catalogs import alphabetical_key
from service.web.format.chart import Chart
from service.web.format.charts import places_chart, rating_chart
from service.web.format.figures import FigureFormat
from service.web.format.form_flash import make_flash, read_flash
from service.web.format.render import Reader, uuid_of
from service.web.format.template_filters import sentence


class RefusedName(Struct, frozen=True, kw_only=True):
    """The typed name. `taken`: the player with the same name; None: the name is invalid."""

    typed: str
    taken: UUID | None = None


def _draft(path: str) -> str:
    return f"carnet-name-{path.rpartition('/')[2]}"


def refuse_name(request: PageRequest, typed: str, taken: UUID | None = None) -> Redirect:
    """Redirect to the form's page with the typed name, cut if it is far too long."""
    path = request.url.path
    refused = RefusedName(typed=typed[: 2 * NAME_LENGTH_MAX], taken=taken)
    draft = make_flash(request, _draft(path), path, refused)
    return see_other(f"{path}?draft={draft.id}", draft.cookie) if draft else see_other(path)


def refused_name(request: PageRequest, draft_id: str) -> RefusedName | None:
    path = request.url.path
    return read_flash(request, _draft(path), RefusedName, draft_id) if draft_id else None


@get("/players", opt={"access": Access.MEMBER})
async def show_players(request: PageRequest, people: ThePeople, draft: Asked = "") -> Response[str]:
    return await _list(request, people, refused_name(request, draft))


@post("/players", opt={"access": Access.STARTER})
async def add_player(request: PageRequest, players: ThePlayers, new_id: NewId) -> Redirect:
    form = await request.form()
    typed = str(form.get("name", ""))
    name = read_name(typed)
    if name is None:
        return refuse_name(request, typed)
    two = form.get("do") == "two"
    if not two and (like := (await players.names()).like(name)):
        return refuse_name(request, typed, like[0].player_id)
    try:
        await players.create(new_id(), name, same_name=two)
    except NameTaken as error:
        return refuse_name(request, typed, error.player_id)
    return see_other("/players")


@post("/players/{player_id:uuid}")
async def change_player(
    request: PageRequest,
    players: ThePlayers,
    exports: TheExports,
    player_id: Id,
) -> Redirect:
    form = await request.form()
    do = form.get("do")
    if do == "forget":
        await players.forget(player_id)
        exports.drop_temporary()
        return see_other(f"/players/{player_id}")
    if do in {"merge", "part"}:
        other = uuid_of(str(form.get("other", "")))
        return await _merge(players, exports, player_id, other, undo=do == "part")
    typed = str(form.get("name", ""))
    name = read_name(typed)
    if name is None:
        return refuse_name(request, typed)
    if do != "two":
        like = [one.player_id for one in (await players.names()).like(name)]
        others = [one for one in like if one != player_id]
        if others:
            return refuse_name(request, typed, others[0])
    try:
        await players.rename(player_id, name, same_name=do == "two")
    except NameTaken as error:
        return refuse_name(request, typed, error.player_id)
    return see_other(f"/players/{player_id}")


async def _merge(
    players: Players, exports: Exports, player_id: UUID, other: UUID | None, *, undo: bool
) -> Redirect:
    if other is None or other == player_id:
        return see_other(f"/players/{player_id}?wrong=nobody")
    try:
        person = await (players.undo_merge(other) if undo else players.merge(player_id, other))
    except (SameGame, AlreadyMerged) as error:
        wrong = "game" if isinstance(error, SameGame) else "merged"
        return see_other(f"/players/{player_id}?wrong={wrong}")
    exports.drop_temporary()
    return see_other(f"/players/{person.player_id}")


async def _list(
    request: PageRequest, people: People, refused: RefusedName | None = None
) -> Response[str]:
    listed = await people.all()
    named = [one for one in listed if one.player.name is not None]
    taken = refused.taken if refused else None
    return Reader(request).page(
        "players.html",
        people=sorted(named, key=_sort_key),
        forgotten=[one for one in listed if one.player.name is None and one.presence.games],
        refused=refused,
        other=next((one for one in named if one.player.player_id == taken), None),
        name_length_max=NAME_LENGTH_MAX,
    )


def _sort_key(one: ListedPlayer) -> tuple[str, str, str]:
    return alphabetical_key(one.player.name or "")


def known(players: list[Player]) -> list[Player]:
    named = [player for player in players if player.name is not None]
    return sorted(named, key=lambda player: alphabetical_key(player.name or ""))


RESULTS_SHOWN = 20


class HeadToHead(Struct, frozen=True, kw_only=True):
    id: UUID
    name: str
    games: int
    ahead: int
    level: int
    behind: int
    together: int


class RulesetRecord(Struct, frozen=True, kw_only=True):
    """A player's statistics in one title, results newest first. `won`: first place wins.

    `counted`: the ruleset's extra columns.
    """

    ruleset: str
    title: str
    title_name: str | None
    won: bool
    counted: tuple[StandingsColumn, ...]
    standing: Standing[UUID]
    heads: list[HeadToHead]
    together: bool
    rating: Chart | None
    places: Chart | None
    results: tuple[PlacedGame[UUID], ...]

    @property
    def figures(self) -> Figures:
        return self.standing.figures


@get("/players/{player_id:uuid}", opt={"access": Access.MEMBER})
async def show_person(
    request: PageRequest,
    people: ThePeople,
    players: ThePlayers,
    player_id: Id,
    draft: Asked = "",
    set_aside: Asked = "",
    wrong: Asked = "",
    me: Asked = "",
) -> Response[Any]:
    reader = Reader(request)
    known = set_aside in get_args(SetAside)
    set_aside_filter = cast("SetAside", set_aside) if known else "exclude"
    person_page = await people.person(player_id, set_aside_filter)
    person = person_page.player
    if person.player_id != player_id:
        return see_other(f"/players/{person.player_id}")
    names = await players.names() if request.user.owner and person.name else NameBook()
    refused = refused_name(request, draft)
    games = sum(one.standing.figures.games for one in person_page.rulesets)
    say = reader.figures
    return reader.page(
        "player.html",
        person=person,
        me=me,
        games=games,
        aside=set_aside_filter,
        set_aside=person_page.set_aside,
        name=name_or_forgotten(reader, person),
        parts=[
            _part(reader, say, one, person_page)
            for one in sorted(person_page.rulesets, key=lambda one: -one.standing.figures.finished)
        ],
        refused=refused,
        taken=names.person(refused.taken) if refused and refused.taken else None,
        merged=names.merged_into(person.player_id),
        others=_others(names, person),
        wrong=wrong,
        say=say,
        on_paper=games <= GAMES_MAX,
        name_length_max=NAME_LENGTH_MAX,
        games_of_a_rating=RATED_GAMES_MIN,
    )


def _others(names: NameBook, person: Player) -> list[Player]:
    name = person.name or ""
    like = {one.player_id for one in (*names.find_all(name), *names.like(name))}
    others = [one for one in names.everybody() if one.player_id != person.player_id]
    return sorted(
        others, key=lambda one: (one.player_id not in like, alphabetical_key(one.name or ""))
    )


def name_or_forgotten(reader: Reader, player: Player | None) -> str:
    """Return a player's name, or the words for a forgotten player."""
    return (player.name if player else None) or sentence(reader.gettext("forgotten player"))


def _part(
    reader: Reader, say: FigureFormat, record: PersonRuleset[UUID], page: Person
) -> RulesetRecord:
    heads = [
        HeadToHead(
            id=head.other,
            name=name_or_forgotten(reader, page.players.get(head.other)),
            games=head.games,
            ahead=head.ahead,
            level=head.level,
            behind=head.behind,
            together=head.together,
        )
        for head in record.heads
    ]
    ruleset = record.ruleset
    return RulesetRecord(
        ruleset=ruleset,
        title=record.title,
        title_name=page.names.get(record.title),
        won=GAMES[ruleset].has_winner,
        counted=GAMES[ruleset].standings_columns,
        standing=record.standing,
        heads=heads,
        together=any(head.together for head in heads),
        rating=rating_chart(f"rating-{record.title}", reader.gettext("Rating"), record.course, say),
        places=places_chart(f"places-{record.title}", reader.gettext("Place"), record.results, say),
        results=record.results[: -RESULTS_SHOWN - 1 : -1],
    )
