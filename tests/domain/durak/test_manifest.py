from typing import Any

import pytest
from msgspec import json, structs

from domain.durak.manifest import MANIFEST
from domain.durak.roles import holders
from domain.durak.state import AWAY, LIMBO, STOCK, TABLES, UNDER, clockwise, next_seat
from schemas.durak import DEFAULTS, SEATS, Detail, Options, complete_options


@pytest.mark.parametrize(
    ("teams", "sides"), [(True, ((0, 2), (1, 3))), (False, ()), (None, ())], ids=str
)
def test_teams__sit_opposite_where_there_are_any(
    teams: bool | None,  # noqa: FBT001 an option
    sides: tuple[tuple[int, int], ...],
) -> None:
    options = Options(rules="fr") if teams is None else Options(rules="fr", teams=teams)
    assert MANIFEST.teams is not None
    assert MANIFEST.teams(options, 4) == sides


def test_places__of_cards_are_no_two_the_same() -> None:
    named = [STOCK, UNDER, AWAY, LIMBO, TABLES]
    assert sorted({*named, *range(max(SEATS))}) == [*range(max(SEATS)), *named]


def test_won__nobody_wins_and_each_deal_counts_its_durak() -> None:
    assert not MANIFEST.has_winner
    (duraks,) = MANIFEST.standings_columns
    assert duraks.of_deal(Detail(places=((2,), (0,), (1,)), durak=1), 3) == (0, 1, 0)
    assert duraks.of_deal(Detail(places=((2,), (0, 1)), durak=None), 3) == (0, 0, 0)


def test_shapes__rules_must_be_said() -> None:
    with pytest.raises(ValueError, match="rules"):
        json.decode(b"{}", type=Options)


@pytest.mark.parametrize("rules", ["fr", "de"])
def test_shapes__the_set_of_rules_gives_every_default(rules: str) -> None:
    options = complete_options(json.decode(json.encode({"rules": rules}), type=Options), 3)
    said = structs.asdict(options)
    assert {name: said[name] for name in DEFAULTS[rules]} == DEFAULTS[rules]
    assert all(isinstance(value, str | int | bool | None) for value in said.values())


def test_shapes__four_play_in_teams_by_the_french_rules_only() -> None:
    assert complete_options(json.decode(b'{"rules":"fr"}', type=Options), 4).teams is True
    assert complete_options(json.decode(b'{"rules":"de"}', type=Options), 4).teams is False
    assert complete_options(json.decode(b'{"rules":"fr"}', type=Options), 5).teams is False


def test_shapes__options_come_back_as_they_were_written() -> None:
    options = complete_options(json.decode(b'{"rules":"de","first_bout":null}', type=Options), 4)
    assert json.decode(json.encode(options), type=Options) == options


SECOND, FOURTH, LAST = 0b000010, 0b001000, 0b100000


@pytest.mark.parametrize(
    ("first", "turn"), [(0, (1, 3, 5)), (1, (1, 3, 5)), (2, (3, 5, 1)), (5, (5, 1, 3))]
)
def test_clockwise__begins_with_a_seat_or_whoever_sits_next(
    first: int, turn: tuple[int, ...]
) -> None:
    assert clockwise(SECOND | FOURTH | LAST, first) == turn


def test_clockwise__nobody_has_no_order() -> None:
    assert clockwise(0, 3) == ()


@pytest.mark.parametrize(("seat", "found"), [(0, 1), (1, 3), (3, 5), (4, 5), (5, 1)])
def test_next_of__goes_on_past_the_last_seat(seat: int, found: int) -> None:
    assert next_seat(SECOND | FOURTH | LAST, seat) == found


def test_next_of__nobody_sits_next_to_oneself() -> None:
    assert next_seat(FOURTH, 3) is None
    assert next_seat(0, 3) is None


KNOWN = (("6S", "7S"), ("8S",), ())


def table(**shown: Any) -> dict[str, Any]:  # noqa: ANN401 parts of a view
    usual = {"bout": (), "shown": "9D", "under": 1, "gone": (), "known": KNOWN, "defender": 2}
    return {**usual, **shown}


@pytest.mark.parametrize(
    ("card", "seats"), [("6S", (0,)), ("8S", (1,)), ("9S", (2, 1))], ids=["whole", "part", "none"]
)
def test_holders__a_card_known_in_a_hand_is_there_and_others_where_a_card_is_unknown(
    card: str, seats: tuple[int, ...]
) -> None:
    assert holders(table(), (2, 3, 2), card) == seats


@pytest.mark.parametrize(
    "shown",
    [{"bout": ({"card": "9S"},)}, {"gone": ("9S",)}, {"shown": "9S"}],
    ids=["in the bout", "out of the game", "under the stock"],
)
def test_holders__of_a_card_that_lies_elsewhere_there_is_none(shown: dict[str, Any]) -> None:
    assert holders(table(**shown), (2, 3, 2), "9S") == ()


def test_holders__the_trump_that_was_drawn_is_in_a_hand() -> None:
    assert holders(table(shown="9S", under=0), (2, 3, 2), "9S") == (2, 1)
