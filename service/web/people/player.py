"""The page of one player: statistics per game, results over time, head to head."""

from collections.abc import Mapping
from typing import Any, cast, get_args
from uuid import UUID

from litestar import get
from litestar.response import Response
from msgspec import Struct

from domain.games import GAMES
from domain.table.manifest import StandingsColumn
from projections.person import PersonRuleset, Placed
from projections.standings import GAMES_OF_A_RATING, Figures, Standing
from schemas.names import NAME_LENGTH_MAX
from service.access.admission import Access
from service.dependencies import Asked, Id, PageRequest, ThePeople, ThePlayers, see_other
from service.export.history.season_pdf import GAMES_MAX
from service.store.club.players import NameBook
from service.store.records import Player, SetAside
from service.web.format.chart import Chart
from service.web.format.charts import places_chart, rating_chart
from service.web.format.collation import alphabetical_key
from service.web.format.figures import FigureFormat
from service.web.format.render import Reader
from service.web.people.refused_name import refused_name

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
    """A player's statistics in one ruleset, results newest first. `won`: first place wins.

    `counted`: the ruleset's extra columns.
    """

    ruleset: str
    won: bool
    counted: tuple[StandingsColumn, ...]
    standing: Standing[UUID]
    heads: list[HeadToHead]
    together: bool
    rating: Chart | None
    places: Chart | None
    results: tuple[Placed[UUID], ...]

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
    say = reader.says
    return reader.page(
        "player.html",
        person=person,
        games=games,
        aside=set_aside_filter,
        set_aside=person_page.set_aside,
        name=called(reader, person),
        parts=[_part(reader, say, one, person_page.players) for one in person_page.rulesets],
        refused=refused,
        taken=names.person(refused.taken) if refused and refused.taken else None,
        merged=names.merged_into(person.player_id),
        others=_others(names, person),
        wrong=wrong,
        say=say,
        on_paper=games <= GAMES_MAX,
        name_length_max=NAME_LENGTH_MAX,
        games_of_a_rating=GAMES_OF_A_RATING,
    )


def _others(names: NameBook, person: Player) -> list[Player]:
    name = person.name or ""
    like = {one.player_id for one in (*names.called(name), *names.like(name))}
    others = [one for one in names.everybody() if one.player_id != person.player_id]
    return sorted(
        others, key=lambda one: (one.player_id not in like, alphabetical_key(one.name or ""))
    )


def called(reader: Reader, player: Player | None) -> str:
    """Return a player's name, or the words for a forgotten player."""
    return (player.name if player else None) or reader.gettext("forgotten player")


def _part(
    reader: Reader, say: FigureFormat, record: PersonRuleset[UUID], players: Mapping[UUID, Player]
) -> RulesetRecord:
    heads = [
        HeadToHead(
            id=head.other,
            name=called(reader, players.get(head.other)),
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
        won=GAMES[ruleset].won,
        counted=GAMES[ruleset].counted,
        standing=record.standing,
        heads=heads,
        together=any(head.together for head in heads),
        rating=rating_chart(f"rating-{ruleset}", reader.gettext("Rating"), record.course, say),
        places=places_chart(f"places-{ruleset}", reader.gettext("Place"), record.results, say),
        results=record.results[: -RESULTS_SHOWN - 1 : -1],
    )
