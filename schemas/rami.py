"""Shapes of Rami 51: options, entries, the detail of an ended deal.

Two packs of 54. A joker is `XX` in a hand, on the pile or drawn. On the table it is written as the
card it replaces with a star (`6H*`), or `8?*` in a set of three whose open suit is not fixed.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from schemas.cards import Card, Hand, SuitedCard
from schemas.entries import (
    COMMON_CLAUSES,
    Entry,
    Moves,
    Seat,
    StoredOf,
    SubmittedOf,
)

NAME = "rami"
RULES_VERSION = 1
SEATS = range(2, 7)
# Example values for the API document, by field or entry type.
EXAMPLES: dict[str, Any] = {
    "up": "QC",
    "melds": "9H",
    "count": {"points": 24},
    "result": {"winner": 0, "hands": [None, {"opened": True, "points": 24}]},
}
FREE_SHAPES = ("melds", "losers")  # combinations, each a list of cards; what each loser held

# fmt: off
Starred = Literal[
    "AS*", "KS*", "QS*", "JS*", "TS*", "9S*", "8S*", "7S*", "6S*", "5S*", "4S*", "3S*", "2S*",
    "AH*", "KH*", "QH*", "JH*", "TH*", "9H*", "8H*", "7H*", "6H*", "5H*", "4H*", "3H*", "2H*",
    "AD*", "KD*", "QD*", "JD*", "TD*", "9D*", "8D*", "7D*", "6D*", "5D*", "4D*", "3D*", "2D*",
    "AC*", "KC*", "QC*", "JC*", "TC*", "9C*", "8C*", "7C*", "6C*", "5C*", "4C*", "3C*", "2C*",
]
OpenJoker = Literal[
    "A?*", "K?*", "Q?*", "J?*", "T?*", "9?*", "8?*", "7?*", "6?*", "5?*", "4?*", "3?*", "2?*",
]
# fmt: on
Laid = SuitedCard | Starred | OpenJoker


class Options(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The table's choices; each default is the source's, or ours where the source is silent."""

    target: Annotated[int, Meta(ge=100, le=5000)] = 500
    opening: Annotated[int, Meta(ge=0, le=200)] = 51
    pure_run: Literal["no_joker", "any_run"] = "no_joker"
    not_opened: Annotated[int, Meta(ge=0, le=500)] = 100
    dry: Annotated[int, Meta(ge=0, le=1000)] = 200
    joker_in_hand: Annotated[int, Meta(ge=0, le=100)] = 20
    reshuffle: Literal["all", "keep_top"] = "all"


class Deal(Entry, frozen=True, tag="deal"):
    """Thirteen cards each; `up` starts the discard pile."""

    dealer: Seat
    up: Card
    hands: tuple[Hand | None, ...] | UnsetType = UNSET


class Draw(Entry, frozen=True, tag="draw"):
    """A card is drawn from the stock; `card` if it was seen."""

    seat: Seat
    card: Card | UnsetType = UNSET


class Take(Entry, frozen=True, tag="take"):
    """The top card of the discard pile is taken."""

    seat: Seat


class Meld(Entry, frozen=True, tag="meld"):
    """Combinations are melded; an opening is one entry with the whole group."""

    seat: Seat
    melds: tuple[tuple[Laid, ...], ...]


class Add(Entry, frozen=True, tag="add"):
    """Cards are added to combination number `meld` (from 1, in the order of melding in this deal).

    `end`: the end of a run at which an ace is added if it fits both.
    """

    seat: Seat
    meld: int
    cards: tuple[Laid, ...]
    end: Literal["low", "high"] = "high"


class SwapJoker(Entry, frozen=True, tag="swap_joker"):
    """The joker of combination number `meld` is swapped for the card it stands for."""

    seat: Seat
    meld: int
    card: SuitedCard


class Discard(Entry, frozen=True, tag="discard"):
    """A card is thrown on the discard pile; the turn ends."""

    seat: Seat
    card: Card


class Count(Entry, frozen=True, tag="count"):
    """The cards or points that a loser who had opened still holds."""

    seat: Seat
    cards: Hand | UnsetType = UNSET
    points: int | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.cards is UNSET) == (self.points is UNSET):
            raise ValueError("either `cards` or `points`, one of them and not both")


class Held(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The cards or points of a loser at the end; neither for a loser who had not opened."""

    opened: bool
    cards: Hand | UnsetType = UNSET
    points: int | UnsetType = UNSET

    def __post_init__(self) -> None:
        counted = (self.cards is not UNSET) + (self.points is not UNSET)
        if self.opened and counted != 1:
            raise ValueError("either `cards` or `points`, one of them, for a loser who had opened")
        if not self.opened and counted:
            raise ValueError("neither `cards` nor `points`: who never opened is not counted")


class Result(Entry, frozen=True, tag="result"):
    """The deal in short: the winner, and per seat the cards or points held (null: winner)."""

    winner: Seat
    hands: tuple[Held | None, ...]
    dealer: Seat | UnsetType = UNSET


class Detail(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`deal_ended.detail`: the winner's place in `opened` is true; `dry`: no loser had opened."""

    winner: Seat
    dry: bool
    opened: tuple[bool, ...]


Played = Deal | Draw | Take | Meld | Add | SwapJoker | Discard | Count | Result
Move = Played | Moves
Submitted = SubmittedOf[Move]
Stored = StoredOf[Move, Options, Detail]


CLAUSES = (
    *COMMON_CLAUSES,
    "rami.deal",
    "rami.draw-first",
    "rami.take-use",
    "rami.meld-size",
    "rami.set",
    "rami.run",
    "rami.one-joker",
    "rami.joker-is",
    "rami.opening",
    "rami.opening-run",
    "rami.opened-first",
    "rami.add",
    "rami.meld-number",
    "rami.swap",
    "rami.swap-use",
    "rami.discard",
    "rami.stock-empty",
    "rami.out",
    "rami.values",
    "rami.loser-opened",
    "rami.loser-closed",
    "rami.dry",
    "rami.winner",
    "rami.win",
)
