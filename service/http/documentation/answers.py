"""Recorded responses of a real service, as examples in the OpenAPI document."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

FILE = Path(__file__).with_name("answers.json")


@cache
def answers() -> dict[str, dict[str, Any]]:
    """Return the responses by operation and status."""
    found: dict[str, dict[str, Any]] = msgspec.json.decode(FILE.read_bytes())
    return found
