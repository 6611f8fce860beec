"""French typography: narrow no-break spaces at signs, *de* and *que* before a vowel."""

import re
import unicodedata
from collections.abc import Mapping

NARROW = "\u202f"
_BEFORE_SIGN = re.compile(r"(?:(?<=\S)|^)[ \u00a0](?=[;:?!])")
_IN_QUOTES = re.compile(r"(?<=«)[ \u00a0]|[ \u00a0](?=»)")
_BEFORE_NAME = re.compile(r"\b([Dd]|[Qq]u)e (%\((\w+)\)s|\{(\w+)\})")
_VOWEL = re.compile(r"[aeiouàâäæéèêëîïôöœùûü]|y(?![aeiouàâäæéèêëîïôöœùûü])", re.IGNORECASE)
# First names with a silent h; it cannot be known of other names.
_MUTE = re.compile(
    r"(hadrien|hector|hedwige|helena|helene|helie|heloise|henri|henriette|hermine|hermione|herve|"
    r"hilaire|hippolyte|honore|honorine|horace|hortense|hubert|hugo|hugues|huguette|hyacinthe)\b"
)


def french_spacing(text: str) -> str:
    """Insert narrow no-break spaces before signs and inside quotation marks."""
    return _IN_QUOTES.sub(NARROW, _BEFORE_SIGN.sub(NARROW, text))


def apply_elision(text: str, said: Mapping[str, object]) -> str:
    """Elide *de* and *que* before a placeholder if its value begins with a vowel.

    An h counts as sounded except in first names that are known to drop it.
    """

    def elide(found: re.Match[str]) -> str:
        value = str(said.get(found[3] or found[4], ""))
        return f"{found[1]}’{found[2]}" if _elides(value) else found[0]

    return _BEFORE_NAME.sub(elide, text)


def _elides(name: str) -> bool:
    spread = unicodedata.normalize("NFD", name.casefold())
    plain = "".join(sign for sign in spread if not unicodedata.combining(sign))
    return bool(_VOWEL.match(name) or _MUTE.match(plain))
