"""Lots answer alone where cards pass unseen only out of places of one lot, and else say so.

Tables are played from fixed seeds, beside every deal; what stands beside lots is not asked.
"""

from collections.abc import Iterator
from random import Random

import pytest

from domain.inference.evidence import Evidence, RuledOut, Seen, Shuffled, Summed, Unseen
from domain.inference.knowledge import Knowledge, nothing_seen
from domain.inference.lots import Lots
from domain.inference.sum_constraints import possible
from tests.domain.inference import enumeration
from tests.domain.inference.test_lots import ASIDE, HANDS, PACKS, PILE, STOCK, WORTH, Table
from tests.domain.inference.test_possible_cards import laid_out, lying

ACE, KING = PACKS[0].copies["AS"], PACKS[0].copies["KS"]


def lots_of(known: Knowledge) -> Lots | None:
    """Return lots that may be changed; None where they are not all there is to it."""
    return known._as_lots()  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] apart from what stands beside lots


def played(seed: int) -> Iterator[Table]:
    """Let hands draw and throw, the stock made of the pile when it is empty."""
    chance = Random(seed)  # noqa: S311 tables, not secrets
    table = Table(PACKS[seed % len(PACKS)])
    for hand in HANDS:
        table.happens(Unseen(STOCK, hand, 2, 1), 2)
    for turn in range(10):
        if not table.count[STOCK]:
            table.happens(Shuffled(PILE, STOCK, turn), table.count[PILE])
        if not table.count[STOCK]:
            return
        hand = chance.choice(HANDS)
        drawn = min(chance.randint(1, 2), table.count[STOCK])
        table.happens(Unseen(STOCK, hand, drawn, turn), drawn)
        for code in chance.choices(table.pack.codes, k=chance.randint(0, 4)):
            table.happens(Seen(hand, table.pack.copies[code], PILE, turn), 1)
        yield table


@pytest.fixture(autouse=True)
def _no_routes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Knowledge, "as_flows", enumeration.nothing)


def test_another_way__is_a_deal_that_fits_or_there_is_none() -> None:
    found = refuted = 0
    for table in (table for seed in range(40) for table in played(seed)):
        for hand in HANDS:
            for copies in table.pack.copies.values():
                seen = Seen(hand, copies, ASIDE, 99)  # where nothing is known
                lots = lots_of(table.knowledge)
                assert lots is not None
                if not table.knowledge.forked or seen.after(table.knowledge.world):
                    continue
                deals = enumeration.after(table.deals, seen)
                world = lots.another_way(seen, table.knowledge.world, enumeration.never)
                assert lots.refuted == (not deals)
                assert (world is None) == (not deals)
                if world is None:
                    refuted += 1
                    continue
                found += 1
                assert laid_out(table, world) in {lying(table, deal) for deal in deals}
                before = lots.copy().put_back(table.knowledge.world)
                assert laid_out(table, before) in {lying(table, deal) for deal in table.deals}
                assert seen.after(before)
    assert found > 5
    assert refuted > 5


DEALT: tuple[Evidence, ...] = (
    *(Unseen(STOCK, hand, 4, 2) for hand in HANDS),
    Seen(1, ACE, PILE, 4),
    Seen(2, KING, PILE, 5),
    Shuffled(PILE, STOCK, 6),
    Unseen(STOCK, 1, 1, 7),
    Seen(1, ACE, PILE, 8),  # the one dealt, or the one just drawn
)


@pytest.mark.parametrize(
    ("piece", "alone"),
    [
        (Unseen(1, ASIDE, 1, 9), False),  # of two lots
        (Unseen(STOCK, 2, 1, 9), True),  # of one
        (Unseen(2, ASIDE, 1, 9), True),
        (Unseen(PILE, ASIDE, 1, 9), False),  # what was seen
        (Shuffled(PILE, ASIDE, 9), True),
        (Shuffled(PILE, STOCK, 9), False),  # others are there
        (Shuffled(1, ASIDE, 9), False),
        (Summed((1,), (0,) * 8, 0, 9), True),
        (RuledOut(2, KING, "a.clause", (2, ""), 9), False),
    ],
)
def test_read__tells_whether_lots_are_all_that_is_unknown(piece: Evidence, *, alone: bool) -> None:
    known = nothing_seen(PACKS[0], STOCK).learn_all((*DEALT, piece))
    assert known is not None
    assert known.forked
    assert (lots_of(known) is not None) == alone


def counted(seed: int) -> Iterator[tuple[Table, Knowledge, Summed, set[enumeration.Deal]]]:
    """Promise what both hands are worth in some deal, or more; yield what makes the second."""
    chance = Random(seed)  # noqa: S311 tables, not secrets
    for table in (table for table in played(seed) if table.knowledge.forked):
        values = tuple(WORTH[code[0]] for code in table.pack.codes)
        able = sorted(table.deals)
        for wrong in (0, 0, 3):
            deal = chance.choice(able)
            worths = [
                sum(value for value, at in zip(values, deal, strict=True) if at == hand)
                for hand in HANDS
            ]
            first, last = (
                Summed((hand,), values, worth, 99)
                for hand, worth in zip(HANDS, (worths[0], worths[1] + wrong), strict=True)
            )
            known, deals = table.judged(first)
            assert known is not None
            yield table, known, last, enumeration.after(deals, last)


def test_another_way__makes_the_points_of_both_hands_or_tells_that_no_deal_does() -> None:
    made = refuted = 0
    for seed in range(40):
        for table, known, last, deals in counted(seed):
            if possible(last.after(known.world)[0]):
                continue
            lots = lots_of(known)
            assert lots is not None
            world = lots.another_way(last, known.world, enumeration.never)
            assert (world is None, lots.refuted) == (not deals, not deals)
            made += world is not None
            refuted += world is None
            if world is not None:
                assert possible(world)
                assert laid_out(table, world) in {lying(table, deal) for deal in table.deals}
    assert made > 3
    assert refuted > 3


def test_another_way__of_points_that_are_made_already_is_not_refuted() -> None:
    known = nothing_seen(PACKS[0], STOCK).learn_all(DEALT)
    assert known is not None
    lots = lots_of(known)
    assert lots is not None
    nothing = Summed((1,), (0,) * len(PACKS[0]), 0, 9)
    assert lots.another_way(nothing, known.world, enumeration.never) is not None
    assert not lots.refuted


def test_read__a_hand_of_which_every_card_was_seen_is_empty() -> None:
    queen, jack = PACKS[0].copies["QS"], PACKS[0].copies["JS"]
    thrown: tuple[Evidence, ...] = (
        *(Seen(1, card, PILE, 9) for card in (queen, jack, queen)),
        Shuffled(PILE, 1, 10),
    )
    for pieces, alone in ((thrown, True), ((*thrown[1:],), False)):
        known = nothing_seen(PACKS[0], STOCK).learn_all((*DEALT, *pieces))
        assert known is not None
        assert known.forked
        assert (lots_of(known) is not None) == alone
