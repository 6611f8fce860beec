"""Opens, leaves and removes the sample games of a club."""

from typing import cast

from litestar import post
from litestar.response import Redirect

from service.access.admission import Access, bind_club, sessions_of
from service.access.cookies import session_cookie
from service.access.principal import Right
from service.dependencies import NewId, PageRequest, see_other
from service.errors import NotFound
from service.tenancy.club_services import services_of
from service.tenancy.sample_clubs import SampleClubs
from service.web.browser_sessions import gain, session_in, switch_club
from service.web.format.render import Reader


@post("/samples")
async def open_samples(request: PageRequest, new_id: NewId) -> Redirect:
    """Show the sample games, which are made at the first time, with an owner's session."""
    here = services_of(request)
    if here.sample_of is not None:
        return see_other("/")
    samples = cast("SampleClubs", request.app.state["samples"])
    club = await samples.open(here.club_id, Reader(request).gettext("Sample games"))
    sessions = await sessions_of(request)
    had = session_in(club, sessions)
    if had is not None and had.who.rights:
        return see_other("/", *await switch_club(request, club))
    key_hash = await club.grants.owner_key_hash()
    if key_hash is None:
        raise NotFound("club", club.club_id)
    bind_club(request, club)
    right = Right(role="owner", token_hash=key_hash)
    return see_other("/", await gain(request, sessions, right, new_id()))


@post("/samples/leave", opt={"access": Access.MEMBER})
async def leave_samples(request: PageRequest) -> Redirect:
    """Show the browser's own games again."""
    here = services_of(request)
    for session in await sessions_of(request):
        if session.who.rights and session.club.club_id == here.sample_of:
            return see_other("/", *await switch_club(request, session.club))
    return see_other("/" if here.sample_of is None else "/login")


@post("/samples/remove")
async def remove_samples(request: PageRequest) -> Redirect:
    here = services_of(request)
    if here.sample_of is None:
        raise NotFound("club", None)
    others = [one for one in await sessions_of(request) if one.club is not here and one.who.rights]
    others.sort(key=lambda one: one.club.club_id != here.sample_of)
    await cast("SampleClubs", request.app.state["samples"]).remove(here.club_id)
    return see_other("/", session_cookie(request, *(one.secret for one in others)))
