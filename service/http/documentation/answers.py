"""What a service once answered, for the document to show: real values, of one club and its games.

Promises: an answer an operation and status, in JSON; of unseen cards the first two places and
cards. Written by a test, which asks a service of its own (`.venv/bin/python -m
tests.documents.answers`), and held by it against today's.
"""

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
