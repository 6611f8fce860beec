"""Template filters in a reader's language: cards, suits, clauses, times."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any, get_args
from zoneinfo import ZoneInfo

from babel.dates import format_skeleton, format_time
from babel.lists import format_list
from babel.numbers import format_decimal
from babel.support import NullTranslations
from babel.units import format_unit
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from msgspec import json

from domain.table.cards import SUITS
from schemas.cards import JOKER, SuitedCard
from schemas.days import day_without_time, in_zone
from schemas.record import Times
from service.language.texts import texts

_IN_SINGLE_QUOTES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#39;"})
_TIME = Markup('<time datetime="{}" data-style="{}">{}</time>')
EVERY_CARD = frozenset((*get_args(SuitedCard), JOKER))

# Ranks as printed on French, German and English cards.
LETTERS: Mapping[str, Mapping[str, str]] = {
    "en": {"T": "10"},
    "fr": {"K": "R", "Q": "D", "J": "V", "T": "10"},
    "de": {"Q": "D", "J": "B", "T": "10"},
}


class TemplateFilters:
    def __init__(self, language: str, catalog: NullTranslations) -> None:
        self._language = language
        self._suits = {
            "S": catalog.gettext("spades"),
            "H": catalog.gettext("hearts"),
            "D": catalog.gettext("diamonds"),
            "C": catalog.gettext("clubs"),
        }

    def filters(self) -> dict[str, Callable[..., Any]]:
        return {
            "briefly": self.briefly,
            "card": self.card,
            "clause": self.clause,
            "counted": self.counted,
            "day": self.day,
            "figure": figure,
            "gain": gain,
            "game_name": self.game_name,
            "other_names": self.other_names,
            "json": to_json,
            "pack": pack,
            "quoted": quoted,
            "duration": self.duration,
            "on_day": self.on_day,
            "played": self.played,
            "played_on": self.played_on,
            "letter": self.letter,
            "sentence": sentence,
            "suit": self.suit,
            "together": self.together,
            "tuple": _tuple,
            "when": self.when,
            "word": self.word,
        }

    def card(self, code: str) -> str:
        return texts().card(code, self._language)

    def letter(self, code: str) -> str:
        """Return the rank as printed in a card's corner."""
        return LETTERS[self._language].get(code[0], code[0])

    def suit(self, code: str) -> str:
        return self._suits[code]

    @pass_context
    def word(self, _context: Context, name: str, ruleset: str = "") -> str:
        """Return a term of a game's score sheet; with a context, so that Jinja cannot fold it."""
        return texts().word(name, self._language, ruleset)

    def clause(self, rule: str) -> str:
        return texts().clause(rule, self._language)

    def other_names(self, ruleset: str) -> tuple[str, ...]:
        return texts().other_names(ruleset, self._language)

    def game_name(self, of: Any) -> str:  # noqa: ANN401 -- a game, a table of a title, a ruleset
        """Return the name of a ruleset, or of the title of something that has both."""
        if isinstance(of, str):
            return texts().game(of, self._language)
        return of.title_name or texts().game(of.ruleset, self._language)

    def counted(self, number: int) -> str:
        """Format an integer with thousands separators."""
        return str(format_decimal(number, locale=self._language))

    def duration(self, minutes: int) -> str:
        """Format a duration: “1 hr 45 min”."""
        parts = zip(divmod(minutes, 60), ("hour", "minute"), strict=True)
        parts_text = [
            format_unit(number, unit, "short", locale=self._language)
            for number, unit in parts
            if number
        ]
        return " ".join(parts_text)

    def together(self, names: Sequence[str]) -> str:
        """Join names: “Ann, Bob and Cy”."""
        return format_list(names, locale=self._language)

    @staticmethod
    @pass_context
    def day(context: Context, typed: str) -> str:
        """Format an ISO date; any other text is returned unchanged."""
        try:
            day = date.fromisoformat(typed)
        except ValueError:
            return typed
        return format_skeleton("yMMMd", day, locale=context["look"].locale)

    @pass_context
    def when(self, context: Context, moment: datetime) -> Markup:
        return self._time_element(context, moment, "when", "yMMMd")

    @pass_context
    def played(self, context: Context, moment: datetime, times: Times) -> Markup | str:
        """Format the start of a game as precisely as it is known."""
        return "" if times == "none" else self.when(context, moment)

    @pass_context
    def played_on(
        self, context: Context, moment: datetime, times: Times, heading: datetime
    ) -> Markup | str:
        """Format the start of a game below a heading with the day of `heading`.

        On that day it is the time alone, or "" if only the day is known.
        """
        zone = context["look"].zone
        if times == "none" or _day_in(moment, zone) != _day_in(heading, zone):
            return self.played(context, moment, times)
        if day_without_time(moment) is not None:
            return ""
        text = format_time(in_zone(moment, zone), "short", locale=context["look"].locale)
        return _TIME.format(moment.isoformat(), "time", text)

    @pass_context
    def on_day(self, context: Context, moment: datetime) -> Markup:
        """Format the day of a moment in the reader's zone."""
        look = context["look"]
        day_only = day_without_time(moment)
        text = format_skeleton("yMMMEd", _day_in(moment, look.zone), locale=look.locale)
        if day_only is not None:
            return Markup('<time datetime="{}">{}</time>').format(day_only.isoformat(), text)
        return _TIME.format(moment.isoformat(), "day", text)

    @pass_context
    def briefly(self, context: Context, moment: datetime) -> Markup:
        """Format a numeric date and a time in the reader's zone."""
        return self._time_element(context, moment, "briefly", "yMd")

    def _time_element(self, context: Context, moment: datetime, style: str, day: str) -> Markup:
        """Return a `<time>` element, which `zone.js` rewrites if the browser's zone differs."""
        look = context["look"]
        day_only = day_without_time(moment)
        if day_only is not None:
            written = format_skeleton(day, day_only, locale=look.locale)
            return Markup('<time datetime="{}">{}</time>').format(day_only.isoformat(), written)
        here = in_zone(moment, look.zone)
        on = format_skeleton(day, here, locale=look.locale)
        text = f"{on}, {format_time(here, 'short', locale=look.locale)}"
        if context.get("shared"):  # public readers may be in another time zone
            text = f"{text} {here.tzname()}"
        return _TIME.format(moment.isoformat(), style, text)


def _day_in(moment: datetime, zone: ZoneInfo | None) -> date:
    return day_without_time(moment) or in_zone(moment, zone).date()


def figure(value: float | str) -> str:
    """Format points with a true minus sign (U+2212), which screen readers pronounce."""
    return str(value).replace("-", "−")


def gain(points: int) -> str:
    """Format a change of points, always with a sign."""
    return figure(f"{points:+d}")


def pack(ranks: str, joker: bool = False) -> list[str]:  # noqa: FBT001, FBT002 a template's call
    """List the cards of these ranks, rank by rank, and the joker."""
    return [*(rank + suit for rank in ranks for suit in SUITS), *([JOKER] if joker else ())]


def _tuple(values: Iterable[object] | None) -> tuple[object, ...]:
    return tuple(values or ())


# Typed: Markup stays Markup.
@lru_cache(8_192, typed=True)
def sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def to_json(value: object) -> str:
    return json.encode(value, enc_hook=_unescaped).decode()


def quoted(value: object) -> Markup:
    """Return a value as JSON in an attribute with single quotes, which keeps its quotes short."""
    return Markup(quoted_json(to_json(value)))  # noqa: S704 escaped


def quoted_json(text: str) -> str:
    return f"'{text.translate(_IN_SINGLE_QUOTES)}'"


def _unescaped(value: object) -> str:
    if isinstance(value, Markup):
        return value.unescape()
    raise TypeError(type(value).__name__)
