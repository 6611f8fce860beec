"""In which zone a reader is told times: the phone's own, which its script says in a cookie."""

from zoneinfo import ZoneInfo

COOKIE = "carnet-zone"
_NAME_LENGTH_MAX = 64


def zone_of(name: str) -> ZoneInfo | None:
    """Find a zone by its name in the IANA database."""
    if not name or len(name) > _NAME_LENGTH_MAX:
        return None
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError):
        # Unknown, a folder of zones, or no name at all.
        return None
