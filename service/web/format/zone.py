"""The reader's time zone, which the page's script sends in a cookie."""

from zoneinfo import ZoneInfo

COOKIE = "carnet-zone"
_NAME_LENGTH_MAX = 64


def zone_of(name: str) -> ZoneInfo | None:
    """Return an IANA time zone; None if the name is unknown."""
    if not name or len(name) > _NAME_LENGTH_MAX:
        return None
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError):
        # An unknown zone, a folder of zones, or an invalid name.
        return None
