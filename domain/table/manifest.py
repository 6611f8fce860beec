"""Description of a game for common code, beyond its rules."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType, field

from domain.table.hidden import Hidden
from domain.table.rules import Game, Rules
from domain.table.turn_shift import Turns
from schemas.entries import Entry, Seat

Teams = tuple[tuple[Seat, ...], ...]


def _always(_: object) -> bool:
    return True


def _nothing_hidden(_: Game) -> None:
    pass


class StandingsColumn(Struct, frozen=True, kw_only=True):
    """A column of the standings beside wins, such as "how often last".

    `name` is the heading and the key in `Figures.counted`; `singular` is the singular text. Both
    are keys of the game's `[words]`. `of_deal` takes the detail of an ended deal and the number of
    seats, and returns one number per seat.
    """

    name: str
    singular: str
    of_deal: Callable[[Any, int], tuple[int, ...]]


def _unset(_: Callable[[str], Any]) -> UnsetType:
    return UNSET


class PrivateField(Struct, frozen=True):
    """An entry's field that contains private cards.

    `unseen` takes a getter for the other fields of the entry and returns the masked value: `??`, or
    UNSET if the field does not allow that.
    """

    name: str
    unseen: Callable[[Callable[[str], Any]], Any] = _unset


class Manifest(Struct, frozen=True, kw_only=True):
    """A game as common code uses it.

    - `earlier_rules`: the rules of earlier versions, by which recorded games go on.
    - `has_winner`: the first place is a win; false if the rules only have a loser.
    - `teams` takes the options and the number of seats, and returns the seats that play together,
      () if each plays alone.
    - `possible_holders` takes `Situation.table`, the hand counts and a card, and returns the seats
      that may hold it, those that are to act first; a form greys out cards with it.
    - `hidden` returns the locations of unseen cards; None without a deal or without knowledge.
    - `locations`: the game's own kinds of location, rendered by the template's `location`.
    - `private`: the private field of each entry type.
    - `players_see_hands`: players look at the hand dealt to them.
    - `part_begun_by` takes the game before an entry and returns the kind of part (trick, bout,
      turn) that the entry begins, else None; rendered by the template's `part`.
    - `turns`: the entries of turns, for repairing a turn that was forgotten or recorded twice.
    - `is_mistake` takes the game before an entry and returns whether the entry records a mistake
      that the game punishes, so that words name it.
    - `deals_option`: the option that limits the number of deals, "" if none does. `correctable`:
      the options that a table can put right while it plays.
    - `goes_on` takes the options and returns whether totals alone say how a game stands, so that it
      can go on as another one, with other players or options.
    - `trick_winner` takes the options, `Situation.table` and the last entries as JSON, and returns
      the seat that won the trick which they end, else None.
    - `implied`: entry types, each with the type of the entry before it that it implies; both are
      entered and undone together.
    - `inserts_before`: the type of entries before which a forgotten one is most often inserted.
    - `laid_open`: entry types with the fields whose cards everybody saw.
    - `rounds`: a deal is called a round, and is recorded by its result alone.
    - `limited`: the option `target` is a limit that ends the game.
    """

    rules: Rules
    earlier_rules: tuple[Rules, ...] = ()
    has_winner: bool = True
    teams: Callable[[Any, int], Teams] | None = None
    standings_columns: tuple[StandingsColumn, ...] = ()
    possible_holders: (
        Callable[[Mapping[str, Any], tuple[int, ...], str], tuple[Seat, ...]] | None
    ) = None
    hidden: Callable[[Game], Hidden | None] = _nothing_hidden
    locations: tuple[str, ...] = ()
    private: Mapping[str, PrivateField] = field(default_factory=dict[str, PrivateField])
    players_see_hands: bool = True
    part_begun_by: Callable[[Game, Entry], str | None] | None = None
    turns: Turns | None = None
    is_mistake: Callable[[Game, Entry], bool] | None = None
    deals_option: str = ""
    correctable: tuple[str, ...] = ()
    goes_on: Callable[[Any], bool] = _always
    trick_winner: (
        Callable[[Any, Mapping[str, Any], Sequence[Mapping[str, Any]]], Seat | None] | None
    ) = None
    implied: Mapping[str, str] = field(default_factory=dict[str, str])
    inserts_before: str = ""
    laid_open: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    rounds: bool = False
    limited: bool = False

    def rules_of(self, version: int) -> Rules:
        """Return the rules by which a game of this `rules_version` is judged."""
        return next(
            (rules for rules in self.earlier_rules if rules.rules_version == version), self.rules
        )

    @property
    def tracks_cards(self) -> bool:
        """Whether unseen cards are followed, so that the game can be recorded card by card."""
        return self.hidden is not _nothing_hidden
