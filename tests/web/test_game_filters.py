from datetime import UTC, datetime
from urllib.parse import parse_qs
from zoneinfo import ZoneInfo

import pytest

from service.store.read_models.listing import Bound
from service.web.format.game_filters import Period, calendar_periods, parse_filter
from service.web.format.preferences import zone_of

PARIS = ZoneInfo("Europe/Paris")


def test_day_begins_and_ends_where_the_reader_is() -> None:
    which = parse_filter({"from": "2026-01-01", "to": "2026-07-31"}, PARIS).which
    assert which.started_from == Bound(
        at=datetime(2025, 12, 31, 23, tzinfo=UTC), day=datetime(2026, 1, 1, tzinfo=UTC)
    )
    assert which.started_before == Bound(
        at=datetime(2026, 7, 31, 22, tzinfo=UTC), day=datetime(2026, 8, 1, tzinfo=UTC)
    )


def test_moment_is_taken_as_it_is_with_a_plus_sign_that_nobody_escaped() -> None:
    which = parse_filter({"from": "2026-01-01T00:00:00 01:00"}, None).which
    assert which.started_from == Bound(
        at=datetime(2025, 12, 31, 23, tzinfo=UTC), day=datetime(2026, 1, 1, tzinfo=UTC)
    )


def test_what_is_empty_counts_as_left_out() -> None:
    filtering = parse_filter({"player": "", "ruleset": " ", "from": "", "unknown": "x"}, PARIS)
    assert filtering.wrong == ()
    assert not filtering.filters


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("player", "Ann"),
        ("ruleset", "bridge"),
        ("status", "won"),
        ("from", "31.12.2026"),
        ("from", "2026-02-30"),
        ("from", "2026-01-01T00:00:00"),
        ("cursor", "é"),
    ],
)
def test_what_cannot_be_read_is_named_and_stays_as_typed(name: str, value: str) -> None:
    filtering = parse_filter({name: value}, PARIS)
    assert filtering.wrong == (name,)
    assert filtering.typed == {name: value}


@pytest.mark.parametrize("zone", [None, *map(ZoneInfo, ("Asia/Tokyo", "America/New_York"))])
@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_the_first_and_last_day_of_the_calendar_are_bounds(day: str, zone: ZoneInfo | None) -> None:
    for name in ("from", "to"):
        assert parse_filter({name: day}, zone).wrong == ()


def test_interval_that_ends_before_it_begins_is_told() -> None:
    assert parse_filter({"from": "2026-02-02", "to": "2026-02-01"}, PARIS).wrong == ("order",)
    assert parse_filter({"from": "2026-02-02", "to": "2026-02-02"}, PARIS).wrong == ()


def test_query_keeps_the_filter_and_leaves_the_place_in_the_list() -> None:
    filtering = parse_filter({"ruleset": "rami", "cursor": "x", "from": "2026-01-01"}, PARIS)
    assert parse_qs(filtering.query()) == {"ruleset": ["rami"], "from": ["2026-01-01"]}
    assert parse_qs(filtering.query(**{"from": ""})) == {"ruleset": ["rami"]}


def test_what_is_exported_is_the_same_in_every_zone() -> None:
    asked = parse_filter({"ruleset": "rami", "to": "2026-07-31"}, PARIS)
    again = parse_filter(asked.export_parameters(), ZoneInfo("Asia/Tokyo"))
    assert again.which == asked.which


def test_year_is_that_of_the_reader() -> None:
    midnight = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)
    assert calendar_periods(midnight, PARIS)["this year"] == Period(
        begins="2027-01-01", ends="2027-12-31"
    )
    assert calendar_periods(midnight, ZoneInfo("UTC"))["last year"].ends == "2025-12-31"
    assert calendar_periods(datetime(2028, 2, 3, tzinfo=UTC), PARIS)["this month"] == Period(
        begins="2028-02-01", ends="2028-02-29"
    )


@pytest.mark.parametrize("name", ["", "Nowhere/Else", "../../etc/passwd", "Europe", "x" * 99, "\0"])
def test_zone_that_is_none_is_the_machines(name: str) -> None:
    assert zone_of(name) is None


def test_zone_is_found_by_its_name() -> None:
    assert zone_of("Europe/Paris") == PARIS
