import re

import pytest
from jinja2 import DictLoader, Environment

from domain.games import GAMES
from schemas.catalogue import SHAPES
from service.language.sentence import LANGUAGES
from service.web.format import game_macros as contract
from service.web.format.environments import PAGES, TEMPLATES, environment
from service.web.format.game_macros import OPTIONAL, REQUIRED, game_macros

WHOLE = "".join(
    f"{{% macro {name}({', '.join(arguments)}) %}}{{% endmacro %}}"
    for name, arguments in REQUIRED.items()
)


def template(text: str) -> Environment:
    return Environment(autoescape=True, loader=DictLoader({"games/scores.html": text}))


@pytest.mark.parametrize("game", SHAPES)
def test_every_game_brings_what_the_contract_asks(game: str) -> None:
    for language in LANGUAGES:
        assert game_macros(environment(language), game) is not None


@pytest.mark.parametrize("game", SHAPES)
def test_places_that_one_game_alone_has_are_said_by_its_template(game: str) -> None:
    said = game_macros(environment("en"), game).location
    assert (said is not None) == bool(GAMES[game].locations)


@pytest.mark.parametrize("name", REQUIRED)
def test_a_missing_macro_is_told_with_its_file(name: str) -> None:
    with pytest.raises(LookupError, match=rf"service/web/games/scores\.html must .* {name}\("):
        game_macros(template(WHOLE.replace(f"macro {name}(", f"macro {name}_(")), "scores")


def test_other_arguments_are_told_too() -> None:
    lacking = WHOLE + "{% macro mark(row) %}{% endmacro %}"
    with pytest.raises(LookupError, match=r"mark\(row, seat\)"):
        game_macros(template(lacking), "scores")


FETCHED = re.compile(r"\bgame(?:\([^()]*\))?\.(\w+)")


def test_what_a_game_defines_beside_the_contract_is_brought_to_no_page() -> None:
    brought = game_macros(template(WHOLE + "{% macro turnson() %}{% endmacro %}"), "scores")
    assert {*vars(brought)} == {*REQUIRED, *OPTIONAL, "manifest", "unfolded"}
    assert brought.part is None


@pytest.mark.parametrize(
    "wrong",
    [
        "{% macro turns_on(rule) %}{% endmacro %}{% macro was_another(said) %}{% endmacro %}",
        "{% macro turns_on(rule, facts) %}{% endmacro %}",
    ],
)
def test_what_a_refusal_turns_on_is_held_to_the_contract(wrong: str) -> None:
    with pytest.raises(LookupError, match="turns_on"):
        game_macros(template(WHOLE + wrong), "scores")


def test_what_pages_call_of_a_game_is_in_the_contract_and_told_in_its_words() -> None:
    pages = [path.read_text("utf-8") for room in TEMPLATES for path in room.glob("*.html")]
    called = {name for page in pages for name in re.findall(r"\bgame\.(\w+)\(", page)}
    code = "".join(path.read_text("utf-8") for path in PAGES.rglob("*.py"))
    fetched = {*FETCHED.findall(code)} & {*OPTIONAL}
    asked = {name for page in pages for name in re.findall(r"\bgame\.(\w+)\b", page)}
    assert called <= {*REQUIRED, *OPTIONAL}
    assert {*REQUIRED, *OPTIONAL} <= called | fetched | asked
    said = contract.__doc__ or ""
    for name, arguments in (REQUIRED | OPTIONAL).items():
        assert f"`{name}({', '.join(arguments)})`" in said


def test_games_templates_lie_where_they_are_looked_for() -> None:
    assert {path.stem for path in (PAGES / "games").glob("*.html")} >= set(SHAPES)
