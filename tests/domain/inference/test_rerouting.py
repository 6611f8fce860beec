"""Cards seen at once, read into the flows together: some deal fits them, or they are refuted.

Held against the enumeration of every deal of a small pack, points promised before and after.
"""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.inference.evidence import Evidence, Narrowed, Seen, Summed, Unseen
from domain.inference.flows import Either
from domain.inference.knowledge import Knowledge, nothing_seen
from domain.inference.rerouting import Rerouted, readable, rerouted
from domain.inference.search import follow
from domain.inference.worlds import World, all_unseen
from domain.table.cards import Pack, places
from tests.domain.inference import enumeration
from tests.domain.inference.enumeration import Deal
from tests.domain.inference.test_flow import ASIDE, EQUAL, HANDS, KINDS, PILE, STOCK, UNLIKE, pieces
from tests.domain.inference.test_flows import Answering

VALUES: tuple[int, ...] = (1, 1, 3, 3, 7, 7)
PAIRS: tuple[int, ...] = (1, 1, 3, 3, 7, 7, 8, 8)  # of the first of `EQUAL`
AWAY = 9
ROWS = ((HANDS[0],), (HANDS[1], ASIDE[0]), (ASIDE[1], ASIDE[2], PILE))


@st.composite
def rows(draw: st.DrawFn, pack: Pack, true: Deal, *, stay: bool) -> list[Evidence]:
    """Draw cards seen at once, nearly all where they lie in a true deal; some may go."""
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
    """Draw what is promised of rows, nearly always what they are worth in a true deal."""
    found: list[Evidence] = []
    for version, row in enumerate(draw(st.lists(st.sampled_from(ROWS), max_size=2)), 90):
        worth = sum(value for value, at in zip(values, true, strict=True) if at in row)
        wrong = draw(st.sampled_from([0, 0, 0, 2]))
        found.append(Summed(row, tuple(values), worth + wrong, version))
    return found


def lying(pack: Pack, world: World) -> tuple[tuple[str, int], ...]:
    """Describe the deal that a world keeps: which card lies where, equal cards being alike."""
    at = {card: pool.place for pool in world.pools for card in places(pool.assignment)}
    at |= {card: place for place, cards in world.known.items() for card in places(cards)}
    return tuple(sorted((pack.codes[card], place) for card, place in at.items()))


def described(pack: Pack, deals: set[Deal]) -> set[tuple[tuple[str, int], ...]]:
    return {tuple(sorted(zip(pack.codes, deal, strict=True))) for deal in deals}


@pytest.mark.parametrize("kinds", KINDS)
@given(data=st.data())
def test_rerouted__finds_a_deal_that_fits_all_cards_seen_at_once_or_there_is_none(
    kinds: str, data: st.DataObject
) -> None:
    pack, values = EQUAL[0], PAIRS
    if kinds != "moved":
        pack, values = data.draw(st.sampled_from(UNLIKE)), VALUES
    story = data.draw(pieces(pack, KINDS[kinds]))
    deals = enumeration.every_deal(len(pack), STOCK)
    for piece in story:
        deals = enumeration.after(deals, piece)
    true = data.draw(st.sampled_from(sorted(deals)))
    promised = data.draw(totals(values, true))
    known = nothing_seen(pack, STOCK).learn_all([*story, *promised])
    for piece in promised:
        deals = enumeration.after(deals, piece)
    assert (known is not None) == bool(deals)
    counted = data.draw(totals(values, true))
    stay = bool(promised or counted)  # what is counted changes no more
    row = [*data.draw(rows(pack, true, stay=stay)), *counted]
    if known is not None:
        holds(known, row, pack, deals)


def holds(known: Knowledge, row: Sequence[Evidence], pack: Pack, deals: set[Deal]) -> None:
    """Hold what is found for cards seen at once, in any order, to every deal that fits."""
    after = enumeration.after_all(deals, row)
    learnt = known.learn_all(row)
    assert (learnt is not None) == bool(after)
    flows = known.as_flows()
    if flows is None or not row or not readable(row):
        return
    found = rerouted(flows, known.world, row)
    assert not (found.refuted and after)
    assert (found.world is not None) <= bool(after)
    if found.world is None:
        return
    for piece, before in found.steps:
        if not before.totals:  # else what it keeps need not make them
            assert lying(pack, before) in described(pack, deals)
        assert follow(piece, before)
        deals = enumeration.after(deals, piece)
    if not found.world.totals:
        assert lying(pack, found.world) in described(pack, deals)


def test_readable__a_card_narrowed_where_another_is_seen_to_come_from_or_go_to_is_not() -> None:
    narrowed = Narrowed(4, 3, 1)
    assert readable([Seen(1, 1, 1, 1), narrowed])
    assert not readable([Seen(4, 1, PILE, 1), narrowed])
    assert not readable([Seen(1, 1, 4, 1), narrowed])


def test_readable__points_counted_before_the_cards_are_not() -> None:
    counted = Summed((1,), VALUES, 3, 1)
    assert readable([Seen(1, 1, 1, 1), counted])
    assert not readable([counted, Seen(1, 1, 1, 1)])


@pytest.mark.parametrize(
    ("found", "refuted"),
    [([False], True), ([None], False), ([False, None], False), ([None, False], False)],
)
def test_rerouted__is_refuted_where_every_flow_refutes_it(
    found: list[bool | None], *, refuted: bool
) -> None:
    piece = Seen(1, 1, PILE, 1)
    before = all_unseen(UNLIKE[0].everything, STOCK)
    flows = Either([Answering(one, 0) for one in found])
    assert rerouted(flows, before, [piece]) == Rerouted(refuted=refuted)
    assert rerouted(None, before, [piece]) == Rerouted()


def test_rerouted__a_card_that_was_known_is_no_card_of_a_pool() -> None:
    pack = UNLIKE[1]
    ace, king = pack.copies["AS"], pack.copies["KS"]
    story: list[Evidence] = [Seen(STOCK, ace, 1, 1), Unseen(STOCK, 2, 1, 2)]
    known = nothing_seen(pack, STOCK).learn_all(story)
    assert known is not None
    row: list[Evidence] = [Seen(1, ace, PILE, 3), Seen(2, king, PILE, 3)]
    for some in (row, row[:1]):
        found = rerouted(known.as_flows(), known.world, some)
        assert found.world is not None
        assert [piece for piece, _ in found.steps] == some
        for world in (found.world, *(before for _, before in found.steps)):
            assert all(pool.assignment for pool in world.pools)
            assert sum(pool.assignment for pool in world.pools) == world.unseen
        assert found.steps[0][1].known == known.world.known
        assert found.world.known[PILE] == (ace | king if some is row else ace)
