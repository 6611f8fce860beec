"""Seasons: named periods that filter lists, standings and exports."""

from datetime import date
from uuid import UUID

from litestar import Response, delete, get, patch, post
from msgspec import UNSET, Struct, UnsetType, structs

from service.access.admission import Access
from service.club.describing import read_season
from service.club.game_filters import FilterQuery, game_filter
from service.dependencies import NewId, TheSeasons
from service.http.documentation.openapi import Documented
from service.http.inputs import HttpRequest, malformed, or_raise, read_body
from service.http.parameters import SeasonId
from service.store.club.seasons import Seasons
from service.store.read_models.listing import GameFilter
from service.store.records import Season

_EXAMPLE = {"name": "Winter", "first_day": "2026-10-01", "last_day": "2027-03-31"}


class SeasonBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A season: name, first and last day, both inclusive."""

    name: str
    first_day: date
    last_day: date


class SeasonChange(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Changes of a season; absent fields stay the same."""

    name: str | UnsetType = UNSET
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
    return Response(_shown(season), headers={"Location": f"/api/seasons/{season.season_id}"})


@get("/seasons", opt={"access": Access.MEMBER})
async def list_seasons(seasons: TheSeasons) -> SeasonList:
    """List the seasons, latest first."""
    return SeasonList(seasons=tuple(map(_shown, await seasons.all())))


@patch(
    "/seasons/{season_id:uuid}",
    opt={"documented": Documented(body=SeasonChange, example={"name": "Winter at the lake"})},
)
async def change_season(
    request: HttpRequest, season_id: SeasonId, seasons: TheSeasons
) -> SeasonView:
    """Change the name or days of a season."""
    change = await read_body(request, SeasonChange)
    season = await seasons.one(season_id)
    changed = or_raise(
        read_season(
            season_id,
            change.name or season.name,
            change.first_day or season.first_day,
            change.last_day or season.last_day,
        )
    )
    await seasons.write(changed)
    return _shown(changed)


@delete("/seasons/{season_id:uuid}")
async def remove_season(season_id: SeasonId, seasons: TheSeasons) -> None:
    """Remove a season; its games stay."""
    await seasons.remove(season_id)


async def filter_of(query: FilterQuery, seasons: Seasons) -> GameFilter:
    """Build the filter of a query, with its season resolved.

    Raises: MalformedInput, StoreUnavailable
    """
    begin, end = await days_of(query.season, query.started_from, query.started_to, seasons)
    return or_raise(game_filter(structs.replace(query, started_from=begin, started_to=end)))


async def days_of(
    season_id: UUID | UnsetType, begin: str | UnsetType, end: str | UnsetType, seasons: Seasons
) -> tuple[str | UnsetType, str | UnsetType]:
    """Return first and last day, in UTC, of the named season or as given.

    Raises: MalformedInput (an unknown season, or days beside it), StoreUnavailable
    """
    if season_id is UNSET:
        return begin, end
    if begin is not UNSET or end is not UNSET:
        raise malformed("$.query.season", "a season, or from and to")
    known = {season.season_id: season for season in await seasons.all()}
    if season_id not in known:
        raise malformed("$.query.season", "the id of a season")
    return known[season_id].first_day.isoformat(), known[season_id].last_day.isoformat()


def _shown(season: Season) -> SeasonView:
    return SeasonView(
        id=season.season_id,
        name=season.name,
        first_day=season.first_day,
        last_day=season.last_day,
    )
