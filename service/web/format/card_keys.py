"""The keys of cards, each drawn once: a table has hundreds, and they return with every board."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup
from msgspec import json

from service.web.format.template_filters import to_json

# Dutch among eight has some two thousand, the same at every table; then come other games, other
# numbers of players, and keys that are dimmed.
KEPT = 8_192


def card_keys(templates: Environment) -> Callable[..., Markup]:
    """Return what templates of a language call for the key of a card, as `cards.html` tells."""

    @lru_cache(KEPT, typed=True)  # what is escaped is another text than what is not
    def kept(code: str, entry: str, *arguments: object, **named: object) -> Markup:
        cards: Any = templates.get_template("cards.html").module
        key: Markup = cards.drawn_key(code, json.decode(entry), *arguments, **named)
        return key

    def card_key(code: str, entry: object, *arguments: object, **named: object) -> Markup:
        return kept(code, to_json(entry), *arguments, **named)

    return card_key
