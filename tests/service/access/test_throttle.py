import asyncio

import pytest

from service.access.throttle import FailedLoginRates, FailedLogins, Rate, Throttle, client_network
from service.errors import TooManyRequests


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


RATES = FailedLoginRates(address=Rate(burst=2, per_second=1), overall=Rate(burst=5, per_second=1))


def failed_logins() -> FailedLogins:
    return FailedLogins(RATES, lambda: 0.0)


def refused(counted: FailedLogins, client: str) -> bool:
    try:
        counted.count(client)
    except TooManyRequests:
        return True
    return False


def test_wrong_secrets_are_counted_by_address() -> None:
    counted = failed_logins()
    assert [refused(counted, one) for one in "aaab"] == [False, False, True, False]


def test_wrong_secrets_from_ever_other_addresses_are_counted_overall() -> None:
    counted = failed_logins()
    assert [refused(counted, str(one)) for one in range(7)] == 5 * [False] + 2 * [True]


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8::7", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("somebody", "somebody"),
    ],
)
def test_a_network_of_ipv6_is_one_guesser(host: str, network: str) -> None:
    assert client_network(host) == network


async def test_secrets_from_where_somebody_guesses_are_looked_at_two_at_a_time() -> None:
    counted = failed_logins()
    looking: list[int] = []

    async def look(client: str, most: list[int]) -> None:
        async with counted.checking(client):
            looking.append(1)
            most.append(len(looking))
            await asyncio.sleep(0)
            looking.pop()

    before: list[int] = []
    await asyncio.gather(*(look("a", before) for _ in range(9)))
    for _ in range(2):
        counted.count("a")
    since: list[int] = []
    await asyncio.gather(*(look("a", since) for _ in range(9)))
    assert (max(before), max(since), len(since)) == (9, 2, 9)
