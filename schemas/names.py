"""Names of people: what may be one, and when two are the same or alike."""

import re
from unicodedata import combining, normalize

NAME_LENGTH_MAX = 100
PLACE_LENGTH_MAX = 60
NAME_EXPECTED = f"a name of letters, digits and signs, {NAME_LENGTH_MAX} at most"
_RAW_LENGTH_MAX = 10 * NAME_LENGTH_MAX
# Blanks, control and format characters, private use, and invisible letters (fillers of
# Hangul, Braille without a dot, a note without a head). The list does not depend on a version of
# Unicode, so new emoji are names and JSON Schema can state the same.
_HIDDEN = (
    r"\u0000-\u0020\u007f-\u00a0\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    r"\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800"
    r"\u3000\u3164\ue000-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a"
    "\U000e0000-\U0010ffff"
)
# A variant of the sign before it (Japanese family names, emoji), and the flag of a region: a black
# flag with tag characters.
_VARIANT = "[\u180b-\u180d\ufe00-\ufe0f\U000e0100-\U000e01ef]"
_FLAG = "\U0001f3f4[\U000e0030-\U000e007a]{2,6}\U000e007f"
_SIGN = f"({_FLAG}|[^{_HIDDEN}]{_VARIANT}*)"
_JOINED = r"[\u200c\u200d]"
_WORD = f"{_SIGN}({_JOINED}?{_SIGN})*"
_BLANK = r"[\t \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]"
_AROUND = r"[\t\n\r \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]*"
NAME_PATTERN = f"^{_AROUND}{_WORD}({_BLANK}+{_WORD})*{_AROUND}$"
EMPTY_PATTERN = f"^{_AROUND}$"
_NAME = re.compile(NAME_PATTERN)
# Letters without a decomposition in Unicode, and how they are written without them.
_TRANSLITERATION = str.maketrans(
    {"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "\u0131": "i", "ð": "d", "þ": "th"}
)
_GERMAN_TRANSLITERATION = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})


def read_name(text: str) -> str | None:
    """Trim a name and compose its letters (NFC).

    None if it is empty, too long or has invisible characters.

    >>> read_name("  Ana   Maria ")
    'Ana Maria'
    >>> read_name(" ") is None
    True
    """
    if len(text) > _RAW_LENGTH_MAX or not _NAME.match(text):
        return None
    name = " ".join(normalize("NFC", text).split())
    return name if len(name) <= NAME_LENGTH_MAX else None


def read_place(text: str) -> str | None:
    """Trim a place as a name; None if it is none, or too long."""
    place = read_name(text)
    return place if place and len(place) <= PLACE_LENGTH_MAX else None


def normalized_name(name: str) -> str:
    """Write a name as names are compared: composed (NFC), without capitals.

    >>> normalized_name("CHLOE\u0301") == normalized_name("Chloé")
    True
    """
    return normalize("NFC", normalize("NFC", name).casefold())


def similar_spellings(name: str) -> frozenset[str]:
    """Write a name without accents, hyphens and spaces; names that share a spelling are alike.

    >>> similar_spellings("Léa") & similar_spellings("lea")
    frozenset({'lea'})
    >>> sorted(similar_spellings("Jürgen"))
    ['juergen', 'jurgen']
    """
    lower = normalized_name(name)
    return frozenset(
        _without_accents(one) for one in (lower, lower.translate(_GERMAN_TRANSLITERATION))
    ) - {""}


def _without_accents(name: str) -> str:
    parted = normalize("NFKD", name.translate(_TRANSLITERATION))
    return "".join(sign for sign in parted if sign.isalnum() and not combining(sign))
