"""Standings as cells in one language: a line per ruleset and player."""

from collections.abc import Iterator, Mapping
from uuid import UUID

from msgspec import Struct

from domain.games import GAMES
from projections.breakdown import TitleBreakdown
from projections.standings import Figures, RulesetStandings, Standing
from service.export.formats.dialects import Cell, Line
from service.export.history.rows import Writing

# Counts of the games beside wins, with the first game that has them: a column each, in all lines.
COUNTED = {
    column.name: game for game in reversed(GAMES) for column in GAMES[game].standings_columns
}
FIGURES = (
    "games",
    "finished_games",
    "games_won",
    "games_shared",
    "win_share",
    "points",
    "points_per_game",
    "points_per_deal",
    "place_average",
    "place_best",
    "place_worst",
    "streak",
    "streak_longest",
    *COUNTED,
)
COLUMNS = (
    "ruleset",
    "rank",
    "player",
    *FIGURES,
    "rating",
    "rating_mu",
    "rating_sigma",
    "rating_provisional",
    "title",
    "title_name",
)
_DIGITS, _RATING_DIGITS = 4, 2


class PersonGroups(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    player: UUID
    titles: tuple[TitleBreakdown, ...]


class Ranking(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The standings by title; for a workbook also everybody's figures in groups.

    `seasons`: names by id.
    """

    rulesets: tuple[RulesetStandings[UUID], ...]
    names: Mapping[UUID, str | None]
    titles: Mapping[str, str | None] = {}
    people: tuple[PersonGroups, ...] = ()
    seasons: Mapping[str, str] = {}

    def name(self, player: UUID, words: Writing) -> str:
        return self.names.get(player) or words.word("forgotten_player")

    def title(self, table: RulesetStandings[UUID] | TitleBreakdown, words: Writing) -> str:
        """Return the name of a title."""
        return self.titles.get(table.title) or words.texts.game(table.ruleset, words.lang)


def header(words: Writing) -> Line:
    return [words.word(column, COUNTED.get(column, "")) for column in COLUMNS]


def lines(ranking: Ranking, words: Writing) -> Iterator[Line]:
    for table in ranking.rulesets:
        for rank, standing in enumerate(table.standings, 1):
            name = ranking.name(standing.player, words)
            titled = (table.title, ranking.title(table, words))
            yield [
                table.ruleset,
                rank,
                name,
                *figure_cells(standing.figures),
                *_rating(standing),
                *titled,
            ]


def figure_cells(figures: Figures) -> Iterator[Cell]:
    """Yield the cells of the columns `FIGURES`."""
    yield from (figures.games, figures.finished, figures.wins, figures.shared_wins)
    yield _round(figures.win_share)
    yield figures.points
    yield _round(figures.points_per_game)
    yield _round(figures.points_per_deal)
    yield _round(figures.place)
    yield from (figures.best_place, figures.worst_place)
    yield from (figures.streak, figures.longest_streak)
    yield from map(figures.counted.get, COUNTED)


def _rating(standing: Standing[UUID]) -> Iterator[Cell]:
    rating = standing.rating
    yield _round(rating.ordinal if rating else None, _RATING_DIGITS)
    yield _round(rating.mu if rating else None, _RATING_DIGITS)
    yield _round(rating.sigma if rating else None, _RATING_DIGITS)
    yield int(standing.provisional)


def _round(value: float | None, digits: int = _DIGITS) -> float | None:
    # Never print a negative zero.
    return None if value is None else round(value, digits) + 0.0
