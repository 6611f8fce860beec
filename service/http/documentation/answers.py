"""What a service once answered, for the document to show: real values."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

FILE = Path(__file__).with_name("answers.json")


@cache
def answers() -> dict[str, dict[str, Any]]:
    """Return the answers, by operation and status."""
    found: dict[str, dict[str, Any]] = msgspec.json.decode(FILE.read_bytes())
    return found
