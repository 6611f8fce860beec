"""Caches of rendered macros, because every board repeats many of them."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from service.web.format.template_filters import to_json

# Of each macro: small parts of a board, as a seat; a pad of Dutch has 20 KB and is kept less often.
RENDERED_MAX = 2_048


def cached_macros(templates: Environment) -> Callable[..., Callable[..., Markup]]:
    """Return the function `cached(template, macro)` of a language: the macro with a cache.

    It is called by position, with hashable arguments and lists and dicts of JSON values, and sees
    nothing else.
    """

    @lru_cache
    def cached(
        template: str, macro: str, rendered_max: int = RENDERED_MAX
    ) -> Callable[..., Markup]:
        @lru_cache(rendered_max)
        def rendered(call: _Call) -> Markup:
            module: Any = templates.get_template(template).module
            html: Markup = getattr(module, macro)(*call.arguments)
            return html

        return lambda *arguments: rendered(_Call(arguments))

    return cached


class _Call:
    """Arguments of a macro as the key of a cache. Types separate str from Markup, False from 0."""

    def __init__(self, arguments: tuple[object, ...]) -> None:
        self.arguments = arguments
        self._key = tuple(
            (type(one), to_json(one) if isinstance(one, list | dict) else one) for one in arguments
        )
        self._hash = hash(self._key)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Call) and self._key == other._key
