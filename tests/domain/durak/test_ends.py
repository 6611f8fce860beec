import pytest
from msgspec import convert, json
from msgspec.structs import replace

from domain.durak.score import outcome_if_over
from domain.replay import ReplayedRecord, opening, replay
from domain.table.history import History
from domain.table.judgement import situation
from schemas.catalogue import shapes
from schemas.durak import Detail, Options, complete_options
from schemas.strict_json import Malformed
from tests.domain.durak.endings import DRAWN, DURAK, ONE_OUT, SIX, TWO_LEFT
from tests.domain.durak.entries import (
    BEGUN,
    FINISH,
    Entry,
    accepted,
    attack,
    away,
    beat,
    deal,
    done,
    facts,
    refused,
    result,
    take,
)


def history(*log: Entry, seats: int, **options: object) -> History:
    decoded = shapes("durak").decode_submitted(json.encode(log))
    assert not isinstance(decoded, Malformed)
    chosen = complete_options(convert({"rules": "fr", **options}, Options), seats)
    outcome = replay(opening("durak", chosen, seats), decoded)
    assert isinstance(outcome, ReplayedRecord), outcome
    return outcome.history


def detail(*log: Entry, seats: int = 6, **options: object) -> Detail:
    found = history(*log, seats=seats, **options).game.details[-1]
    assert isinstance(found, Detail)
    return found


# --- durak.out


def test_out__a_player_without_cards_at_the_end_of_a_bout() -> None:
    game = history(*ONE_OUT, seats=6).game
    assert situation(game).table["out"] == [1]


def test_out__is_passed_over_as_defender() -> None:
    answered = accepted(*ONE_OUT, attack(3, "AD"), take(4), attack(5, "QS"), seats=6)
    assert answered["to_act"] == [0]


# Seat 3 takes the aces of seats 1 and 2 and lays all four away as its last cards.
LET_PASS: Entry = {"waive": ["durak.turn", "durak.first-lead", "durak.lead"]}
FOUR_LAST = [
    deal(
        "QC",
        dealer=5,
        hands=[
            ["6S", "6H", "6D", "6C", "7S", "7H"],
            ["7D", "7C", "8S", "8H", "8D", "8C"],
            ["AS", "AH", "AD", "9S", "9H", "9D"],
            ["AC", "TS", "TH", "TD", "TC", "JS"],
            ["9C", "JH", "JD", "JC", "QS", "QH"],
            ["QD", "QC", "KS", "KH", "KD", "KC"],
        ],
    ),
    attack(2, "AS AH AD", **LET_PASS),
    take(3),
    away(3, "TS TH TD TC"),
    attack(2, "9S", **LET_PASS),
    beat(3, "9S", "JS"),
    done(2),
    done(4),
    away(3, "AS AH AD AC"),
]


# --- durak.end


def test_end__the_last_with_cards_is_the_durak_and_scores_one() -> None:
    answered = accepted(*DURAK, seats=6)
    assert answered["deals"] == [[0, 0, 1, 0, 0, 0]]
    assert detail(*DURAK) == Detail(places=((1,), (3,), (5,), (4,), (0,), (2,)), durak=2)


def test_end__the_durak_deals_next() -> None:
    assert accepted(*DURAK, seats=6)["to_act"] == [2]


# --- durak.drawn


def test_drawn__those_who_emptied_their_hands_in_the_last_bout_share_the_place() -> None:
    answered = accepted(*DRAWN, seats=6)
    assert answered["deals"] == [[0] * 6]
    assert detail(*DRAWN) == Detail(places=((1,), (3,), (5,), (4,), (0, 2)), durak=None)


def test_drawn__the_deal_passes_to_the_left() -> None:
    assert accepted(*DRAWN, seats=6)["to_act"] == [0]


# --- durak.teams


def test_teams__partners_left_with_cards_are_last_in_the_order_of_their_seats() -> None:
    game = history(*BEGUN, seats=4).game
    left = replace(game.deal, holding=0b0101, out=(1,), emptied=(3,), dealer=2)
    scored = outcome_if_over(game, left, (3,))
    assert scored is not None
    assert scored.detail == Detail(places=((1,), (3,), (0, 2)), durak=0)


# --- table.result


def test_table_result__ending_a_deal_part_way_is_accepted() -> None:
    accepted(*ONE_OUT, result([[1], [0], [2], [3], [4], [5]], 5), seats=6)


def test_table_result__that_contradicts_who_is_out_is_refused() -> None:
    refused(*ONE_OUT, result([[0], [1], [2], [3], [4], [5]], 5), by="table.result", seats=6)


def test_table_result__whose_hand_is_empty_for_good_comes_next_or_is_refused() -> None:
    log = [*TWO_LEFT, attack(0, "KC"), take(2), attack(0, "QD")]
    accepted(*log, result([[1], [3], [5], [4], [0], [2]], 2), seats=6)
    accepted(*log, result([[1], [3], [5], [4], [0, 2]], None), seats=6)
    refused(*log, result([[1], [3], [5], [4], [2], [0]], 0), by="table.result", seats=6)


# --- the end of the game


def test_game__fewest_points_win_then_the_smallest_sum_of_places() -> None:
    log = [result([[2], [0], [1]], 1), result([[2], [0, 1]], None), FINISH]
    game = history(*log, seats=3).game
    assert game.totals == (0, 1, 0)
    assert game.rules.ranking(game) == ((2,), (0,), (1,))


# Times durak 0 1 1 2, sums of places 10 9 11 10, times first 0 1 1 2.
APART = [
    result([[3], [0], [2], [1]], 1),
    result([[1], [0], [2], [3]], 3),
    result([[2], [1], [0], [3]], 3),
    result([[3], [1], [0], [2]], 2),
]
# Seats 0 and 3 were never durak and sum up to 4; only seat 3 was ever first.
LEVEL_IN_TWO = [result([[1], [0], [3], [2]], 2), result([[3], [0], [2], [1]], 1)]


@pytest.mark.parametrize(
    ("winner_by", "ranked"),
    [
        ("durak", ((0,), (1,), (2,), (3,))),
        ("places", ((1,), (3,), (0,), (2,))),
        ("first", ((3,), (1,), (2,), (0,))),
    ],
)
def test_game__is_won_as_the_table_agreed(winner_by: str, ranked: tuple[object, ...]) -> None:
    game = history(*APART, FINISH, seats=4, teams=False, winner_by=winner_by).game
    assert game.rules.ranking(game) == ranked


def test_game__level_in_two_ways_is_told_apart_by_the_third() -> None:
    game = history(*LEVEL_IN_TWO, FINISH, seats=4, teams=False).game
    assert game.rules.ranking(game) == ((3,), (0,), (1,), (2,))


def test_game__an_award_counts_for_the_times_durak_only() -> None:
    award = {"type": "adjust", "seat": 0, "points": 3, "reason": "agreed"}
    by_durak = history(*APART, award, FINISH, seats=4, teams=False).game
    assert by_durak.rules.ranking(by_durak)[-1] == (0,)
    by_first = history(*APART, award, FINISH, seats=4, teams=False, winner_by="first").game
    assert by_first.rules.ranking(by_first) == ((3,), (1,), (2,), (0,))


def test_game__its_ranking_reads_no_ended_deal_again() -> None:
    game = history(*APART, FINISH, seats=4, teams=False).game
    assert game.rules.ranking(replace(game, details=())) == game.rules.ranking(game)


def test_game__equal_in_all_three_ways_share() -> None:
    log = [result([[2], [0], [1]], 1), result([[0], [2], [1]], 1), FINISH]
    game = history(*log, seats=3).game
    assert game.rules.ranking(game) == ((0, 2), (1,))


def test_game__six_lay_cards_away_and_somebody_leads() -> None:
    assert accepted(*SIX, seats=6)["to_act"] == [0]


# --- facts of refusals


def test_table_result__it_is_told_who_is_out_already_and_in_which_place() -> None:
    log = [*TWO_LEFT, result([[1], [5], [3], [4], [0], [2]], 2)]
    assert facts(*log, seats=6) == {"why": "out", "seat": 3, "number": 2}


def test_out__who_lays_the_last_four_away_is_out_before_the_next_bout() -> None:
    assert situation(history(*FOUR_LAST, seats=6, four_away=True).game).table["out"] == [3]
