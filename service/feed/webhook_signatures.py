"""How a call to a webhook is signed (Standard Webhooks, symmetric: `v1`, HMAC-SHA256).

Promises: the signature covers id, time and body; while a secret is renewed the call is signed by
both, so that a receiver who knows either takes it in.
"""

import hmac
from base64 import b64encode
from collections.abc import Iterable
from uuid import UUID

PREFIX = "whsec_"


def shown(secret: bytes) -> str:
    """Write a secret as its receiver is given it."""
    return PREFIX + b64encode(secret).decode()


def message_id(webhook_id: UUID, position: int) -> str:
    """Name a call: the same however often it is made."""
    return f"msg_{webhook_id.hex}_{position}"


def signed(secrets: Iterable[bytes], name: str, seconds: int, body: bytes) -> dict[str, str]:
    """Return the headers of a call. `seconds`: since 1970, when it is made."""
    covered = b"%b.%d.%b" % (name.encode(), seconds, body)
    made = [b64encode(hmac.digest(one, covered, "sha256")).decode() for one in secrets]
    return {
        "webhook-id": name,
        "webhook-timestamp": str(seconds),
        "webhook-signature": " ".join(f"v1,{one}" for one in made),
    }
