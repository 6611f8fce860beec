"""Secrets: their hash, the club named in them, and the login path.

Promises: only the SHA-256 of a secret is stored. Generated secrets name their club
(`<club>.<random>`), so that one club has to be queried. Secrets without a club's name are older or
chosen by the operator, and belong to the first club.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from urllib.parse import quote
from uuid import UUID

_NAMED = re.compile(r"([A-Za-z0-9_-]{8,22})\.")
_NAME_LENGTH = 22


def token_hash(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "surrogateescape")).digest()


def club_name(club_id: UUID) -> str:
    return urlsafe_b64encode(club_id.bytes).decode().rstrip("=")


def prefix_club(club_id: UUID, chance: str) -> str:
    """Prefix a random string with the name of a club."""
    return f"{club_name(club_id)}.{chance}"


def club_of_secret(secret: str) -> UUID | None:
    """Parse the club of a secret; None if it names none."""
    named = _NAMED.match(secret)
    if named is None or len(named[1]) != _NAME_LENGTH:
        return None
    club_id = UUID(bytes=urlsafe_b64decode(f"{named[1]}=="))
    return club_id if club_name(club_id) == named[1] else None


def may_belong_to(secret: str, club_id: UUID, *, first: bool) -> bool:
    """Return whether a secret may belong to a club; unnamed ones belong to the `first`."""
    named = _NAMED.match(secret)
    return first if named is None else named[1] == club_name(club_id)


def login_path(secret: str) -> str:
    return f"/login?key={quote(secret, safe='')}"
