"""Display preferences of a browser: language, theme, suit colours and time zone, all in cookies."""

import re
from typing import Any, Literal, get_args
from zoneinfo import ZoneInfo

from babel import localedata
from litestar import Request
from litestar.datastructures import Cookie
from msgspec import Struct

from service.access.cookies import YEAR_SECONDS
from service.language.sentence import LANGUAGES
from service.language.texts import texts

COOKIE = "carnet-look"
ZONE_COOKIE = "carnet-zone"  # set by the page's script
_ZONE_LENGTH_MAX = 64
_REGION = re.compile(r"([A-Za-z]{2})-([A-Za-z]{2})(?=\s*(?:;|$))")

Theme = Literal["auto", "light", "dark"]
Suits = Literal["two", "four"]
LANGUAGE_NAMES = {"en": "English", "fr": "Français", "de": "Deutsch"}


class Preferences(Struct, frozen=True, kw_only=True):
    """A reader's preferences. `chosen`: the language was set explicitly, not negotiated.

    `locale`: the language with the region from `Accept-Language`, if known. `zone` None: the
    server's.
    """

    language: str
    locale: str
    chosen: bool
    theme: Theme
    suits: Suits
    zone: ZoneInfo | None = None


def preferences_of(request: Request[Any, Any, Any], *, kept: bool = True) -> Preferences:
    """Read preferences from the cookies; without a language there, from `Accept-Language`.

    `kept` false ignores cookies.
    """
    cookies = request.cookies if kept else {}
    parts = [*cookies.get(COOKIE, "").split("."), "", "", ""]
    chosen = parts[0] in LANGUAGES
    language = parts[0] if chosen else texts().negotiate(request.headers.get("accept-language"))
    return Preferences(
        language=language,
        locale=locale_of(language, request.headers.get("accept-language", "")),
        chosen=chosen,
        theme="dark" if parts[1] == "dark" else "light" if parts[1] == "light" else "auto",
        suits="four" if parts[2] == "four" else "two",
        zone=zone_of(cookies.get(ZONE_COOKIE, "")),
    )


def zone_of(name: str) -> ZoneInfo | None:
    """Return an IANA time zone; None if the name is unknown."""
    if not name or len(name) > _ZONE_LENGTH_MAX:
        return None
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError):
        # An unknown zone, a folder of zones, or an invalid name.
        return None


def locale_of(language: str, accepted: str) -> str:
    for part in accepted.split(","):
        match = _REGION.match(part.strip())
        if match and match[1].lower() == language:
            locale = f"{language}_{match[2].upper()}"
            if localedata.exists(locale):
                return locale
    return language


def preferences_cookie(language: str, theme: str, suits: str) -> Cookie:
    """Return a cookie with the preferences; invalid values become the defaults."""
    kept = [
        language if language in LANGUAGES else "",
        theme if theme in get_args(Theme) else "auto",
        suits if suits in get_args(Suits) else "two",
    ]
    return Cookie(key=COOKIE, value=".".join(kept), max_age=YEAR_SECONDS, path="/", samesite="lax")
