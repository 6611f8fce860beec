"""The words of a key name the entry that the key records."""

from typing import Any

import pytest
from msgspec import json

from domain.replay import opening
from domain.table.rules import Game
from schemas import dutch, rami
from service.web.format.environments import environment
from tests.domain.listed import played
from tests.domain.rami.entries import gone_out
from tests.generic.games import every_game, walks
from tests.generic.test_forms import form, seen
from tests.web.recorder_page import offline_pad
from tests.web.tags import TagReader


class Words(TagReader):
    """The words of buttons that enter something, of links and of a switch's modes.

    `keys`: the entry of each button; `links`: the address of each; `modes`: the value of each.
    """

    def __init__(self, html: str) -> None:
        self.keys: dict[str, Any] = {}
        self.links: dict[str, str] = {}
        self.modes: dict[str, str] = {}
        self._value: str | None = None
        self._words = ""
        self._called = False  # by a name for screen readers
        self.feed(html)

    def handle_starttag(self, tag: str, given: dict[str, str]) -> None:
        """Begin a button, a link, or a label that may hold a mode."""
        if tag in {"a", "button", "label"}:
            self._value, self._words = None, given.get("aria-label", "")
            self._called = "aria-label" in given
        if tag == "a":
            self._value = given.get("href")
        if given.get("name") in {"entry", "mode"}:
            self._value = given.get("value")

    def handle_data(self, data: str) -> None:
        """Collect words."""
        self._words += "" if self._called else data

    def handle_endtag(self, tag: str) -> None:
        words = " ".join(self._words.split())
        if self._value is not None and tag == "button":
            self.keys[words] = json.decode(self._value)
        elif self._value is not None and tag in {"a", "label"}:
            (self.links if tag == "a" else self.modes)[words] = self._value


# The keys of the pads that are shown while no answer comes, beside those of cards and suits.
OFFLINE: dict[str, dict[str, dict[str, Any]]] = {
    "durak": {
        "takes": {"type": "take"},
        "done": {"type": "done"},
        "all done": {"type": "done", "seat": None},
    },
    "dutch": {
        "Draws": {"type": "draw"},
        "Takes up": {"type": "take"},
        "P0 Dutch!": {"type": "dutch", "seat": 0},
        "P1 Dutch!": {"type": "dutch", "seat": 1},
        "P0 Contre Dutch!": {"type": "counter", "seat": 0},
        "P1 Contre Dutch!": {"type": "counter", "seat": 1},
    },
    "euchre": {
        "Orders": {"type": "order"},
        "Accepts": {"type": "accept", "discard": "??"},
        "Takes it": {"type": "exchange", "take": True, "discard": "??"},
        "Leaves it": {"type": "exchange", "take": False},
        "Names clubs": {"type": "name", "suit": "C"},
        "Names diamonds": {"type": "name", "suit": "D"},
        "Names hearts": {"type": "name", "suit": "H"},
        "Names spades": {"type": "name", "suit": "S"},
        "Passes": {"type": "pass"},
    },
    "rami": {
        "Draws": {"type": "draw"},
        "Takes up": {"type": "take"},
    },
    "scores": {},
}


@every_game
def test_offline_keys_enter_what_they_say(ruleset: str) -> None:
    pad = offline_pad(*seen(walks(ruleset)[0].history.at(1)))
    keys = Words(pad).keys
    assert {words: keys.get(words) for words in OFFLINE[ruleset]} == OFFLINE[ruleset]


CALLED: list[dict[str, Any]] = [
    {"type": "deal", "dealer": 1, "up": "9C"},
    {"type": "dutch", "seat": 0},
    {"type": "draw", "seat": 1},
    {"type": "drop", "seat": 1, "card": "8S"},
]


@pytest.mark.parametrize(
    ("counting", "modes"),
    [
        (
            played(opening("rami", rami.Options(), 2), gone_out()),
            {"Points": "points", "Cards": "hand"},
        ),
        (
            played(opening("dutch", dutch.Options(), 2), CALLED),
            {"Points": "points", "Cards": "cards"},
        ),
    ],
    ids=["rami", "dutch"],
)
def test_a_hand_is_counted_by_what_the_switch_says(counting: Game, modes: dict[str, str]) -> None:
    assert Words(form(counting, "cards")).modes == modes


def test_ways_to_correct_a_turn_name_the_part_that_began_it() -> None:
    turn = {"version": 5, "part": 1}
    source = "{% import 'ways.html' as w %}{{ w.ways(7, 5, 2, 'said', false, turn=turn) }}"
    page = Words(environment("en").from_string(source).render(turn=turn))
    assert page.links == {
        "Correct: said": "/games/7/correct/5?part=2",
        "Something was forgotten before this turn": "/games/7/correct/5?before=1&part=1",
        "Something was forgotten in this turn": "/games/7/correct/5?part=2&before=1",
    }
    gone = {"version": 5, "part": 1, "type": "splice", "drop": 2, "moves": []}
    assert page.keys == {"It never happened: said": gone}
