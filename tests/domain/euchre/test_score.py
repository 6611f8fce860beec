"""Points, results and the end of the game."""

import pytest

from tests.domain.euchre.entries import (
    FINISH,
    NOTE,
    VOID,
    accepted,
    adjust,
    amend,
    deal,
    facts,
    leaves,
    orders,
    refused,
    result,
    take_back,
    tricks,
)

ORDERED = [deal("9S"), orders(), leaves()]

# --- euchre.points


@pytest.mark.parametrize(
    ("taken", "points"),
    [(0, [0, 2]), (1, [0, 2]), (2, [0, 2]), (3, [1, 0]), (4, [1, 0]), (5, [2, 0])],
)
def test_points__by_the_makers_tricks(taken: int, points: list[int]) -> None:
    assert accepted(result(0, taken))["deals"] == [points]
    assert accepted(result(1, taken))["deals"] == [points[::-1]]


def test_points__all_five_tricks_played_are_a_march() -> None:
    log = [*ORDERED, *tricks(1, "AH 9H", "KH TH", "AD 9D", "AC 9C", "KC TC")]
    assert accepted(*log)["deals"] == [[0, 2]]


def test_points__fewer_than_three_tricks_are_euchred() -> None:
    log = [*ORDERED, *tricks(1, "9H AH"), *tricks(0, "KH TH", "AD 9D", "AC 9C", "KC TC")]
    assert accepted(*log)["deals"] == [[2, 0]]


def test_points__three_tricks_are_one_point() -> None:
    log = [*ORDERED, *tricks(1, "AH 9H", "AD 9D", "AC 9C", "9H AH")[:6]]
    log += [*tricks(1, "TH KH"), *tricks(0, "KD TD")]
    assert accepted(*log)["deals"] == [[0, 1]]


def test_points__an_annulled_deal_has_none_and_does_not_count() -> None:
    answered = accepted(*ORDERED, *tricks(1, "AH 9H"), VOID)
    assert (answered["deals"], answered["to_act"]) == ([], [0])


def test_points__a_result_part_way_counts_as_told() -> None:
    assert accepted(*ORDERED, *tricks(1, "9H AH"), result(1, 4))["deals"] == [[0, 1]]


# --- euchre.win


def test_win__at_the_target_the_game_is_over() -> None:
    answered = accepted(result(0, 5), result(0, 3), target=3)
    assert (answered["finished"], answered["totals"], answered["to_act"]) == (True, [3, 0], [])


def test_win__below_the_target_it_goes_on() -> None:
    assert not accepted(result(0, 5), target=3)["finished"]


def test_win__beyond_the_target_counts_too() -> None:
    assert accepted(result(0, 3), result(0, 5), target=2)["totals"] == [3, 0]


def test_win__ten_is_the_target_where_nothing_is_said() -> None:
    assert not accepted(*[result(0, 5)] * 4, result(0, 4))["finished"]
    assert accepted(*[result(0, 5)] * 5)["finished"]


def test_win__an_adjustment_to_the_target_decides_only_when_a_deal_ends() -> None:
    log = [adjust(0, 2)]
    assert not accepted(*log, target=2)["finished"]
    assert not accepted(*log, deal("9S"), VOID, target=2)["finished"]
    assert accepted(*log, result(1, 3), target=2)["finished"]
    assert accepted(*log, result(None), target=2)["finished"]


def test_win__an_adjustment_back_below_the_target_in_time_lets_the_game_go_on() -> None:
    assert not accepted(adjust(0, 2), adjust(0, -1), result(1, 3), target=2)["finished"]


def test_win__an_adjustment_counts_in_the_totals_at_once_and_may_be_negative() -> None:
    assert accepted(adjust(1, -3))["totals"] == [0, -3]
    assert accepted(*ORDERED, adjust(1, 2))["totals"] == [0, 2]


def test_win__a_finish_ends_the_game_anywhere_and_annuls_the_deal() -> None:
    answered = accepted(result(0, 5), *ORDERED[:0], deal("9S"), FINISH, NOTE)
    assert (
        answered["finished"],
        answered["deals"],
        answered["hand_counts"],
        answered["stock"],
    ) == (
        True,
        [[2, 0]],
        [0, 0],
        24,
    )


def test_win__corrections_after_the_end_reopen_the_game() -> None:
    over = [result(0, 5), result(0, 5)]  # versions 2 and 4; 3 and 5 end the deals, 6 the game
    assert accepted(*over, target=4)["finished"]
    assert not accepted(*over, take_back(2), target=4)["finished"]
    assert not accepted(*over, amend(4, result(0, 3)), target=4)["finished"]


# --- table.result


@pytest.mark.parametrize(
    ("played", "won"),
    [([], 0), (["AH 9H"], 1), (["AH 9H", "KH TH"], 2), (["9H AH"], 0), (["AH 9H", "9C AC"], 1)],
)
def test_table_result__lies_between_the_tricks_won_and_those_with_the_tricks_left(
    played: list[str], won: int
) -> None:
    log = [*ORDERED, *tricks(1, *played)]
    most = won + 5 - len(played)
    for count in range(6):
        if won <= count <= most:
            assert accepted(*log, result(1, count))["deals"]
        else:
            bounds = {"why": "tricks", "seat": 1, "least": won, "most": most}
            assert facts(*log, result(1, count)) == bounds
            refused(*log, result(1, count), by="table.result")
