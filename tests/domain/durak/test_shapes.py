"""What cannot be decoded at all, and which options a table plays by."""

from typing import Any

import pytest
from msgspec import json, structs

from schemas.durak import DEFAULTS, Options, settled
from tests.domain.durak.entries import (
    Entry,
    accepted,
    attack,
    deal,
    done,
    lowest,
    malformed,
    redeal,
    result,
)


@pytest.mark.parametrize("card", ["XX", "??", "1S", "TX", "7D*", "7"])
def test_shapes__what_is_no_card_that_can_be_seen_is_malformed(card: str) -> None:
    assert malformed(deal(), lowest(0), attack(0, card)) == "$.log[2].cards[0]"


@pytest.mark.parametrize(
    "entry",
    [
        redeal("suit"),
        redeal("suit", seat=0),
        redeal("no_trump", seat=0),
        redeal("no_trump", suit="H"),
        redeal("misdeal"),
        {"type": "done"},
        {"type": "done", "seat": "all"},
        {"type": "beat", "seat": 1, "card": "7D"},
        {"type": "play", "seat": 1, "card": "7D"},
        {"type": "deal_ended", "deal": 1, "points": [], "detail": {}},
        {**attack(0, "7D"), "seat": 0.5},
        {**attack(0, "7D"), "cards": "7D"},
        {**attack(0, "7D"), "waive": ["durak.nothing"]},
        {**attack(0, "7D"), "waive": ["euchre.lead"]},
        {**done(0), "why": "tired"},
        {**result([[0], [1], [2]], 2), "durak": "2"},
    ],
)
def test_shapes__an_entry_of_another_shape_is_malformed(entry: Entry) -> None:
    assert malformed(deal(), entry).startswith("$.log[1]")


@pytest.mark.parametrize(
    "options",
    [
        {"rules": None},
        {"rules": "en"},
        {"first_bout": 0},
        {"first_bout": 7},
        {"max_bout": 5},
        {"deals": 0},
        {"word": None},
        {"teams": True},
        {"passing": True},
    ],
)
def test_shapes__an_option_of_another_shape_is_malformed(options: dict[str, Any]) -> None:
    assert malformed(deal(), **options).startswith("$")


def test_shapes__rules_must_be_said() -> None:
    with pytest.raises(ValueError, match="rules"):
        json.decode(b"{}", type=Options)


@pytest.mark.parametrize("seats", [1, 7])
def test_shapes__another_number_of_players_is_malformed(seats: int) -> None:
    assert malformed(deal(dealer=0), seats=seats) == "$.seats"


@pytest.mark.parametrize("rules", ["fr", "de"])
def test_shapes__the_set_of_rules_gives_every_default(rules: str) -> None:
    options = settled(json.decode(json.encode({"rules": rules}), type=Options), 3)
    said = structs.asdict(options)
    assert {name: said[name] for name in DEFAULTS[rules]} == DEFAULTS[rules]
    assert all(isinstance(value, str | int | bool | None) for value in said.values())


def test_shapes__four_play_in_teams_by_the_french_rules_only() -> None:
    assert settled(json.decode(b'{"rules":"fr"}', type=Options), 4).teams is True
    assert settled(json.decode(b'{"rules":"de"}', type=Options), 4).teams is False
    assert settled(json.decode(b'{"rules":"fr"}', type=Options), 5).teams is False


def test_shapes__four_who_pass_on_say_that_they_play_without_teams() -> None:
    malformed(deal(), seats=4, transfer=True)
    accepted(deal(), seats=4, transfer=True, teams=False)
    accepted(deal(), seats=3, transfer=True)


def test_shapes__teams_by_the_german_rules_pass_nothing_on() -> None:
    malformed(deal(), seats=4, rules="de", teams=True)
    accepted(deal(), seats=4, rules="de", teams=True, transfer=False)


def test_shapes__options_come_back_as_they_were_written() -> None:
    options = settled(json.decode(b'{"rules":"de","first_bout":null}', type=Options), 4)
    assert json.decode(json.encode(options), type=Options) == options
