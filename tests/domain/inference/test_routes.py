from domain.inference.routes import Routes

ONE, TWO, THREE = 1, 2, 4


def test_routes__the_card_of_a_pass_that_another_took_costs_more_than_a_free_one() -> None:
    routes = Routes()
    stock = routes.node(faces=ONE | TWO | THREE)
    slot = routes.node([(stock, 1)])
    assert routes.pass_through(slot, ONE | TWO)
    passed = len(routes.into) - 1
    first, second = [routes.node([(stock, 1), (passed, 1)]) for _ in range(2)]
    assert routes.pass_through(first, ONE | TWO | THREE)
    assert routes.pass_through(second, ONE | TWO | THREE)
    assert [route.supply for route in routes.demands] == [stock, passed, stock]
