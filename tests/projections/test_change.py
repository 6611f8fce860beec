from hypothesis import given

from projections.change import changes
from projections.person import persons
from projections.ratings import PlackettLuce
from projections.standings import GameResult, rank, standings
from tests.projections.results import games, played


def test_change__names_places_before_and_after_streak_and_rating() -> None:
    results = [played(1, "ab", (2, 1)), played(2, "ba", (2, 1)), played(3, "ba", (2, 1))]
    fold = persons(results, PlackettLuce())
    b, a = changes(fold, "euchre", "game 3", "ba")
    assert (b.place_before, b.place, b.streak) == (1, 1, 2)
    assert (a.place_before, a.place, a.streak) == (1, 2, 0)
    assert b.rating > 0
    assert changes(fold, "euchre", "game 2", "ba") == ()


def test_change__of_a_first_game_has_no_place_before() -> None:
    fold = persons([played(1, "ab", (2, 1))], PlackettLuce())
    assert [one.place_before for one in changes(fold, "euchre", "game 1", "ab")] == [None, None]


@given(games())
def test_change__is_the_difference_of_two_standings(results: list[GameResult[str]]) -> None:
    finished = [one for one in results if one.finished]
    for last in finished[-1:]:
        fold = persons(finished, PlackettLuce())
        players = [one for one, part in zip(last.players, last.took_part, strict=True) if part]
        found = changes(fold, last.title, last.game_id, players)
        before, after = (_places(some, last.title) for some in (finished[:-1], finished))
        assert [one.place for one in found] == [after[one] for one in players]
        assert [one.place_before for one in found] == [before.get(one) for one in players]


def _places(results: list[GameResult[str]], title: str) -> dict[str, int]:
    """Return everybody's place; equal standings share one."""
    tables = [one for one in standings(results, PlackettLuce()) if one.title == title]
    ranks = {
        one.player: rank(one) for table in tables for one in table.standings if one.figures.finished
    }
    return {player: 1 + sum(one < own for one in ranks.values()) for player, own in ranks.items()}
