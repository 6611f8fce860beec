"""Page rendering with one cached Jinja environment per language."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias, cast
from uuid import UUID
from zoneinfo import ZoneInfo

from babel.lists import format_list
from jinja2 import BytecodeCache, Environment, FileSystemLoader
from jinja2.bccache import Bucket
from litestar import Request
from litestar.response import Response
from markupsafe import Markup
from msgspec import json

from domain.table.cards import SUITS
from schemas.catalogue import SHAPES
from service.access.admission import FIELD, club_of, form_club
from service.access.cookies import session_cookie, session_secrets
from service.access.principal import Principal
from service.language.sentence import LANGUAGES
from service.web.format.cached_macros import cached_macros, card_keys
from service.web.format.catalogs import catalog, template_texts
from service.web.format.figures import FigureFormat
from service.web.format.game_macros import game_macros
from service.web.format.preferences import LANGUAGE_NAMES, Preferences, preferences_of
from service.web.format.static_files import static_files
from service.web.format.template_filters import EVERY_CARD, TemplateFilters, to_json

PAGES = Path(__file__).parent.parent
# Every folder has its own templates; their names are unique across folders.
TEMPLATES = sorted([*PAGES.glob("*/templates"), *PAGES.parent.glob("extensions/*/templates")])

VERSION_DIGITS_MAX = 9
# Links to other pages of a long game, before and after the page on display.
PAGES_AROUND = 3
# ASCII whitespace only: keep the narrow no-break spaces of French typography.
Style: TypeAlias = Literal["say", "draw", "show"]
_SPACES = re.compile(r"[ \t\r\n]+")
# Forms outside a game: the game's id would determine the club, so these need it as a parameter.
_FORMS = re.compile(r"""(\bmethod="post" action="/(?!games/[0-9a-f]{8}-)[^"?]*)""")
ALREADY = "already"

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; media-src blob:; manifest-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Vary": "Accept-Language, Cookie",
}


class SharedBytecode(BytecodeCache):
    def __init__(self) -> None:
        self._bytecode: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._bytecode:
            bucket.bytecode_from_string(self._bytecode[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._bytecode[bucket.key] = bucket.bytecode_to_string()


_BYTECODE = SharedBytecode()


@lru_cache
def environment(language: str) -> Environment:
    env = Environment(
        autoescape=True,
        extensions=["jinja2.ext.i18n"],
        loader=FileSystemLoader([PAGES, *TEMPLATES]),
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=_BYTECODE,
        # Otherwise each template's file is looked up again on every use.
        auto_reload=False,
    )
    words = catalog(language)
    card_key, keys = card_keys(env)
    # Jinja's types lack the extension's method and our globals.
    extended: Any = env
    extended.install_gettext_translations(words, newstyle=True)
    extended.globals.update(
        template_texts(words, language),
        language=language,
        languages={code: LANGUAGE_NAMES[code] for code in LANGUAGES},
        static=static_files().address,
        has_static=static_files().content.__contains__,
        sheets=static_files().sheets,
        playable=playable,
        extension_parts=extension_parts,
        SUITS=SUITS,
        cached=cached_macros(env),
        card_key=card_key,
        card_keys=keys,
    )
    env.filters.update(TemplateFilters(language, words).filters())
    extended.filters["own_sheet"] = static_files().own_sheet
    return env


@lru_cache
def faces_environment(language: str, *, spoken_too: bool) -> Environment:
    """Return an environment whose `card` filter renders card faces instead of words, to save space.

    `spoken_too` adds the words for screen readers, unless the same words stand next to the faces.
    """
    env = environment(language)
    face: Any = getattr(env.get_template("cards.html").module, "shown" if spoken_too else "face")
    spoken = TemplateFilters(language, catalog(language)).card

    def face_or_name(code: str) -> str:
        return cast("str", face(code)) if code in EVERY_CARD else spoken(code)

    overlay = env.overlay()
    overlay.filters = {**env.filters, "card": face_or_name}
    return overlay


@lru_cache
def playable() -> tuple[str, ...]:
    """List the rulesets that have a template."""
    return tuple(name for name in SHAPES if (PAGES / "games" / f"{name}.html").exists())


@lru_cache
def extension_parts(page: str) -> list[str]:
    """List the templates that extensions add to a page: `<page>_….html` in their folders."""
    found = (PAGES.parent / "extensions").glob(f"*/templates/{page}_*.html")
    return sorted(path.name for path in found)


def _show_unmasked(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    return entry


# A board shows some twenty entries, all but one of which the board before it showed too.
@lru_cache(8_192)
def _sentence(language: str, style: Style, ruleset: str, entry: str, names: tuple[str, ...]) -> str:
    spoken = style == "say"
    env = (
        environment(language) if spoken else faces_environment(language, spoken_too=style == "show")
    )
    module: Any = env.get_template("entries.html").module
    words: Markup = module.say(json.decode(entry), [*names], game=game_macros(env, ruleset))
    return _SPACES.sub(" ", words.unescape() if spoken else words).strip()


class Reader:
    """The reader of one request: language and preferences, and the rendering of pages for them.

    `cookies` false ignores preferences in cookies. `shown` masks private cards in an entry.
    """

    def __init__(self, request: Request[Any, Any, Any], *, cookies: bool = True) -> None:
        self.request = request
        self.preferences: Preferences = preferences_of(request, kept=cookies)
        self.shown: Callable[[Mapping[str, Any]], Mapping[str, Any]] = _show_unmasked

    @property
    def language(self) -> str:
        return self.preferences.language

    @property
    def here(self) -> str:
        """The path and query of the page; for a POST, the path only."""
        url = self.request.url
        query = url.query if self.request.method == "GET" else ""
        return f"{url.path}?{query}" if query else url.path

    @property
    def zone(self) -> ZoneInfo | None:
        return self.preferences.zone

    @property
    def figures(self) -> FigureFormat:
        return FigureFormat(language=self.language, zone=self.zone, locale=self.preferences.locale)

    @property
    def _environment(self) -> Environment:
        return environment(self.language)

    def gettext(self, words: str) -> str:
        return str(catalog(self.language).gettext(words))

    def together(self, names: Sequence[str]) -> str:
        """Join names: “Ann, Bob and Cy”."""
        return format_list(names, locale=self.language)

    def ngettext(self, one: str, several: str, number: int) -> str:
        words = str(catalog(self.language).ngettext(one, several, number))
        return words % {"num": number}

    def game(self, ruleset: str) -> Any:  # noqa: ANN401 a template's macros have no type
        return game_macros(self._environment, ruleset)

    def say(self, entry: Mapping[str, Any], ruleset: str, names: Sequence[str]) -> str:
        """Return an entry as a sentence, without markup."""
        return self._sentence("say", ruleset, entry, names)

    def draw(self, entry: Mapping[str, Any], ruleset: str, names: Sequence[str]) -> Markup:
        """Return an entry as a sentence with card faces that screen readers skip."""
        return Markup(self._sentence("draw", ruleset, entry, names))  # noqa: S704 escaped

    def show(self, entry: Mapping[str, Any], ruleset: str, names: Sequence[str]) -> Markup:
        """Return an entry as a sentence with card faces that screen readers read as words."""
        return Markup(self._sentence("show", ruleset, entry, names))  # noqa: S704 escaped

    def _sentence(
        self, style: Style, ruleset: str, entry: Mapping[str, Any], names: Sequence[str]
    ) -> str:
        return _sentence(self.language, style, ruleset, to_json(self.shown(entry)), tuple(names))

    def markup(self, template: str, **context: object) -> str:
        """Render a template with the variables that every page shares."""
        frame = {"look": self.preferences, "path": self.request.url.path, "here": self.here}
        # Public pages have no user in the scope.
        scope = cast("Mapping[str, Any]", self.request.scope)
        user: Principal | None = scope.get("user")
        rights = {
            "known": user is not None,
            "owner": user is not None and user.owner,
            "member": user is not None and user.club is not None,
            "starts": user is not None and user.may_start,
            "sample": getattr(scope.get("club"), "sample_of", None) is not None,
        }
        # A link that adds no right leads here with `already`: show the role the user has.
        link_added_nothing = (
            user is not None and user.rights and ALREADY in self.request.query_params
        )
        already = (
            user.role(scope["path_params"].get("game_id")) if user and link_added_nothing else None
        )
        variables: dict[str, object] = {
            **frame,
            **rights,
            "already": already,
            "reader": self,
            **context,
        }
        html = self._environment.get_template(template).render(variables)
        club_id = form_club(self.request)
        return html if club_id is None else _FORMS.sub(rf"\1?{FIELD}={club_id}", html)

    def page(
        self,
        template: str,
        status_code: int = 200,
        headers: Mapping[str, str] | None = None,
        **context: object,
    ) -> Response[str]:
        """Render a page as a response, and renew the session cookie of a returning browser."""
        scope = cast("Mapping[str, Any]", self.request.scope)
        user: Principal | None = scope.get("user")
        page = Response(
            self.markup(template, **context),
            status_code=status_code,
            media_type="text/html",
            headers=HEADERS | {"Content-Language": self.language} | dict(headers or {}),
        )
        if user is not None and club_of(self.request).seen.has_returned(user):
            page.set_cookie(session_cookie(self.request, *session_secrets(self.request)))
        return page


class Named(Protocol):
    @property
    def name(self) -> str | None:
        """None: unknown or forgotten."""
        ...


def names_of(reader: Reader, players: Sequence[Named]) -> list[str]:
    """Return the players' names by seat; a nameless one is “Player” with the seat number from 1."""
    return [
        player.name or f"{reader.gettext('Player')} {seat}"
        for seat, player in enumerate(players, 1)
    ]


def pages_near(number: int, last: int) -> list[int]:
    """Return the pages to link from one: the first, the last, and some around it.

    >>> pages_near(5, 90)
    [1, 2, 3, 4, 5, 6, 7, 8, 90]
    """
    around = range(max(1, number - PAGES_AROUND), min(last, number + PAGES_AROUND) + 1)
    return sorted({1, *around, last})


def version_of(text: str) -> int | None:
    plain = text.isascii() and text.isdecimal() and len(text) <= VERSION_DIGITS_MAX
    return int(text) if plain else None


def uuid_of(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
