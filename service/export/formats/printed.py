"""Numbers and texts for print: a true minus sign, no control characters."""

import unicodedata

# Bidirectional controls affect text after them (UAX #9), and the typesetter fails on some. Arabic
# and Hebrew need none of them.
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def format_signed(number: int, *, plus: bool = False) -> str:
    """Format a number; `plus`: with a plus sign if positive."""
    if number < 0:
        return f"−{-number}"
    return f"+{number}" if plus and number else str(number)


def strip_controls(text: str) -> str:
    """Remove control characters; a tab becomes a space, line ends stay."""
    kept = (
        char
        for char in text.replace("\r\n", "\n").replace("\t", " ")
        if char == "\n" or not (char in _TURNING or unicodedata.category(char) == "Cc")
    )
    return "".join(kept)
