"""The games of the history, and their views as cells in one language."""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Literal

from msgspec import Struct

from projections.summary import decided
from schemas.history import PastGame
from service.export.formats.dialects import Line
from service.export.game.game import LogLine, recorded_at
from service.language.texts import Texts


class PlayedGame(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    game: PastGame
    deals: int
    log: tuple[LogLine, ...] = ()

    @property
    def decided(self) -> bool:
        return decided(self.game.status, self.deals, self.game.totals)

    @property
    def names(self) -> tuple[str | None, ...]:
        return tuple(player.name for player in self.game.players)


ViewName = Literal["games", "deals", "standings", "entries"]


class Writing(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The language of an export."""

    lang: str
    texts: Texts

    def word(self, name: str, ruleset: str = "") -> str:
        return self.texts.word(name, self.lang, ruleset)

    def players(self, played: PlayedGame) -> list[str]:
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
        place = game.places[seat] if game.places else None
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
    sums = accumulate((deal.points for deal in game.deals), _add)
    for deal, totals in zip(game.deals, sums, strict=True):
        for name, points, total in zip(names, deal.points, totals, strict=True):
            at = deal.at if game.times == "recorded" else None
            yield [
                *(game.id, game.ruleset, deal.deal, at, name, points, total),
                *words.titled(game),
            ]


def _entries(played: PlayedGame, words: Writing) -> Iterator[Line]:
    names = words.players(played)
    for line in played.log:
        seated = line.seat is not None and line.seat < len(names)
        player = names[line.seat] if line.seat is not None and seated else None
        at = recorded_at(line, played.log[0], played.game.times)
        yield [played.game.id, line.version, at, line.type, player, line.entry]


def _add(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(sum, zip(one, other, strict=True)))


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
