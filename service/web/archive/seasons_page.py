"""The forms of seasons, named periods, on the pages that show games of a period."""

from collections.abc import Mapping
from datetime import date
from urllib.parse import urlencode
from uuid import UUID

from litestar import post
from litestar.response import Redirect
from msgspec import ValidationError, convert

from schemas.strict_json import Malformed
from service.club.describing import read_season
from service.dependencies import Id, NewId, PageRequest, TheSeasons, see_other
from service.store.club.seasons import Seasons
from service.store.records import Season

_ADDRESS = "/seasons"
_TYPED_MAX = 200
_PAGES = ("/standings", "/history")


@post(_ADDRESS)
async def add_season(request: PageRequest, seasons: TheSeasons, new_id: NewId) -> Redirect:
    return await _store(request, seasons, new_id(), {})


@post(f"{_ADDRESS}/{{season_id:uuid}}")
async def change_season(request: PageRequest, seasons: TheSeasons, season_id: Id) -> Redirect:
    form = await request.form()
    if form.get("do") == "remove":
        await seasons.remove(season_id)
        return see_other(_back(form))
    await seasons.get(season_id)
    return await _store(request, seasons, season_id, {"season": str(season_id)})


async def _store(
    request: PageRequest, seasons: Seasons, season_id: UUID, season_field: dict[str, str]
) -> Redirect:
    form = await request.form()
    fields = {name: str(form.get(name, ""))[:_TYPED_MAX] for name in ("name", "first", "last")}
    season = _read_form(season_id, fields)
    if isinstance(season, Season):
        await seasons.write(season)
        return see_other(_back(form))
    return see_other(
        f"{_back(form)}?{urlencode({'wrong': season, **season_field, **fields})}#refused"
    )


def _back(form: Mapping[str, object]) -> str:
    """Return the page that the form was on."""
    back = form.get("back")
    return back if isinstance(back, str) and back in _PAGES else _PAGES[0]


def _read_form(season_id: UUID, fields: dict[str, str]) -> Season | str:
    try:
        first, last = (convert(fields[name].strip(), date) for name in ("first", "last"))
    except ValidationError:
        return "days"
    season = read_season(season_id, fields["name"], first, last)
    if isinstance(season, Malformed):
        return "name" if season.path == "$.name" else "order"
    return season
