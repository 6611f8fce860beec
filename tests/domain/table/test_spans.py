"""Rising versions as spans."""

from domain.table.history import Span

ONE = Span(1, 1)


def test_a_version_that_follows_makes_a_span_longer() -> None:
    assert ONE.extended(2).extended(3).ranges() == ((1, 3),)


def test_a_version_after_a_gap_begins_another_span() -> None:
    assert ONE.extended(2).extended(4).extended(5).ranges() == ((1, 2), (4, 5))


def test_what_was_there_is_as_it_was() -> None:
    first = ONE.extended(2)
    assert (first.extended(3).ranges(), first.extended(9).ranges()) == (((1, 3),), ((1, 2), (9, 9)))
    assert first.ranges() == ((1, 2),)
