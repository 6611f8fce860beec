"""Templates are compiled once for every language."""

from typing import cast

import pytest
from jinja2 import BaseLoader, Environment

from service.language.sentence import LANGUAGES
from service.web.format.render import environment, faces_environment

# Each is found below its folder's path too.
TEMPLATES = [
    name
    for name in environment("en").list_templates(extensions=["html"])
    if "/templates/" not in name
]


def compiled(env: Environment, name: str) -> str:
    source, path, _ = cast("BaseLoader", env.loader).get_source(env, name)
    return env.compile(source, name, path, raw=True)


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_is_compiled_to_the_same_whatever_the_language(name: str) -> None:
    ways = (environment("en"), environment("fr"), faces_environment("de", spoken_too=True))
    assert len({compiled(env, name) for env in ways}) == 1


@pytest.mark.parametrize("name", ["entries_page.html", "games/euchre.html"])
def test_what_was_compiled_for_one_language_is_not_compiled_for_another(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment("en").get_template(name)
    fresh = environment.__wrapped__("de")

    def refuse(*_: object, **__: object) -> None:
        pytest.fail("compiled again")

    monkeypatch.setattr(fresh, "compile", refuse)
    assert fresh.get_template(name).name == name


def test_words_of_every_language_stay_apart() -> None:
    told = {
        language: environment(language)
        .from_string("{{ 'erased'|word }} {{ _('unsure') }}")
        .render()
        for language in LANGUAGES
    }
    assert len(set(told.values())) == len(LANGUAGES)
