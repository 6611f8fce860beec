"""Signatures of webhook calls (Standard Webhooks, symmetric: `v1`, HMAC-SHA256)."""

import hmac
from base64 import b64encode
from collections.abc import Iterable
from uuid import UUID

PREFIX = "whsec_"


def display_secret(secret: bytes) -> str:
    """Return a secret as its receiver enters it."""
    return PREFIX + b64encode(secret).decode()


def message_id(webhook_id: UUID, position: int) -> str:
    """Return the id of a call, the same for every repetition."""
    return f"msg_{webhook_id.hex}_{position}"


def sign_call(secrets: Iterable[bytes], name: str, seconds: int, body: bytes) -> dict[str, str]:
    """Return the headers of a call. `seconds`: Unix time of the call."""
    covered = b"%b.%d.%b" % (name.encode(), seconds, body)
    made = [b64encode(hmac.digest(secret, covered, "sha256")).decode() for secret in secrets]
    return {
        "webhook-id": name,
        "webhook-timestamp": str(seconds),
        "webhook-signature": " ".join(f"v1,{signature}" for signature in made),
    }
