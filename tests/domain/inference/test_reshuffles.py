"""After reshuffles knowledge is exact: it agrees with the enumeration of all deals.

Two hands draw from a stock that is repeatedly rebuilt from the pile, as in Rami; an unseen card may
belong to several pools.
"""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.inference import all_worlds
from domain.inference.evidence import AllMoved, Evidence, Seen, Shuffled, Summed, Unseen
from domain.inference.knowledge import Knowledge, knowledge_before_deal
from domain.table.cards import Pack
from tests.domain.inference import enumeration
from tests.domain.inference.enumeration import Deal

STOCK, PILE, ASIDE = 0, 3, 4
HANDS = (1, 2)
PACKS = [
    Pack(["AS", "AS", "KS", "KS", "QS", "QS", "JS", "JS"]),
    Pack(["AS", "AS", "AS", "KS", "KS", "KS", "QS", "JS"]),
    Pack(["AS", "AS", "KS", "KS", "QS", "QS", "JS", "TS"]),
]
WORTH = {"A": 11, "K": 7, "Q": 5, "J": 2, "T": 0}


class Table:
    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.knowledge = knowledge_before_deal(pack, STOCK)
        self.deals = enumeration.every_deal(len(pack), STOCK)
        self.count = {STOCK: len(pack), PILE: 0, ASIDE: 0, **dict.fromkeys(HANDS, 0)}

    def judged(self, *pieces: Evidence) -> tuple[Knowledge | None, set[Deal]]:
        deals = self.deals
        for piece in pieces:
            deals = enumeration.after(deals, piece)
        learnt = self.knowledge.learn_all(pieces)
        relaxed = learnt is not None and learnt.relaxed
        assert (learnt is None) == (not deals) or (relaxed and not deals), pieces
        return learnt, deals

    def happens(self, piece: Seen | Unseen | AllMoved | Shuffled, number: int) -> bool:
        learnt, deals = self.judged(piece)
        if learnt is None:
            return False
        self.knowledge, self.deals = learnt, deals
        self.count[piece.source] -= number
        self.count[piece.target] += number
        return True


def turns(
    table: Table, data: st.DataObject, most: int, unsure: st.SearchStrategy[bool]
) -> Iterator[int]:
    """Let hands draw and discard in turn; an empty stock is rebuilt from the pile.

    `unsure`: a card is also laid aside unseen or taken up again; cards there join a rebuilt stock.
    """
    for hand in HANDS:
        table.happens(Unseen(STOCK, hand, 2, 1), 2)
    for turn in range(data.draw(st.integers(1, most))):
        if not table.count[STOCK]:
            table.happens(AllMoved(ASIDE, STOCK, turn), table.count[ASIDE])
            table.happens(Shuffled(PILE, STOCK, turn), table.count[PILE])
        if not table.count[STOCK]:
            return
        hand = data.draw(st.sampled_from(HANDS))
        drawn = min(data.draw(st.integers(1, 2)), table.count[STOCK])
        table.happens(Unseen(STOCK, hand, drawn, turn), drawn)
        for card in data.draw(st.lists(st.sampled_from(table.pack.codes), max_size=4)):
            table.happens(Seen(hand, table.pack.copies[card], PILE, turn), 1)
        if table.count[ASIDE] and data.draw(unsure):
            table.happens(AllMoved(ASIDE, hand, turn), table.count[ASIDE])
        if table.count[hand] and data.draw(unsure):
            table.happens(Unseen(hand, ASIDE, 1, turn), 1)
        yield turn


@pytest.mark.parametrize("unsure", [st.just(False), st.integers(0, 3).map(bool)])  # noqa: FBT003 a value drawn
@given(data=st.data())
def test_reshuffles__cards_seen_after_reshuffles_agree_with_every_deal_enumerated(
    unsure: st.SearchStrategy[bool], data: st.DataObject
) -> None:
    table = Table(data.draw(st.sampled_from(PACKS)))
    for _ in turns(table, data, 16, unsure):
        for hand in HANDS:
            for copies in table.pack.copies.values():
                table.judged(Seen(hand, copies, PILE, 99))


@pytest.mark.parametrize("most", [all_worlds.FOLLOWED_MAX, 40])
@given(data=st.data())
def test_reshuffles__where_flows_are_not_asked_no_verdict_is_wrong_and_few_worlds_are_exact(
    most: int, data: st.DataObject
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(all_worlds, "FOLLOWED_MAX", most)
        patch.setattr(Knowledge, "as_flows", enumeration.nothing)
        table = Table(data.draw(st.sampled_from(PACKS)))
        for _ in turns(table, data, 12, st.integers(0, 2).map(bool)):
            for hand in HANDS:
                for copies in table.pack.copies.values():
                    table.judged(Seen(hand, copies, PILE, 99))


@given(st.data())
def test_reshuffles__hands_counted_after_reshuffles_agree_with_every_deal_enumerated(
    data: st.DataObject,
) -> None:
    table = Table(data.draw(st.sampled_from(PACKS)))
    values = tuple(WORTH[code[0]] for code in table.pack.codes)
    for turn in turns(table, data, 12, st.booleans()):
        if turn % 3:
            continue
        points = data.draw(st.tuples(*[st.integers(0, 30)] * 2))
        summed = [
            Summed((hand,), values, worth, 99) for hand, worth in zip(HANDS, points, strict=True)
        ]
        shown = data.draw(st.sampled_from(table.pack.codes))
        seen = Seen(1, table.pack.copies[shown], 1, 99)
        table.judged(*summed)
        table.judged(seen, *summed)
        table.judged(*summed, seen)


def test_reshuffles__a_card_laid_aside_can_be_of_any_lot_that_could_be_there() -> None:
    pack = PACKS[0]
    ace, king, queen, jack = (pack.copies[code] for code in ("AS", "KS", "QS", "JS"))
    story: list[Evidence] = [
        *(Unseen(STOCK, hand, 4, 2) for hand in HANDS),
        Seen(1, ace, PILE, 4),
        Seen(2, king, PILE, 5),
        Shuffled(PILE, STOCK, 6),
        Unseen(STOCK, 1, 1, 7),
        Seen(1, ace, PILE, 8),  # the one dealt, or the one just drawn
        Unseen(1, ASIDE, 1, 9),
        *(Seen(2, card, PILE, 10) for card in (king, queen, jack)),
        Unseen(STOCK, 2, 1, 11),
        Seen(2, ace, PILE, 12),  # the one shuffled: the first player threw the one dealt
        Seen(1, queen, PILE, 13),
        Seen(1, jack, PILE, 14),
    ]
    known = knowledge_before_deal(pack, STOCK).learn_all(story)
    assert known is not None
    assert known.learn(Seen(ASIDE, king, PILE, 15)) is not None
    assert known.learn(Seen(ASIDE, queen, PILE, 15)) is None


def test_reshuffles__an_equal_card_drawn_since_explains_what_was_seen() -> None:
    pack = PACKS[0]
    ace, king = pack.copies["AS"], pack.copies["KS"]
    story: list[Evidence] = [
        *(Unseen(STOCK, hand, 4, 2) for hand in HANDS),
        Seen(1, ace, PILE, 4),
        Seen(2, king, PILE, 5),
        Shuffled(PILE, STOCK, 6),
        *(Unseen(STOCK, hand, 1, 7) for hand in HANDS),
        Seen(1, ace, PILE, 9),  # the one dealt, or the one drawn since
        Seen(2, ace, PILE, 10),  # the other one
    ]
    known = knowledge_before_deal(pack, STOCK).learn_all(story)
    assert known is not None
    for hand in HANDS:  # the hand that drew the king
        assert known.learn_all([Seen(hand, king, PILE, 11)] * 2) is not None
    assert known.learn_all([Seen(1, king, PILE, 11)] * 3) is None
