"""What a group of keys shares stands once; a key carries its card and its label."""

from typing import Any

import pytest
from markupsafe import Markup
from msgspec import json

from service.web.format.environments import environment
from tests.web.entries_read import read_entries
from tests.web.form_filler import FormsOf

DROP = {"type": "drop", "seat": 3}
DRAW = {"type": "draw", "seat": 3}


def draw(source: str, language: str = "en", **given: object) -> str:
    return environment(language).from_string(source).render(**given)


def pad(language: str = "en", **given: object) -> str:
    asked: dict[str, Any] = {"entry": DROP, "allowed": ("7H",), "away": (), "before": ()}
    source = (
        "{{ card_keys('97', joker, entry, 'card', allowed, away, turn, before, marked, saying) }}"
    )
    rest = {"joker": False, "turn": "seat", "marked": (), "saying": ""}
    return draw(source, language, **(asked | rest | given))


def read_keys(html: str) -> dict[str, list[Any] | None]:
    """Return what each key enters, as the service reads the form with that key pressed."""
    form = FormsOf(f"<form>{html}</form>").forms[0]
    fields = [(one.name, one.now[0]) for one in form.controls]
    return {one.value: read_entries([*fields, (one.name, one.value)]) for one in form.buttons}


def test_a_key_enters_the_entry_of_its_group_with_its_card() -> None:
    entered = read_keys(pad())
    assert len(entered) == 8
    assert entered["9S"] == [DROP | {"card": "9S"}]
    assert entered["7H"] == [DROP | {"card": "7H"}]


def test_an_implied_entry_is_entered_before_it() -> None:
    assert read_keys(pad(before=(DRAW,)))["7D"] == [DRAW, DROP | {"card": "7D"}]


def test_keys_of_several_groups_enter_what_is_theirs() -> None:
    ways = [
        ("7S", {"type": "beat", "seat": 1, "card": "6S", "with": "7S"}),
        ("7H", {"type": "beat", "seat": 2, "card": "6H", "with": "7H"}),
        ("9H", {"type": "attack", "seat": 0, "cards": ["9H"]}),
        ("8H", {"type": "attack", "seat": 0, "cards": ["8H"]}),
    ]
    source = (
        "{% set keys = key_groups() %}"
        "{% for code, way in ways %}{{ keys.key(code, way, 'key') }}{% endfor %}"
        "{{ keys.meaning('9H', meant, 'as <b>') }}{{ keys.fields() }}"
    )
    meant = {"type": "pass_on", "seat": 1, "cards": ["9H"]}
    html = draw(source, ways=ways, meant=meant)
    assert html.count('type="hidden"') == 4
    assert "as &lt;b&gt;" in html
    form = FormsOf(f"<form>{html}</form>").forms[0]
    assert [json.decode(form.said(one)) for one in form.buttons] == [
        *(way for _, way in ways),
        meant,
    ]


@pytest.mark.parametrize(
    ("language", "name", "dimmed"),
    [
        ("en", "the seven of hearts", "the seven of spades, against the rules"),
        ("fr", "le sept de cœur", "le sept de pique, contraire aux règles"),
        ("de", "Herz-Sieben", "Pik-Sieben, gegen die Regeln"),
    ],
)
def test_a_key_has_the_name_of_its_card(language: str, name: str, dimmed: str) -> None:
    html = pad(language)
    assert f'aria-label="{name}"' in html
    assert f'aria-label="{dimmed}' in html


def test_a_card_that_is_away_leaves_a_gap() -> None:
    html = pad(away=("7H", "XX"), joker=True)
    assert '"7H"' not in html
    assert 'value="XX"' not in html
    assert html.count('class="gap"') == 1


def test_a_rank_alone_is_allowed_with_any_suit() -> None:
    source = "{{ key_groups().pad(['7?', '8?'], entry, 'card', ['7S']) }}"
    seven, eight = draw(source, entry=DROP).split("</button>")[:2]
    assert "dim" not in seven
    assert "dim" in eight


@pytest.mark.parametrize("saying", ["Swapped & gone:", Markup("Swapped &amp; gone:")])
def test_the_action_stands_before_the_name_of_the_card(saying: str) -> None:
    assert 'aria-label="Swapped &amp; gone: the seven of hearts"' in pad(saying=saying)


def test_marked_keys_and_the_joker_have_classes() -> None:
    html = pad(joker=True, marked=("9S",), allowed=("9S", "XX"))
    assert 'value="9S" class="key marked"' in html
    assert 'value="XX" class="key wide"' in html


def test_a_quote_or_bracket_in_an_entry_stays_in_its_attribute() -> None:
    entry = {"type": "snap", "reason": 'l\'as <b> & "co"'}
    assert read_keys(pad(entry=entry))["9C"] == [entry | {"card": "9C"}]
