"""A token bucket a key."""

from service.access.throttle import Rate, Throttle


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_is_let_through_and_what_follows_waits() -> None:
    throttle = Throttle(Rate(burst=3, per_second=0.25), Clock())
    assert [throttle.take("a") for _ in range(5)] == [0, 0, 0, 4, 4]


def test_a_bucket_fills_as_time_goes_and_not_beyond_its_burst() -> None:
    clock = Clock()
    throttle = Throttle(Rate(burst=2, per_second=1), clock)
    for _ in range(2):
        throttle.take("a")
    clock.now = 100
    assert [throttle.take("a") for _ in range(3)] == [0, 0, 1]


def test_one_key_does_not_empty_anothers_bucket() -> None:
    throttle = Throttle(Rate(burst=1, per_second=1), Clock())
    assert [throttle.take(key) for key in ("a", "b", "a")] == [0, 0, 1]


def test_looking_takes_nothing() -> None:
    throttle = Throttle(Rate(burst=1, per_second=1), Clock())
    assert [throttle.wait_seconds("a") for _ in range(3)] == [0, 0, 0]


def test_more_keys_than_are_kept_forget_the_oldest() -> None:
    throttle = Throttle(Rate(burst=1, per_second=1), Clock())
    for key in range(10_001):
        throttle.take(key)
    assert [throttle.take(key) for key in (0, 10_000)] == [0, 1]
