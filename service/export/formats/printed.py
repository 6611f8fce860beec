"""Numbers and texts as they are printed: a true minus, no characters that only control others."""

import unicodedata

# They turn the direction of what follows, beyond the text too (UAX #9), and the typesetter fails on
# some of what they turn. Arabic and Hebrew need none of them.
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def signed(number: int, *, plus: bool = False) -> str:
    """Write a number; `plus`: with a plus sign where it is above zero."""
    if number < 0:
        return f"−{-number}"
    return f"+{number}" if plus and number else str(number)


def plain(text: str) -> str:
    """Take control characters out of a text; a tab is a space, a line end stays."""
    kept = (
        char
        for char in text.replace("\r\n", "\n").replace("\t", " ")
        if char == "\n" or not (char in _TURNING or unicodedata.category(char) == "Cc")
    )
    return "".join(kept)
