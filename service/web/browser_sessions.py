"""Browser sessions: a new session whenever a browser gains a right, and the order of its clubs.

Promises: after a browser gains a right, its previous secret opens nothing, so a copied or planted
cookie is useless (session fixation). Rights to games are carried over; when the browser becomes a
member's or the owner's, the previous membership in this club is not.
"""

from collections.abc import Sequence
from uuid import UUID

from litestar.datastructures import Cookie

from service.access.admission import BrowserSession, Club, Connection, sessions_of
from service.access.cookies import SESSIONS_MAX, session_cookie
from service.access.principal import Right
from service.access.secrets import token_hash
from service.store.access.grants import NewGrant, Replaced
from service.tenancy.club_services import services_of


def session_in(club: Club, sessions: Sequence[BrowserSession]) -> BrowserSession | None:
    """Return the browser's session of a club; None if it has none."""
    return next((one for one in sessions if one.club is club), None)


def will_be_first(right: Right, club: Club, sessions: Sequence[BrowserSession]) -> bool:
    """Return whether the club of a new right becomes the current club of the browser.

    A link to a game does not move members, or guests of the same club, to another club.
    """
    if right.game_id is None:
        return True
    if session_in(club, sessions) is not None:
        return sessions[0].club is club
    return not any(one.who.club for one in sessions)


async def gain(
    connection: Connection, sessions: Sequence[BrowserSession], right: Right, session_id: UUID
) -> Cookie:
    """Open a session with a new right in the request's club; it replaces the previous one there."""
    club = services_of(connection)
    previous, replaced = session_in(club, sessions), None
    if previous is not None and previous.who.session_id is not None:
        carried_hashes = [
            one.token_hash
            for one in previous.who.rights
            if one.game_id is not None or right.game_id is not None
        ]
        replaced = Replaced(session_id=previous.who.session_id, carried=carried_hashes)
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
    others = [one.secret for one in sessions if one is not previous and one.who.rights]
    if will_be_first(right, club, sessions):
        return session_cookie(connection, secret, *others)
    if previous is None:
        return session_cookie(connection, *others[: SESSIONS_MAX - 1], secret)
    secrets = [secret if one is previous else one.secret for one in sessions]
    return session_cookie(connection, *secrets)


async def switch_club(connection: Connection, club: Club) -> list[Cookie]:
    """Return cookies that make a club current; empty if it is already."""
    sessions = await sessions_of(connection)
    ordered = sorted(sessions, key=lambda one: one.club is not club)
    if ordered == sessions:
        return []
    return [session_cookie(connection, *(one.secret for one in ordered))]


_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)


def proposed_name(user_agent: str) -> str:
    found = [
        next((name for sign, name in signs if sign in user_agent), "")
        for signs in (_BROWSERS, _SYSTEMS)
    ]
    return ", ".join(filter(None, found))
