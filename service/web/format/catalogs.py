"""Translations of the pages, compiled in memory from the .po files at startup."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from unicodedata import category, normalize

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from markupsafe import Markup

from service.language import french
from service.language.sentence import DEFAULT

SERVICE = Path(__file__).parents[2]


def messages(language: str) -> Catalog:
    """Read the translations of the pages and of each extension."""
    read = Catalog(locale=language)
    for path in (SERVICE / "web", *sorted(SERVICE.glob("extensions/*"))):
        source = path / "locale" / f"{language}.po"
        if not source.exists():
            continue
        with source.open("rb") as file:
            for message in read_po(file, locale=language):
                if message.id:
                    read[message.id] = message
    return read


@lru_cache
def catalog(language: str) -> NullTranslations:
    if language == DEFAULT:
        return NullTranslations()
    compiled = BytesIO()
    read = messages(language)
    if language == "fr":
        for message in read:
            if message.id and isinstance(message.string, str):
                message.string = french.french_spacing(message.string)
            elif message.id:
                message.string = tuple(french.french_spacing(form) for form in message.string or ())
    write_mo(compiled, read)
    compiled.seek(0)
    return Translations(compiled)


def template_texts(words: NullTranslations, language: str) -> dict[str, Callable[..., Markup]]:
    """Return `_`, `gettext`, `ngettext` and `pgettext` of a language for templates.

    Texts are format strings; French elides the word before an inserted name (« d'Anne »).
    """
    elide = french.apply_elision if language == "fr" else None

    def fill(text: str, values: Mapping[str, object]) -> Markup:
        return Markup(elide(text, values) if elide else text) % values  # noqa: S704 ours

    @lru_cache(None)
    def plain(text: str) -> Markup:
        return fill(str(words.gettext(text)), {})

    def gettext(text: str, /, **values: object) -> Markup:
        return fill(str(words.gettext(text)), values) if values else plain(text)

    def ngettext(one: str, many: str, num: int, /, **values: object) -> Markup:
        return fill(words.ngettext(one, many, num), {"num": num, **values})

    def pgettext(context: str, text: str, /, **values: object) -> Markup:
        return fill(str(words.pgettext(context, text)), values)

    return {"_": gettext, "gettext": gettext, "ngettext": ngettext, "pgettext": pgettext}


_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d"})


def alphabetical_key(name: str) -> tuple[str, str, str]:
    """Return a sort key: letters first, then accents, then case."""
    accented = normalize("NFKD", name.casefold().translate(_LETTERS))
    letters = "".join(sign for sign in accented if category(sign) != "Mn")
    return letters, accented, name
