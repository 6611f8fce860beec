"""Evenings: consecutive games of mostly the same people, with one tally."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Response, get
from msgspec import UNSET, Meta, Struct, UnsetType

from projections.evenings import Evening
from schemas.record import Times
from service.access.admission import Access
from service.club.game_filters import SetAsideAsked
from service.dependencies import Answer, TheEvenings
from service.http.documentation.openapi import Documented
from service.http.inputs import HttpRequest, or_none, read_query
from service.http.parameters import Cursor, EveningId, Year
from service.play.views import PlayerView, player_views
from service.store.read_models.listing import GameCursor, GameFilter
from service.store.records import Player


class EveningGameView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A game of an evening. `players`, `totals` and `places` are by seat.

    `set_aside` is true or absent: the game counts nowhere else. `times`: as in the list of games.
    """

    id: UUID
    ruleset: str
    title: str
    status: str
    started_at: datetime
    last_at: datetime
    players: tuple[UUID, ...]
    deals: int
    totals: tuple[int, ...]
    places: tuple[int | None, ...]
    times: Times
    set_aside: bool = False
    title_name: str | None = None


class TallyView(Struct, frozen=True, kw_only=True):
    """A person's counts of games, of finished ones, of first and of last places.

    Shared places count for everyone who shares them.
    """

    player: PlayerView
    games: int
    finished: int
    first: int
    last: int


class EveningView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An evening, identified by its first game; `games` in order of their start.

    `ended_at` is null if the times of a game are unknown. `set_aside`: how many of its games are
    set aside; absent in lists and if there are none.
    """

    id: UUID
    started_at: datetime
    ended_at: datetime | None
    games: tuple[EveningGameView, ...]
    tally: tuple[TallyView, ...]
    set_aside: int = 0


class EveningsView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A page of evenings, latest first. `next`: cursor of the next page; null on the last one.

    `set_aside`: how many games were excluded because they are set aside; absent if none.
    """

    evenings: tuple[EveningView, ...]
    next: str | None
    set_aside: int = 0


class TitleCountView(Struct, frozen=True, kw_only=True):
    ruleset: str
    title: str
    title_name: str | None
    games: int


class PersonCountView(Struct, frozen=True, kw_only=True):
    """A person's games of any title. `first`: first places of each month, from January.

    `longest_streak`: of first places in a row.
    """

    player: PlayerView
    games: int
    finished: int
    first: tuple[int, ...]
    longest_streak: int


class YearPairView(Struct, frozen=True, kw_only=True):
    players: tuple[PlayerView, ...]
    games: int


class YearView(Struct, frozen=True, kw_only=True):
    """A year in review, of the club or of one `player`; days are in UTC.

    `months`: games begun in each month, from January. `seconds`: at the table, of the `timed`
    finished games that have a duration. `titles` and `people`: most games first. `longest`: the id
    of the evening with most games. `pair`: who played most games together.
    """

    year: int
    player: PlayerView | None
    games: int
    finished: int
    evenings: int
    seconds: int
    timed: int
    months: tuple[int, ...]
    titles: tuple[TitleCountView, ...]
    people: tuple[PersonCountView, ...]
    longest: UUID | None
    pair: YearPairView | None


class YearQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whose year it is."""

    player: Annotated[
        UUID | UnsetType,
        Meta(description="Only the games of this person. Left out: of the whole club."),
    ] = UNSET


class EveningsQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Filter and page of evenings."""

    cursor: Cursor = UNSET
    set_aside: SetAsideAsked = "exclude"
    limit: Annotated[
        int,
        Meta(
            ge=1,
            le=50,
            description="The minimum number of evenings per page, 1 to 50; 10 by default.",
        ),
    ] = 10


@get(
    "/evenings",
    opt={
        "access": Access.MEMBER,
        "documented": Documented(query=EveningsQuery, answer=EveningsView),
    },
)
async def list_evenings(request: HttpRequest, evenings: TheEvenings) -> Answer:
    """List evenings: games of mostly the same people with pauses of at most six hours."""
    query = read_query(request, EveningsQuery)
    after = None if query.cursor is UNSET else GameCursor.parse(query.cursor)
    page = await evenings.page(GameFilter(set_aside=query.set_aside), after, query.limit)
    view = EveningsView(
        evenings=tuple(_view(evening, page.players) for evening in page.evenings),
        next=page.after.text() if page.after else None,
        set_aside=page.set_aside,
    )
    return Response(msgspec.json.encode(view), media_type="application/json")


@get(
    "/evenings/{evening_id:uuid}",
    opt={"access": Access.MEMBER, "documented": Documented(answer=EveningView)},
)
async def show_evening(evening_id: EveningId, evenings: TheEvenings) -> Answer:
    """Return the evening of a game, by the id of any of its games."""
    page = await evenings.evening(evening_id)
    view = _view(page.evenings[0], page.players, page.set_aside)
    return Response(msgspec.json.encode(view), media_type="application/json")


@get(
    "/years/{year:int}",
    opt={"access": Access.MEMBER, "documented": Documented(query=YearQuery, answer=YearView)},
)
async def show_year(request: HttpRequest, year: Year, evenings: TheEvenings) -> Answer:
    """Return a year in review: games, evenings, titles, people."""
    query = read_query(request, YearQuery)
    reviewed = await evenings.year(year, UTC, or_none(query.player))
    summary, people = reviewed.review, reviewed.players
    view = YearView(
        year=year,
        player=PlayerView(id=reviewed.player.player_id, name=reviewed.player.name)
        if reviewed.player
        else None,
        games=summary.games,
        finished=summary.finished,
        evenings=summary.evenings,
        seconds=summary.seconds,
        timed=summary.timed,
        months=summary.months,
        titles=tuple(
            TitleCountView(
                ruleset=title.ruleset, title=title.title, title_name=title.name, games=title.games
            )
            for title in summary.titles
        ),
        people=tuple(
            PersonCountView(
                player=player_views([person.player], people)[0],
                games=person.games,
                finished=person.finished,
                first=person.wins,
                longest_streak=person.longest_streak,
            )
            for person in summary.people
        ),
        longest=summary.longest.evening_id if summary.longest else None,
        pair=YearPairView(
            players=player_views(summary.pair.players, people), games=summary.pair.games
        )
        if summary.pair
        else None,
    )
    return Response(msgspec.json.encode(view), media_type="application/json")


def _view(
    evening: Evening[UUID], players: Mapping[UUID, Player], set_aside: int = 0
) -> EveningView:
    return EveningView(
        id=evening.evening_id,
        started_at=evening.started_at,
        ended_at=None if evening.duration is None else evening.ended_at,
        games=tuple(
            EveningGameView(
                id=game.game_id,
                ruleset=game.ruleset,
                title=game.title,
                title_name=game.title_name,
                status=game.status,
                started_at=game.started_at,
                last_at=game.ended_at if game.times != "recorded" else game.last_at,
                players=game.players,
                deals=game.deals,
                totals=game.totals,
                places=game.places,
                set_aside=game.set_aside,
                times=game.times,
            )
            for game in evening.games
        ),
        tally=tuple(
            TallyView(
                player=player_views([tally.player], players)[0],
                games=tally.games,
                finished=tally.finished,
                first=tally.first,
                last=tally.last,
            )
            for tally in evening.tally
        ),
        set_aside=set_aside,
    )
