import pytest

from domain.table.history import Versions

FIRSTS = (1, 2, 5, 6, 9, *range(20, 400, 3))


def extended(firsts: tuple[int, ...]) -> Versions[int]:
    found = Versions(firsts[0], firsts[0])
    for first in firsts[1:]:
        found = found.extended(first, first)
    return found


def test_at_every_version_is_found_what_held_then() -> None:
    top = extended(FIRSTS)
    for version in range(1, 500):
        assert top.until(version).value == max(first for first in FIRSTS if first <= version)


def test_nothing_held_before_the_first() -> None:
    with pytest.raises(ValueError, match="version 3"):
        extended((4, 7)).until(3)


def test_two_go_on_from_the_same_state_and_leave_it_as_it_was() -> None:
    shared = extended(FIRSTS).until(9)
    one, other = shared.extended(10, 100), shared.extended(12, 200)
    assert (one.until(11).value, other.until(11).value, shared.until(11).value) == (100, 9, 9)
    assert (one.until(6).value, other.until(6).value) == (6, 6)


def test_the_way_back_is_short_however_long_the_stack() -> None:
    top = extended(tuple(range(1, 20_001)))
    for version in (1, 2, 777, 10_000, 19_999):
        found, steps = top, 0
        while found.first > version:
            assert found.before is not None
            assert found.jump is not None
            found = found.jump if found.jump.first >= version else found.before
            steps += 1
        assert (found.value, steps < 60) == (version, True)


def test_another_value_of_the_last_version_keeps_the_way_back() -> None:
    found = Versions(1, "a").extended(4, "b").replaced("c")
    assert (found.until(3).value, found.until(9).value) == ("a", "c")
