from collections.abc import Mapping

import pytest

from domain.inference.evidence import Evidence, RuledOut, Seen, Shuffled, Unseen
from domain.inference.knowledge import Knowledge, knowledge_before_deal
from domain.inference.proof import IMPOSSIBLE, JudgedEvidence, learn
from domain.table.cards import Cards, Pack
from domain.table.refusal import Fact, Refusal

STOCK, PILE = 0, 3
PACK = Pack(["AS", "AH", "KS", "KH", "QS", "QH"])
AS, AH, KS, KH, QS, QH = (1 << bit for bit in range(6))
SPADES, HEARTS = AS | KS | QS, AH | KH | QH
FACTS: Mapping[str, Fact] = {"seat": 1}
DEALT: tuple[Evidence, ...] = (Unseen(STOCK, 1, 2, 1), Unseen(STOCK, 2, 2, 1))
Story = tuple[Evidence, ...]


def after(*story: Evidence) -> Knowledge:
    known = knowledge_before_deal(PACK, STOCK).learn_all((*DEALT, *story))
    assert known is not None
    return known


def ruled_out(place: int, cards: Cards, version: int, clause: str = "c.one") -> RuledOut:
    return RuledOut(place, cards, clause, (place, "H" if cards in (AH, HEARTS) else "S"), version)


def entry(
    *evidence: Evidence,
    concluded: tuple[RuledOut, ...] = (),
    unsure: Story | None = None,
) -> JudgedEvidence:
    return JudgedEvidence(PACK, 9, evidence, 1, "S", (), FACTS, concluded, unsure)


ROUND = (ruled_out(2, SPADES, 4), ruled_out(STOCK, AS, 5, "c.two"))  # so hand 1 has it
GONE = (Seen(1, AS, PILE, 3), Seen(1, KS, PILE, 4))
HAND = (Seen(STOCK, AS, 1, 2), Seen(STOCK, KS, 1, 2))
Why = tuple[str, int | None, tuple[int, ...]]
REFUSED: dict[str, tuple[Story, JudgedEvidence, Why]] = {
    "seen elsewhere": (GONE[:1], entry(Seen(2, AS, PILE, 9)), ("cards.seen", 3, ())),
    "the second of two": (
        GONE[:1],
        entry(Seen(1, AH, PILE, 9), Seen(2, AS, PILE, 9)),
        ("cards.seen", 3, ()),
    ),
    "of two, the one that was named last": (
        (Seen(1, AS, PILE, 3), Seen(1, KS, PILE, 4)),
        entry(Seen(2, KS, PILE, 9), Seen(2, AS, PILE, 9)),
        ("cards.seen", 4, ()),
    ),
    "both copies of a card, the one that lies elsewhere": (
        (Seen(STOCK, AS | AH, 1, 3), Seen(STOCK, AS | AH, PILE, 4), Seen(1, KS, PILE, 5)),
        entry(Seen(2, AS | AH, PILE, 9)),
        ("cards.seen", 4, ()),
    ),
    "a card of which the hand has only its twin": (
        (Seen(STOCK, AS | AH, PILE, 3), Seen(STOCK, AS | AH, 1, 4)),
        entry(Seen(1, AS | AH, PILE, 9), Seen(1, AS | AH, PILE, 9)),
        ("cards.seen", 3, ()),
    ),
    "ruled out": ((ruled_out(1, SPADES, 4),), entry(Seen(1, AS, PILE, 9)), ("c.one", None, (4,))),
    "ruled out twice, newest first": (
        (ruled_out(1, SPADES, 4), ruled_out(1, AS, 5, "c.two"), ruled_out(2, KH, 6, "c.six")),
        entry(Seen(1, AS, PILE, 9)),
        ("c.two", None, (5, 4, 6)),
    ),
    "ruled out by two together": (
        ROUND,
        entry(Seen(1, KS, PILE, 9), Seen(1, QS, PILE, 9)),
        ("c.two", None, (5, 4)),
    ),
    "nothing there": (GONE, entry(Seen(1, QS, PILE, 9)), ("cards.held", None, (4, 3))),
    "more than there are": (GONE, entry(Unseen(1, 2, 1, 9)), (IMPOSSIBLE, None, (4, 3))),
    "seen, and mixed in since": (
        (Seen(1, QS, PILE, 3), Shuffled(PILE, STOCK, 4), Seen(1, AS, PILE, 5)),
        entry(Seen(2, QS, PILE, 9)),
        (IMPOSSIBLE, None, (3, 5)),
    ),
}


@pytest.mark.parametrize("why", REFUSED)
def test_learn__a_card_that_cannot_be_there_is_refused_with_what_that_can_rest_on(why: str) -> None:
    story, shown, expected = REFUSED[why]
    refused = learn(after(*story), shown)
    assert isinstance(refused, Refusal)
    assert (refused.rule, refused.contradicts, refused.suspects) == expected


NO_SPADE = ruled_out(1, SPADES, 9, "c.new")
NOTHING = RuledOut(1, SPADES | HEARTS, "c.new", (1, "S"), 9)
BROKEN: dict[str, tuple[Story, JudgedEvidence, tuple[int, ...]]] = {
    "by itself": ((), entry(Seen(1, AS, PILE, 9), concluded=(NOTHING,)), ()),
    "with what was concluded": (
        (ruled_out(1, HEARTS, 4),),
        entry(Seen(1, AS, PILE, 9), concluded=(NO_SPADE,)),
        (4,),
    ),
    "with the hand given": (HAND, entry(Seen(1, AS, PILE, 9), concluded=(NO_SPADE,)), (2,)),
    "with what came to it later": (
        (*HAND[:1], Seen(STOCK, AH, 1, 3)),
        entry(Seen(1, AS, PILE, 9), concluded=(RuledOut(1, HEARTS, "c.new", (1, "S"), 9),)),
        (3, 2),
    ),
}


@pytest.mark.parametrize("why", BROKEN)
def test_learn__an_entry_whose_own_conclusion_cannot_be_breaks_its_clause(why: str) -> None:
    story, shown, suspects = BROKEN[why]
    refused = learn(after(*story), shown)
    assert isinstance(refused, Refusal)
    assert (refused.rule, refused.facts["led"], refused.suspects) == ("c.new", "S", suspects)


A, B, C = ruled_out(1, SPADES, 4), ruled_out(1, AH, 5), ruled_out(2, AS, 6)
AT_ONCE, OTHER = ruled_out(2, KH, 4), ruled_out(2, QH, 4, "c.two")


def waiving(piece: Evidence, seat: int = 1, topic: str = "S") -> JudgedEvidence:
    return JudgedEvidence(PACK, 9, (piece,), seat, topic, ("c.one",), FACTS)


@pytest.mark.parametrize(
    ("concluded", "shown", "left"),
    [
        ((A, B, C), waiving(Seen(1, AS, PILE, 9)), [B, C]),  # about the seat and the topic
        ((A, B, C), waiving(Seen(1, AS, PILE, 9), topic="D"), [C]),  # about the seat
        ((A, B, C), waiving(Seen(1, AH, PILE, 9)), [C]),
        ((A, B, C), waiving(Seen(2, AS, PILE, 9)), []),  # all from the clause
        ((A, B, C), waiving(Seen(1, AS, PILE, 9), seat=3), []),
        ((A, AT_ONCE, OTHER, C), waiving(Seen(1, AS, PILE, 9)), [OTHER, C]),  # of several hands
        ((A, B, C), waiving(Seen(1, KH, PILE, 9)), [A, B, C]),  # there is nothing to forgive
    ],
)
def test_learn__of_what_a_waived_clause_concluded_no_more_is_forgotten_than_must_be(
    concluded: Story, shown: JudgedEvidence, left: list[RuledOut]
) -> None:
    learnt = learn(after(*concluded), shown)
    assert isinstance(learnt, Knowledge)
    assert learnt.conclusions() == left
    assert learnt.evidence()[-1] == shown.evidence[0]


def test_learn__a_clause_that_is_not_waived_forgives_nothing() -> None:
    known = after(ruled_out(1, AS, 4, "c.two"), B)
    assert learn(known, waiving(Seen(1, AS, PILE, 9))) == Refusal(
        "c.two", None, {**FACTS, "why": "denied"}, (4, 5)
    )


def test_learn__what_is_concluded_stays_and_what_is_unsure_stands_in_its_place() -> None:
    piece, less = Seen(1, AS, PILE, 9), ruled_out(1, KS, 9)
    sure = learn(after(), entry(piece, concluded=(less,)))
    assert isinstance(sure, Knowledge)
    assert sure.evidence() == [*DEALT, piece, less]
    gone = Unseen(1, PILE, 1, 9)
    unsure = learn(after(), entry(piece, concluded=(less,), unsure=(gone,)))
    assert isinstance(unsure, Knowledge)
    assert unsure.evidence() == [*DEALT, gone]
    refused = learn(after(A), entry(piece, unsure=(gone,)))
    assert refused == Refusal("c.one", None, {**FACTS, "why": "denied"}, (4,))
