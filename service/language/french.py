"""French as it is printed: narrow no-break spaces at signs, *de* and *que* before a vowel.

The texts are written with plain spaces and *de* before every placeholder, as anybody types them;
whoever reads them in gives them to `spaced`, and whoever fills them in to `elided`.
"""

import re
import unicodedata
from collections.abc import Mapping

NARROW = "\u202f"
_BEFORE_SIGN = re.compile(r"(?:(?<=\S)|^)[ \u00a0](?=[;:?!])")
_IN_QUOTES = re.compile(r"(?<=«)[ \u00a0]|[ \u00a0](?=»)")
_BEFORE_NAME = re.compile(r"\b([Dd]|[Qq]u)e (%\((\w+)\)s|\{(\w+)\})")
_VOWEL = re.compile(r"[aeiouàâäæéèêëîïôöœùûü]|y(?![aeiouàâäæéèêëîïôöœùûü])", re.IGNORECASE)
# First names whose h nobody hears; of any other name with one, nobody can tell.
_MUTE = re.compile(
    r"(hadrien|hector|hedwige|helena|helene|helie|heloise|henri|henriette|hermine|hermione|herve|"
    r"hilaire|hippolyte|honore|honorine|horace|hortense|hubert|hugo|hugues|huguette|hyacinthe)\b"
)


def spaced(text: str) -> str:
    """Put a narrow no-break space where French puts one: before a sign, and inside quotes."""
    return _IN_QUOTES.sub(NARROW, _BEFORE_SIGN.sub(NARROW, text))


def elided(text: str, said: Mapping[str, object]) -> str:
    """Let *de* and *que* before a placeholder lose their vowel where what fills it begins with one.

    An h is taken as sounded but for the first names that are known to drop it.
    """

    def elide(found: re.Match[str]) -> str:
        value = str(said.get(found[3] or found[4], ""))
        return f"{found[1]}’{found[2]}" if _elides(value) else found[0]

    return _BEFORE_NAME.sub(elide, text)


def _elides(name: str) -> bool:
    spread = unicodedata.normalize("NFD", name.casefold())
    plain = "".join(sign for sign in spread if not unicodedata.combining(sign))
    return bool(_VOWEL.match(name) or _MUTE.match(plain))
