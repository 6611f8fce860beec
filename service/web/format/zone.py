"""In which zone a reader is told times: the phone's own, which its script says in a cookie.

Promises: any cookie text reads as some zone or as None, the machine's: before the script has said
which, and for a zone this machine does not know. Then the script tells the times itself.
"""

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
