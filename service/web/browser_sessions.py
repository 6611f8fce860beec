"""The sessions of a browser: a new one whenever it gains a right, and which club comes first.

Promises: the secret that a browser held before it gained a right opens nothing afterwards, so that
whoever planted or copied its cookie gains nothing. What the session could do before is carried
over, but a browser that becomes somebody's (the owner's, a member's) is no longer that of whoever
it was in this club before.
"""

from collections.abc import Sequence
from uuid import UUID

from litestar.datastructures import Cookie

from service.access.admission import BrowserSession, Club, Connection, sessions_of
from service.access.cookies import SESSIONS_MAX, session_cookie
from service.access.device_names import proposed_name
from service.access.principal import Right
from service.access.secrets import token_hash
from service.store.access.grants import NewGrant, Replaced
from service.tenancy.club_services import services_of


def session_in(club: Club, held: Sequence[BrowserSession]) -> BrowserSession | None:
    """Return the session of a club, whatever it may still do; None: there is none."""
    return next((one for one in held if one.club is club), None)


def will_be_first(right: Right, club: Club, held: Sequence[BrowserSession]) -> bool:
    """Return whether a browser that gains a right shows its club from then on.

    A link to a game leaves a member where they are, and guests of the same club; else what was
    opened last is shown first.
    """
    if right.game_id is None:
        return True
    if session_in(club, held) is not None:
        return held[0].club is club
    return not any(one.who.club for one in held)


async def gain(
    connection: Connection, held: Sequence[BrowserSession], right: Right, session_id: UUID
) -> Cookie:
    """Begin a session of the request's club that has a right, in the place of the one before."""
    club = services_of(connection)
    before, replaced = session_in(club, held), None
    if before is not None and before.who.session_id is not None:
        carried = [
            one.token_hash
            for one in before.who.rights
            if one.game_id is not None or right.game_id is not None
        ]
        replaced = Replaced(session_id=before.who.session_id, carried=carried)
    secret = club.new_token()
    name = proposed_name(connection.headers.get("user-agent", ""))
    opened = NewGrant(
        id=session_id,
        kind="session",
        secret_hash=token_hash(secret),
        name=name,
        opened=[right.token_hash],
    )
    await club.grants.open_session(opened, replaced)
    others = [one.secret for one in held if one is not before and one.who.rights]
    if will_be_first(right, club, held):
        return session_cookie(connection, secret, *others)
    if before is None:
        return session_cookie(connection, *others[: SESSIONS_MAX - 1], secret)
    there = [secret if one is before else one.secret for one in held]
    return session_cookie(connection, *there)


async def in_front(connection: Connection, club: Club) -> list[Cookie]:
    """Show a club's pages from now on, where the browser holds sessions of several."""
    held = await sessions_of(connection)
    ordered = sorted(held, key=lambda one: one.club is not club)
    if ordered == held:
        return []
    return [session_cookie(connection, *(one.secret for one in ordered))]
