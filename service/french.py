"""French as it is printed: narrow no-break spaces before ; : ? !, and *de*, *que* before a vowel.

The texts are written with plain spaces and *de* before every placeholder, as anybody types them;
whoever reads them in gives them to `spaced`, and whoever fills them in to `elided`.
"""

import re
from collections.abc import Mapping

NARROW = "\u202f"
_BEFORE_SIGN = re.compile(r"(?<=\S)[ \u00a0](?=[;:?!])")
_BEFORE_NAME = re.compile(r"\b([Dd]|[Qq]u)e (%\((\w+)\)s|\{(\w+)\})")
_VOWEL = re.compile(r"[aeiouàâäæéèêëîïôöœùûü]|y(?![aeiouàâäæéèêëîïôöœùûü])", re.IGNORECASE)


def spaced(text: str) -> str:
    """Put a narrow no-break space where French puts one before a sign."""
    return _BEFORE_SIGN.sub(NARROW, text)


def elided(text: str, said: Mapping[str, object]) -> str:
    """Let *de* and *que* before a placeholder lose their vowel where what fills it begins with one.

    An h is taken as sounded: which names drop it, nobody can tell.
    """

    def elide(found: re.Match[str]) -> str:
        value = str(said.get(found[3] or found[4], ""))
        return f"{found[1]}’{found[2]}" if _VOWEL.match(value) else found[0]

    return _BEFORE_NAME.sub(elide, text)
