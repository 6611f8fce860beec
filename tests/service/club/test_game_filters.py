"""What the parameters of an address ask for."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec import UNSET

from schemas.catalogue import SHAPES
from schemas.malformed import Malformed
from service.club.game_filters import (
    FilterQuery,
    game_filter,
    read_moment,
    read_parameters,
    read_ruleset,
)
from service.store.read_models.listing import GameFilter


def test_days__are_included_both_to_their_last_moment() -> None:
    which = game_filter(FilterQuery(started_from="2024-05-09", started_to="2024-05-09"))
    begin = datetime(2024, 5, 9, tzinfo=UTC)
    assert which == GameFilter(started_from=begin, started_before=begin + timedelta(days=1))


def test_days__the_last_of_all_has_an_end() -> None:
    assert read_moment("to", "9999-12-31", ends=True) == datetime.max.replace(tzinfo=UTC)


def test_moments__are_taken_as_they_are() -> None:
    at = datetime(2024, 5, 9, 18, 37, tzinfo=UTC)
    assert read_moment("to", "2024-05-09T20:37:00+02:00", ends=True) == at
    assert read_moment("to", "2024-05-09T20:37:00 02:00", ends=True) == at


@pytest.mark.parametrize("text", ["2024-02-30", "24-05-09", "2024-05-09T20:37:00", "soon", ""])
def test_moments__what_is_none_is_told(text: str) -> None:
    read = read_moment("from", text)
    assert isinstance(read, Malformed)
    assert read.path == "$.query.from"


def test_rulesets__are_those_there_are() -> None:
    assert read_ruleset("rami") == "rami"
    assert read_ruleset(UNSET) is None
    for unknown in ("bridge", "", "rami\0"):
        assert read_ruleset(unknown) == Malformed(
            path="$.query.ruleset", expected=f"one of {', '.join(SHAPES)}"
        )


def test_words__are_told_where_another_one_was_given() -> None:
    told = Malformed(path="$.query.status", expected="one of finished, open")
    assert read_parameters({"status": "lost"}, FilterQuery) == told
    told = Malformed(path="$.query.season", expected="a UUID")
    assert read_parameters({"season": "winter"}, FilterQuery) == told
