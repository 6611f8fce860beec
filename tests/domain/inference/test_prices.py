"""Prices: those found by ascent prove that demands have no routes, and none are found where all do.

Three cards lie at a place, one goes to a hand and two stay: of three demands none may ask for more.
"""

import pytest

from domain.inference.prices import Network, Prices, Route, refuting, tolls_of
from domain.inference.routes import Routes

ONE, TWO, THREE = 1, 2, 4


def dealt(cards: dict[int, int]) -> Network:
    """Return three cards dealt to two nodes, one and two; `cards` names who shows them, and where.

    Each has a route as if it were alone.
    """
    network = Routes()
    stock = network.node(faces=ONE | TWO | THREE)
    for number in (1, 2):
        network.node([(stock, number)])
    network.demands = [
        network.cheapest_at(Route(node, card), {}, {})[0] for card, node in cards.items()
    ]
    return network


@pytest.mark.parametrize(
    ("cards", "can"),
    [
        ({ONE: 1, TWO: 2, THREE: 2}, True),
        ({ONE: 1, TWO: 1}, False),
        ({ONE: 2, TWO: 2, THREE: 2}, False),
    ],
)
def test_prices__are_found_exactly_where_not_all_have_routes(
    cards: dict[int, int], *, can: bool
) -> None:
    network = dealt(cards)
    prices = refuting(network, {}, {})
    assert (prices is None) == can
    if prices is not None:
        carried = sum(price * network.room(one) for one, price in prices.items())
        assert costs(network, prices) > carried


def costs(network: Network, prices: Prices) -> int:
    tolls = tolls_of(prices)
    return sum(network.cost(one, prices, tolls) for one in network.demands)
