"""Shapes of Durak: options, entries, the detail of an ended deal."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field
from msgspec.structs import force_setattr, replace

from schemas.cards import Suit, SuitedCard
from schemas.entries import (
    COMMON_CLAUSES,
    Entry,
    Moves,
    Seat,
    StoredOf,
    SubmittedOf,
)

NAME = "durak"
RULES_VERSION = 2
RULES_VERSIONS = (1, 2)
SEATS = range(2, 7)
# Example values for the API document, by field or entry type.
EXAMPLES: dict[str, Any] = {
    "with": "AH",
    "trump": "6D",
    "result": {"places": [[1], [0]], "durak": 0},
}
TEAM_SEATS = 4

Cards = tuple[SuitedCard, ...]

DEFAULTS: dict[str, dict[str, Any]] = {
    "fr": {
        "lead": "single",
        "while_unbeaten": False,
        "first_bout": None,
        "transfer": False,
        "throw_after_take": False,
        "four_away": False,
        "redeal_suit": False,
        "next_lead": "winner",
    },
    "de": {
        "lead": "several",
        "while_unbeaten": True,
        "first_bout": 5,
        "transfer": True,
        "throw_after_take": True,
        "four_away": True,
        "redeal_suit": True,
        "teams": False,
        "next_lead": "teach",
    },
}
# Options that `complete_options` writes out for both sets of rules; absent in records of version 1.
SINCE: dict[str, Any] = {"after_transfer": "opener", "winner_by": "durak"}
_BY_RULES: Any = UNSET
_COMPLETED: Any = UNSET


class Options(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The table's choices.

    An omitted option takes the default of `rules`, or `complete_options` completes it.
    """

    rules: Literal["fr", "de"]
    lead: Literal["single", "several"] = _BY_RULES
    throwers: Literal["neighbours", "all"] = "neighbours"
    word: Literal["strict", "loose"] = "strict"
    while_unbeaten: bool = _BY_RULES
    first_bout: Annotated[int, Meta(ge=1, le=6)] | None = _BY_RULES
    max_bout: Literal[6] | None = 6
    transfer: bool = _BY_RULES
    throw_after_take: bool = _BY_RULES
    after_transfer: Literal["opener", "passer"] = _COMPLETED
    four_away: bool = _BY_RULES
    redeal_suit: bool = _BY_RULES
    redeal_no_trump: bool = True
    teams: bool = _BY_RULES
    next_lead: Literal["winner", "teach", "spare"] = _BY_RULES
    winner_by: Literal["durak", "places", "first"] = _COMPLETED
    deals: Annotated[int, Meta(ge=1, le=1_000)] | None = None

    def __post_init__(self) -> None:
        for name, default in DEFAULTS[self.rules].items():
            if getattr(self, name) is UNSET:
                force_setattr(self, name, default)
        if self.teams is True and self.transfer:
            raise ValueError("`teams` or `transfer`, not both: partners pass no attack on")


def complete_options(options: Options, seats: int, rules_version: int = RULES_VERSION) -> Options:
    """Return the options with `teams` decided for a number of players.

    Raises:
        ValueError: teams with other than four players, or together with passing on.
    """
    if rules_version == RULES_VERSION:
        omitted = {name: default for name, default in SINCE.items() if _is_omitted(options, name)}
        options = replace(options, **omitted)
    if options.teams is True and seats != TEAM_SEATS:
        raise ValueError("`teams` for four players only")
    teams: object = options.teams
    if teams is not UNSET:
        return options
    if seats == TEAM_SEATS and options.transfer:
        raise ValueError(
            "`teams` said to be false: four play in teams, and partners pass nothing on"
        )
    return replace(options, teams=seats == TEAM_SEATS)


def current_options(options: Options) -> Options:
    """Return options of any version as the current version would write them."""
    before = {"after_transfer": "passer" if options.transfer else "opener", "winner_by": "durak"}
    said = {name: value for name, value in before.items() if _is_omitted(options, name)}
    return replace(options, **said)


def _is_omitted(options: Options, name: str) -> bool:
    return getattr(options, name) is UNSET


class Deal(Entry, frozen=True, tag="deal"):
    """Six cards each; `trump` is the card shown."""

    dealer: Seat
    trump: SuitedCard
    hands: tuple[Cards | None, ...] | UnsetType = UNSET


class Redeal(Entry, frozen=True, tag="redeal"):
    """The deal is annulled before the first attack. `seat` and `suit` go with `suit` only."""

    reason: Literal["no_trump", "suit"]
    seat: Seat | UnsetType = UNSET
    suit: Suit | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.reason == "suit" and (self.seat is UNSET or self.suit is UNSET):
            raise ValueError("`seat` and `suit`: who holds five or six cards of which suit")
        if self.reason == "no_trump" and not (self.seat is UNSET and self.suit is UNSET):
            raise ValueError("no `seat` and no `suit`: they go with the reason `suit` only")


class Lowest(Entry, frozen=True, tag="lowest"):
    """A player shows the lowest trump in any hand and therefore leads."""

    seat: Seat
    card: SuitedCard | UnsetType = UNSET


class Attack(Entry, frozen=True, tag="attack"):
    """Cards laid against the defender: the first, further ones, thrown after a take."""

    seat: Seat
    cards: Cards


class Beat(Entry, frozen=True, tag="beat"):
    """The attack card `card` is covered with another."""

    seat: Seat
    card: SuitedCard
    with_: SuitedCard = field(name="with")


class PassOn(Entry, frozen=True, tag="pass_on"):
    """The defender adds cards of the same rank; the next player has to defend."""

    seat: Seat
    cards: Cards


class Take(Entry, frozen=True, tag="take"):
    """The defender takes the cards of the bout."""

    seat: Seat


class Done(Entry, frozen=True, tag="done"):
    """A player adds nothing more; null: no player does."""

    seat: Seat | None


class Away(Entry, frozen=True, tag="away"):
    """Four cards of one rank are laid away."""

    seat: Seat
    cards: Cards


class Result(Entry, frozen=True, tag="result"):
    """The deal in short: places best first, ties together; `durak` null for a draw."""

    places: tuple[tuple[Seat, ...], ...]
    durak: Seat | None
    dealer: Seat | UnsetType = UNSET


class Detail(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`deal_ended.detail`: places best first, ties together; `durak` is null after a draw."""

    places: tuple[tuple[Seat, ...], ...]
    durak: Seat | None


Played = Deal | Redeal | Lowest | Attack | Beat | PassOn | Take | Done | Away | Result
Move = Played | Moves
Submitted = SubmittedOf[Move]
Stored = StoredOf[Move, Options, Detail]


CLAUSES = (
    *COMMON_CLAUSES,
    "durak.deal",
    "durak.redeal",
    "durak.first-lead",
    "durak.next-lead",
    "durak.dealer",
    "durak.defender",
    "durak.must-lead",
    "durak.lead",
    "durak.unbeaten",
    "durak.target",
    "durak.rank",
    "durak.who-adds",
    "durak.word",
    "durak.limit",
    "durak.beats",
    "durak.transfer",
    "durak.take",
    "durak.throw-after",
    "durak.beaten-off",
    "durak.four-away",
    "durak.draw",
    "durak.turn",
    "durak.out",
    "durak.end",
    "durak.drawn",
    "durak.teams",
)
