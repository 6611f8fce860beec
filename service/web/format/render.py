"""Pages from templates: one Jinja environment a language, built once."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal, Protocol, cast
from uuid import UUID
from zoneinfo import ZoneInfo

from jinja2 import BytecodeCache, Environment, FileSystemLoader
from jinja2.bccache import Bucket
from litestar import Request
from litestar.response import Response
from markupsafe import Markup

from domain.table.cards import SUITS
from schemas.catalogue import SHAPES
from service.access.admission import club_of
from service.access.cookies import session_cookie, session_secrets
from service.access.page_club import FIELD, form_club
from service.access.principal import Principal
from service.language.sentence import LANGUAGES
from service.web.format.card_keys import card_keys
from service.web.format.catalogs import catalog, spoken_french
from service.web.format.figures import Say
from service.web.format.game_macros import game_macros
from service.web.format.preferences import LANGUAGE_NAMES, Preferences, preferences_of
from service.web.format.static_files import static_files
from service.web.format.template_filters import EVERY_CARD, TemplateFilters

PAGES = Path(__file__).parent.parent
# Every room of the pages brings its own, under names that no other room has.
TEMPLATES = sorted(PAGES.glob("*/templates"))

VERSION_DIGITS_MAX = 9
# Of a template's lines; what French prints before a sign is none of these.
_SPACES = re.compile(r"[ \t\r\n]+")
# Forms of the templates that are not below a game, which says of which club it is.
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


class Compiled(BytecodeCache):
    """What was compiled once: it is the same in every language, and where cards are shown.

    Assumes that no template says in words what is known when it is compiled; a test holds it.
    """

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what was compiled from the same source."""
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it."""
        self._kept[bucket.key] = bucket.bytecode_to_string()


_COMPILED = Compiled()


@lru_cache
def environment(language: str) -> Environment:
    """Return the templates of a language."""
    env = Environment(
        autoescape=True,
        extensions=["jinja2.ext.i18n"],
        loader=FileSystemLoader([PAGES, *TEMPLATES]),
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=_COMPILED,
    )
    words = catalog(language)
    # The types know neither the extension's method nor globals other than Jinja's own.
    extended: Any = env
    extended.install_gettext_translations(words, newstyle=True)
    if language == "fr":
        extended.globals.update(spoken_french(words))
    extended.globals.update(
        language=language,
        languages={code: LANGUAGE_NAMES[code] for code in LANGUAGES},
        static=static_files().address,
        has_static=static_files().content.__contains__,
        sheets=static_files().sheets,
        playable=playable,
        SUITS=SUITS,
        card_key=card_keys(env),
    )
    env.filters.update(TemplateFilters(language, words).filters())
    extended.filters["own_sheet"] = static_files().own_sheet
    return env


@lru_cache
def drawn(language: str, *, spoken_too: bool) -> Environment:
    """Return the templates that show cards where others say them: for words with little room.

    `spoken_too`: for who hears the page as well; else the words stand beside them.
    """
    env = environment(language)
    face: Any = getattr(env.get_template("cards.html").module, "shown" if spoken_too else "face")
    spoken = TemplateFilters(language, catalog(language)).card

    def drawn_or_spoken(code: str) -> str:
        return cast("str", face(code)) if code in EVERY_CARD else spoken(code)

    overlay = env.overlay()
    overlay.filters = {**env.filters, "card": drawn_or_spoken}
    return overlay


@lru_cache
def playable() -> tuple[str, ...]:
    """Name the games that have a template."""
    return tuple(name for name in SHAPES if (PAGES / "games" / f"{name}.html").exists())


def _whole(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    return entry


class Reader:
    """Somebody who looks at a page: in which language, in which look.

    `cookies` false: nothing that the browser keeps is read. `shown` leaves out of an entry what
    this reader is not told.
    """

    def __init__(self, request: Request[Any, Any, Any], *, cookies: bool = True) -> None:
        self.request = request
        self.preferences: Preferences = preferences_of(request, kept=cookies)
        self.shown: Callable[[Mapping[str, Any]], Mapping[str, Any]] = _whole
        self._tellers: dict[tuple[str, str], Callable[..., Markup]] = {}

    @property
    def language(self) -> str:
        """The language of the page."""
        return self.preferences.language

    @property
    def here(self) -> str:
        """The address of the page, for the way back; of a form's answer, that of the form."""
        url = self.request.url
        query = url.query if self.request.method == "GET" else ""
        return f"{url.path}?{query}" if query else url.path

    @property
    def zone(self) -> ZoneInfo | None:
        """The zone in which times are told; None: the machine's."""
        return self.preferences.zone

    @property
    def says(self) -> Say:
        """What says figures and days to this reader."""
        return Say(language=self.language, zone=self.zone, locale=self.preferences.locale)

    @property
    def _environment(self) -> Environment:
        return environment(self.language)

    def gettext(self, words: str) -> str:
        """Translate words of the pages."""
        return str(catalog(self.language).gettext(words))

    def game(self, ruleset: str) -> Any:  # noqa: ANN401 a template's macros have no type
        """Return the macros of a game's template."""
        return game_macros(self._environment, ruleset)

    def say(self, entry: Mapping[str, Any], ruleset: str, names: Sequence[str]) -> str:
        """Put an entry into words."""
        said = self._teller(ruleset, "say")(self.shown(entry), names)
        return _SPACES.sub(" ", said.unescape()).strip()

    def draw(self, entry: Mapping[str, Any], ruleset: str, names: Sequence[str]) -> Markup:
        """Put an entry into words with the faces of its cards, for eyes alone."""
        said = self._teller(ruleset, "draw")(self.shown(entry), names)
        return Markup(_SPACES.sub(" ", said).strip())  # noqa: S704 escaped by the template

    def show(self, entry: Mapping[str, Any], ruleset: str, names: Sequence[str]) -> Markup:
        """Put an entry into words with the faces of its cards, which are spoken as well."""
        said = self._teller(ruleset, "show")(self.shown(entry), names)
        return Markup(_SPACES.sub(" ", said).strip())  # noqa: S704 escaped by the template

    def _teller(self, ruleset: str, way: Literal["say", "draw", "show"]) -> Callable[..., Markup]:
        key = (ruleset, way)
        if key not in self._tellers:
            env = (
                self._environment
                if way == "say"
                else drawn(self.language, spoken_too=way == "show")
            )
            module: Any = env.get_template("entries.html").module
            self._tellers[key] = partial(module.say, game=game_macros(env, ruleset))
        return self._tellers[key]

    def markup(self, template: str, **context: object) -> str:
        """Fill a template."""
        frame = {"look": self.preferences, "path": self.request.url.path, "here": self.here}
        # A page that is open to everybody may know nobody.
        scope = cast("Mapping[str, Any]", self.request.scope)
        user: Principal | None = scope.get("user")
        who = {
            "known": user is not None,
            "owner": user is not None and user.owner,
            "member": user is not None and user.club is not None,
            "starts": user is not None and user.may_start,
        }
        # Whoever followed a link that added nothing, and who they were already.
        told = user is not None and user.rights and ALREADY in self.request.query_params
        already = user.role(scope["path_params"].get("game_id")) if user and told else None
        everything: dict[str, object] = {
            **frame,
            **who,
            "already": already,
            "reader": self,
            **context,
        }
        html = self._environment.get_template(template).render(everything)
        club_id = form_club(self.request)
        return html if club_id is None else _FORMS.sub(rf"\1?{FIELD}={club_id}", html)

    def page(
        self,
        template: str,
        status_code: int = 200,
        headers: Mapping[str, str] | None = None,
        **context: object,
    ) -> Response[str]:
        """Answer with a page; a browser that returns keeps its session for another year."""
        scope = cast("Mapping[str, Any]", self.request.scope)
        user: Principal | None = scope.get("user")
        page = Response(
            self.markup(template, **context),
            status_code=status_code,
            media_type="text/html",
            headers=HEADERS | {"Content-Language": self.language} | dict(headers or {}),
        )
        if user is not None and club_of(self.request).seen.returned(user):
            page.set_cookie(session_cookie(self.request, *session_secrets(self.request)))
        return page


class Named(Protocol):
    """Somebody who plays, as any view shows them."""

    @property
    def name(self) -> str | None:
        """None: forgotten, or never known."""
        ...


def names_of(reader: Reader, players: Sequence[Named]) -> list[str]:
    """Name the players by seat; somebody without a name is called by the seat, from 1."""
    return [
        player.name or f"{reader.gettext('Player')} {seat}"
        for seat, player in enumerate(players, 1)
    ]


def version_of(text: str) -> int | None:
    """Read a version from an address or a form; None if it is none."""
    plain = text.isascii() and text.isdecimal() and len(text) <= VERSION_DIGITS_MAX
    return int(text) if plain else None


def uuid_of(text: str) -> UUID | None:
    """Read an id from an address or a form; None if it is none."""
    try:
        return UUID(text)
    except ValueError:
        return None
