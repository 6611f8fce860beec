"""Prices found by ascent prove that demands have no routes; none are found if all have one.

Three cards lie at a place; one goes to a hand and two stay.
"""

import pytest

from domain.inference import prices as module
from domain.inference.prices import (
    PRICE_SCALE,
    Network,
    Prices,
    Resource,
    Route,
    edge_tolls,
    refuting_prices,
)
from domain.inference.routes import Routes

ONE, TWO, THREE = 1, 2, 4


def deal_cards(cards: dict[int, int]) -> Network:
    """Return a network of three cards dealt to two nodes; `cards`: the demands by node.

    Each demand alone has a route.
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
    network = deal_cards(cards)
    prices = refuting_prices(network, {}, {})
    assert (prices is None) == can
    if prices is not None:
        carried = sum(price * network.room(one) for one, price in prices.items())
        assert costs(network, prices) > carried


def costs(network: Network, prices: Prices) -> int:
    tolls = edge_tolls(prices)
    return sum(network.cost(one, prices, tolls) for one in network.demands)


class Asked(dict[Resource, int]):
    count = 0

    def get(self, one: Resource, default: int = 0) -> int:  # type: ignore[override] # enough
        self.count += 1
        return super().get(one, default)


@pytest.mark.parametrize("toll", [0, 1])
def test_prices__where_a_route_was_found_what_costs_as_much_so_far_is_not_asked(toll: int) -> None:
    network = Routes()
    supplies = [network.node(faces=ONE) for _ in range(5)]
    wanted = Route(network.node([(supply, 1) for supply in supplies]), ONE)
    prices = Asked()
    assert network.cost(wanted, prices, dict.fromkeys(range(5), toll)) == toll
    assert prices.count == 1


@pytest.mark.parametrize(("far", "found"), [(4 * PRICE_SCALE, True), (4 * PRICE_SCALE - 1, False)])
def test_prices__an_ascent_that_lacks_more_than_that_is_given_up(
    far: int, *, found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = deal_cards({ONE: 2, TWO: 2, THREE: 2})
    monkeypatch.setattr(module, "LACKING_MAX", far)
    assert (refuting_prices(network, {(0,): 7, (1,): 3}, {}) is not None) == found
