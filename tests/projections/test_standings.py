from hypothesis import given

from projections.ratings import PlackettLuce
from projections.standings import Figures, GameResult, Standing, standings
from tests.projections.results import games, played

THREE = [
    played(1, "ab", (10, 6), deals=8),
    played(2, "ba", (10, 4), deals=5),
    played(3, "ab", (10, 10), deals=7),
    played(4, "ab", (3, 2), finished=False, deals=2),
]


def of(results: list[GameResult[str]], ruleset: str = "euchre") -> dict[str, Standing[str]]:
    (found,) = [table for table in standings(results, PlackettLuce()) if table.ruleset == ruleset]
    return {standing.player: standing for standing in found.standings}


def test_figures__are_those_counted_by_hand() -> None:
    assert of(THREE)["a"].figures == Figures(
        games=4,
        finished=3,
        wins=2,
        shared_wins=1,
        win_share=2 / 3,
        deals=20,
        points=24,
        points_per_game=8.0,
        points_per_deal=1.2,
        place=4 / 3,
        best_place=1,
        worst_place=2,
        lowest=4,
        highest=10,
        streak=1,
        longest_streak=1,
        counted={},
    )
    assert of(THREE)["b"].figures.streak == 2


def test_figures__of_open_games_alone_tell_nothing_but_their_number() -> None:
    alone = of(THREE[3:])["a"]
    assert alone.figures.games == 1
    assert alone.figures.win_share is alone.figures.place is alone.figures.lowest is None
    assert alone.rating is None
    assert alone.provisional
    assert alone.course == ()


def test_streak__outlives_an_open_game_and_ends_with_a_lost_one() -> None:
    won = [played(number, "ab", (2, 1)) for number in range(3)]
    lost = played(4, "ab", (1, 2))
    still_open = played(5, "ab", (1, 2), finished=False)
    figures = of([*won, lost, *won[:2], still_open])["a"].figures
    assert (figures.streak, figures.longest_streak) == (2, 3)


def test_shared__is_a_place_that_partners_do_not_have_alone() -> None:
    teams = ((0, 2), (1, 3))
    alone = played(1, "abcd", (0, 1, 0, 1), lowest=True, teams=teams)
    level = played(2, "abcd", (1, 1, 1, 1), lowest=True, teams=teams)
    assert of([alone])["a"].figures.shared_wins == 0
    assert of([alone, level])["a"].figures.shared_wins == 1


def test_counted__is_summed_up_where_the_deals_tell_it() -> None:
    results = [
        played(1, "abc", (1, 0, 2), ruleset="durak", lowest=True, duraks=(1, 0, 2)),
        played(2, "abc", (0, 0, 1), ruleset="durak", lowest=True, duraks=(0, 0, 1)),
    ]
    assert [of(results, "durak")[name].figures.counted for name in "abc"] == [
        {"duraks": times} for times in (1, 0, 3)
    ]


def test_rulesets__are_told_apart_and_named_in_order() -> None:
    tables = standings([played(1, "ab", (1, 0), ruleset="rami"), *THREE], PlackettLuce())
    assert [(table.ruleset, table.games, table.finished) for table in tables] == [
        ("euchre", 4, 3),
        ("rami", 1, 1),
    ]


def test_rating__begins_with_what_is_believed_of_anybody_and_follows_the_games() -> None:
    rater = PlackettLuce()
    new = rater.start()
    [[a], [b]] = rater.rate([[new], [new]], [1, 2])
    [[c], [a], [b]] = rater.rate([[new], [a], [b]], [1, 1, 3])
    found = of([played(1, "ab", (10, 6)), played(2, "cab", (10, 10, 2))])
    assert [found[name].rating for name in "abc"] == [a, b, c]


def test_rating__of_partners_moves_as_that_of_a_team() -> None:
    rater = PlackettLuce()
    new = rater.start()
    [[a, c], [b, d]] = rater.rate([[new, new], [new, new]], [2, 1])
    teams = ((0, 2), (1, 3))
    found = of([played(1, "abcd", (2, 1, 2, 1), lowest=True, teams=teams)])
    assert [found[name].rating for name in "abcd"] == [a, b, c, d]


def test_rating__is_provisional_before_five_finished_games_and_stands_behind() -> None:
    known = [played(number, "ab", (1, 2)) for number in range(5)]
    (table,) = standings([*known, played(6, "ca", (2, 1))], PlackettLuce())
    assert [(one.player, one.provisional) for one in table.standings] == [
        ("b", False),
        ("a", False),
        ("c", True),
    ]


def test_provisional__players_stand_by_their_wins() -> None:
    often = [played(number, "abc", (1, 2, 3)) for number in range(4)]
    (table,) = standings([*often, played(5, "de", (1, 2))], PlackettLuce())
    assert [one.player for one in table.standings] == ["c", "e", "b", "d", "a"]


def test_course__has_the_rating_after_every_game() -> None:
    course = of(THREE)["a"].course
    assert [point.number for point in course] == [1, 2, 3]
    assert course[-1].rating == of(THREE)["a"].rating


@given(games())
def test_figures__add_up_whatever_was_played(results: list[GameResult[str]]) -> None:
    tables = standings(results, PlackettLuce())
    assert sum(table.games for table in tables) == len(results)
    for table in tables:
        mine = [result for result in results if result.title == table.title]
        seats = sum(len(result.players) for result in mine)
        assert sum(one.figures.games for one in table.standings) == seats
        for one in table.standings:
            assert one.figures == counted(mine, one.player, one.figures)


def counted(results: list[GameResult[str]], player: str, found: Figures) -> Figures:
    mine = [result for result in results if player in result.players]
    ended = [result for result in mine if result.took_part[result.players.index(player)]]
    seats = [result.players.index(player) for result in ended]
    places = [result.places[seat] for result, seat in zip(ended, seats, strict=True)]
    placed = [place for place in places if place is not None]
    totals = [result.totals[seat] for result, seat in zip(ended, seats, strict=True)]
    scored = [
        result.totals[seat]
        for result, seat in zip(ended, seats, strict=True)
        if result.deals or any(result.totals)
    ]
    runs = "".join("w" if place == 1 else " " for place in places)
    deals = sum(result.deals for result in ended)
    return Figures(
        games=len(mine),
        finished=len(ended),
        wins=places.count(1),
        shared_wins=sum(
            place == 1 and 1 in others(result, seat)
            for result, seat, place in zip(ended, seats, places, strict=True)
        ),
        win_share=places.count(1) / len(ended) if ended else None,
        deals=deals,
        points=sum(totals),
        points_per_game=sum(totals) / len(scored) if scored else None,
        points_per_deal=sum(
            total for result, total in zip(ended, totals, strict=True) if result.deals
        )
        / deals
        if deals
        else None,
        place=sum(placed) / len(placed) if placed else None,
        best_place=min(placed, default=None),
        worst_place=max(placed, default=None),
        lowest=min(scored, default=None),
        highest=max(scored, default=None),
        streak=len(runs) - len(runs.rstrip("w")),
        longest_streak=max(map(len, runs.split()), default=0),
        counted=found.counted,
    )


def others(result: GameResult[str], seat: int) -> list[int | None]:
    partner = (seat + 2) % 4 if result.teams else seat
    return [place for at, place in enumerate(result.places) if at not in {seat, partner}]


def test_points_a_deal__leave_out_games_of_which_only_the_totals_are_known() -> None:
    on_paper = [played(number, "ab", (40, 55), deals=0) for number in range(10, 90)]
    figures = of([*THREE, *on_paper])["a"].figures
    assert (figures.deals, figures.points_per_deal) == (20, 1.2)
    assert figures.points_per_game == (24 + 80 * 40) / 83
    assert of(on_paper)["a"].figures.points_per_deal is None


def test_an_unranked_player__has_played_without_place_win_or_rating() -> None:
    found = of([played(1, "abc", (10, 6, 0), unranked=(2,))])
    figures = found["c"].figures
    assert (figures.finished, figures.wins, figures.place) == (1, 0, None)
    assert (found["c"].rating, found["a"].rating is None) == (None, False)


def test_who_did_not_take_part__has_a_game_that_counts_nowhere() -> None:
    figures = of([played(1, "abc", (10, 6, 0), absent=(2,))])["c"].figures
    assert (figures.games, figures.finished, figures.win_share, figures.lowest) == (
        1,
        0,
        None,
        None,
    )


def test_a_game_that_nobody_won__ends_a_streak_and_rates_nobody() -> None:
    before = of(THREE[:1])
    after = of([*THREE[:1], played(2, "ab", (0, 0), deals=0, unranked=(0, 1))])
    assert [after[one].rating for one in "ab"] == [before[one].rating for one in "ab"]
    assert (after["a"].figures.streak, after["a"].figures.longest_streak) == (0, 1)
    assert (after["a"].figures.win_share, after["a"].figures.points_per_game) == (1 / 2, 10)


def test_only_a_winner__is_a_win_and_rates_nobody() -> None:
    found = of([played(1, "ab", (0, 0), deals=0, unranked=(1,))])
    assert [found[one].figures.wins for one in "ab"] == [1, 0]
    assert [found[one].figures.finished for one in "ab"] == [1, 1]
    assert {found[one].rating for one in "ab"} == {None}
