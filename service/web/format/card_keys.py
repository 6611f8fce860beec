"""A cache of rendered card keys, because every board repeats hundreds of them."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup
from msgspec import json

from service.web.format.template_filters import to_json

# Dutch with eight players has about 2,000 keys; other games, seats and dimmed keys add to that.
CACHE_SIZE = 8_192


def card_keys(templates: Environment) -> Callable[..., Markup]:
    """Return the `card_key` function of a language: a cached `drawn_key` (`cards.html`)."""

    @lru_cache(CACHE_SIZE, typed=True)  # `typed` separates str from Markup
    def cached(code: str, entry: str, *arguments: object, **named: object) -> Markup:
        cards: Any = templates.get_template("cards.html").module
        key: Markup = cards.drawn_key(code, json.decode(entry), *arguments, **named)
        return key

    def card_key(code: str, entry: object, *arguments: object, **named: object) -> Markup:
        return cached(code, to_json(entry), *arguments, **named)

    return card_key
