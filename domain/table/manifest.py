"""What a game says of itself: all that common code needs to know of it beyond its rules."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType, field

from domain.table.hidden import Hidden
from domain.table.rules import Game, Rules
from domain.table.turn_shift import Turns
from schemas.entries import Entry, Seat

Teams = tuple[tuple[Seat, ...], ...]


def _nothing_hidden(_: Game) -> None:
    pass


class StandingsColumn(Struct, frozen=True, kw_only=True):
    """What standings count beside wins, as in "how often last".

    `name` heads a column of numbers and is the key in `Figures.counted`; `once` says a single time.
    Both are among the game's own `[words]`. `of_deal` takes the detail of an ended deal and the
    number of seats, and returns one number a seat.
    """

    name: str
    once: str
    of_deal: Callable[[Any, int], tuple[int, ...]]


def _left_out(_: Callable[[str], Any]) -> UnsetType:
    return UNSET


class PrivateField(Struct, frozen=True):
    """A field of an entry that holds what one seat alone was shown.

    `unseen` takes what reads the entry's other fields by name, and returns what stands in the field
    for everybody else: `??`, or nothing where the field does not admit that.
    """

    name: str
    unseen: Callable[[Callable[[str], Any]], Any] = _left_out


class Manifest(Struct, frozen=True, kw_only=True):
    """A game as common code sees it.

    `won`: coming first is winning; false where the rules know a loser and no winner. `teams` takes
    the options and returns the seats that play together, () where everybody plays alone; None: it
    is never played in teams. `holders`, for a form that greys out cards: takes the picture of the
    table (`Situation.table`), the number of cards in each hand and a card, and returns the seats
    that may hold it, those whose answer is awaited first. `hidden` says where the unseen cards of
    the deal in progress lie, None where there is none or knowledge is not kept; `locations` are the
    kinds of places it names that other games do not have (the template's `location` says each).
    `private`: by type of entry, the field that only its seat saw. `hand_seen`: players look at the
    hand dealt to them.
    `begins`: which part of a deal an entry begins, given the game before it (a trick, a bout, a
    turn); None: it belongs to the part before. The game's template says each (`part`). `turns`:
    which entries belong to turns, for a turn that was forgotten or doubled. `took`,
    where tricks are played: takes the options, the picture of the table and the last entries as
    JSON holds them, and returns who took the trick they end with, None if they end with none.
    """

    rules: Rules
    won: bool = True
    teams: Callable[[Any], Teams] | None = None
    counted: tuple[StandingsColumn, ...] = ()
    holders: Callable[[Mapping[str, Any], tuple[int, ...], str], tuple[Seat, ...]] | None = None
    hidden: Callable[[Game], Hidden | None] = _nothing_hidden
    locations: tuple[str, ...] = ()
    private: Mapping[str, PrivateField] = field(default_factory=dict[str, PrivateField])
    hand_seen: bool = True
    begins: Callable[[Game, Entry], str | None] | None = None
    turns: Turns | None = None
    took: Callable[[Any, Mapping[str, Any], Sequence[Mapping[str, Any]]], Seat | None] | None = None

    @property
    def follows(self) -> bool:
        """Tell whether unseen cards are followed: the game can be recorded card by card."""
        return self.hidden is not _nothing_hidden
