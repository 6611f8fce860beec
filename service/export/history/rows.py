"""The games of the history, and their views as cells in one language."""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, islice
from typing import Literal

from msgspec import Struct

from schemas.history import PastGame
from service.export.formats.dialects import Line
from service.export.game.game import LogLine, recorded_at
from service.language.texts import Texts


class GameLog(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The entries of one game, with the names of its players by seat."""

    id: str
    names: tuple[str | None, ...]
    lines: tuple[LogLine, ...]


class PlayedGame(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game for an export. `earlier`: the logs of the games before, oldest first."""

    game: PastGame
    deals: int
    log: tuple[LogLine, ...] = ()
    earlier: tuple[GameLog, ...] = ()

    @property
    def decided(self) -> bool:
        return any(self.game.took_part)

    @property
    def names(self) -> tuple[str | None, ...]:
        return tuple(player.name for player in self.game.players)

    @property
    def logs(self) -> tuple[GameLog, ...]:
        return (*self.earlier, GameLog(id=self.game.id, names=self.names, lines=self.log))


ViewName = Literal["games", "deals", "standings", "entries"]


class Writing(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The language of an export."""

    lang: str
    texts: Texts

    def word(self, name: str, ruleset: str = "") -> str:
        return self.texts.word(name, self.lang, ruleset)

    def players(self, played: PlayedGame | GameLog) -> list[str]:
        names = played.names
        return [self.texts.player(seat, self.lang, names) for seat in range(len(names))]

    def titled(self, game: PastGame) -> Line:
        """Return the title of a game and its name."""
        return [game.title, game.title_name or self.texts.game(game.ruleset, self.lang)]


class View(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    name: ViewName
    columns: tuple[str, ...]
    of_game: Callable[[PlayedGame, Writing], Iterator[Line]]

    def header(self, words: Writing) -> Line:
        return [words.word(column) for column in self.columns]

    def lines(self, games: Sequence[PlayedGame], words: Writing) -> Iterator[Line]:
        for played in games:
            yield from self.of_game(played, words)


def _results(played: PlayedGame, words: Writing) -> Iterator[Line]:
    game = played.game
    status = words.word(game.status)
    for seat, name in enumerate(words.players(played)):
        place = game.places[seat]
        yield [
            game.id,
            game.ruleset,
            None if game.times == "none" else game.started_at,
            game.last_at if game.times == "recorded" else None,
            status,
            played.deals,
            seat + 1,
            name,
            game.totals[seat],
            place,
            int(played.decided and place == 1),
            game.place or None,
            ", ".join(game.tags) or None,
            *words.titled(game),
        ]


def _deals(played: PlayedGame, words: Writing) -> Iterator[Line]:
    game = played.game
    names = words.players(played)
    nothing: tuple[int | None, ...] = (None,) * len(names)
    sums = islice(accumulate((deal.points for deal in game.deals), _add, initial=nothing), 1, None)
    for deal, totals in zip(game.deals, sums, strict=True):
        for name, points, total in zip(names, deal.points, totals, strict=True):
            at = deal.at if game.times == "recorded" else None
            yield [
                *(game.id, game.ruleset, deal.deal, at, name, points, total),
                *words.titled(game),
            ]


def _entries(played: PlayedGame, words: Writing) -> Iterator[Line]:
    for log in played.logs:
        names = words.players(log)
        for line in log.lines:
            seated = line.seat is not None and line.seat < len(names)
            player = names[line.seat] if line.seat is not None and seated else None
            at = recorded_at(line, log.lines[0], played.game.times)
            yield [log.id, line.version, at, line.type, player, line.entry]


def _add(totals: tuple[int | None, ...], added: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """Add points; None: not there yet."""
    return tuple(
        (before or 0) + won if won is not None else before
        for before, won in zip(totals, added, strict=True)
    )


GAMES = View(
    name="games",
    columns=(
        "game",
        "ruleset",
        "started_at",
        "last_at",
        "status",
        "deals",
        "seat_number",
        "player",
        "total",
        "place",
        "won",
        # Append new columns at the end, for programs that read columns by position.
        "location",
        "tags",
        "title",
        "title_name",
    ),
    of_game=_results,
)
DEALS = View(
    name="deals",
    columns=(
        *("game", "ruleset", "number", "recorded_at", "player", "points", "points_so_far"),
        *("title", "title_name"),
    ),
    of_game=_deals,
)
ENTRIES = View(
    name="entries",
    columns=("game", "version", "recorded_at", "type", "player", "entry"),
    of_game=_entries,
)
