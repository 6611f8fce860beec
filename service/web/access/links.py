"""Links to one game for scorers, viewers or the public, with QR codes and revocation."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from litestar import get, post
from litestar.response import Redirect, Response
from msgspec.structs import replace

from schemas.names import NAME_LENGTH_MAX
from service.access.hosts import shared_base
from service.access.links import BadLink, LinkRole, LinkTerms, add_link, end_link, link_path
from service.dependencies import (
    Asked,
    Id,
    NewId,
    NewToken,
    Now,
    PageRequest,
    TheGames,
    TheGrants,
    see_other,
)
from service.play.snapshots import GameSnapshot
from service.store.access.grants import Grant, Grants
from service.web.access.qr_code import only_here, qr_code
from service.web.access.shown_once import JustMade, ShownOnce
from service.web.format.render import Reader, names_of, version_of
from service.web.recorder.table.board import place
from service.web.recorder.table.timeline import chapter

_NEW_LINKS = ShownOnce("carnet-link")
# Listed as ends of a public link, the latest first.
DEALS_MAX = 50
# Names of invalid fields in `?wrong=`.
_FIELD_NAMES = {"name": "name", "expires_at": "end"}


@get("/games/{game_id:uuid}/share")
async def share(
    request: PageRequest,
    games: TheGames,
    grants: TheGrants,
    game_id: Id,
    wrong: Asked = "",
    shown: Asked = "",
) -> Response[str]:
    reader = Reader(request)
    moment = await games.snapshot(game_id)
    view = await games.show(moment)
    names = names_of(reader, view.players)
    last = chapter(moment, len(moment.deals))
    game = reader.game(view.ruleset)
    links = await grants.links(game_id)
    # Unnamed links are numbered; numbers do not change when a link is revoked.
    private = list(enumerate((one for one in links if one.role != "public"), 1))
    public = [one for one in links if one.role == "public" and one.revoked_at is None]
    new = _NEW_LINKS.read(request)
    made = next((one for one in public if str(one.id) == shown and one.opens), None)
    secret = made.secret if made is not None else None
    if made is None and new is not None:
        made = next((one for _, one in private if one.id == new.id and one.opens), None)
        secret = new.secret
    url = shared_base(request) + link_path(made, secret) if made and secret else ""
    page = reader.page(
        "links.html",
        **place(view, request.user),
        view=view,
        names=names,
        game=game,
        # A public link may end with a deal, or with a part of the last one.
        ends=[
            *(
                (part.entries[-1].version, last.number, part.heading(game, names))
                for part in reversed(last.parts[:-1])
                if part.kind
            ),
            *(
                (_last_version(moment, number), number, "")
                for number in range(last.number, max(0, last.number - DEALS_MAX), -1)
            ),
        ],
        reached={
            one.id: _reached(await games.snapshot(one.game_id), game, names, one.until)
            for one in public
            if one.until
        },
        links=[(number, one) for number, one in private if one.revoked_at is None],
        public=public,
        made=made,
        url=url,
        drawing=qr_code(request, url) if url else None,
        wrong=wrong,
        name_length_max=NAME_LENGTH_MAX,
        only_here=only_here(request),
    )
    if new:
        _NEW_LINKS.forget(page, request.url.path)
    return page


def _last_version(moment: GameSnapshot, number: int) -> int:
    later = (moment.deals.start(one) for one in range(number + 1, len(moment.deals) + 1))
    start = moment.deals.start(number)
    return next((one - 1 for one in later if one > start), moment.version)


def _reached(
    moment: GameSnapshot,
    game: Any,  # noqa: ANN401 macros
    names: Sequence[str],
    until: int,
) -> tuple[int, str]:
    """Return the deal that a version lies in, and its trick, bout or turn unless it is the last."""
    number = moment.deals.at(until)
    if until >= _last_version(moment, number):
        return number, ""
    found = chapter(moment, number).parts
    parts = [part for part in found if part.entries and part.entries[0].version <= until]
    return number, parts[-1].heading(game, names) if parts else ""


@post("/games/{game_id:uuid}/share")
async def invite(
    request: PageRequest,
    games: TheGames,
    grants: TheGrants,
    new_id: NewId,
    new_token: NewToken,
    now: Now,
    game_id: Id,
) -> Redirect:
    token, address = new_token(), f"/games/{game_id}/share"
    form = await request.form()
    try:
        terms = _terms(form, Reader(request).zone)
        if terms.role == "public" and str(form.get("until", "")).startswith(("-", "0")):
            # A moment of an earlier game of the chain: a link to that one.
            course = await games.course_of(game_id)
            part, until = course.locate(course.position(str(form.get("until"))))
            game_id, terms = part.id, replace(terms, until=until)
        same = await _same_public_link(grants, game_id, terms)
        if same is not None:
            return see_other(f"{address}?shown={same.id}")
        link = await add_link(grants, game_id, terms, new_id(), token, now())
    except BadLink as error:
        return see_other(f"{address}?wrong={_FIELD_NAMES.get(error.field, 'site')}")
    if link.role == "public":
        return see_other(f"{address}?shown={link.id}")
    return _NEW_LINKS.redirect(request, address, JustMade(id=link.id, secret=token))


@post("/games/{game_id:uuid}/share/{link_id:uuid}/revoke")
async def revoke(grants: TheGrants, game_id: Id, link_id: Id) -> Redirect:
    await end_link(grants, game_id, link_id)
    return see_other(f"/games/{game_id}/share")


async def _same_public_link(grants: Grants, game_id: UUID, terms: LinkTerms) -> Grant | None:
    """Return an open public link with these terms, so that sharing again shows it again."""
    if terms.role != "public":
        return None
    wanted = (terms.name, terms.expires_at, terms.until, [*terms.sites])
    for one in await grants.links(game_id):
        own = (one.name, one.expires_at, one.until, one.sites)
        is_same = own == wanted and (one.until is None or one.game_id == game_id)
        if one.role == "public" and one.opens and is_same:
            return one
    return None


def _terms(form: Mapping[str, object], zone: ZoneInfo | None) -> LinkTerms:
    def field_text(field: str) -> str:
        return str(form.get(field, "")).strip()

    role: LinkRole = "viewer"
    if field_text("role") in {"scorer", "public"}:
        role = "scorer" if field_text("role") == "scorer" else "public"
    expires_at = None
    if end := field_text("end"):
        try:
            expires_at = datetime.fromisoformat(end).replace(tzinfo=zone).astimezone(UTC)
        except (ValueError, OverflowError):
            raise BadLink("expires_at", "a day and a time") from None
    public = role == "public"
    return LinkTerms(
        role=role,
        name=field_text("name"),
        expires_at=expires_at,
        until=(version_of(field_text("until")) or None) if public else None,
        sites=field_text("sites").lower().replace(",", " ").split() if public else [],
    )
