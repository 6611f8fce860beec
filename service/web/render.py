"""Pages from templates: one Jinja environment a language, built once.

Promises: everything is escaped; a template that names what is not there fails loudly in tests and
prints nothing to people. Assumes that a game brings one template, `games/<ruleset>.html`.
"""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any
from uuid import UUID

from babel.dates import format_datetime, format_skeleton, format_time
from babel.support import NullTranslations
from jinja2 import Environment, FileSystemLoader
from litestar import Request
from litestar.response import Response
from markupsafe import Markup
from msgspec import json, to_builtins

from schemas.catalogue import SHAPES
from service.texts import LANGUAGES, texts
from service.web.catalogs import catalog
from service.web.look import LANGUAGE_NAMES, Look, look_of
from service.web.static_files import static_files

TEMPLATES = Path(__file__).parent / "templates"

# Ranks as they are printed on cards: France, Germany, elsewhere.
LETTERS = {
    "en": {"T": "10"},
    "fr": {"K": "R", "Q": "D", "J": "V", "T": "10"},
    "de": {"Q": "D", "J": "B", "T": "10"},
}
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Vary": "Accept-Language, Cookie",
}


@lru_cache
def environment(language: str) -> Environment:
    """Return the templates of a language."""
    env = Environment(
        autoescape=True,
        extensions=["jinja2.ext.i18n"],
        loader=FileSystemLoader(TEMPLATES),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    words = catalog(language)
    env.install_gettext_translations(words, newstyle=True)  # type: ignore[attr-defined]
    env.filters |= _filters(language, words)
    env.globals |= {
        "language": language,
        "languages": {code: LANGUAGE_NAMES[code] for code in LANGUAGES},
        "static": static_files().address,
    }
    return env


def _filters(language: str, words: NullTranslations) -> dict[str, Any]:
    suits = {
        "S": words.gettext("spades"),
        "H": words.gettext("hearts"),
        "D": words.gettext("diamonds"),
        "C": words.gettext("clubs"),
    }

    # Times are told in the zone of the machine that serves: that of the table, most of the time.
    def when(moment: datetime, form: str = "short") -> str:
        return format_datetime(moment.astimezone(), form, locale=language)

    def briefly(moment: datetime) -> str:
        here = moment.astimezone()
        day = format_skeleton("Md", here, locale=language)
        return f"{day} {format_time(here, 'short', locale=language)}"

    def sentence(said: str) -> str:
        return said[:1].upper() + said[1:]

    return {
        "card": lambda code: texts().card(code, language),
        "letter": lambda code: LETTERS[language].get(code[0], code[0]),
        "suit": lambda code: suits[code],
        "clause": lambda rule: texts().clause(rule, language),
        "json": lambda value: json.encode(value, enc_hook=_plain).decode(),
        "plain": to_builtins,
        "sentence": sentence,
        "when": when,
        "briefly": briefly,
    }


def _plain(value: object) -> str:
    """Give translated words back as they are: where they go, they are escaped again."""
    if isinstance(value, Markup):
        return value.unescape()
    raise TypeError(type(value).__name__)


@lru_cache
def playable() -> tuple[str, ...]:
    """Name the games that have a template."""
    return tuple(name for name in SHAPES if (TEMPLATES / "games" / f"{name}.html").exists())


class Reader:
    """Somebody who looks at a page: in which language, in which look."""

    def __init__(self, request: Request[Any, Any, Any]) -> None:
        self.request = request
        self.look: Look = look_of(request)

    @property
    def language(self) -> str:
        """The language of the page."""
        return self.look.language

    @property
    def _environment(self) -> Environment:
        return environment(self.language)

    def gettext(self, words: str) -> str:
        """Translate words of the pages."""
        return str(catalog(self.language).gettext(words))

    def game(self, ruleset: str) -> Any:
        """Return the macros of a game's template."""
        return self._environment.get_template(f"games/{ruleset}.html").module

    def say(self, entry: Mapping[str, Any], ruleset: str, names: Any) -> str:
        """Put an entry into words."""
        module: Any = self._environment.get_template("entries.html").module
        said: Markup = module.say(entry, names, self.game(ruleset))
        return " ".join(said.unescape().split())

    def markup(self, template: str, **context: Any) -> str:
        """Fill a template."""
        look = {"look": self.look, "path": self.request.url.path}
        return self._environment.get_template(template).render(**look, reader=self, **context)

    def page(
        self,
        template: str,
        status_code: int = 200,
        headers: Mapping[str, str] | None = None,
        **context: Any,
    ) -> Response[str]:
        """Answer with a page."""
        return Response(
            self.markup(template, **context),
            status_code=status_code,
            media_type="text/html; charset=utf-8",
            headers=HEADERS | {"Content-Language": self.language} | dict(headers or {}),
        )


def names_of(reader: Reader, players: Any) -> list[str]:
    """Name the players by seat; somebody without a name is called by the seat, from 1."""
    return [
        player.name or f"{reader.gettext('Player')} {seat}"
        for seat, player in enumerate(players, 1)
    ]


def uuid_of(text: str) -> UUID | None:
    """Read an id from an address or a form; None if it is none."""
    try:
        return UUID(text)
    except ValueError:
        return None
