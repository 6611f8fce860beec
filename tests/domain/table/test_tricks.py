import pytest

from domain.table.cards import pack_of
from domain.table.tricks import CardOrder, Played, Trick, last_plays

PACK = pack_of("AKQJT987")
PLAIN, TRUMP = "ATKQJ987", "J9ATKQ87"


def trick(*plays: tuple[int, str]) -> Trick:
    return Trick(plays[0][0], tuple(Played(seat, card) for seat, card in plays))


@pytest.mark.parametrize(
    ("plays", "turn"),
    [
        ([(1, "7S")], 2),
        ([(4, "7S"), (5, "8S")], 0),
        ([(1, "7S"), (4, "8S")], 5),  # seat 4 out of turn: play continues from there
        ([(1, "7S"), (4, "8S"), (5, "9S"), (0, "TS")], 2),
    ],
)
def test_turn__goes_on_from_who_played_last(plays: list[tuple[int, str]], turn: int) -> None:
    assert trick(*plays).to_act(6) == turn


@pytest.mark.parametrize(
    ("plays", "winner"),
    [
        ([(0, "KS"), (1, "TS"), (2, "AD")], 1),
        ([(0, "AS"), (1, "7H"), (2, "9H"), (3, "AH")], 2),
        ([(2, "7C"), (3, "AS"), (0, "AD"), (1, "8C")], 1),
    ],
)
def test_best__is_the_highest_trump_or_card_of_the_suit_led(
    plays: list[tuple[int, str]], winner: int
) -> None:
    order = CardOrder(PACK, PLAIN, "H", trump_ranks=TRUMP)
    assert order.best(trick(*plays).plays).seat == winner


def test_last_plays__are_those_of_one_trick_of_six() -> None:
    log = [{"type": "play", "seat": seat % 6, "card": "7S"} for seat in range(3, 15)]
    ended = [{"type": "deal_ended"}, {"type": "game_ended"}]
    assert [one.seat for one in last_plays([*log, *ended])] == [3, 4, 5, 0, 1, 2]
    assert last_plays([*log, {"type": "result"}, *ended]) == []
