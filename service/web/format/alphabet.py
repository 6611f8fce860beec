"""Names in the order of the alphabet, as readers of French, German and English look for them.

Promises: accents and case count only between names that are otherwise alike (É beside E), ligatures
and ß as the letters they are made of; the order is total. Those three languages share it: CLDR
tailors none of them. Other scripts follow Latin by code point.
"""

from unicodedata import category, normalize

_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d"})


def alphabetical(name: str) -> tuple[str, str, str]:
    """Return what a name is sorted by: its letters, then their accents, then their case."""
    accented = normalize("NFKD", name.casefold().translate(_LETTERS))
    letters = "".join(sign for sign in accented if category(sign) != "Mn")
    return letters, accented, name
