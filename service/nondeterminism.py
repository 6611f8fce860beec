"""What is different every time: the time of day, ids, secrets."""

import secrets
from datetime import UTC, datetime
from uuid import UUID, uuid4

from service.access.secrets import with_club
from service.feed.head_keys import SEED_BYTES

KEY_BYTES = 24
TOKEN_BYTES = 18
SALT_BYTES = 16


def new_key(club_id: UUID) -> str:
    """Make a key for a club's owner: the club, and 192 bits of chance."""
    return with_club(club_id, secrets.token_urlsafe(KEY_BYTES))


def new_seed() -> bytes:
    """Make a key that signs heads or calls to a webhook: 256 bits of chance (RFC 8032)."""
    return secrets.token_bytes(SEED_BYTES)


def new_id() -> UUID:
    """Make an id, of whatever needs one: 122 bits of chance (RFC 9562, version 4)."""
    return uuid4()


def new_token(club_id: UUID) -> str:
    """Make a secret for a link or a browser: its club, and 144 bits of chance."""
    return with_club(club_id, secrets.token_urlsafe(TOKEN_BYTES))


def new_name() -> str:
    """Make a name that nobody finds for a file that waits: 144 bits of chance."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_salt() -> bytes:
    """Make what keeps a digest from telling which text it is of: 128 bits of chance."""
    return secrets.token_bytes(SALT_BYTES)


def time_of_day() -> datetime:
    """Tell the time of day."""
    return datetime.now(UTC)
