"""The form for the place and tags of a game."""

from urllib.parse import urlencode

from litestar import post
from litestar.response import Redirect
from msgspec import Struct

from schemas.strict_json import Malformed
from service.access.admission import Access
from service.club.describing import read_typed
from service.dependencies import Id, PageRequest, TheDescriptions, see_other

_TYPED_MAX = 500


class InvalidDescription(Struct, frozen=True, kw_only=True):
    wrong: str
    place: str
    tags: str


@post("/games/{game_id:uuid}/description", opt={"access": Access.WRITER})
async def describe(request: PageRequest, descriptions: TheDescriptions, game_id: Id) -> Redirect:
    form = await request.form()
    place, tags = (str(form.get(name, ""))[:_TYPED_MAX] for name in ("place", "tags"))
    description = read_typed(place, tags)
    to = f"/games/{game_id}/sheet"
    if isinstance(description, Malformed):
        wrong = "tags" if description.path.startswith("$.tags") else "place"
        return see_other(f"{to}?{urlencode({'wrong': wrong, 'place': place, 'tags': tags})}#about")
    await descriptions.describe(game_id, description)
    return see_other(f"{to}#about")


def refused_description(request: PageRequest) -> InvalidDescription | None:
    asked = request.query_params
    wrong = asked.get("wrong", "")
    if wrong not in {"place", "tags"}:
        return None
    return InvalidDescription(wrong=wrong, place=asked.get("place", ""), tags=asked.get("tags", ""))
