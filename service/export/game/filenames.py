"""File names of a game, from day, game and players, in Unicode and ASCII."""

import re
import unicodedata
from collections.abc import Sequence
from datetime import date
from urllib.parse import quote

from service.export.formats.printed import strip_controls

_STEM_MAX = 100
_NAMES_MAX = 4
# The characters Windows forbids in file names; other systems forbid fewer.
_REFUSED = re.compile(r'[\\/:*?"<>|\s]+')
_NOT_ASCII = re.compile(r"[^A-Za-z0-9.]+")
_LIGATURES = {"ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "þ": "th", "Þ": "Th"}
_STROKES = {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D"}
_SPELT = str.maketrans(_LIGATURES | _STROKES)


def file_name(day: date | None, title: str, players: Sequence[str], suffix: str) -> str:
    """Return a file name with the first few players."""
    named = [*players[:_NAMES_MAX], *(["…"] if len(players) > _NAMES_MAX else [])]
    said = f"{day.isoformat() if day else ''} {title} {', '.join(named)}"
    stem = _REFUSED.sub(" ", strip_controls(said))[:_STEM_MAX].strip(" .,")
    return f"{stem}.{suffix}"


def ascii_name(name: str) -> str:
    """Transliterate a file name to ASCII; hyphens replace other characters."""
    stem, _, suffix = name.rpartition(".")
    spread = unicodedata.normalize("NFKD", stem.translate(_SPELT))
    bare = "".join(sign for sign in spread if not unicodedata.combining(sign))
    return f"{_NOT_ASCII.sub('-', bare).strip('-.')}.{suffix}"


def disposition(name: str, *, shown: bool = False) -> str:
    """Return a `Content-Disposition`: attachment, or inline if `shown` (RFC 6266)."""
    kind, short = "inline" if shown else "attachment", ascii_name(name)
    return f"{kind}; filename=\"{short}\"; filename*=UTF-8''{quote(name, safe='')}"
