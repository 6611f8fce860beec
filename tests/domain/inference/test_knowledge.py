from hypothesis import given
from hypothesis import strategies as st

from domain.inference import (
    AllMoved,
    Evidence,
    Knowledge,
    Narrowed,
    Place,
    RuledOut,
    Seen,
    Shuffled,
    Summed,
    Swapped,
    Unseen,
    knowledge_before_deal,
)
from domain.table.cards import Pack
from tests.domain.inference import enumeration
from tests.domain.inference.enumeration import Deal

STOCK, HANDS, TABLE, AWAY = 0, (1, 2, 3), 4, 5
PLACES = (STOCK, *HANDS, TABLE, AWAY)
PACKS = [
    Pack(["AS", "KS", "AH", "KH", "AD", "KD"]),
    Pack(["AS", "AS", "KS", "KS", "AH", "XX"]),
    Pack(["AS", "AS", "AS", "KS", "KS", "AH"]),
]


@st.composite
def evidence_pieces(draw: st.DrawFn, pack: Pack) -> Evidence:
    version = draw(st.integers(1, 9))
    source, target = draw(st.sampled_from(PLACES)), draw(st.sampled_from(PLACES))
    copies = pack.copies[draw(st.sampled_from(sorted(pack.copies)))]
    match draw(st.sampled_from("ssssuuuurrnnccwh")):
        case "s":
            return Seen(source, copies, target, version)
        case "u":
            return Unseen(
                source,
                target if target != source else (source + 1) % 6,
                draw(st.integers(1, 2)),
                version,
            )
        case "r":
            return RuledOut(
                source,
                copies | pack.copies[draw(st.sampled_from(pack.codes))],
                "a.clause",
                (source, ""),
                version,
            )
        case "n":
            other = pack.copies[draw(st.sampled_from(pack.codes))]
            return Narrowed(source, copies | other, version)
        case "c":
            return AllMoved(source, target if target != source else (source + 1) % 6, version)
        case "w":
            return Swapped(source, target, version)
        case _:
            return Shuffled(source, target if target != source else (source + 1) % 6, version)


def dealt(knowledge: Knowledge, deals: set[Deal]) -> tuple[Knowledge, set[Deal]]:
    for piece in (Unseen(STOCK, 1, 2, 1), Unseen(STOCK, 2, 2, 1)):
        learnt = knowledge.learn(piece)
        assert learnt is not None
        knowledge, deals = learnt, enumeration.after(deals, piece)
    return knowledge, deals


def can_be_seen(pack: Pack, knowledge: Knowledge) -> set[tuple[Place, str]]:
    return {
        (place, code)
        for place in PLACES
        for code, copies in pack.copies.items()
        if knowledge.learn(Seen(place, copies, TABLE, 9)) is not None
    }


def can_lie(pack: Pack, deals: set[Deal]) -> set[tuple[Place, str]]:
    return {(place, pack.codes[card]) for deal in deals for card, place in enumerate(deal)}


@given(st.data())
def test_knowledge__agrees_with_every_deal_enumerated(data: st.DataObject) -> None:
    pack = data.draw(st.sampled_from(PACKS))
    knowledge, deals = dealt(
        knowledge_before_deal(pack, STOCK), enumeration.every_deal(len(pack), STOCK)
    )
    for _ in range(data.draw(st.integers(1, 14))):
        piece = data.draw(evidence_pieces(pack))
        learnt, deals_after = knowledge.learn(piece), enumeration.after(deals, piece)
        assert (learnt is None) == (not deals_after), piece
        if learnt is not None:
            knowledge, deals = learnt, deals_after
            assert can_be_seen(pack, knowledge) == can_lie(pack, deals), piece


@given(st.data())
def test_knowledge__the_world_kept_is_one_of_the_deals_that_fit(data: st.DataObject) -> None:
    pack = data.draw(st.sampled_from(PACKS[:1]))
    knowledge, deals = dealt(
        knowledge_before_deal(pack, STOCK), enumeration.every_deal(len(pack), STOCK)
    )
    for piece in data.draw(st.lists(evidence_pieces(pack), max_size=10)):
        learnt = knowledge.learn(piece)
        if learnt is not None:
            knowledge, deals = learnt, enumeration.after(deals, piece)
    held = {
        card: pool.place
        for pool in knowledge.world.pools
        for card in range(6)
        if pool.assignment >> card & 1
    }
    held |= {
        card: place
        for place, cards in knowledge.world.known.items()
        for card in range(6)
        if cards >> card & 1
    }
    assert tuple(held[card] for card in range(6)) in deals


def test_knowledge__a_forgotten_conclusion_proves_nothing() -> None:
    pack = PACKS[0]
    start = knowledge_before_deal(pack, STOCK).learn(Unseen(STOCK, 1, 2, 1))
    assert start is not None
    spades = RuledOut(1, pack.of_suit["S"], "a.clause", (1, "S"), 3)
    concluded = start.learn(spades)
    assert concluded is not None
    assert concluded.learn(Seen(1, pack.copies["AS"], TABLE, 5)) is None
    assert concluded.without([spades]).learn(Seen(1, pack.copies["AS"], TABLE, 5)) is not None


VALUES = (11, 10, 5, 5, 2, 0)


@given(st.data())
def test_knowledge__promised_totals_agree_with_every_deal_enumerated(data: st.DataObject) -> None:
    pack = data.draw(st.sampled_from(PACKS))
    values = tuple(VALUES[sorted(pack.copies).index(code)] for code in pack.codes)
    knowledge, deals = dealt(
        knowledge_before_deal(pack, STOCK), enumeration.every_deal(len(pack), STOCK)
    )
    for piece in data.draw(st.lists(evidence_pieces(pack), max_size=6)):
        learnt = knowledge.learn(piece)
        if learnt is not None:
            knowledge, deals = learnt, enumeration.after(deals, piece)
    for hands in ((1,), (2, 3)):
        total = Summed(hands, values, data.draw(st.integers(0, 26)), 9)
        learnt, deals_after = knowledge.learn(total), enumeration.after(deals, total)
        assert (learnt is None) == (not deals_after), total
        if learnt is not None:
            knowledge, deals = learnt, deals_after
            shown = Seen(1, pack.copies[data.draw(st.sampled_from(pack.codes))], 1, 9)
            assert (knowledge.learn(shown) is None) == (not enumeration.after(deals, shown))
