import gc
from collections.abc import Iterator

import pytest

from service.play.workers import collector_paused


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    collects = gc.isenabled()
    yield
    gc.unfreeze()
    if collects:
        gc.enable()


def test_nothing_is_collected_until_the_work_is_done() -> None:
    gc.enable()
    with collector_paused():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_collects_again_after_work_that_failed() -> None:
    gc.enable()
    with pytest.raises(ValueError, match="so"), collector_paused():
        raise ValueError("so")
    assert gc.isenabled()


def test_whoever_finds_it_at_rest_leaves_it_so() -> None:
    gc.enable()
    with collector_paused():
        with collector_paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_what_was_made_meanwhile_is_looked_through_no_more() -> None:
    with collector_paused():
        made = [[number] for number in range(1_000)]
    assert not {id(one) for one in made} & {id(one) for one in gc.get_objects()}
