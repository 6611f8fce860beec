"""Alphabetical order of names for readers of French, German and English."""

from unicodedata import category, normalize

_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d"})


def alphabetical_key(name: str) -> tuple[str, str, str]:
    """Return a sort key: letters first, then accents, then case."""
    accented = normalize("NFKD", name.casefold().translate(_LETTERS))
    letters = "".join(sign for sign in accented if category(sign) != "Mn")
    return letters, accented, name
