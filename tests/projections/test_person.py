from hypothesis import given

from projections.person import RESULTS_MAX, HeadToHead, PlacedGame, persons
from projections.ratings import PlackettLuce
from projections.standings import GameResult, standings
from tests.projections.results import games, played


def heads(results: list[GameResult[str]], player: str) -> dict[tuple[str, str], HeadToHead[str]]:
    told = persons(results, PlackettLuce()).person(player)
    return {(one.ruleset, head.other): head for one in told for head in one.heads}


def test_heads__count_who_was_ahead_by_place() -> None:
    results = [
        played(1, "abc", (9, 5, 5)),
        played(2, "bac", (9, 5, 5)),
        played(3, "ac", (1, 2), finished=False),
    ]
    found = heads(results, "a")
    assert found["euchre", "b"] == HeadToHead(
        other="b", games=2, ahead=1, level=0, behind=1, together=0
    )
    assert found["euchre", "c"] == HeadToHead(
        other="c", games=2, ahead=1, level=1, behind=0, together=0
    )


def test_heads__partners_play_together_and_not_against_each_other() -> None:
    game = played(1, "abcd", (0, 1, 0, 1), lowest=True, teams=((0, 2), (1, 3)))
    found = heads([game], "a")
    assert (found["euchre", "c"].together, found["euchre", "c"].level) == (1, 0)
    assert found["euchre", "b"].ahead == 1


def test_results__tell_each_game_with_the_rating_after_it() -> None:
    results = [played(1, "ab", (10, 6)), played(2, "ba", (10, 4))]
    (told,) = persons(results, PlackettLuce()).person("a")
    first, last = told.results
    assert first == PlacedGame(
        game_id="game 1",
        number=1,
        at=results[0].started_at,
        seats=2,
        place=1,
        shared=False,
        total=10,
        rating=told.standing.course[0].rating,
    )
    assert (last.place, last.total, last.rating) == (2, 4, told.standing.rating)
    assert told.course == told.results


def test_results__the_last_are_kept_and_the_course_keeps_both_ends() -> None:
    results = [played(number, "ab", (number, 0)) for number in range(1, 1_000)]
    (told,) = persons(results, PlackettLuce()).person("a")
    assert [placed.number for placed in told.results] == list(range(1_000 - RESULTS_MAX, 1_000))
    assert (told.course[0].number, told.course[-1].number) == (1, 999)


def test_person__who_never_played_is_told_nothing_of() -> None:
    assert persons([played(1, "ab", (1, 0))], PlackettLuce()).person("z") == ()


def test_person__with_open_games_only_has_a_standing_and_no_results() -> None:
    results = [played(1, "ab", (1, 0), finished=False)]
    (told,) = persons(results, PlackettLuce()).person("a")
    assert (told.standing.figures.games, told.results, told.heads) == (1, (), ())


@given(games())
def test_persons__stand_as_the_standings_say(results: list[GameResult[str]]) -> None:
    fold = persons(results, PlackettLuce())
    assert fold.standings() == standings(results, PlackettLuce())
    for table in fold.standings():
        for standing in table.standings:
            assert standing in [one.standing for one in fold.person(standing.player)]


@given(games())
def test_heads__are_what_counting_pair_by_pair_finds(results: list[GameResult[str]]) -> None:
    fold = persons(results, PlackettLuce())
    for player in "abcde":
        for told in fold.person(player):
            met = {head.other: head for head in told.heads}
            for other in set("abcde") - {player}:
                pairs = [
                    (result, result.players.index(player), result.players.index(other))
                    for result in results
                    if result.title == told.title
                    and {player, other} <= set(result.players)
                    and result.took_part[result.players.index(player)]
                    and result.took_part[result.players.index(other)]
                ]
                expected = count(other, pairs)
                assert met.get(other) == (expected if expected.games else None)


def count(other: str, pairs: list[tuple[GameResult[str], int, int]]) -> HeadToHead[str]:
    partners = [bool(result.teams) and mine % 2 == theirs % 2 for result, mine, theirs in pairs]
    against = [
        (result.places[mine] or 99) - (result.places[theirs] or 99)
        for (result, mine, theirs), together in zip(pairs, partners, strict=True)
        if not together and {result.places[mine], result.places[theirs]} != {None}
    ]
    return HeadToHead(
        other=other,
        games=len(against) + sum(partners),
        ahead=sum(difference < 0 for difference in against),
        level=against.count(0),
        behind=sum(difference > 0 for difference in against),
        together=sum(partners),
    )
