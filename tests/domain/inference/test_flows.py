import pytest

from domain.inference import flows
from domain.inference.evidence import Evidence, EvidencePiece, Narrowed, RuledOut, Seen, Unseen
from domain.inference.flow import Flow
from domain.inference.flows import Flows
from domain.inference.prices import Prices
from domain.table.cards import Cards, Pack

STOCK, PILE = 0, 3
PACK = Pack(["AS", "AH", "KS", "KH", "QS", "QH"])
AS, AH, KS, KH, QS, QH = (1 << bit for bit in range(6))
DEALT: tuple[Evidence, ...] = (Unseen(STOCK, 1, 2, 1), Unseen(STOCK, 2, 2, 1))


class OneOf(EvidencePiece, frozen=True):
    ways: tuple[tuple[Evidence, ...], ...]

    def alternatives(self) -> tuple[tuple[EvidencePiece, ...], ...]:
        return self.ways


def after(*pieces: EvidencePiece) -> Flows:
    either = Flows([Flow(PACK.everything, STOCK)])
    assert all(map(either.read, (*DEALT, *pieces)))
    return either


def seen(place: int, *cards: int) -> tuple[Evidence, ...]:
    return tuple(Seen(place, card, PILE, 9) for card in cards)


def test_either__a_piece_that_can_be_read_several_ways_leaves_those_that_fit() -> None:
    either = after(OneOf((seen(1, AS), seen(2, AS), seen(1, AH, KS), seen(1, AH, KS, QS))))
    assert len(either.all_flows()) == 3
    assert either.copy().read(Seen(1, KH, PILE, 10))
    both = either.copy()
    assert both.read(Seen(PILE, KS, PILE, 10))
    assert [flow.unseen_at(1) for flow in both.all_flows()] == [0]
    assert both.read(Seen(1, KH, PILE, 11)) is False
    assert either.copy().read(OneOf((seen(1, KH, QS, QH), seen(4, AS)))) is False
    assert either.read(OneOf((seen(2, KH), (Narrowed(STOCK, AH, 9),)))) is None


@pytest.mark.parametrize("most", [2, 3])
def test_either__too_many_ways_are_not_read(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flows, "FLOWS_MAX", most)
    either = after()
    read = either.read(OneOf((seen(1, AS), seen(2, AS), seen(STOCK, AS))))
    assert read is (True if most == 3 else None)


@pytest.mark.parametrize(("most", "decided"), [(2, None), (3, None), (4, True)])
def test_either__cards_ruled_out_of_some_places_are_at_each_that_is_left_if_those_are_few(
    most: int, monkeypatch: pytest.MonkeyPatch, *, decided: bool | None
) -> None:
    monkeypatch.setattr(flows, "FLOWS_MAX", most)
    either = after(RuledOut(1, AS | KS, "a.clause", (1, "S"), 2))
    assert either.copy().read(RuledOut(1, AH, "a.clause", (1, "H"), 3))  # it need not be decided
    assert either.decide() is decided
    if decided:
        assert len(either.all_flows()) == 4
        assert either.decide()
        assert len(either.all_flows()) == 4
        assert either.read(Seen(1, AS, PILE, 3)) is False


def test_either__a_card_that_can_be_nowhere_leaves_no_way() -> None:
    either = after(RuledOut(1, AS | KS | QS, "a.clause", (1, "S"), 2))
    assert either.copy().decide()
    everywhere = [RuledOut(place, AS, "a.clause", (1, "S"), 3) for place in (2, STOCK)]
    assert either.read(everywhere[0])
    nowhere = either.copy()
    assert nowhere.read(everywhere[1])  # it was put at the stock: found out when it is decided
    assert nowhere.decide() is False
    three = RuledOut(2, KS | QS, "a.clause", (1, "S"), 3)
    assert either.read(three) is False  # three cards at a place of two


class Answering(Flow):
    def __init__(self, answer: bool | None, price: int) -> None:  # noqa: FBT001 the signature of the caller
        super().__init__(PACK.everything, STOCK)
        self.answer, self.price = answer, price
        self.asked = 0
        self.back: list[int] = []
        self.suggested: list[Prices] = []

    def copy(self) -> "Answering":
        return self

    def add_piece(self, piece: EvidencePiece) -> bool | None:
        self.asked += 1
        return self.answer if isinstance(piece, Seen) else None

    def demand(self, place: int, copies: Cards, most: int = 3) -> bool | None:
        self.asked += 1
        return self.answer if (place, copies, most) == (4, KS, 7) else None

    def undo_demand(self, place: int) -> None:
        self.back.append(place)

    def proof(self) -> Prices:
        return {(0,): self.price}

    def suggest_proof(self, prices: Prices) -> None:
        self.suggested.append(prices)


@pytest.mark.parametrize(
    ("found", "answer", "asked"),
    [
        ((True, True), True, (1, 0)),
        ((False, True, False), True, (1, 1, 0)),
        ((None, True), True, (1, 1)),
        ((False, False, False), False, (1, 1, 1)),
        ((False, None, False), None, (1, 1, 1)),
        ((None, False, False), None, (1, 1, 1)),
    ],
)
def test_either__a_card_can_leave_where_one_allows_it_and_else_it_is_known_where_all_know(
    found: tuple[bool | None, ...], answer: object, asked: tuple[int, ...]
) -> None:
    every = [Answering(one, price) for price, one in enumerate(found)]
    assert Flows(every).can_leave(4, KS, 7) is answer
    assert tuple(one.asked for one in every) == asked
    assert [one.back for one in every] == [[4] if one.asked and one.answer else [] for one in every]
    # What refuted one may refute the next.
    assert [one.suggested for one in every[1:]] == [
        [{(0,): one.price - 1}] * one.asked for one in every[1:]
    ]
    every = [Answering(one, price) for price, one in enumerate(found)]
    assert Flows(every).can_all_leave(4, [KS]) is answer
    assert tuple(one.asked for one in every) == asked


def test_either__several_cards_can_leave_together_or_not() -> None:
    either = after(OneOf((seen(1, AS), seen(2, AS))))
    assert either.can_all_leave(1, [KS, KH])
    assert either.can_all_leave(2, [KS, KH])
    assert either.can_all_leave(1, [KS, KH, QS]) is False
    assert either.can_leave(PILE, KS) is False
    assert either.can_leave(1, KS)
    assert either.reachable().get(1, 0) == PACK.everything ^ AS
