from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.inference import sum_constraints
from domain.inference.worlds import TokenPool, Total, World
from domain.table.cards import Cards, bit_numbers

FACES_MAX, WORTH_MAX, POOLS_MAX = 7, 4, 4
# Totals may count the same cards differently.
VECTORS_MAX = 2
KNOWN_WORTH = (1,) * POOLS_MAX


def deals(pools: tuple[TokenPool, ...], unseen: Cards) -> Iterator[tuple[int, ...]]:
    left = [pool.assignment.bit_count() for pool in pools]
    faces = list(bit_numbers(unseen))

    def dealt(so_far: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(so_far) == len(faces):
            yield so_far
            return
        for at, pool in enumerate(pools):
            if left[at] and pool.candidates >> faces[len(so_far)] & 1:
                left[at] -= 1
                yield from dealt((*so_far, at))
                left[at] += 1

    yield from dealt(())


def makes(world: World, deal: tuple[int, ...]) -> bool:
    held = {place: list(bit_numbers(cards)) for place, cards in world.known.items()}
    for card, pool in zip(bit_numbers(world.unseen), deal, strict=True):
        held[world.pools[pool].place].append(card)
    return all(
        total.worth == sum(total.values[card] for place in total.places for card in held[place])
        for total in world.totals
    )


def kept_deal(world: World) -> tuple[int, ...]:
    return tuple(
        next(at for at, pool in enumerate(world.pools) if pool.assignment >> card & 1)
        for card in bit_numbers(world.unseen)
    )


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Draw pools of few faces with an assignment that fits them, and totals that some deal makes.

    One total in some is off by one, so that about as many can be made as not.
    """
    count = draw(st.integers(2, FACES_MAX))
    where = draw(st.lists(st.integers(0, POOLS_MAX - 1), min_size=count, max_size=count))
    assignments = [
        sum(1 << face for face, pool in enumerate(where) if pool == at) for at in range(POOLS_MAX)
    ]
    unseen = (1 << count) - 1
    pools = tuple(
        TokenPool(at, assignment | draw(st.integers(0, unseen)), assignment)
        for at, assignment in enumerate(assignments)
        if assignment
    )
    # Beside the unseen faces, one that is known at each place.
    known = {at: 1 << count + at for at in range(POOLS_MAX)}
    vectors = [
        (*draw(st.lists(st.integers(0, WORTH_MAX), min_size=count, max_size=count)), *KNOWN_WORTH)
        for _ in range(draw(st.integers(1, VECTORS_MAX)))
    ]
    wanted = draw(st.sampled_from(list(deals(pools, unseen))))
    totals: list[Total] = []
    for some in draw(
        st.lists(st.frozensets(st.integers(0, POOLS_MAX - 1), min_size=1), max_size=3)
    ):
        values = draw(st.sampled_from(vectors))
        worth = len(some) + sum(
            values[face] for face, pool in enumerate(wanted) if pools[pool].place in some
        )
        totals.append(Total(some, values, worth + draw(st.sampled_from((0, 0, 0, 1)))))
    return World(pools, known, unseen, tuple(totals))


@given(worlds())
def test_totals_can_be_made_exactly_when_some_deal_makes_them(world: World) -> None:
    made = any(makes(world, deal) for deal in deals(world.pools, world.unseen))
    solve_totals = sum_constraints.solve_totals(world)
    assert (solve_totals is not None) == made
    if solve_totals is not None:
        assert kept_deal(solve_totals) in deals(world.pools, world.unseen)
        assert makes(solve_totals, kept_deal(solve_totals))


@pytest.mark.parametrize("worths", [(128, 60, 128), (27, 100, 27)], ids=["most", "least"])
@pytest.mark.parametrize("first", range(3))
def test_totals_that_take_the_same_cards_together_are_refuted_without_a_search(
    worths: tuple[int, ...], first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    values, everything = tuple(range(1, 31)), (1 << 30) - 1
    pools = tuple(TokenPool(at, everything, 0b11111 << 5 * at) for at in range(6))
    totals = tuple(
        Total(frozenset({at}), values, worth)
        for at, worth in enumerate((*worths[first:], *worths[:first]))
    )
    filled = 0
    search = vars(sum_constraints)["_Search"]
    made = search.solve

    def counted(*args: object) -> bool:
        nonlocal filled
        filled += 1
        return bool(made(*args))

    monkeypatch.setattr(search, "solve", counted)
    assert not sum_constraints.solve_totals(World(pools, {}, everything, totals))
    assert filled == 1  # nothing yet
