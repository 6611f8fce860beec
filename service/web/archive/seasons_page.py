"""The seasons: days under a name, added, changed and removed."""

from datetime import date
from urllib.parse import urlencode
from uuid import UUID

from litestar import get, post
from litestar.response import Redirect, Response
from msgspec import Struct, ValidationError, convert

from schemas.malformed import Malformed
from service.access.admission import Access
from service.club.describing import read_season
from service.dependencies import Id, NewId, PageRequest, TheSeasons, see_other
from service.store.club.seasons import Seasons
from service.store.records import Season
from service.web.format.render import Reader, uuid_of

_ADDRESS = "/seasons"
_TYPED_MAX = 200


class InvalidSeason(Struct, frozen=True, kw_only=True):
    """What was typed, which season it was meant for (None: a new one), and what cannot be."""

    wrong: str
    season: UUID | None
    name: str
    first: str
    last: str


@get(_ADDRESS, opt={"access": Access.MEMBER})
async def show_seasons(request: PageRequest, seasons: TheSeasons) -> Response[str]:
    """List the seasons."""
    return Reader(request).page(
        "seasons.html", known=await seasons.all(), refused=_refused(request)
    )


@post(_ADDRESS)
async def add_season(request: PageRequest, seasons: TheSeasons, new_id: NewId) -> Redirect:
    """Add a season."""
    return await _kept(request, seasons, new_id(), {})


@post(f"{_ADDRESS}/{{season_id:uuid}}")
async def change_season(request: PageRequest, seasons: TheSeasons, season_id: Id) -> Redirect:
    """Change a season, or remove it.

    Raises: NotFound, StoreUnavailable
    """
    if (await request.form()).get("do") == "remove":
        await seasons.remove(season_id)
        return see_other(_ADDRESS)
    await seasons.one(season_id)
    return await _kept(request, seasons, season_id, {"season": str(season_id)})


async def _kept(
    request: PageRequest, seasons: Seasons, season_id: UUID, meant: dict[str, str]
) -> Redirect:
    form = await request.form()
    typed = {name: str(form.get(name, ""))[:_TYPED_MAX] for name in ("name", "first", "last")}
    season = _read(season_id, typed)
    if isinstance(season, Season):
        await seasons.write(season)
        return see_other(_ADDRESS)
    return see_other(f"{_ADDRESS}?{urlencode({'wrong': season, **meant, **typed})}#refused")


def _read(season_id: UUID, typed: dict[str, str]) -> Season | str:
    try:
        first, last = (convert(typed[name].strip(), date) for name in ("first", "last"))
    except ValidationError:
        return "days"
    season = read_season(season_id, typed["name"], first, last)
    if isinstance(season, Malformed):
        return "name" if season.path == "$.name" else "order"
    return season


def _refused(request: PageRequest) -> InvalidSeason | None:
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
