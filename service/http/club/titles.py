"""Titles: what games by points are called; every other ruleset is its own title."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, TypeAlias
from uuid import UUID

import msgspec
from litestar import Response, delete, get, patch, post
from litestar.status_codes import HTTP_200_OK
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from domain.games import TITLED
from schemas.catalogue import shapes
from schemas.names import NAME_EXPECTED, NAME_LENGTH_MAX, NAME_PATTERN, read_name
from schemas.strict_json import Malformed
from service.access.admission import Access
from service.dependencies import NewId, TheExports, TheTitles
from service.http.documentation.openapi import Documented
from service.http.inputs import HttpRequest, MalformedInput, malformed, read_body
from service.http.parameters import TitleId
from service.store.records import MergedTitle, Title

_TitleName: TypeAlias = Annotated[
    str,
    Meta(min_length=1, max_length=NAME_LENGTH_MAX, extra_json_schema={"pattern": NAME_PATTERN}),
]
_SKYJO = {"name": "Skyjo", "options": {"wins": "lowest", "target": 100}}


class TitleBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A title. `options`: those of new games, where they differ from the defaults."""

    name: _TitleName
    options: Raw | UnsetType = UNSET


class TitleChange(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Changes of a title; absent fields stay the same. `hidden`: not offered for new games."""

    name: _TitleName | UnsetType = UNSET
    options: Raw | UnsetType = UNSET
    hidden: bool | UnsetType = UNSET


class TitleMergeBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The id of the title that gets the games."""

    into: UUID


class MergedTitleView(Struct, frozen=True, kw_only=True):
    """A title that was merged into another one; `name` is null if erased."""

    id: UUID
    name: str | None


class TitleView(Struct, frozen=True, kw_only=True):
    """A title. `options`: those of new games, where they differ from the defaults.

    `hidden`: it is not offered for new games. `merged`: other titles of the same game.
    """

    id: UUID
    name: str | None
    options: dict[str, Any]
    created_at: datetime
    hidden: bool = False
    merged: tuple[MergedTitleView, ...] = ()


class TitleList(Struct, frozen=True, kw_only=True):
    """The titles with a name, in order of creation."""

    titles: tuple[TitleView, ...]


@post(
    "/titles",
    opt={
        "access": Access.STARTER,
        "documented": Documented(body=TitleBody, example=_SKYJO, answer=TitleView),
    },
)
async def add_title(request: HttpRequest, titles: TheTitles, new_id: NewId) -> Response[TitleView]:
    """Add a title."""
    body = await read_body(request, TitleBody)
    added = await titles.create(new_id(), _name(body.name), _options(body.options))
    return Response(_title_view(added), headers={"Location": f"/api/titles/{added.title_id}"})


@get("/titles", opt={"access": Access.MEMBER})
async def list_titles(titles: TheTitles) -> TitleList:
    """List the titles."""
    named, merged = await titles.all(), await titles.list_merged()
    return TitleList(titles=tuple(_title_view(title, merged) for title in named))


@patch(
    "/titles/{title_id:uuid}",
    opt={"documented": Documented(body=TitleChange, example={"name": "Skyjo Action"})},
)
async def change_title(request: HttpRequest, title_id: TitleId, titles: TheTitles) -> TitleView:
    """Rename or hide a title, or change the options of new games."""
    body = await read_body(request, TitleChange)
    name = None if body.name is UNSET else _name(body.name)
    options = None if body.options is UNSET else _options(body.options)
    hidden = None if body.hidden is UNSET else body.hidden
    changed = await titles.change(title_id, name, options, hidden=hidden)
    return _title_view(changed, await titles.list_merged())


@delete("/titles/{title_id:uuid}")
async def forget_title(title_id: TitleId, titles: TheTitles, exports: TheExports) -> None:
    """Erase the name of a title everywhere; its games stay."""
    await titles.forget(title_id)
    exports.drop_temporary()


@post(
    "/titles/{title_id:uuid}/merge",
    status_code=HTTP_200_OK,
    opt={
        "documented": Documented(
            body=TitleMergeBody, example={"into": "0192f1c2-7c3e-7a51-8f2b-6f7f4a1d0c11"}
        )
    },
)
async def merge_titles(
    request: HttpRequest, title_id: TitleId, titles: TheTitles, exports: TheExports
) -> TitleView:
    """Make two titles one, in all lists, figures and files; idempotent."""
    into = (await read_body(request, TitleMergeBody)).into
    if into == title_id:
        raise malformed("$.into", "the id of another title")
    merged = await titles.merge(title_id, into)
    exports.drop_temporary()
    return _title_view(merged, await titles.list_merged())


@delete("/titles/{title_id:uuid}/merge")
async def part_titles(title_id: TitleId, titles: TheTitles, exports: TheExports) -> None:
    """Undo a merge."""
    await titles.undo_merge(title_id)
    exports.drop_temporary()


def _name(text: str) -> str:
    name = read_name(text)
    if name is None:
        raise malformed("$.name", NAME_EXPECTED)
    return name


def _options(raw: Raw | UnsetType) -> dict[str, Any]:
    if raw is UNSET:
        return {}
    decoded = shapes(TITLED).decode_options(bytes(raw), "$.options")
    if isinstance(decoded, Malformed):
        raise MalformedInput(decoded)
    given: dict[str, Any] = msgspec.json.decode(raw)
    return given


def _title_view(title: Title, merged: Sequence[MergedTitle] = ()) -> TitleView:
    return TitleView(
        id=title.title_id,
        name=title.name,
        options=title.options,
        created_at=title.created_at,
        hidden=title.hidden,
        merged=tuple(
            MergedTitleView(id=merged_title.title_id, name=merged_title.name)
            for merged_title in merged
            if merged_title.title == title.title_id
        ),
    )
