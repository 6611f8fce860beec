from collections.abc import Mapping
from typing import Any

import pytest
from jinja2 import Template
from markupsafe import Markup, escape
from msgspec import json

from service.web.format.render import environment

DROP = {"type": "drop", "seat": 3, "card": "7H"}
# Each differs from the first by one argument.
KEYS: list[dict[str, Any]] = [
    {"code": "7H", "entry": DROP},
    {"code": "7S", "entry": DROP},
    {"code": "7H", "entry": DROP | {"seat": 2}},
    {"code": "7H", "entry": [{"type": "draw", "seat": 3}, DROP]},
    {"code": "7H", "entry": DROP, "turn": "key"},
    {"code": "7H", "entry": DROP, "dim": True},
    {"code": "7H", "entry": DROP, "does": "drop"},
    {"code": "7H", "entry": DROP, "style": "marked"},
    {"code": "7H", "entry": DROP, "saying": "Swapped & gone:"},
    {"code": "7H", "entry": DROP, "saying": Markup("Swapped &amp; gone:")},
]


def _template(language: str, source: str) -> Template:
    return environment(language).from_string(source)


def _draw(language: str, key: Mapping[str, Any]) -> str:
    source = "{% import 'cards.html' as c %}{{ c.drawn_key(**key) }}"
    return _template(language, source).render(key=key)


def _keep(language: str, key: Mapping[str, Any]) -> str:
    return _template(language, "{{ card_key(**key) }}").render(key=key)


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_each_key_is_the_one_that_is_drawn_however_often_it_is_asked_for(language: str) -> None:
    for _ in range(2):
        assert [_keep(language, key) for key in KEYS] == [_draw(language, key) for key in KEYS]


def test_keys_that_differ_in_anything_are_others() -> None:
    drawn = [_keep("en", key) for key in KEYS]
    # The last two differ only in escaping.
    assert drawn[-1] == drawn[-2]
    assert len({*drawn}) == len(KEYS) - 1


def test_a_key_enters_what_it_was_given_and_says_its_card_in_each_language() -> None:
    key = KEYS[0]
    for language, said in (("en", "the seven of hearts"), ("fr", "le sept de cœur")):
        kept = _keep(language, key)
        assert f'value="{escape(json.encode(DROP).decode())}"' in kept
        assert f'aria-label="{said}"' in kept
