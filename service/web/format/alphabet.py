"""Names in the order of the alphabet, as readers of French, German and English look for them."""

from unicodedata import category, normalize

_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d"})


def alphabetical(name: str) -> tuple[str, str, str]:
    """Return what a name is sorted by: its letters, then their accents, then their case."""
    accented = normalize("NFKD", name.casefold().translate(_LETTERS))
    letters = "".join(sign for sign in accented if category(sign) != "Mn")
    return letters, accented, name
