"""Sources of nondeterminism: the time of day, ids, secrets."""

import secrets
from datetime import UTC, datetime
from uuid import UUID, uuid4

from service.access.secrets import prefix_club

KEY_BYTES = 24
TOKEN_BYTES = 18
SALT_BYTES = 16
SEED_BYTES = 32


def new_key(club_id: UUID) -> str:
    """Make an owner key: the club's name, and 192 random bits."""
    return prefix_club(club_id, secrets.token_urlsafe(KEY_BYTES))


def new_seed() -> bytes:
    """Make a key that signs heads or webhook calls: 256 random bits (RFC 8032)."""
    return secrets.token_bytes(SEED_BYTES)


def new_id() -> UUID:
    """Make an id: UUID version 4 (RFC 9562)."""
    return uuid4()


def new_token(club_id: UUID) -> str:
    """Make a secret of a link or session: the club's name, and 144 random bits."""
    return prefix_club(club_id, secrets.token_urlsafe(TOKEN_BYTES))


def new_file_name() -> str:
    """Make an unguessable name of a temporary file: 144 random bits."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_salt() -> bytes:
    """Make a salt, so that a digest does not reveal a text: 128 random bits."""
    return secrets.token_bytes(SALT_BYTES)


def time_of_day() -> datetime:
    return datetime.now(UTC)
