"""Everybody's figures in groups as cells: people, pairs, periods and table sizes, ratings."""

from collections.abc import Iterator
from uuid import UUID

from projections.breakdown import Dimension, Group
from service.export.formats.dialects import Cell, Line
from service.export.history.ranking import FIGURES, Ranking, figure_cells
from service.export.history.rows import Writing

_TITLE = ("title", "title_name")
_TIME = ("timed_games", "table_minutes")
PEOPLE = ("player", "titles_played", "games", "finished_games", "games_won", *_TIME)
PAIRS = (
    *("player", "other_player", *_TITLE, *FIGURES),
    *("games_ahead", "games_level", "games_behind", "games_together", *_TIME),
)
GROUPS = ("player", *_TITLE, "grouped_by", "group", *FIGURES, *_TIME)
RATINGS = ("player", *_TITLE, "finished_games", "started_at", "rating")

_PERIODS: tuple[Dimension, ...] = ("all", "year", "month", "season", "seats")
_PEOPLE: tuple[Dimension, ...] = ("opponent", "partner")
_RATING_DIGITS = 2


def people(ranking: Ranking, words: Writing) -> Iterator[Line]:
    """Yield a line per person, over all titles."""
    for person in ranking.people:
        games = [title.all for title in person.titles]
        yield [
            ranking.name(person.player, words),
            len(games),
            sum(group.figures.games for group in games),
            sum(group.figures.finished for group in games),
            sum(group.figures.wins for group in games),
            sum(group.timed for group in games),
            _minutes(sum(group.seconds for group in games)),
        ]


def pairs(ranking: Ranking, words: Writing) -> Iterator[Line]:
    """Yield a line per title, player and other player, once as opponents, once as partners."""
    for person in ranking.people:
        for title in person.titles:
            for group in (group for name in _PEOPLE for group in title.groups[name]):
                yield [
                    ranking.name(person.player, words),
                    ranking.name(UUID(group.key), words),
                    title.title,
                    ranking.title(title, words),
                    *figure_cells(group.figures),
                    *(group.ahead, group.level, group.behind, group.together),
                    *_time(group),
                ]


def groups(ranking: Ranking, words: Writing) -> Iterator[Line]:
    """Yield a line per player, title and period or table size."""
    for person in ranking.people:
        for title in person.titles:
            for name in _PERIODS:
                for group in title.groups[name]:
                    yield [
                        ranking.name(person.player, words),
                        title.title,
                        ranking.title(title, words),
                        words.word(f"by_{name}"),
                        _key(ranking, name, group.key),
                        *figure_cells(group.figures),
                        *_time(group),
                    ]


def ratings(ranking: Ranking, words: Writing) -> Iterator[Line]:
    """Yield a line per player, title and rated game, a selection where there are many."""
    for table in ranking.rulesets:
        for standing in table.standings:
            for rated in standing.course:
                yield [
                    ranking.name(standing.player, words),
                    table.title,
                    ranking.title(table, words),
                    rated.number,
                    rated.at,
                    round(rated.rating.ordinal, _RATING_DIGITS) + 0.0,
                ]


def _key(ranking: Ranking, name: Dimension, key: str) -> Cell:
    if name == "season":
        return ranking.seasons.get(key)
    return int(key) if name == "seats" else key or None


def _time(group: Group) -> tuple[Cell, ...]:
    return (group.timed, _minutes(group.seconds))


def _minutes(seconds: int) -> float:
    return round(seconds / 60, 1)
