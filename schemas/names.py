"""What may be somebody's name: one rule for the API, the pages and records that are taken in."""

import re
from unicodedata import category

NAME_LENGTH_MAX = 100

_JOINERS = "\u200c\u200d"
_JOINED = re.compile(rf"(?<=[^\s{_JOINERS}])[{_JOINERS}](?=[^\s{_JOINERS}])")
# Letters and signs by their category, and nothing to see: fillers of Hangul, Braille without a dot,
# a note without a head.
_UNSEEN = frozenset("\u115f\u1160\u3164\uffa0\u2800\U0001d159")
# A black flag, and in characters of its own which region's.
_FLAG = re.compile("(?<=\U0001f3f4)[\U000e0030-\U000e007a]{2,6}\U000e007f")


def read_name(text: str) -> str | None:
    """Trim a name; None where it is none: empty, too long, or with signs nobody sees."""
    trimmed = text.strip()
    name = " ".join(trimmed.split())
    if not name or len(name) > NAME_LENGTH_MAX or len(trimmed.splitlines()) > 1:
        return None
    shown = _FLAG.sub("", _JOINED.sub("", name))
    seen = any(category(sign)[0] in "LNPS" and sign not in _UNSEEN for sign in shown)
    return name if seen and shown.isprintable() else None
