"""Numbers and texts as they are printed: a true minus, no control characters."""

import unicodedata


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
        if char == "\n" or unicodedata.category(char) != "Cc"
    )
    return "".join(kept)
