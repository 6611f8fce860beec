"""The words of the pages in each language, read from the .po files.

The .po files are the only copy: they are compiled in memory when the service starts (some
milliseconds), so no binary twin can go stale and a checkout needs no build step. English is the
language of the templates themselves.
"""

from functools import lru_cache
from importlib.resources import files
from io import BytesIO

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

from service.texts import DEFAULT


@lru_cache
def catalog(language: str) -> NullTranslations:
    """Return the translations of a language."""
    if language == DEFAULT:
        return NullTranslations()
    source = files("service.web") / "locale" / f"{language}.po"
    compiled = BytesIO()
    with source.open("rb") as file:
        write_mo(compiled, read_po(file, locale=language))
    compiled.seek(0)
    return Translations(compiled)
