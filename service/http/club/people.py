"""Statistics of people: a person's figures and results, and rated standings."""

from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Response, get
from msgspec import UNSET, Meta, Struct, UnsetType, field, structs

from domain.games import ruleset_of
from projections.breakdown import Dimension, Group, TitleBreakdown
from projections.person import PlacedGame
from projections.ratings import Rating
from projections.standings import Figures, Standing
from schemas.record import Times
from service.access.admission import Access
from service.club.game_filters import (
    RulesetAsked,
    SeasonAsked,
    SetAsideAsked,
    StartedFrom,
    StartedTo,
    TitleAsked,
    read_period_bound,
    read_title,
)
from service.club.people import PeriodStandings, Person, PersonFigures
from service.dependencies import Answer, ThePeople, TheSeasons
from service.http.club.seasons import period_of
from service.http.documentation.openapi import Documented
from service.http.inputs import HttpRequest, or_raise, read_query
from service.http.parameters import PlayerId
from service.play.views import PlayerView, player_views
from service.store.club.seasons import Seasons
from service.store.read_models.listing import Bound, GameFilter

RESULTS_SHOWN = 50


class RatingView(Struct, frozen=True, kw_only=True):
    """A rating with mean `mu` and standard deviation `sigma`; `value` is mu − 3 sigma.

    `provisional`: after fewer than five finished games.
    """

    value: float
    mu: float
    sigma: float
    provisional: bool


class StandingView(Struct, frozen=True, kw_only=True):
    """A player in the standings. `rating` is null if no game counted for it."""

    player: PlayerView
    rating: RatingView | None
    figures: Figures


class RulesetStandingsView(Struct, frozen=True, kw_only=True):
    """The standings of a title, highest rating first, provisional ones last.

    `title`: its id, or the ruleset, which is its own title; `title_name`: the name of one by id.
    """

    ruleset: str
    title: str
    title_name: str | None
    games: int
    finished: int
    standings: tuple[StandingView, ...]


class StandingsView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The standings of a period, for each title that was played.

    `set_aside`: how many games were excluded because they are set aside; absent if none.
    """

    rulesets: tuple[RulesetStandingsView, ...]
    set_aside: int = 0


class PersonRulesetView(Struct, frozen=True, kw_only=True):
    """A person's figures in one title: its id, or the ruleset."""

    ruleset: str
    title: str
    title_name: str | None
    rating: RatingView | None
    figures: Figures


class HeadToHeadView(Struct, frozen=True, kw_only=True):
    """Finished games of a title with another person: ahead, level, behind, or in one team."""

    ruleset: str
    title: str
    player: PlayerView
    games: int
    ahead: int
    level: int
    behind: int
    together: int


class ResultView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finished game. `rating`: in its title, after the game; `shared`: the place is shared.

    `place` and `rating` are null if the player was not ranked. `times`: as in the list of games.
    """

    game: UUID
    ruleset: str
    title: str
    started_at: datetime
    seats: int
    place: int | None
    shared: bool
    total: int
    rating: float | None
    times: Times = "recorded"


class PersonPage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A person. `name` is null if erased. `results`: the last 50, latest first.

    `set_aside`: how many of their games are set aside; absent if none.
    """

    id: UUID
    name: str | None
    created_at: datetime
    rulesets: tuple[PersonRulesetView, ...]
    head_to_head: tuple[HeadToHeadView, ...]
    results: tuple[ResultView, ...]
    set_aside: int = 0


class GroupView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Figures of the games with one `key`.

    `key`: a year, a month (`2024-05`), the id of a season or a person, a number of seats; empty if
    the day is unknown, and for all games. `name`: of the season or the person. `seconds`: the time
    at the table, in the `timed` finished games that have one. `ahead`, `level` and `behind` compare
    places with that person, or with the person asked for by `with`; `together`: games in one team.
    What is null or 0 is absent, but for the figures.
    """

    key: str
    figures: Figures
    name: str | None = None
    seconds: int = 0
    timed: int = 0
    ahead: int = 0
    level: int = 0
    behind: int = 0
    together: int = 0


class RatedView(Struct, frozen=True, kw_only=True):
    """A rating after a game. `number`: finished games of the title so far."""

    number: int
    at: datetime
    value: float


class TitleFiguresView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A person's figures in one title, in groups; empty lists are absent.

    `ratings`: the rating over time, a selection if there are many games; it counts all games of the
    period, whoever played.
    """

    ruleset: str
    title: str
    title_name: str | None
    all: GroupView
    years: tuple[GroupView, ...] = ()
    months: tuple[GroupView, ...] = ()
    seasons: tuple[GroupView, ...] = ()
    seats: tuple[GroupView, ...] = ()
    opponents: tuple[GroupView, ...] = ()
    partners: tuple[GroupView, ...] = ()
    ratings: tuple[RatedView, ...] = ()


class FiguresView(Struct, frozen=True, kw_only=True):
    """A person's figures, in all games or in those with another person.

    `set_aside`: how many of these games are set aside.
    """

    player: PlayerView
    other: PlayerView | None
    titles: tuple[TitleFiguresView, ...]
    set_aside: int


class StandingsQuery(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    rename={"started_from": "from", "started_to": "to"},
):
    """Filter of games: by title, and by start in a period or season."""

    ruleset: RulesetAsked = UNSET
    title: TitleAsked = UNSET
    started_from: StartedFrom = UNSET
    started_to: StartedTo = UNSET
    set_aside: SetAsideAsked = "exclude"
    season: SeasonAsked = UNSET


class PersonQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whether games that are set aside count."""

    set_aside: SetAsideAsked = "exclude"


class FiguresQuery(StandingsQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Filter of games: by title, period and season, and by another person."""

    other: Annotated[
        UUID | UnsetType,
        Meta(description="Only games with this person, too; every group counts who was ahead."),
    ] = field(default=UNSET, name="with")


@get(
    "/players/{player_id:uuid}",
    opt={"access": Access.MEMBER, "documented": Documented(query=PersonQuery, answer=PersonPage)},
)
async def show_person(request: HttpRequest, player_id: PlayerId, people: ThePeople) -> Answer:
    """Return a person's figures by title, their opponents and last results."""
    query = read_query(request, PersonQuery)
    return _answer(_person(await people.person(player_id, query.set_aside)))


@get(
    "/players/{player_id:uuid}/figures",
    opt={
        "access": Access.MEMBER,
        "documented": Documented(query=FiguresQuery, answer=FiguresView),
    },
)
async def show_figures(
    request: HttpRequest, player_id: PlayerId, people: ThePeople, seasons: TheSeasons
) -> Answer:
    """Return a person's figures by year, month, season, table size, opponent and partner.

    Days are in UTC. `with`: the figures of a pair.
    """
    query = read_query(request, FiguresQuery)
    begin, end = await _period(query, seasons)
    of = or_raise(read_title(query.ruleset, query.title))
    which = GameFilter(
        others=() if query.other is UNSET else (query.other,),
        ruleset=of.ruleset,
        title=of.title,
        started_from=begin,
        started_before=end,
        set_aside=query.set_aside,
    )
    return _answer(_figures(await people.figures(player_id, which, UTC)))


@get(
    "/standings",
    opt={
        "access": Access.MEMBER,
        "documented": Documented(query=StandingsQuery, answer=StandingsView),
    },
)
async def show_standings(request: HttpRequest, people: ThePeople, seasons: TheSeasons) -> Answer:
    """Return the standings of a period; all ratings start anew with it."""
    query = read_query(request, StandingsQuery)
    begin, end = await _period(query, seasons)
    of = or_raise(read_title(query.ruleset, query.title))
    standings = await people.standings(of.ruleset, begin, end, query.set_aside, of.title)
    return _answer(_standings(standings))


async def _period(query: StandingsQuery, seasons: Seasons) -> tuple[Bound | None, Bound | None]:
    return await period_of(
        query.season,
        or_raise(read_period_bound("from", query.started_from)),
        or_raise(read_period_bound("to", query.started_to, ends=True)),
        seasons,
    )


def _answer(view: Struct) -> Answer:
    return Response(msgspec.json.encode(view), media_type="application/json")


def _standings(period: PeriodStandings) -> StandingsView:
    return StandingsView(
        rulesets=tuple(
            RulesetStandingsView(
                ruleset=table.ruleset,
                title=table.title,
                title_name=period.names.get(table.title),
                games=table.games,
                finished=table.finished,
                standings=tuple(
                    StandingView(
                        player=player_views([standing.player], period.players)[0],
                        rating=_rating(standing),
                        figures=standing.figures,
                    )
                    for standing in table.standings
                ),
            )
            for table in period.rulesets
        ),
        set_aside=period.set_aside,
    )


def _person(person: Person) -> PersonPage:
    results = [(ruleset.title, placed) for ruleset in person.rulesets for placed in ruleset.results]
    results.sort(key=lambda result: result[1].at, reverse=True)
    return PersonPage(
        id=person.player.player_id,
        name=person.player.name,
        created_at=person.player.created_at,
        rulesets=tuple(
            PersonRulesetView(
                ruleset=ruleset.ruleset,
                title=ruleset.title,
                title_name=person.names.get(ruleset.title),
                rating=_rating(ruleset.standing),
                figures=ruleset.standing.figures,
            )
            for ruleset in person.rulesets
        ),
        head_to_head=tuple(_heads(person)),
        results=tuple(_result(*result) for result in results[:RESULTS_SHOWN]),
        set_aside=person.set_aside,
    )


def _heads(person: Person) -> list[HeadToHeadView]:
    return [
        HeadToHeadView(
            ruleset=ruleset.ruleset,
            title=ruleset.title,
            player=player_views([head.other], person.players)[0],
            games=head.games,
            ahead=head.ahead,
            level=head.level,
            behind=head.behind,
            together=head.together,
        )
        for ruleset in person.rulesets
        for head in ruleset.heads
    ]


def _figures(figures: PersonFigures) -> FiguresView:
    pair = [player for player in (figures.player, figures.other) if player is not None]
    shown = [PlayerView(id=player.player_id, name=player.name) for player in pair]
    return FiguresView(
        player=shown[0],
        other=shown[1] if figures.other else None,
        titles=tuple(
            TitleFiguresView(
                ruleset=title.ruleset,
                title=title.title,
                title_name=figures.names.get(title.title),
                all=_group(figures, title.all),
                years=_groups(figures, title, "year"),
                months=_groups(figures, title, "month"),
                seasons=_groups(figures, title, "season"),
                seats=_groups(figures, title, "seats"),
                opponents=_groups(figures, title, "opponent"),
                partners=_groups(figures, title, "partner"),
                ratings=tuple(
                    RatedView(number=rated.number, at=rated.at, value=_value(rated.rating))
                    for rated in figures.ratings.get(title.title, ())
                ),
            )
            for title in figures.titles
        ),
        set_aside=figures.set_aside,
    )


def _groups(
    figures: PersonFigures, title: TitleBreakdown, dimension: Dimension
) -> tuple[GroupView, ...]:
    return tuple(_group(figures, group) for group in title.groups[dimension])


def _group(figures: PersonFigures, group: Group) -> GroupView:
    return GroupView(name=figures.name(group.key), **structs.asdict(group))


def _result(title: str, placed: PlacedGame[UUID]) -> ResultView:
    return ResultView(
        game=placed.game_id,
        ruleset=ruleset_of(title),
        title=title,
        started_at=placed.at,
        seats=placed.seats,
        place=placed.place,
        shared=placed.shared,
        total=placed.total,
        rating=_value(placed.rating) if placed.rating and placed.place else None,
        times=placed.times,
    )


def _value(rating: Rating) -> float:
    # Never return a negative zero.
    return round(rating.ordinal, 1) + 0.0


def _rating(standing: Standing[UUID]) -> RatingView | None:
    if standing.rating is None:
        return None
    return RatingView(
        value=_value(standing.rating),
        mu=round(standing.rating.mu, 2),
        sigma=round(standing.rating.sigma, 2),
        provisional=standing.provisional,
    )
