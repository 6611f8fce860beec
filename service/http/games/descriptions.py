"""Places and tags of games, which are not in their logs."""

from typing import Annotated, TypeAlias

from litestar import get, put
from msgspec import Meta, Struct

from schemas.names import EMPTY_PATTERN, NAME_PATTERN, PLACE_LENGTH_MAX
from service.access.admission import Access
from service.club.describing import TAG_LENGTH_MAX, TAGS_MAX, read_description
from service.dependencies import TheDescriptions
from service.http.documentation.openapi import Documented
from service.http.inputs import HttpRequest, or_raise, read_body
from service.http.parameters import GameId
from service.store.records import Description

_EXAMPLE = {"place": "At the lake", "tags": ["Christmas"]}


_Place: TypeAlias = Annotated[
    str,
    Meta(
        extra_json_schema={
            "maxLength": PLACE_LENGTH_MAX,
            "pattern": f"{EMPTY_PATTERN}|{NAME_PATTERN}",
        }
    ),
]
_Tag: TypeAlias = Annotated[
    str,
    Meta(
        extra_json_schema={
            "maxLength": TAG_LENGTH_MAX,
            "pattern": NAME_PATTERN,
            "not": {"pattern": ","},
        }
    ),
]


class DescriptionBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The place ("" for none) and tags of a game. They are not part of the log or its hashes."""

    place: _Place = ""
    tags: Annotated[tuple[_Tag, ...], Meta(extra_json_schema={"maxItems": TAGS_MAX})] = ()


@get("/games/{game_id:uuid}/description", opt={"access": Access.READER})
async def show_description(game_id: GameId, descriptions: TheDescriptions) -> DescriptionBody:
    """Return place and tags of a game."""
    return _description_body(await descriptions.of_game(game_id))


@put(
    "/games/{game_id:uuid}/description",
    opt={
        "access": Access.WRITER,
        "documented": Documented(body=DescriptionBody, example=_EXAMPLE, answer=DescriptionBody),
    },
)
async def describe_game(
    request: HttpRequest, game_id: GameId, descriptions: TheDescriptions
) -> DescriptionBody:
    """Replace place and tags of a game."""
    body = await read_body(request, DescriptionBody)
    said = or_raise(read_description(body.place, body.tags))
    await descriptions.describe(game_id, said)
    return _description_body(said)


def _description_body(said: Description) -> DescriptionBody:
    return DescriptionBody(place=said.place, tags=said.tags)
