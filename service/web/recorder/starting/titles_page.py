"""The club's games by points: the list, and the page of one (rename, defaults, hide, merge)."""

from typing import Any
from uuid import UUID

from litestar import get, post
from litestar.response import Redirect, Response
from msgspec import DecodeError, Struct, json

from domain.games import TITLED
from schemas.catalogue import shapes
from schemas.names import NAME_LENGTH_MAX, read_name
from schemas.strict_json import Malformed
from service.access.admission import Access
from service.club.exports import Exports
from service.dependencies import (
    Asked,
    Id,
    NewId,
    PageRequest,
    TheExports,
    TheTitles,
    see_other,
)
from service.errors import NotFound, TitleMerged, TitleTaken
from service.language.known_titles import find_known_title
from service.store.club.titles import Titles
from service.store.records import PlayedTitle
from service.web.format.catalogs import alphabetical_key
from service.web.format.form_flash import make_flash, read_flash
from service.web.format.render import Reader, uuid_of
from service.web.recorder.forms import read_fields
from service.web.recorder.starting.new_game import default_options, preset_words
from service.web.recorder.starting.seating import OPTIONS, as_fields, shown_options

_PATH = "/titles"


class RefusedTitle(Struct, frozen=True, kw_only=True):
    """The typed name. `taken`: the title that has it; None: the name is invalid."""

    typed: str
    taken: UUID | None = None


@get(_PATH, opt={"access": Access.MEMBER})
async def show_titles(request: PageRequest, titles: TheTitles, draft: Asked = "") -> Response[str]:
    """List the club's games by points, the hidden ones last."""
    reader = Reader(request)
    played = await titles.played()
    named = [one for one in played if one.title.name is not None]
    named.sort(key=lambda one: (one.title.hidden, alphabetical_key(one.title.name or "")))
    refused = _refused(request, draft)
    return reader.page(
        "titles.html",
        titles=[(one, _rules(one, reader.language)) for one in named],
        refused=refused,
        other=_named(played, refused),
        name_length_max=NAME_LENGTH_MAX,
    )


@post(_PATH, opt={"access": Access.STARTER})
async def add_title(request: PageRequest, titles: TheTitles, new_id: NewId) -> Redirect:
    form = await request.form()
    typed = str(form.get("name", ""))
    name = read_name(typed)
    if name is None:
        return _refuse(request, typed)
    known = find_known_title(name)
    try:
        added = await titles.create(new_id(), name, known.options if known else {})
    except TitleTaken as error:
        return _refuse(request, typed, error.title_id)
    return see_other(f"{_PATH}/{added.title_id}")


@get(f"{_PATH}/{{title_id:uuid}}", opt={"access": Access.MEMBER})
async def show_title(
    request: PageRequest, titles: TheTitles, title_id: Id, draft: Asked = "", wrong: Asked = ""
) -> Response[Any]:
    """Show a title: its games, its rules and, to owners, the forms that change it."""
    reader = Reader(request)
    played = await titles.played()
    one = next((one for one in played if one.title.title_id == title_id), None)
    if one is None:
        # The id of a merged title leads to the one that it was merged into.
        into = (await titles.get(title_id)).title_id
        if all(other.title.title_id != into for other in played):
            raise NotFound("title", title_id)
        return see_other(f"{_PATH}/{into}")
    options = default_options(shapes(TITLED).options)
    refused = _refused(request, draft)
    return reader.page(
        "title.html",
        one=one,
        title=one.title,
        rules=_rules(one, reader.language),
        game=reader.game(TITLED),
        options=shown_options(options, as_fields({**options, **one.title.options})),
        others=sorted(
            (other.title for other in played if other.title.name and other is not one),
            key=lambda title: alphabetical_key(title.name or ""),
        ),
        merged=[other for other in one.merged if other.name],
        refused=refused,
        taken=_named(played, refused),
        wrong=wrong,
        name_length_max=NAME_LENGTH_MAX,
    )


@post(f"{_PATH}/{{title_id:uuid}}")
async def change_title(
    request: PageRequest, titles: TheTitles, exports: TheExports, title_id: Id
) -> Redirect:
    """Rename, change the options of new games, hide or show, merge or undo it, forget the name."""
    pairs = [
        (name, value)
        for name, value in (await request.form()).multi_items()
        if isinstance(value, str)
    ]
    form = dict(pairs)
    here = f"{_PATH}/{title_id}"
    match form.get("do"):
        case "forget":
            await titles.forget(title_id)
            exports.drop_temporary()
            return see_other(_PATH)
        case "hide" | "show" as do:
            await titles.change(title_id, hidden=do == "hide")
        case "options":
            options = _options([pair for pair in pairs if pair[0].startswith(OPTIONS)])
            if options is None:
                return see_other(f"{here}?wrong=options#options")
            await titles.change(title_id, options=options)
        case "merge":
            return await _merge(titles, exports, title_id, uuid_of(form.get("other", "")))
        case "part":
            if (other := uuid_of(form.get("other", ""))) is not None:
                await titles.undo_merge(other)
                exports.drop_temporary()
        case _:
            typed = form.get("name", "")
            name = read_name(typed)
            if name is None:
                return _refuse(request, typed)
            try:
                await titles.change(title_id, name)
            except TitleTaken as error:
                return _refuse(request, typed, error.title_id)
    return see_other(here)


async def _merge(titles: Titles, exports: Exports, title_id: UUID, other: UUID | None) -> Redirect:
    if other is None or other == title_id:
        return see_other(f"{_PATH}/{title_id}?wrong=none#merge")
    try:
        await titles.merge(title_id, other)
    except TitleMerged:
        return see_other(f"{_PATH}/{title_id}?wrong=merged#merge")
    exports.drop_temporary()
    return see_other(f"{_PATH}/{other}")


def _options(fields: list[tuple[str, str]]) -> dict[str, Any] | None:
    """Return the options of new games; None if they are impossible."""
    try:
        given = read_fields(fields)
    except DecodeError:
        return None
    decoded = shapes(TITLED).decode_options(json.encode(given))
    return None if isinstance(decoded, Malformed) else given


def _rules(one: PlayedTitle, lang: str) -> list[str]:
    options = default_options(shapes(TITLED).options) | one.title.options
    return preset_words(options, lang, "wins")


def _refuse(request: PageRequest, typed: str, taken: UUID | None = None) -> Redirect:
    path = request.url.path
    refused = RefusedTitle(typed=typed[: 2 * NAME_LENGTH_MAX], taken=taken)
    draft = make_flash(request, _draft(path), path, refused)
    return see_other(f"{path}?draft={draft.id}", draft.cookie) if draft else see_other(path)


def _refused(request: PageRequest, draft_id: str) -> RefusedTitle | None:
    path = request.url.path
    return read_flash(request, _draft(path), RefusedTitle, draft_id) if draft_id else None


def _draft(path: str) -> str:
    return f"carnet-title-{path.rpartition('/')[2]}"


def _named(played: list[PlayedTitle], refused: RefusedTitle | None) -> PlayedTitle | None:
    taken = refused.taken if refused else None
    return next((one for one in played if one.title.title_id == taken), None)
