"""Caches of rendered macros and card keys, because every board repeats hundreds of them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup
from msgspec import json

from service.web.format.template_filters import to_json

# Dutch with eight players has about 2,000 keys; other games, seats and dimmed keys add to that.
KEYS_MAX = 16_384
# Of each macro: small parts of a board, as a seat; a pad of Dutch has 20 KB and is kept less often.
RENDERED_MAX = 2_048
_GAP = Markup('<span class="gap"></span>')


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


def card_keys(templates: Environment) -> tuple[Callable[..., Markup], Callable[..., Markup]]:
    """Return the functions `card_key` and `card_keys` of a language (see `cards.html`)."""

    @lru_cache(KEYS_MAX, typed=True)
    def one_key(
        code: str,
        entry: str,
        field: str,
        turn: str,
        dim: bool,  # noqa: FBT001
        does: str,
        style: str,
        saying: str,
    ) -> Markup:
        said = json.decode(entry)
        if field:
            (said[-1] if isinstance(said, list) else said)[field] = code
        cards: Any = templates.get_template("cards.html").module
        key: Markup = cards.drawn_key(code, said, turn, dim, does, style, saying)
        return key

    def card_key(
        code: str,
        entry: object,
        turn: str = "seat",
        dim: bool = False,  # noqa: FBT001, FBT002 a template's call
        does: str = "",
        style: str = "",
        saying: str = "",
    ) -> Markup:
        return one_key(code, to_json(entry), "", turn, dim, does, style, saying)

    def keys(  # noqa: PLR0913, PLR0917 a template's call
        codes: Iterable[str],
        entry: Mapping[str, Any],
        field: str,
        allowed: Collection[str],
        away: Collection[str] = (),
        turn: str = "seat",
        before: Sequence[Mapping[str, Any]] = (),
        does: str = "",
        marked: Collection[str] = (),
        saying: str = "",
    ) -> Markup:
        said = to_json([*before, entry] if before else entry)
        keys = (
            _GAP
            if code in away
            else one_key(
                code,
                said,
                field,
                turn,
                # A rank alone is allowed if any suit is: then all of them are.
                code not in allowed and not (code[1] == "?" and f"{code[0]}S" in allowed),
                does,
                "marked" if code in marked else "",
                saying,
            )
            for code in codes
        )
        return Markup("".join(keys))  # noqa: S704 all are markup: `Markup.join` would escape each

    return card_key, keys
