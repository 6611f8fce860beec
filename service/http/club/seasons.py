"""Seasons: named periods that filter lists, standings and exports."""

from datetime import UTC, date
from typing import Annotated, TypeAlias
from uuid import UUID

from litestar import Response, delete, get, patch, post
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from schemas.names import NAME_PATTERN, PLACE_LENGTH_MAX
from service.access.admission import Access
from service.club.describing import read_season
from service.club.game_filters import FilterQuery, day_bound, game_filter
from service.dependencies import NewId, TheSeasons
from service.errors import NotFound
from service.http.documentation.openapi import Documented
from service.http.inputs import HttpRequest, or_raise, read_body
from service.http.parameters import SeasonId
from service.store.club.seasons import Seasons
from service.store.read_models.listing import Bound, GameFilter
from service.store.records import Season

_SeasonName: TypeAlias = Annotated[
    str, Meta(extra_json_schema={"maxLength": PLACE_LENGTH_MAX, "pattern": NAME_PATTERN})
]
_EXAMPLE = {"name": "Winter", "first_day": "2026-10-01", "last_day": "2027-03-31"}


class SeasonBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A season: name, first and last day, both inclusive."""

    name: _SeasonName
    first_day: date
    last_day: date


class SeasonChange(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Changes of a season; absent fields stay the same."""

    name: _SeasonName | UnsetType = UNSET
    first_day: date | UnsetType = UNSET
    last_day: date | UnsetType = UNSET


class SeasonView(SeasonBody, frozen=True, kw_only=True):
    """A season."""

    id: UUID


class SeasonList(Struct, frozen=True, kw_only=True):
    """The seasons, latest first."""

    seasons: tuple[SeasonView, ...]


@post("/seasons", opt={"documented": Documented(body=SeasonBody, example=_EXAMPLE)})
async def add_season(
    request: HttpRequest, seasons: TheSeasons, new_id: NewId
) -> Response[SeasonView]:
    """Add a season."""
    body = await read_body(request, SeasonBody)
    season = or_raise(read_season(new_id(), body.name, body.first_day, body.last_day))
    await seasons.write(season)
    return Response(_season_view(season), headers={"Location": f"/api/seasons/{season.season_id}"})


@get("/seasons", opt={"access": Access.MEMBER})
async def list_seasons(seasons: TheSeasons) -> SeasonList:
    """List the seasons, latest first."""
    return SeasonList(seasons=tuple(map(_season_view, await seasons.all())))


@patch(
    "/seasons/{season_id:uuid}",
    opt={"documented": Documented(body=SeasonChange, example={"name": "Winter at the lake"})},
)
async def change_season(
    request: HttpRequest, season_id: SeasonId, seasons: TheSeasons
) -> SeasonView:
    """Change the name or days of a season."""
    change = await read_body(request, SeasonChange)
    season = await seasons.get(season_id)
    changed = or_raise(
        read_season(
            season_id,
            change.name or season.name,
            change.first_day or season.first_day,
            change.last_day or season.last_day,
        )
    )
    await seasons.write(changed)
    return _season_view(changed)


@delete("/seasons/{season_id:uuid}")
async def remove_season(season_id: SeasonId, seasons: TheSeasons) -> None:
    """Remove a season; its games stay."""
    await seasons.remove(season_id)


async def filter_of(query: FilterQuery, seasons: Seasons) -> GameFilter:
    """Build the filter of a query, with its season resolved.

    Raises: MalformedInput, NotFound (the season), StoreUnavailable
    """
    which = or_raise(game_filter(query))
    begin, end = await period_of(query.season, which.started_from, which.started_before, seasons)
    return structs.replace(which, started_from=begin, started_before=end)


async def period_of(
    season_id: UUID | UnsetType, begin: Bound | None, end: Bound | None, seasons: Seasons
) -> tuple[Bound | None, Bound | None]:
    """Intersect a period with the named season, whose days are in UTC.

    Raises: NotFound (the season), StoreUnavailable
    """
    if season_id is UNSET:
        return begin, end
    season = next((known for known in await seasons.all() if known.season_id == season_id), None)
    if season is None:
        raise NotFound("season", season_id)
    first, last = day_bound(season.first_day, UTC), day_bound(season.last_day, UTC, ends=True)
    begin, end = begin or first, end or last
    return (
        Bound(at=max(begin.at, first.at), day=max(begin.day, first.day)),
        Bound(at=min(end.at, last.at), day=min(end.day, last.day)),
    )


def _season_view(season: Season) -> SeasonView:
    return SeasonView(
        id=season.season_id,
        name=season.name,
        first_day=season.first_day,
        last_day=season.last_day,
    )
