"""What templates say in a reader's language beyond gettext: cards, suits, clauses, times."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, get_args

from babel.dates import format_skeleton, format_time
from babel.lists import format_list
from babel.numbers import format_decimal
from babel.support import NullTranslations
from babel.units import format_unit
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from msgspec import json

from schemas.cards import JOKER, SuitedCard
from schemas.days import day_alone
from schemas.record import Times
from service.language.texts import texts

EVERY_CARD = frozenset((*get_args(SuitedCard), JOKER))

# Ranks as they are printed on cards: in France, in Germany, elsewhere.
LETTERS: Mapping[str, Mapping[str, str]] = {
    "en": {"T": "10"},
    "fr": {"K": "R", "Q": "D", "J": "V", "T": "10"},
    "de": {"Q": "D", "J": "B", "T": "10"},
}


class TemplateFilters:
    """The filters of one language's templates."""

    def __init__(self, language: str, catalog: NullTranslations) -> None:
        self._language = language
        self._suits = {
            "S": catalog.gettext("spades"),
            "H": catalog.gettext("hearts"),
            "D": catalog.gettext("diamonds"),
            "C": catalog.gettext("clubs"),
        }

    def filters(self) -> dict[str, Callable[..., Any]]:
        """Return them by the names templates use."""
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
            "lasting": self.lasting,
            "played": self.played,
            "letter": self.letter,
            "sentence": sentence,
            "suit": self.suit,
            "together": self.together,
            "when": self.when,
            "word": self.word,
        }

    def card(self, code: str) -> str:
        """Say a card."""
        return texts().card(code, self._language)

    def letter(self, code: str) -> str:
        """Return what is printed in a card's corner."""
        return LETTERS[self._language].get(code[0], code[0])

    def suit(self, code: str) -> str:
        """Say a suit."""
        return self._suits[code]

    @pass_context
    def word(self, _context: Context, name: str) -> str:
        """Say a heading or word of a score sheet."""
        return texts().word(name, self._language)

    def clause(self, rule: str) -> str:
        """Say a clause."""
        return texts().clause(rule, self._language)

    def other_names(self, ruleset: str) -> tuple[str, ...]:
        """Return the other names of a game."""
        return texts().other_names(ruleset, self._language)

    def game_name(self, ruleset: str) -> str:
        """Say what a game is called."""
        return texts().game(ruleset, self._language)

    def counted(self, number: int) -> str:
        """Write a number with its thousands apart."""
        return str(format_decimal(number, locale=self._language))

    def lasting(self, minutes: int) -> str:
        """Say how long something took: “1 hr 45 min”."""
        parts = zip(divmod(minutes, 60), ("hour", "minute"), strict=True)
        said = [
            format_unit(number, unit, "short", locale=self._language)
            for number, unit in parts
            if number
        ]
        return " ".join(said)

    def together(self, names: Sequence[str]) -> str:
        """Say several names: “Ann, Bob and Cy”."""
        return format_list(names, locale=self._language)

    @staticmethod
    @pass_context
    def day(context: Context, typed: str) -> str:
        """Say a day that was typed as an address writes it; anything else stays as it is."""
        try:
            day = date.fromisoformat(typed)
        except ValueError:
            return typed
        return format_skeleton("yMMMd", day, locale=context["look"].locale)

    @pass_context
    def when(self, context: Context, moment: datetime) -> Markup:
        """Say a day and a time, in the reader's zone."""
        return self._told(context, moment, "when", "yMMMd")

    @pass_context
    def played(self, context: Context, moment: datetime, times: Times) -> Markup | str:
        """Write when a game began, as far as that is known."""
        return "" if times == "none" else self.when(context, moment)

    @pass_context
    def briefly(self, context: Context, moment: datetime) -> Markup:
        """Say a day in figures and a time, in the reader's zone."""
        return self._told(context, moment, "briefly", "yMd")

    def _told(self, context: Context, moment: datetime, way: str, day: str) -> Markup:
        """Write a time as an element that the script writes anew in another zone (`zone.js`)."""
        look = context["look"]
        alone = day_alone(moment)
        if alone is not None:
            written = format_skeleton(day, alone, locale=look.locale)
            return Markup('<time datetime="{}">{}</time>').format(alone.isoformat(), written)
        here = moment.astimezone(look.zone)
        on = format_skeleton(day, here, locale=look.locale)
        said = f"{on}, {format_time(here, 'short', locale=look.locale)}"
        if context.get("shared"):  # whoever reads it may live in another zone
            said = f"{said} {here.tzname()}"
        element = Markup('<time datetime="{}" data-told="{}">{}</time>')
        return element.format(moment.isoformat(), way, said)


def figure(value: float | str) -> str:
    """Write a number of points; below zero with a minus (U+2212), for whoever reads it."""
    return str(value).replace("-", "−")


def gain(points: int) -> str:
    """Write points that somebody won or lost, always with a sign."""
    return figure(f"{points:+d}")


def sentence(said: str) -> str:
    """Begin with a capital."""
    return said[:1].upper() + said[1:]


def to_json(value: object) -> str:
    """Write JSON for a button's value or a script."""
    return json.encode(value, enc_hook=_unescaped).decode()


def _unescaped(value: object) -> str:
    if isinstance(value, Markup):
        return value.unescape()
    raise TypeError(type(value).__name__)
