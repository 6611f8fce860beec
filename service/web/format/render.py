"""Page rendering for the reader of a request."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, cast
from uuid import UUID
from zoneinfo import ZoneInfo

from babel.lists import format_list
from jinja2 import Environment
from litestar import Request
from litestar.response import Response
from markupsafe import Markup

from service.access.admission import FIELD, club_of, form_club
from service.access.cookies import session_cookie, session_secrets
from service.access.principal import Principal
from service.language.known_titles import is_cooperative
from service.play.snapshots import GameSnapshot
from service.web.format.catalogs import catalog
from service.web.format.environments import environment
from service.web.format.figures import FigureFormat
from service.web.format.game_macros import game_macros
from service.web.format.preferences import Preferences, preferences_of
from service.web.format.sentences import drawn_sentence, joint_outcome, sentence

VERSION_DIGITS_MAX = 9
# Links to other pages of a long game, before and after the page on display.
PAGES_AROUND = 3
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


def _show_unmasked(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    return entry


class Reader:
    """The reader of one request: language and preferences, and the rendering of pages for them.

    `cookies` false ignores preferences in cookies. `shown` masks private cards in an entry.
    """

    def __init__(self, request: Request[Any, Any, Any], *, cookies: bool = True) -> None:
        self.request = request
        self.preferences: Preferences = preferences_of(request, kept=cookies)
        self.shown: Callable[[Mapping[str, Any]], Mapping[str, Any]] = _show_unmasked
        # The deals of earlier games of a chain: the sentences of entries count them, too.
        self.deals_before = 0
        # Whether all players of the game win or lose together.
        self.cooperative = False

    def follow(self, snapshot: GameSnapshot) -> None:
        """Word the entries of a game from now on."""
        self.deals_before = snapshot.deals_before
        self.cooperative = is_cooperative(snapshot.title_name)

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
        return sentence(self.language, ruleset, self._numbered(entry), names)

    def draw(self, entry: Mapping[str, Any], ruleset: str, names: Sequence[str]) -> Markup:
        """Return an entry as a sentence with card faces that screen readers skip."""
        return drawn_sentence(self.language, ruleset, self._numbered(entry), names)

    def show(self, entry: Mapping[str, Any], ruleset: str, names: Sequence[str]) -> Markup:
        """Return an entry as a sentence with card faces that screen readers read as words."""
        return drawn_sentence(self.language, ruleset, self._numbered(entry), names, spoken_too=True)

    def _numbered(self, entry: Mapping[str, Any]) -> Mapping[str, Any]:
        shown = joint_outcome(self.shown(entry), together=self.cooperative)
        if not self.deals_before or shown["type"] != "deal_ended":
            return shown
        return {**shown, "deal": shown["deal"] + self.deals_before}

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
        """Render a page as a response."""
        return self.respond(self.markup(template, **context), status_code, headers)

    def respond(
        self, html: str, status_code: int = 200, headers: Mapping[str, str] | None = None
    ) -> Response[str]:
        """Return a rendered page, and renew the session cookie of a returning browser."""
        scope = cast("Mapping[str, Any]", self.request.scope)
        user: Principal | None = scope.get("user")
        page = Response(
            html,
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
