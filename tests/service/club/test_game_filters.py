from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from msgspec import UNSET

from schemas.catalogue import SHAPES
from schemas.strict_json import Malformed
from service.club.game_filters import (
    FilterQuery,
    TitleFilter,
    game_filter,
    read_parameters,
    read_period_bound,
    read_title,
)
from service.store.read_models.listing import Bound, GameFilter


def test_days__are_included_both_to_their_last_moment() -> None:
    which = game_filter(FilterQuery(started_from="2024-05-09", started_to="2024-05-09"))
    begin = datetime(2024, 5, 9, tzinfo=UTC)
    end = begin + timedelta(days=1)
    assert which == GameFilter(started_from=Bound(begin, begin), started_before=Bound(end, end))


def test_days__the_last_of_all_has_an_end() -> None:
    last = datetime.max.replace(tzinfo=UTC)
    assert read_period_bound("to", "9999-12-31", ends=True) == Bound(last, last)


def test_moments__are_taken_as_they_are() -> None:
    at = datetime(2024, 5, 9, 18, 37, tzinfo=UTC)
    bound = Bound(at=at, day=at + timedelta(hours=2))
    assert read_period_bound("to", "2024-05-09T20:37:00+02:00", ends=True) == bound
    assert read_period_bound("to", "2024-05-09T20:37:00 02:00", ends=True) == bound


@pytest.mark.parametrize(
    "text", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "1900-01-01T00:00:00+23:59"]
)
def test_moments__are_in_utc_within_the_calendar(text: str) -> None:
    bound = read_period_bound("from", text)
    assert isinstance(bound, Bound)
    assert bound.at.utcoffset() == bound.day.utcoffset() == timedelta(0)


@pytest.mark.parametrize("text", ["2024-02-30", "24-05-09", "2024-05-09T20:37:00", "soon", ""])
def test_moments__what_is_none_is_told(text: str) -> None:
    read = read_period_bound("from", text)
    assert isinstance(read, Malformed)
    assert read.path == "$.query.from"


def test_rulesets__are_those_there_are() -> None:
    assert read_title("rami", UNSET) == TitleFilter("rami")
    assert read_title(UNSET, UNSET) == TitleFilter()
    for unknown in ("bridge", "", "rami\0"):
        assert read_title(unknown, UNSET) == Malformed(
            path="$.query.ruleset", expected=f"one of {', '.join(SHAPES)}"
        )


def test_titles__are_ids_or_rulesets() -> None:
    one = UUID(int=7)
    assert read_title(UNSET, "rami") == TitleFilter("rami")
    assert read_title(UNSET, str(one)) == TitleFilter(None, one)
    assert read_title("scores", str(one)) == TitleFilter("scores", one)
    wrong = Malformed(path="$.query.title", expected="the id of a title or of a ruleset")
    assert read_title(UNSET, "Skyjo") == wrong


def test_words__are_told_where_another_one_was_given() -> None:
    told = Malformed(path="$.query.status", expected="one of finished, open")
    assert read_parameters({"status": "lost"}, FilterQuery) == told
    told = Malformed(path="$.query.season", expected="a UUID")
    assert read_parameters({"season": "winter"}, FilterQuery) == told
