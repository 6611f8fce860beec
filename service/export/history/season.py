"""The layout of a season on paper: standings, then each game with its totals."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import BinaryIO
from uuid import UUID

import msgspec
from babel.dates import format_date
from babel.numbers import format_decimal, format_percent
from msgspec import Struct

from domain.games import GAMES
from domain.table.manifest import Manifest
from projections.standings import RulesetStandings, Standing
from service.export.formats.typesetter import (
    TEMPLATES,
    PaperSize,
    compile_pdf,
    format_signed,
    strip_controls,
)
from service.export.history.ranking import Ranking
from service.export.history.rows import PlayedGame
from service.export.history.writer import ExportContext
from service.language.texts import texts

_STANDING = (
    "rank",
    "player",
    "finished_games",
    "games_won",
    "win_share",
    "points_per_game",
    "rating",
)
_GAME = ("started_at", "ruleset", "deals", "players_and_totals")
_NOTHING = "–"


class SeasonTable(Struct, frozen=True, kw_only=True):
    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Side(Struct, frozen=True, kw_only=True):
    """A player in a game. `first`: a winner of a finished game."""

    name: str
    total: str
    first: bool


class ListedGame(Struct, frozen=True, kw_only=True):
    """A game in the list. `remark`: "" if there is none. `said`: place and tags."""

    day: str
    game: str
    deals: str
    sides: tuple[Side, ...]
    remark: str
    said: tuple[str, ...]


class SeasonSheet(Struct, frozen=True, kw_only=True):
    lang: str
    title: str
    filters: tuple[str, ...]
    made: str
    standings: str
    tables: tuple[SeasonTable, ...]
    note: str
    games: str
    header: tuple[str, ...]
    lines: tuple[ListedGame, ...]
    page: str
    size: PaperSize = "a4"
    replay: str = ""
    code: tuple[str, ...] = ()


def layout_season(
    games: Sequence[PlayedGame], ranking: Ranking, context: ExportContext
) -> SeasonSheet:
    """Lay out games in the given order."""
    word = context.words.word
    day = format_date(context.made.astimezone(context.zone), "long", context.words.lang)
    return SeasonSheet(
        lang=context.words.lang,
        title=word("past_games"),
        filters=tuple(map(strip_controls, context.filters)) or (word("all_games"),),
        made=word("made_on").format(day=day),
        standings=word("standings"),
        tables=tuple(_table(table, ranking, context) for table in ranking.rulesets),
        note=word("rating_note") if ranking.rulesets else "",
        games=f"{word('games')} ({format_decimal(len(games), locale=context.words.lang)})",
        header=tuple(map(word, _GAME)),
        lines=tuple(_line(played, context) for played in games),
        page=word("page"),
    )


def _table(table: RulesetStandings[UUID], ranking: Ranking, context: ExportContext) -> SeasonTable:
    words, game = context.words, GAMES[table.ruleset]
    return SeasonTable(
        title=ranking.title(table, words),
        header=tuple(words.word(column, table.ruleset) for column in _columns(game)),
        rows=tuple(
            (
                str(rank),
                strip_controls(ranking.name(standing.player, words)),
                *_figures(standing, words.lang, _instead_of_share(game)),
            )
            for rank, standing in enumerate(table.standings, 1)
        ),
    )


def _columns(game: Manifest) -> tuple[str, ...]:
    renamed = {} if game.has_winner else {"games_won": "firsts"}
    counted = _instead_of_share(game)
    renamed |= {"win_share": counted} if counted else {}
    return tuple(renamed.get(name, name) for name in _STANDING)


def _instead_of_share(game: Manifest) -> str | None:
    return (
        game.standings_columns[0].name if game.standings_columns and not game.has_winner else None
    )


def _figures(standing: Standing[UUID], lang: str, counted: str | None) -> Iterator[str]:
    """Yield the figures of a line; `counted` names a column that replaces the share of wins."""
    figures, rating = standing.figures, standing.rating
    yield str(figures.finished)
    yield str(figures.wins)
    share, each = figures.win_share, figures.points_per_game
    if counted:
        yield str(figures.counted.get(counted, 0))
    else:
        yield _NOTHING if share is None else format_percent(share, locale=lang)
    yield _NOTHING if each is None else _decimal(each, lang)
    text = _NOTHING if rating is None else _decimal(rating.ordinal, lang)
    yield f"({text})" if rating is not None and standing.provisional else text


def _decimal(number: float, lang: str) -> str:
    # Never print a negative zero.
    rounded = round(number, 1) + 0.0
    return format_decimal(rounded, format="0.0", locale=lang).replace("-", "−")


def _line(played: PlayedGame, context: ExportContext) -> ListedGame:
    game, words = played.game, context.words
    over = game.status == "finished"
    start = game.started_at.astimezone(UTC if game.times == "day" else context.zone)
    return ListedGame(
        day="" if game.times == "none" else format_date(start, "medium", words.lang),
        game=game.title_name or texts().game(game.ruleset, words.lang),
        deals=str(played.deals),
        sides=tuple(
            Side(
                name=strip_controls(name),
                total=format_signed(total),
                first=played.decided and place == 1,
            )
            for name, total, place in zip(
                words.players(played), game.totals, game.places, strict=True
            )
        ),
        remark="" if over else words.word("open"),
        said=tuple(strip_controls(word) for word in (game.place, *game.tags) if word),
    )


GAMES_MAX = 1_000

_TEMPLATE = TEMPLATES / "season.typ"


def season_pdf(season: SeasonSheet, moment: datetime) -> bytes:
    data = msgspec.json.encode(season).decode()
    return compile_pdf(_TEMPLATE, data, int(moment.timestamp()))


class PdfSeason:
    def __init__(self, out: BinaryIO, context: ExportContext) -> None:
        self._out = out
        self._context = context
        self._games: list[PlayedGame] = []
        self._ranking = Ranking(rulesets=(), names={})

    def add(self, games: Sequence[PlayedGame]) -> None:
        self._games.extend(games)

    def rank(self, ranking: Ranking) -> None:
        self._ranking = ranking

    def finish(self) -> None:
        season = layout_season(self._games, self._ranking, self._context)
        self._out.write(season_pdf(season, self._context.made))

    def abandon(self) -> None:
        pass
