"""Seasons: named periods that owners add, change and remove."""

from datetime import date
from urllib.parse import urlencode
from uuid import UUID

from litestar import get, post
from litestar.response import Redirect, Response
from msgspec import Struct, ValidationError, convert

from schemas.strict_json import Malformed
from service.access.admission import Access
from service.club.describing import read_season
from service.dependencies import Id, NewId, PageRequest, TheSeasons, see_other
from service.store.club.seasons import Seasons
from service.store.records import Season
from service.web.format.render import Reader, uuid_of

_ADDRESS = "/seasons"
_TYPED_MAX = 200


class InvalidSeason(Struct, frozen=True, kw_only=True):
    """The submitted values, the season they belong to (None: a new one), and the invalid field."""

    wrong: str
    season: UUID | None
    name: str
    first: str
    last: str


@get(_ADDRESS, opt={"access": Access.MEMBER})
async def show_seasons(request: PageRequest, seasons: TheSeasons) -> Response[str]:
    return Reader(request).page(
        "seasons.html", known=await seasons.all(), refused=_refused_season(request)
    )


@post(_ADDRESS)
async def add_season(request: PageRequest, seasons: TheSeasons, new_id: NewId) -> Redirect:
    return await _store(request, seasons, new_id(), {})


@post(f"{_ADDRESS}/{{season_id:uuid}}")
async def change_season(request: PageRequest, seasons: TheSeasons, season_id: Id) -> Redirect:
    if (await request.form()).get("do") == "remove":
        await seasons.remove(season_id)
        return see_other(_ADDRESS)
    await seasons.one(season_id)
    return await _store(request, seasons, season_id, {"season": str(season_id)})


async def _store(
    request: PageRequest, seasons: Seasons, season_id: UUID, season_field: dict[str, str]
) -> Redirect:
    form = await request.form()
    fields = {name: str(form.get(name, ""))[:_TYPED_MAX] for name in ("name", "first", "last")}
    season = _read_form(season_id, fields)
    if isinstance(season, Season):
        await seasons.write(season)
        return see_other(_ADDRESS)
    return see_other(f"{_ADDRESS}?{urlencode({'wrong': season, **season_field, **fields})}#refused")


def _read_form(season_id: UUID, fields: dict[str, str]) -> Season | str:
    try:
        first, last = (convert(fields[name].strip(), date) for name in ("first", "last"))
    except ValidationError:
        return "days"
    season = read_season(season_id, fields["name"], first, last)
    if isinstance(season, Malformed):
        return "name" if season.path == "$.name" else "order"
    return season


def _refused_season(request: PageRequest) -> InvalidSeason | None:
    asked = request.query_params
    wrong = asked.get("wrong", "")
    if wrong not in {"name", "days", "order"}:
        return None
    return InvalidSeason(
        wrong=wrong,
        season=uuid_of(asked.get("season", "")),
        name=asked.get("name", ""),
        first=asked.get("first", ""),
        last=asked.get("last", ""),
    )
