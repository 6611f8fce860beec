"""Shapes of two-handed Euchre: options, entries, the detail of an ended deal."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from schemas.cards import Card, CardOrUnseen, Hand, Suit
from schemas.entries import (
    COMMON_CLAUSES,
    Entry,
    Moves,
    Seat,
    StoredOf,
    SubmittedOf,
)

NAME = "euchre"
RULES_VERSION = 1
SEATS = range(2, 3)
# Example values for the API document, by field or entry type.
EXAMPLES: dict[str, Any] = {"turn_up": "QC", "result": {"maker": 0, "tricks": 3}}


class Options(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The table's choices; each default is the source's, or ours where the source is silent."""

    deck: Literal[24, 25, 32] = 24
    target: Annotated[int, Meta(ge=1, le=100)] = 10
    last_bid: Literal["pass", "stick"] = "pass"
    turned_down_suit: Literal["allowed", "forbidden"] = "allowed"


class Deal(Entry, frozen=True, tag="deal"):
    """Five cards each and one turned up. `turn_up_suit` is named by the dealer for a joker only."""

    dealer: Seat
    turn_up: Card
    turn_up_suit: Suit | UnsetType = UNSET
    hands: tuple[Hand | None, ...] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.turn_up == "XX" and self.turn_up_suit is UNSET:
            raise ValueError("`turn_up_suit`, a suit (S H D C), because a joker was turned up")
        if self.turn_up != "XX" and self.turn_up_suit is not UNSET:
            raise ValueError("no `turn_up_suit`: it goes with a turned joker (XX) only")


class Pass(Entry, frozen=True, tag="pass"):
    """A bid is passed."""

    seat: Seat


class Order(Entry, frozen=True, tag="order"):
    """The non-dealer orders the turned suit in round one."""

    seat: Seat


class Exchange(Entry, frozen=True, tag="exchange"):
    """After an order the dealer takes the turned card and discards one, or leaves it."""

    seat: Seat
    take: bool
    discard: CardOrUnseen | UnsetType = UNSET

    def __post_init__(self) -> None:
        if not self.take and self.discard is not UNSET:
            raise ValueError("no `discard`: nothing is laid away when the turned card is left")


class Accept(Entry, frozen=True, tag="accept"):
    """The dealer accepts the turned suit, takes the turned card and discards one."""

    seat: Seat
    discard: CardOrUnseen | UnsetType = UNSET


class Name(Entry, frozen=True, tag="name"):
    """A suit is named in round two."""

    seat: Seat
    suit: Suit


class Play(Entry, frozen=True, tag="play"):
    """A card is played to a trick."""

    seat: Seat
    card: Card


class Result(Entry, frozen=True, tag="result"):
    """The deal in short. `maker` null: passed out, and then no `tricks`."""

    maker: Seat | None
    tricks: Annotated[int, Meta(ge=0, le=5)] | UnsetType = UNSET
    dealer: Seat | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.maker is None and self.tricks is not UNSET:
            raise ValueError("no `tricks`: nobody made trumps in a deal that was passed out")
        if self.maker is not None and self.tricks is UNSET:
            raise ValueError("`tricks`, the maker's, 0 to 5")


class Detail(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The detail of `deal_ended`. `maker` null: passed out; `trump` null: a result omits it."""

    maker: Seat | None
    trump: Suit | None
    tricks: tuple[int, int]
    euchred: bool


Played = Deal | Pass | Order | Exchange | Accept | Name | Play | Result
Move = Played | Moves
Submitted = SubmittedOf[Move]
Stored = StoredOf[Move, Options, Detail]


CLAUSES = (
    *COMMON_CLAUSES,
    "euchre.deal",
    "euchre.bid-first",
    "euchre.order",
    "euchre.exchange",
    "euchre.accept",
    "euchre.turned-down",
    "euchre.name",
    "euchre.stick",
    "euchre.passed-out",
    "euchre.trump-order",
    "euchre.left-bower",
    "euchre.lead",
    "euchre.follow-suit",
    "euchre.trick",
    "euchre.points",
    "euchre.win",
)
