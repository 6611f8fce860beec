"""Games that families play by points, as a new game of one starts.

Their facts are in `titles.toml`, beside the rules of games by points.
"""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from msgspec import Struct, convert

from domain.games import TITLED
from schemas.names import similar_spellings
from service.language.sentence import Sentence


class KnownTitle(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The facts of a game; the file explains the fields. `players`: the fewest and the most.

    `entry` "one-side": only one side has points in a round; "turns": a player's points are
    recorded at the end of their own turn.
    """

    id: str
    name: Sentence
    also: tuple[str, ...] = ()
    wins: Literal["lowest", "highest"]
    target: int | None = None
    rounds: int | None = None
    zero_sum: bool = False
    teams: tuple[tuple[int, ...], ...] | None = None
    players: tuple[int, int]
    cooperative: bool = False
    entry: Literal["one-side", "turns"] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Every name once, in all languages."""
        return tuple(dict.fromkeys((self.name.en, self.name.fr, self.name.de, *self.also)))

    @property
    def options(self) -> dict[str, Any]:
        """The options of a new game that are known; `teams` where as many play as sit in them."""
        options = {
            "wins": self.wins,
            "target": self.target,
            "rounds": self.rounds,
            "zero_sum": self.zero_sum or None,
            "teams": self.teams,
        }
        return {name: value for name, value in options.items() if value is not None}


@lru_cache
def known_titles() -> Mapping[str, KnownTitle]:
    """Return the known games by id, in the order of the file."""
    text = files(f"domain.{TITLED}").joinpath("titles.toml").read_text("utf-8")
    return {
        name: convert({"id": name, **facts}, KnownTitle)
        for name, facts in tomllib.loads(text).items()
    }


@lru_cache
def _by_spelling() -> Mapping[str, KnownTitle]:
    return {
        spelling: title
        for title in known_titles().values()
        for name in title.names
        for spelling in similar_spellings(name)
    }


def is_cooperative(name: str | None) -> bool:
    """Return whether everybody wins or loses together in the game of a name.

    >>> is_cooperative("Pandemic"), is_cooperative("Skyjo"), is_cooperative(None)
    (True, False, False)
    """
    title = find_known_title(name) if name else None
    return title is not None and title.cooperative


def find_known_title(name: str) -> KnownTitle | None:
    """Find a known game by any of its names; case, accents, blanks and signs do not matter.

    >>> [find_known_title(name).id for name in ("SKYJO", "yams", "Moelkky", "6 Nimmt")]
    ['skyjo', 'yahtzee', 'molkky', 'six-nimmt']
    """
    titles = (_by_spelling().get(spelling) for spelling in similar_spellings(name))
    return next((title for title in titles if title is not None), None)
