"""Totals of cards that passed unseen: a world is found that makes them, or there is none.

Held against the enumeration of every deal of a small pack.
"""

from hypothesis import given
from hypothesis import strategies as st

from domain.inference.evidence import Evidence, Narrowed, Summed, Unseen
from domain.inference.flow import Flow
from domain.inference.flow_totals import world_that_makes
from domain.inference.knowledge import Knowledge, nothing_seen
from domain.inference.worlds import Total
from tests.domain.inference import enumeration
from tests.domain.inference.test_flow import ASIDE, HANDS, KINDS, PILE, STOCK, UNLIKE, pieces

VALUES = (1, 1, 3, 3, 7, 7)
ROWS = ((HANDS[0],), (HANDS[1], ASIDE[0]), (ASIDE[1], ASIDE[2], PILE))


def told(values: tuple[int, ...], rows: list[int], worths: list[int]) -> list[Summed]:
    return [
        Summed(ROWS[row], values, worth, 90 + number)
        for number, (row, worth) in enumerate(zip(rows, worths, strict=True))
    ]


@given(data=st.data())
def test_flow_totals__are_made_exactly_where_some_deal_makes_them(data: st.DataObject) -> None:
    pack = data.draw(st.sampled_from(UNLIKE))
    flow = Flow(pack.everything, STOCK)
    known: Knowledge | None = nothing_seen(pack, STOCK)
    deals = enumeration.every_deal(len(pack), STOCK)
    for piece in data.draw(pieces(pack, KINDS["narrowed"])):
        assert known is not None
        known, deals = known.learn(piece), enumeration.after(deals, piece)
        if not flow.read(piece):
            return
    rows = data.draw(st.lists(st.sampled_from(range(len(ROWS))), max_size=4))
    worths = data.draw(st.lists(st.integers(0, 15), min_size=len(rows), max_size=len(rows)))
    totals = told(VALUES, rows, worths)
    for one in totals:
        deals = enumeration.after(deals, one)
    assert known is not None
    promised = tuple(Total(frozenset(one.places), one.values, one.worth) for one in totals)
    made = world_that_makes(flow, known.world._replace(totals=promised))
    assert (made.world is not None, made.refuted) == (bool(deals), not deals)


def test_flow_totals__two_rows_that_need_one_king_have_no_deal() -> None:
    pack = UNLIKE[1]  # AS AH KS KH QS QH
    kings = pack.copies["KS"] | pack.copies["KH"]
    story: list[Evidence] = [
        Unseen(STOCK, 1, 1, 1),
        Narrowed(1, kings, 2),
        Unseen(STOCK, 2, 1, 3),
        Unseen(STOCK, 4, 1, 4),
    ]
    flow = Flow(pack.everything, STOCK)
    assert all(map(flow.read, story))
    known = nothing_seen(pack, STOCK).learn_all(story)
    assert known is not None
    both = tuple(Total(frozenset([place]), VALUES, 3) for place in (2, 4))
    one = (Total(frozenset([2]), VALUES, 3),)
    assert world_that_makes(flow.copy(), known.world._replace(totals=one)).world is not None
    made = world_that_makes(flow, known.world._replace(totals=both))
    assert (made.world, made.refuted) == (None, True)
