"""The entries that the service reads from a submitted form."""

from typing import Any

from service.web.recorder.forms import Fields, read_completed


def read_entries(fields: Fields) -> list[dict[str, Any]] | None:
    """Read the entries of a form, completed; None if they are no JSON, or lack something."""
    said = read_completed(fields)
    return None if said.lacks else said.entries
