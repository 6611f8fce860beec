"""Secrets: what lets people in, how it is kept, and which club it is of.

Promises: a secret is kept as its SHA-256 only; one that is made here names its club in itself
(`<club>.<chance>`), so that whoever checks it asks one club. Keys without a club's name before a
dot were made before that, or chosen by somebody, and belong to the first club.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from urllib.parse import quote
from uuid import UUID

_NAMED = re.compile(r"([A-Za-z0-9_-]{8,22})\.")
_NAME_LENGTH = 22


def token_hash(secret: str) -> bytes:
    """Hash a secret as it is stored: 32 bytes."""
    return sha256(secret.encode("utf-8", "surrogateescape")).digest()


def club_name(club_id: UUID) -> str:
    """Name a club in a secret: its id in 22 URL-safe characters (RFC 4648 §5, not padded)."""
    return urlsafe_b64encode(club_id.bytes).decode().rstrip("=")


def with_club(club_id: UUID, chance: str) -> str:
    """Make a secret of a club."""
    return f"{club_name(club_id)}.{chance}"


def club_of_secret(secret: str) -> UUID | None:
    """Read which club a secret names; None: none that could be one."""
    named = _NAMED.match(secret)
    if named is None or len(named[1]) != _NAME_LENGTH:
        return None
    club_id = UUID(bytes=urlsafe_b64decode(f"{named[1]}=="))
    return club_id if club_name(club_id) == named[1] else None


def of_club(secret: str, club_id: UUID, *, first: bool) -> bool:
    """Say whether a secret can be one of this club; the `first` one has those that name none."""
    named = _NAMED.match(secret)
    return first if named is None else named[1] == club_name(club_id)


def login_path(secret: str) -> str:
    """Make the path that lets a browser in: what links and QR codes lead to."""
    return f"/login?key={quote(secret, safe='')}"
