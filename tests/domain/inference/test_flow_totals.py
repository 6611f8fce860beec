"""Totals of cards that passed unseen: a world is found that makes them, or there is none.

Held against the enumeration of every deal of a small pack.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.inference import flow_totals
from domain.inference.evidence import Evidence, Narrowed, Seen, Shuffled, Summed, Unseen
from domain.inference.flow import Flow
from domain.inference.flow_totals import solve_in_flow
from domain.inference.knowledge import Knowledge, knowledge_before_deal
from domain.inference.worlds import Total
from tests.domain.inference import enumeration
from tests.domain.inference.test_flow import (
    ASIDE,
    EQUAL,
    HANDS,
    KINDS,
    PILE,
    STOCK,
    UNLIKE,
    pieces,
)

VALUES: tuple[int, ...] = (1, 1, 3, 3, 7, 7)
PAIRS: tuple[int, ...] = (1, 1, 3, 3, 7, 7, 8, 8)  # of the first of `EQUAL`
ROWS = ((HANDS[0],), (HANDS[1], ASIDE[0]), (ASIDE[1], ASIDE[2], PILE))


def describe(values: tuple[int, ...], rows: list[int], worths: list[int]) -> list[Summed]:
    return [
        Summed(ROWS[row], values, worth, 90 + number)
        for number, (row, worth) in enumerate(zip(rows, worths, strict=True))
    ]


@pytest.mark.parametrize("rounds", [flow_totals.ROUNDS, ()], ids=["rounds", "narrowed at once"])
@pytest.mark.parametrize("kinds", KINDS)
@given(data=st.data())
def test_flow_totals__are_made_exactly_where_some_deal_makes_them(
    kinds: str, rounds: tuple[int, ...], data: st.DataObject
) -> None:
    pack, values = EQUAL[0], PAIRS
    if kinds == "narrowed":
        pack, values = data.draw(st.sampled_from(UNLIKE)), VALUES
    flow = Flow(pack.everything, STOCK)
    known: Knowledge | None = knowledge_before_deal(pack, STOCK)
    deals = enumeration.every_deal(len(pack), STOCK)
    for piece in data.draw(pieces(pack, KINDS[kinds])):
        assert known is not None
        known, deals = known.learn(piece), enumeration.after(deals, piece)
        if not flow.add_piece(piece):
            return
    rows = data.draw(st.lists(st.sampled_from(range(len(ROWS))), max_size=4))
    worths = data.draw(st.lists(st.integers(0, 15), min_size=len(rows), max_size=len(rows)))
    totals = describe(values, rows, worths)
    for one in totals:
        deals = enumeration.after(deals, one)
    assert known is not None
    promised = tuple(Total(frozenset(one.places), one.values, one.worth) for one in totals)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flow_totals, "ROUNDS", rounds)
        made = solve_in_flow(flow, known.world._replace(totals=promised))
    assert (made.world is not None, made.refuted) == (bool(deals), not deals)


def test_flow_totals__of_equal_cards_one_was_seen_elsewhere_and_the_other_counts() -> None:
    pack = EQUAL[0]  # AS AS KS KS QS QS JS JS
    story: list[Evidence] = [
        Seen(STOCK, pack.copies["AS"], 1, 1),
        Unseen(STOCK, 2, 2, 2),
        Unseen(STOCK, 4, 1, 3),
        Shuffled(1, 1, 4),  # a hand has that ace, unknown which one
        Seen(2, pack.copies["AS"], PILE, 5),
    ]
    known = knowledge_before_deal(pack, STOCK).learn_all(story)
    flow = Flow(pack.everything, STOCK)
    assert known is not None
    assert all(map(flow.add_piece, story))
    assert flow.reachable_bound().get(1, 0) & pack.copies["AS"]
    ace = known.world._replace(totals=(Total(frozenset([1]), PAIRS, 1),))
    assert not solve_in_flow(flow, ace).refuted


@pytest.mark.parametrize("most", [2, 1, 0])
def test_flow_totals__two_rows_that_need_one_king_have_no_deal_unless_too_many_cards_count(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flow_totals, "TOKENS_MAX", most)
    pack = UNLIKE[1]  # AS AH KS KH QS QH
    kings = pack.copies["KS"] | pack.copies["KH"]
    story: list[Evidence] = [
        Unseen(STOCK, 1, 1, 1),
        Narrowed(1, kings, 2),
        Unseen(STOCK, 2, 1, 3),
        Unseen(STOCK, 4, 1, 4),
    ]
    flow = Flow(pack.everything, STOCK)
    assert all(map(flow.add_piece, story))
    known = knowledge_before_deal(pack, STOCK).learn_all(story)
    assert known is not None
    both = tuple(Total(frozenset([place]), VALUES, 3) for place in (2, 4))
    one = (Total(frozenset([2]), VALUES, 3),)
    assert solve_in_flow(flow.copy(), known.world._replace(totals=one)).world is not None
    made = solve_in_flow(flow, known.world._replace(totals=both))
    assert (made.world, made.refuted) == (None, most >= 1)
