from string import Formatter
from typing import Any, cast

import pytest
from babel.messages.catalog import Message as BabelMessage
from babel.messages.extract import extract_from_dir

from service.web.format.catalogs import SERVICE, messages

_WORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}
_JINJA = {
    "silent": "false",
    "trim_blocks": "true",
    "lstrip_blocks": "true",
    "newstyle_gettext": "true",
}

Message = tuple[str | None, str | tuple[str, ...]]


@pytest.fixture(scope="module")
def spoken() -> set[Message]:
    return {
        (context, words if isinstance(words, str) else tuple(words))
        for folder in ("web", "extensions")
        for _, _, words, _, context in extract_from_dir(
            SERVICE / folder,
            method_map=[("**.py", "python"), ("**.html", "jinja2")],
            options_map={"**.html": _JINJA},
            keywords=cast("Any", _WORDS),
        )
    }


@pytest.mark.parametrize("language", ["fr", "de"])
def test_every_message_is_translated(spoken: set[Message], language: str) -> None:
    catalog = messages(language)
    translated: set[Message] = {
        (message.context, message.id if isinstance(message.id, str) else tuple(message.id))
        for message in catalog
        if message.id and all(_read_words(message))
    }
    file = f"service/web/locale/{language}.po"
    missing, unused = (sorted(map(str, one)) for one in (spoken - translated, translated - spoken))
    assert not missing, f"{file} lacks the msgid, or its msgstr, of: " + "\n".join(missing)
    assert not unused, f"no page uses these of {file}: " + "\n".join(unused)


@pytest.mark.parametrize("language", ["fr", "de"])
def test_translations_name_the_facts_of_their_message(language: str) -> None:
    for message in messages(language):
        ids = [message.id] if isinstance(message.id, str) else list(message.id)
        facts = {_facts(text) for text in ids}
        assert all(_facts(text) in facts for text in _read_words(message)), message.id


def _read_words(message: BabelMessage) -> list[str]:
    string = message.string
    return [string or ""] if isinstance(string, str | None) else list(string)


def _facts(text: str) -> frozenset[str]:
    converted = text.replace("%(", "{").replace(")s", "}")
    return frozenset(name for _, name, _, _ in Formatter().parse(converted) if name)
