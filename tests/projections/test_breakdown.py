from datetime import UTC, date

from projections.breakdown import Breakdown
from tests.projections.results import START, played


def test_a_season_has_the_games_of_its_first_and_its_last_day() -> None:
    first, last = START.date(), date(2026, 1, 3)
    folded = Breakdown[str](UTC, {"winter": (first, last)})
    for number in (-1, 0, 1, 2, 3):
        folded.add(played(number, "ab", (1, 0)))
    (title,) = folded.title_groups("a")
    (winter,) = title.groups["season"]
    assert (winter.key, winter.figures.games) == ("winter", 3)
    assert title.all.figures.games == 5
