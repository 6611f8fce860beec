from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.inference.evidence import Evidence, Narrowed, Seen, Summed
from domain.inference.knowledge import Knowledge, knowledge_before_deal
from domain.inference.sum_constraints import solve_totals
from domain.inference.worlds import World
from domain.table.cards import Pack, bit_numbers
from tests.domain.inference import enumeration
from tests.domain.inference.enumeration import Deal
from tests.domain.inference.test_flow import ASIDE, EQUAL, HANDS, KINDS, PILE, STOCK, UNLIKE, pieces

VALUES: tuple[int, ...] = (1, 1, 3, 3, 7, 7)
PAIRS: tuple[int, ...] = (1, 1, 3, 3, 7, 7, 8, 8)  # of the first of `EQUAL`
AWAY = 9
ROWS = ((HANDS[0],), (HANDS[1], ASIDE[0]), (ASIDE[1], ASIDE[2], PILE))


@st.composite
def rows(draw: st.DrawFn, pack: Pack, true: Deal, *, stay: bool) -> list[Evidence]:
    held = [at for at in (*HANDS, *ASIDE) if at in true]
    chosen = draw(st.lists(st.sampled_from(held), min_size=1, max_size=4)) if held else []
    found: list[Evidence] = []
    for version, place in enumerate(chosen, 80):
        there = [card for card, at in enumerate(true) if at == place]
        card = draw(st.sampled_from(there * 4 + list(range(len(pack)))))
        if len(there) == 1 and len(pack.copies) == len(pack) and draw(st.booleans()):
            other = draw(st.integers(0, len(pack) - 1))
            found.append(Narrowed(place, 1 << card | 1 << other, version))
        else:
            target = place if stay else draw(st.sampled_from([place, place, AWAY]))
            found.append(Seen(place, pack.copies[pack.codes[card]], target, version))
    return found


@st.composite
def totals(draw: st.DrawFn, values: Sequence[int], true: Deal) -> list[Evidence]:
    found: list[Evidence] = []
    for version, row in enumerate(draw(st.lists(st.sampled_from(ROWS), max_size=2)), 90):
        worth = sum(value for value, at in zip(values, true, strict=True) if at in row)
        wrong = draw(st.sampled_from([0, 0, 0, 2]))
        found.append(Summed(row, tuple(values), worth + wrong, version))
    return found


def lying(pack: Pack, world: World) -> tuple[tuple[str, int], ...]:
    at = {card: pool.place for pool in world.pools for card in bit_numbers(pool.assignment)}
    at |= {card: place for place, cards in world.known.items() for card in bit_numbers(cards)}
    return tuple(sorted((pack.codes[card], place) for card, place in at.items()))


def described(pack: Pack, deals: set[Deal]) -> set[tuple[tuple[str, int], ...]]:
    return {tuple(sorted(zip(pack.codes, deal, strict=True))) for deal in deals}


@pytest.mark.parametrize("kinds", KINDS)
@given(data=st.data())
def test_learn_all__is_none_exactly_where_no_deal_fits(kinds: str, data: st.DataObject) -> None:
    pack, values = EQUAL[0], PAIRS
    if kinds != "moved":
        pack, values = data.draw(st.sampled_from(UNLIKE)), VALUES
    story = data.draw(pieces(pack, KINDS[kinds]))
    deals = enumeration.every_deal(len(pack), STOCK)
    for piece in story:
        deals = enumeration.after(deals, piece)
    true = data.draw(st.sampled_from(sorted(deals)))
    promised = data.draw(totals(values, true))
    known = knowledge_before_deal(pack, STOCK).learn_all([*story, *promised])
    for piece in promised:
        deals = enumeration.after(deals, piece)
    assert (known is not None) == bool(deals)
    counted = data.draw(totals(values, true))
    stay = bool(promised or counted)  # counted cards do not move any more
    row = [*data.draw(rows(pack, true, stay=stay)), *counted]
    if known is not None:
        holds(known, row, pack, deals)


def holds(known: Knowledge, row: Sequence[Evidence], pack: Pack, deals: set[Deal]) -> None:
    learnt = known.learn_all(row)
    assert (learnt is not None) == bool(enumeration.after_all(deals, row))
    if learnt is None:
        return
    world = learnt.world
    assert solve_totals(world) == world
    if not world.totals:
        assert lying(pack, world) in described(pack, enumeration.after_all(deals, row))
