from domain.inference.prices import Effort
from domain.inference.routes import Routes
from domain.table.cards import bit_numbers
from tests.domain.inference.networks import PAIR, Asked, Crowd, told

SEEDS = range(80)
# Nodes visited in all, and answers that stayed unknown.
VISITED, UNKNOWN = 22_000, 21
CROWDS, LATE = (42, 48, 50), (42, 50)
CROWDED, CROWDED_UNKNOWN = 920_000, 12


def test_routes__are_found_exactly_where_there_are_some_and_none_takes_too_much() -> None:
    unknown = visited = 0
    for seed in SEEDS:
        before: list[Asked] = []
        routes = Routes()
        for twin, asked, allowed in told(seed):
            can = twin.fit([*before, asked])
            assert allowed is can or (allowed is None and not can), (seed, asked)
            assert twin.keeps_routes(), (seed, asked)
            before = twin.asked[:]
            unknown += allowed is None
            routes = twin.routes
        visited += routes.effort.visited
    assert visited <= VISITED
    assert unknown <= UNKNOWN


def test_routes__a_sweep_reaches_a_node_from_where_a_path_leads_to_it() -> None:
    for seed in SEEDS:
        twin = next(twin for twin, _, _ in reversed(list(told(seed))))
        routes = twin.routes
        begin = {node: 1 << node for node in range(twin.nodes)}
        every = routes.sweep(begin, free_only=False)
        free = routes.sweep(begin, free_only=True)
        for node in range(twin.nodes):
            back = list(twin.paths(node))
            assert {*bit_numbers(every[node])} == {at for at, _ in back}
            assert {*bit_numbers(free[node])} == {
                at for at, path in back if all(routes.free[edge] > 0 for edge in path)
            }


def test_routes__what_is_asked_of_a_copy_changes_nothing_and_what_is_put_back_is_free() -> None:
    for seed in SEEDS:
        for twin, asked, _ in told(seed):
            routes = twin.routes
            before = (routes.free[:], routes.used.copy(), routes.demands[:], routes.into[:])
            copy = routes.copy()
            allowed = copy.demand(asked.node, PAIR)
            copy.node([(0, 1)], PAIR)
            assert (routes.free, routes.used, routes.demands, routes.into) == before
            if routes.demand(asked.node, PAIR):
                assert allowed
                assert routes.undo_demand() == asked.node
                assert len(routes.demands) == len(before[2])
                assert twin.keeps_routes()


def test_routes__of_many_cards_are_found_or_refuted_with_no_more_effort_than_ever() -> None:
    visited = unknown = 0
    for seed in CROWDS:
        crowd = Crowd(seed)
        routes = crowd.routes
        for node, card in crowd.asked():
            allowed = routes.demand(node, card)
            unknown += allowed is None
            if allowed:
                crowd.took()
        for place, rest in crowd.rest.items():
            for bit in range(crowd.CARDS if rest else 0):
                allowed = routes.demand(crowd.at[place], 1 << bit)
                unknown += allowed is None
                if allowed:
                    routes.undo_demand()
        visited += routes.effort.visited
    assert visited <= CROWDED
    assert unknown <= CROWDED_UNKNOWN


def test_routes__what_refuted_a_demand_late_is_tried_at_once_where_it_is_suggested() -> None:
    for seed in LATE:
        crowd = Crowd(seed)
        routes, late = crowd.routes, 0
        for node, card in crowd.asked():
            copy = routes.copy()
            copy.effort = Effort()
            routes.clear_proofs()
            before = routes.effort.visited
            allowed = routes.demand(node, card)
            spent = routes.effort.visited - before
            if allowed:
                crowd.took()
            elif allowed is False and spent > 3_000:
                late += 1
                copy.suggest({**routes.proof, (len(routes.tail),): 1, (len(routes.into), card): 1})
                assert copy.demand(node, card) is False
                assert copy.effort.visited < spent // 2
        assert late
