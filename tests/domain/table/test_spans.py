"""Rising versions as spans."""

from domain.table.spans import Span

ONE = Span(1, 1)


def test_a_version_that_follows_makes_a_span_longer() -> None:
    assert ONE.grown(2).grown(3).ranges() == ((1, 3),)


def test_a_version_after_a_gap_begins_another_span() -> None:
    assert ONE.grown(2).grown(4).grown(5).ranges() == ((1, 2), (4, 5))


def test_what_was_there_is_as_it_was() -> None:
    first = ONE.grown(2)
    assert (first.grown(3).ranges(), first.grown(9).ranges()) == (((1, 3),), ((1, 2), (9, 9)))
    assert first.ranges() == ((1, 2),)
