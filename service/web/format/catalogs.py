"""Translations of the pages, compiled in memory from the .po files at startup."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from unicodedata import category, normalize

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from service.language import french
from service.language.sentence import DEFAULT


@lru_cache
def catalog(language: str) -> NullTranslations:
    if language == DEFAULT:
        return NullTranslations()
    source = files("service.web") / "locale" / f"{language}.po"
    compiled = BytesIO()
    with source.open("rb") as file:
        read = read_po(file, locale=language)
    if language == "fr":
        for message in read:
            if message.id and isinstance(message.string, str):
                message.string = french.french_spacing(message.string)
            elif message.id:
                message.string = tuple(french.french_spacing(form) for form in message.string or ())
    write_mo(compiled, read)
    compiled.seek(0)
    return Translations(compiled)


def spoken_french(words: NullTranslations) -> dict[str, Callable[..., str]]:
    """Return `gettext` and `ngettext` that elide the word before an inserted name (« d'Anne »)."""

    @pass_context
    def gettext(context: Context, text: str, /, **said: object) -> str:
        return _fill(context, words.gettext(text), said)

    @pass_context
    def ngettext(context: Context, one: str, many: str, num: int, /, **said: object) -> str:
        return _fill(context, words.ngettext(one, many, num), {"num": num, **said})

    return {"gettext": gettext, "ngettext": ngettext}


def _fill(context: Context, text: str, said: Mapping[str, object]) -> str:
    elided = french.apply_elision(text, said)
    return (Markup(elided) if context.eval_ctx.autoescape else elided) % said  # noqa: S704 ours


_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d"})


def alphabetical_key(name: str) -> tuple[str, str, str]:
    """Return a sort key: letters first, then accents, then case."""
    accented = normalize("NFKD", name.casefold().translate(_LETTERS))
    letters = "".join(sign for sign in accented if category(sign) != "Mn")
    return letters, accented, name
