"""Shapes of any other game, recorded by the points of each round: options, entries, detail."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from schemas import entries
from schemas.entries import (
    COMMON_CLAUSES,
    Adjust,
    Entry,
    Note,
    Seat,
    SetAside,
    StoredOf,
    SubmittedOf,
    Void,
)

NAME = "scores"
RULES_VERSION = 2
RULES_VERSIONS = (1, 2)
SEATS = range(1, 13)
# Its games belong to titles; every other ruleset is its own title.
TITLED = True
POINTS_MAX = 100_000
# Example values for the API document, by field or entry type.
EXAMPLES: dict[str, Any] = {"result": {"points": [12, None]}}
# One number or null for each seat; some seats, each once, members of a team together.
FREE_SHAPES = ("scores", "seats")

Team = tuple[Seat, ...]


class Options(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The table's choices. With `target` and `rounds` both null only `finish` ends the game.

    `teams`: the seats that share points, every seat once.
    """

    wins: Literal["lowest", "highest"] = "highest"
    target: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    rounds: Annotated[int, Meta(ge=1, le=1_000)] | None = None
    zero_sum: bool = False
    teams: Annotated[tuple[Team, ...], Meta(min_length=2, max_length=4)] | None = None


def complete_options(options: Options, seats: int, _rules_version: int = RULES_VERSION) -> Options:
    """Return the options for a number of seats.

    Raises:
        ValueError: `teams` do not hold every seat once.
    """
    if options.teams is not None:
        named = [seat for team in options.teams for seat in team]
        if sorted(named) != list(range(seats)) or not all(options.teams):
            raise ValueError(f"`teams` with every seat from 0 to {seats - 1} once")
    return options


class Result(Entry, frozen=True, tag="result"):
    """The points of a round per seat; null: that player did not take part."""

    points: tuple[int | None, ...]
    dealer: Seat | UnsetType = UNSET


class Finish(entries.Finish, frozen=True, tag="finish"):
    """The game ends here. `winners`: who won, [] for nobody; left out, the totals say it.

    Version 1 of the rules has no `winners`.
    """

    winners: tuple[Seat, ...] | UnsetType = UNSET


class Detail(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The detail of `deal_ended`. `absent`: the seats that did not take part."""

    absent: tuple[Seat, ...]


Move = Result | Void | Adjust | Note | Finish | SetAside
Submitted = SubmittedOf[Move]
Stored = StoredOf[Move, Options, Detail]


CLAUSES = (
    *COMMON_CLAUSES,
    "scores.points",
    "scores.zero-sum",
    "scores.end",
    "scores.win",
    "scores.winners",
)
