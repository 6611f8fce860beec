"""A flow admits only deals that fit, and refutes only evidence that no deal fits.

Compared with the enumeration of all deals. Cards are laid aside, taken up again, shuffled into the
stock, exchanged, and partly seen.
"""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.durak.lowest import LowestHeld
from domain.inference.evidence import (
    AllMoved,
    Evidence,
    Held,
    Narrowed,
    RuledOut,
    Seen,
    Shuffled,
    Swapped,
    Unseen,
)
from domain.inference.flow import Flow
from domain.inference.flows import Flows
from domain.inference.knowledge import Knowledge, knowledge_before_deal
from domain.inference.possible_cards import PossibleCards
from domain.table.cards import Pack
from tests.domain.inference import enumeration
from tests.domain.inference.enumeration import Deal

STOCK, PILE, HANDS, ASIDE = 0, 3, (1, 2), (4, 5, 6)
PLACES = (STOCK, PILE, *HANDS, *ASIDE)
EQUAL = [
    Pack(["AS", "AS", "KS", "KS", "QS", "QS", "JS", "JS"]),
    Pack(["AS", "AS", "AS", "KS", "KS", "KS", "QS", "JS"]),
]
UNLIKE = [Pack(["AS", "AH", "KS", "KH", "QS", "XX"]), Pack(["AS", "AH", "KS", "KH", "QS", "QH"])]
KINDS = {
    "moved": "dddtttttuucCsw",
    "narrowed": "dddtttuuccswnnnnn",
    "ruled out": "dddtttuuccswrrrhe",
}


@st.composite
def told_of(
    draw: st.DrawFn, deal: Sequence[int], place: int, kind: str, version: int
) -> list[Evidence]:
    """Draw evidence about unlike cards that do not move.

    Some are ruled out of all or some other places; one is held; a hand has the lowest card.
    """
    there = [card for card, at in enumerate(deal) if at == place]
    if kind == "h":
        return [Held(place, 1 << draw(st.sampled_from(there)), version)]
    if kind == "r":
        cards = sum(1 << card for card in draw(st.sets(st.sampled_from(there), min_size=1)))
        others = draw(st.sampled_from([PLACES, PLACES, HANDS]))
        return [RuledOut(at, cards, "", (0, ""), version) for at in others if at != place]
    held = [card for card, at in enumerate(deal) if at in HANDS]
    upward = tuple(1 << card for card in range(len(deal)))
    if not held:
        return []
    everything = (1 << len(deal)) - 1
    return [
        LowestHeld(
            place=deal[held[0]],
            cards=everything,
            clause="",
            about=(0, ""),
            version=version,
            hands=HANDS,
            upward=upward,
        )
    ]


# Sources and targets by event.
SOURCES = {"d": (STOCK,), "t": HANDS, "u": HANDS, "s": (PILE,), "c": ASIDE}
TARGETS = {"d": HANDS, "t": (PILE,), "u": ASIDE, "s": (STOCK,), "c": (*HANDS, STOCK)}


def some_of(kinds: str, least: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(kinds), min_size=least, max_size=24)


@st.composite
def pieces(draw: st.DrawFn, pack: Pack, kinds: str, least: int = 0) -> list[Evidence]:
    """Draw evidence about one true deal of a pack; `least`: the minimal number of events."""
    deal = [STOCK] * len(pack)
    found: list[Evidence] = []
    for version, kind in enumerate(draw(some_of(kinds, least))):
        able = [place for place in SOURCES.get(kind, PLACES) if place in deal]
        if not able:
            continue
        source = draw(st.sampled_from(able))
        target = draw(st.sampled_from([at for at in TARGETS.get(kind, PLACES) if at != source]))
        there = [card for card, place in enumerate(deal) if place == source]
        match kind:
            case "n":
                if len(there) != 1:
                    continue
                other = 1 << draw(st.integers(0, len(pack) - 1))
                found.append(Narrowed(source, 1 << there[0] | other, version))
                continue
            case "r" | "h" | "e":
                found += draw(told_of(deal, source, kind, version))
                continue
            case "t":
                gone = [draw(st.sampled_from(there))]
                found.append(Seen(source, pack.copies[pack.codes[gone[0]]], target, version))
            case "d" | "u":
                count = draw(st.integers(1, min(2, len(there)))) if kind == "d" else 1
                gone = draw(st.permutations(there))[:count]
                found.append(Unseen(source, target, count, version))
            case "w":
                deal = [source if at == target else at for at in deal]
                gone = there
                found.append(Swapped(source, target, version))
            case _:
                gone = there
                piece = Shuffled if kind == "s" else AllMoved
                found.append(piece(source, target, version))
        for card in gone:
            deal[card] = target
    return found


def shape(pack: Pack, deal: Deal) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(zip(pack.codes, deal, strict=True)))


def learnt(pack: Pack, story: Sequence[Evidence]) -> tuple[Knowledge, set[Deal]]:
    known = knowledge_before_deal(pack, STOCK).learn_all(story)
    deals = enumeration.every_deal(len(pack), STOCK)
    for piece in story:
        deals = enumeration.after(deals, piece)
    assert known is not None, story
    return known, deals


@pytest.mark.parametrize("kinds", KINDS)
@given(data=st.data())
def test_flow__what_it_answers_is_what_every_deal_answers(kinds: str, data: st.DataObject) -> None:
    pack = data.draw(st.sampled_from(EQUAL if kinds == "moved" else UNLIKE))
    flows = Flows([Flow(pack.everything, STOCK)])
    deals = enumeration.every_deal(len(pack), STOCK)
    for piece in data.draw(pieces(pack, KINDS[kinds])):
        deals = enumeration.after(deals, piece)
        read = flows.read(piece)
        assert read is not False
        if not read:
            return
    for place in PLACES:
        for copies in pack.copies.values():
            seen = Seen(place, copies, place, 99)
            found = flows.copy().read(seen)
            assert found in {None, bool(enumeration.after(deals, seen))}, (place, copies)


@pytest.mark.parametrize("kinds", KINDS)
@given(data=st.data())
def test_flow__knowledge_that_uses_it_keeps_a_deal_that_fits_and_answers_exactly(
    kinds: str, data: st.DataObject
) -> None:
    pack = data.draw(st.sampled_from(EQUAL if kinds == "moved" else UNLIKE))
    known, deals = learnt(pack, data.draw(pieces(pack, KINDS[kinds])))
    at = {card: place for place, cards in known.world.known.items() for card in pack_bits(cards)}
    at |= {card: pool.place for pool in known.world.pools for card in pack_bits(pool.assignment)}
    mine = shape(pack, tuple(at[card] for card in range(len(pack))))
    assert mine in {shape(pack, deal) for deal in deals}
    asked = PossibleCards(known)
    for place in PLACES:
        for copies in pack.copies.values():
            seen = Seen(place, copies, place, 99)
            can = bool(enumeration.after(deals, seen))
            assert (known.learn(seen) is not None) == can
            assert asked.can_leave(place, copies) == can or asked.is_unproved(place, copies)


def pack_bits(cards: int) -> list[int]:
    return [bit for bit in range(cards.bit_length()) if cards >> bit & 1]


@given(data=st.data())
def test_flow__what_is_remembered_changes_no_answer_whoever_asked_first(
    data: st.DataObject,
) -> None:
    pack = data.draw(st.sampled_from(EQUAL))
    story = data.draw(pieces(pack, KINDS["moved"]))
    stages = [knowledge_before_deal(pack, STOCK)]
    for piece in story:
        after = stages[-1].learn(piece)
        assert after is not None
        stages.append(after)
        for known in data.draw(st.lists(st.sampled_from(stages), max_size=2)):
            asked = PossibleCards(known)
            for copies in pack.copies.values():
                asked.can_leave(data.draw(st.sampled_from(PLACES)), copies)
    last = stages[-1]
    fresh, _ = learnt(pack, story)
    assert _answers(pack, last) == _answers(pack, fresh)


def _answers(pack: Pack, known: Knowledge) -> list[tuple[bool, bool, bool]]:
    asked = PossibleCards(known)
    return [
        (
            asked.can_leave(place, copies),
            asked.is_unproved(place, copies),
            known.learn(Seen(place, copies, place, 99)) is not None,
        )
        for place in PLACES
        for copies in pack.copies.values()
    ]


def test_flow__a_card_laid_aside_and_taken_up_again_is_seen_by_who_took_it() -> None:
    pack = UNLIKE[1]
    flow = Flow(pack.everything, STOCK)
    story: list[Evidence] = [Unseen(STOCK, 1, 2, 1), Unseen(1, 4, 1, 2), AllMoved(4, 2, 3)]
    assert all(map(flow.add_piece, story))
    assert flow.add_piece(Seen(2, pack.copies["AS"], PILE, 4))
    assert flow.add_piece(Seen(2, pack.copies["AH"], PILE, 5)) is False


def test_flow__a_rank_seen_of_a_card_is_that_card_s_wherever_it_goes() -> None:
    pack = UNLIKE[1]
    kings = pack.copies["KS"] | pack.copies["KH"]
    story: list[Evidence] = [
        Unseen(STOCK, 1, 1, 1),
        Narrowed(1, kings, 2),
        AllMoved(1, 4, 3),
        Unseen(STOCK, 2, 2, 4),
    ]
    flow = Flow(pack.everything, STOCK)
    assert all(map(flow.add_piece, story))
    assert flow.copy().add_piece(Seen(4, pack.copies["KH"], 4, 5))
    assert flow.copy().add_piece(Seen(4, pack.copies["AS"], 4, 5)) is False
    both = flow.copy()
    assert both.add_piece(Seen(2, pack.copies["KS"], PILE, 5))
    assert both.add_piece(Seen(2, pack.copies["KH"], PILE, 6)) is False


def test_flow__a_card_ruled_out_of_all_places_but_one_lies_there() -> None:
    pack = UNLIKE[1]
    ace = pack.copies["AS"]
    flow = Flow(pack.everything, STOCK)
    story: list[Evidence] = [
        Unseen(STOCK, 1, 2, 1),
        Unseen(STOCK, 2, 2, 2),
        RuledOut(1, ace, "some.clause", (0, "S"), 3),
        RuledOut(2, ace, "some.clause", (0, "S"), 3),
    ]
    assert all(map(flow.add_piece, story))
    assert flow.undecided() is None
    assert flow.copy().add_piece(Seen(1, ace, PILE, 4)) is False
    assert flow.add_piece(Unseen(STOCK, 2, 1, 5))
    assert flow.add_piece(Seen(2, ace, PILE, 6))


def test_flow__a_card_ruled_out_of_some_places_is_at_one_of_the_others() -> None:
    ace = UNLIKE[0].copies["AS"]
    flows = Flows([Flow(UNLIKE[0].everything, STOCK)])
    story: list[Evidence] = [
        Unseen(STOCK, 1, 2, 1),
        Unseen(STOCK, 2, 2, 2),
        RuledOut(1, ace, "some.clause", (0, "S"), 3),
    ]
    assert all(map(flows.read, story))
    assert flows.all_flows()[0].undecided() == (ace, (STOCK, 2))
    assert flows.copy().read(Unseen(1, 2, 1, 4))
    assert flows.copy().read(Seen(1, ace, PILE, 4)) is False
    assert flows.copy().read(Seen(2, ace, PILE, 4))
    assert flows.read(RuledOut(2, ace, "some.clause", (0, "S"), 4))
    assert flows.copy().read(Seen(2, ace, PILE, 4)) is False


def test_flow__a_card_that_lies_known_elsewhere_is_refuted_without_a_search() -> None:
    pack = UNLIKE[1]
    story: list[Evidence] = [
        Unseen(STOCK, 1, 2, 1),
        Unseen(1, 4, 1, 2),
        AllMoved(4, 2, 3),
        Seen(1, pack.copies["AS"], PILE, 4),
    ]
    flow = Flow(pack.everything, STOCK)
    assert all(map(flow.add_piece, story))
    searched = flow.effort.visited
    assert flow.demand(2, pack.copies["AS"]) is False
    assert flow.effort.visited == searched
    assert flow.demand(2, pack.copies["AH"])
    assert flow.effort.visited > searched


def test_flow__what_is_ruled_out_where_nothing_lies_leaves_it_all_to_be_read() -> None:
    pack = UNLIKE[1]
    flow = Flow(pack.everything, STOCK)
    assert flow.add_piece(Unseen(STOCK, 2, 2, 1))
    assert flow.add_piece(RuledOut(1, pack.copies["AS"], "some.clause", (0, "S"), 2))
    assert flow.undecided() is None
    assert flow.add_piece(Unseen(STOCK, 1, 2, 3))
    assert flow.add_piece(Seen(1, pack.copies["AS"], PILE, 4))
