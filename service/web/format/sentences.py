"""Entries in words, in a reader's language: on boards and pages, in files and messages."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup
from msgspec import Struct, json

from service.web.format.environments import environment, faces_environment
from service.web.format.game_macros import game_macros
from service.web.format.template_filters import to_json

# ASCII whitespace only: keep the narrow no-break spaces of French typography.
_SPACES = re.compile(r"[ \t\r\n]+")
# Readers of a board ask for the same sentences again after each entry.
_SENTENCES_MAX = 8_192


def sentence(language: str, ruleset: str, entry: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return an entry as a sentence without markup; `names` are by seat."""
    return _sentence(language, ruleset, to_json(entry), tuple(names))


def joint_outcome(entry: Mapping[str, Any], *, together: bool) -> Mapping[str, Any]:
    """Mark the end of a game that everybody wins or loses together."""
    if together and entry["type"] in {"game_ended", "finish"}:
        return {**entry, "together": True}
    if together and entry["type"] == "amend":
        return {**entry, "move": joint_outcome(entry["move"], together=True)}
    return entry


def drawn_sentence(
    language: str,
    ruleset: str,
    entry: Mapping[str, Any],
    names: Sequence[str],
    *,
    spoken_too: bool = False,
) -> Markup:
    """Return an entry as a sentence with card faces.

    `spoken_too`: with words for screen readers, unless the same words stand next to the faces.
    """
    return _drawn(language, ruleset, to_json(entry), tuple(names), spoken_too=spoken_too)


def verdict(
    language: str, ruleset: str, entry: Mapping[str, Any], names: Sequence[str], options: Struct
) -> str:
    """Return who won the deal that an entry, a `deal_ended`, ends, and why."""
    game = game_macros(environment(language), ruleset)
    return _one_line(game.verdict(entry, names, options).unescape())


@lru_cache(_SENTENCES_MAX)
def _sentence(language: str, ruleset: str, entry: str, names: tuple[str, ...]) -> str:
    return _one_line(_words(environment(language), ruleset, entry, names).unescape())


@lru_cache(_SENTENCES_MAX)
def _drawn(
    language: str, ruleset: str, entry: str, names: tuple[str, ...], *, spoken_too: bool
) -> Markup:
    env = faces_environment(language, spoken_too=spoken_too)
    return Markup(_one_line(_words(env, ruleset, entry, names)))  # noqa: S704 escaped


def _words(env: Environment, ruleset: str, entry: str, names: tuple[str, ...]) -> Markup:
    module: Any = env.get_template("entries.html").module
    words: Markup = module.say(json.decode(entry), [*names], game=game_macros(env, ruleset))
    return words


def _one_line(text: str) -> str:
    return _SPACES.sub(" ", text).strip()
