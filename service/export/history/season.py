"""Games of a period as they are laid out on paper: standings, then every game with its totals."""

from collections.abc import Iterator, Sequence
from datetime import UTC
from uuid import UUID

from babel.dates import format_date
from babel.numbers import format_decimal, format_percent
from msgspec import Struct

from domain.games import GAMES
from domain.table.manifest import Manifest
from projections.standings import RulesetStandings, Standing
from service.export.formats.printed import plain, signed
from service.export.history.games import PlayedGame
from service.export.history.ranking import Ranking
from service.export.history.writer import Telling
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
    """The standings of one ruleset."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Side(Struct, frozen=True, kw_only=True):
    """A player in a game. `first`: nobody was better, and it is over."""

    name: str
    total: str
    first: bool


class ListedGame(Struct, frozen=True, kw_only=True):
    """A game in the list. `remark`: what is to be said of it beside that, or "".

    `said`: where it was played and its tags.
    """

    day: str
    game: str
    deals: str
    sides: tuple[Side, ...]
    remark: str
    said: tuple[str, ...]


class SeasonSheet(Struct, frozen=True, kw_only=True):
    """A whole sheet. `note`: how to read the ratings, "" where there are none."""

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


def season_of(games: Sequence[PlayedGame], ranking: Ranking, telling: Telling) -> SeasonSheet:
    """Lay games out, in the order in which they come."""
    word = telling.words.word
    day = format_date(telling.made.astimezone(telling.zone), "long", telling.words.lang)
    return SeasonSheet(
        lang=telling.words.lang,
        title=word("past_games"),
        filters=tuple(map(plain, telling.filters)) or (word("all_games"),),
        made=word("made_on").format(day=day),
        standings=word("standings"),
        tables=tuple(_table(table, ranking, telling) for table in ranking.rulesets),
        note=word("rating_note") if ranking.rulesets else "",
        games=f"{word('games')} ({format_decimal(len(games), locale=telling.words.lang)})",
        header=tuple(map(word, _GAME)),
        lines=tuple(_line(played, telling) for played in games),
        page=word("page"),
    )


def _table(table: RulesetStandings[UUID], ranking: Ranking, telling: Telling) -> SeasonTable:
    words, game = telling.words, GAMES[table.ruleset]
    return SeasonTable(
        title=texts().game(table.ruleset, words.lang),
        header=tuple(map(words.word, _columns(game))),
        rows=tuple(
            (
                str(rank),
                plain(ranking.name(one.player, words)),
                *_figures(one, words.lang, _instead_of_share(game)),
            )
            for rank, one in enumerate(table.standings, 1)
        ),
    )


def _columns(game: Manifest) -> tuple[str, ...]:
    renamed = {} if game.won else {"games_won": "firsts"}
    counted = _instead_of_share(game)
    renamed |= {"win_share": counted} if counted else {}
    return tuple(renamed.get(name, name) for name in _STANDING)


def _instead_of_share(game: Manifest) -> str | None:
    return game.counted[0].name if game.counted and not game.won else None


def _figures(standing: Standing[UUID], lang: str, counted: str | None) -> Iterator[str]:
    figures, rating = standing.figures, standing.rating
    yield str(figures.finished)
    yield str(figures.wins)
    share, each = figures.win_share, figures.points_per_game
    if counted:
        yield str(figures.counted.get(counted, 0))
    else:
        yield _NOTHING if share is None else format_percent(share, locale=lang)
    yield _NOTHING if each is None else _decimal(each, lang)
    told = _NOTHING if rating is None else _decimal(rating.ordinal, lang)
    yield f"({told})" if rating is not None and standing.provisional else told


def _decimal(number: float, lang: str) -> str:
    # A zero has no sign, whichever side it was rounded from.
    rounded = round(number, 1) + 0.0
    return format_decimal(rounded, format="0.0", locale=lang).replace("-", "−")


def _line(played: PlayedGame, telling: Telling) -> ListedGame:
    game, words = played.game, telling.words
    over = game.status == "finished"
    start = game.started_at.astimezone(UTC if game.times == "day" else telling.zone)
    # Places are missing for a moment where an older Carnet still writes to the same database.
    places = game.places or (0,) * len(game.totals)
    return ListedGame(
        day="" if game.times == "none" else format_date(start, "medium", words.lang),
        game=texts().game(game.ruleset, words.lang),
        deals=str(played.deals),
        sides=tuple(
            Side(name=plain(name), total=signed(total), first=played.decided and place == 1)
            for name, total, place in zip(words.players(played), game.totals, places, strict=True)
        ),
        remark="" if over else words.word("open"),
        said=tuple(plain(word) for word in (game.place, *game.tags) if word),
    )
