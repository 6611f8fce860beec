"""Names of people: what may be one, and when two are the same or alike."""

import re
from unicodedata import category, combining, normalize

NAME_LENGTH_MAX = 100
# For JSON Schema: no blanks around, and none of the common invisible characters.
_BLANK = (
    r"\u0000-\u0020\u007f-\u00a0\u00ad\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ue000-\uf8ff"
)
NAME_PATTERN = f"^[^{_BLANK}]+( [^{_BLANK}]+)*$"

_JOINERS = "\u200c\u200d"
_JOINED = re.compile(rf"(?<=[^\s{_JOINERS}])[{_JOINERS}](?=[^\s{_JOINERS}])")
# Letters and signs that are invisible although their category says otherwise: fillers of Hangul,
# Braille without a dot, a note without a head.
_UNSEEN = frozenset("\u115f\u1160\u3164\uffa0\u2800\U0001d159")
# The flag of a region: a black flag followed by tag characters.
_FLAG = re.compile("(?<=\U0001f3f4)[\U000e0030-\U000e007a]{2,6}\U000e007f")
# Letters without a decomposition in Unicode, and how they are written without them.
_PLAIN = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d"})
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def read_name(text: str) -> str | None:
    """Trim a name and compose its letters (NFC).

    None if it is empty, too long or has invisible characters.

    >>> read_name("  Ana   Maria ")
    'Ana Maria'
    >>> read_name(" ") is None
    True
    """
    trimmed = normalize("NFC", text).strip()
    name = " ".join(trimmed.split())
    if not name or len(name) > NAME_LENGTH_MAX or len(trimmed.splitlines()) > 1:
        return None
    shown = _FLAG.sub("", _JOINED.sub("", name))
    seen = any(category(sign)[0] in "LNPS" and sign not in _UNSEEN for sign in shown)
    return name if seen and shown.isprintable() else None


def folded(name: str) -> str:
    """Write a name as names are compared: composed (NFC), without capitals.

    >>> folded("CHLOE\u0301") == folded("Chloé")
    True
    """
    return normalize("NFC", normalize("NFC", name).casefold())


def likeness(name: str) -> frozenset[str]:
    """Write a name without accents, hyphens and spaces; names that share a spelling are alike.

    >>> likeness("Léa") & likeness("lea")
    frozenset({'lea'})
    >>> sorted(likeness("Jürgen"))
    ['juergen', 'jurgen']
    """
    lower = folded(name)
    return frozenset(_bare(one) for one in (lower, lower.translate(_GERMAN))) - {""}


def _bare(name: str) -> str:
    parted = normalize("NFKD", name.translate(_PLAIN))
    return "".join(sign for sign in parted if sign.isalnum() and not combining(sign))
