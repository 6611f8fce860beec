"""Interface of a game's rules, and the state that all games share."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, Literal, NotRequired, TypedDict, TypeVar, overload

from msgspec import UNSET, Struct, UnsetType, field

from domain.table.refusal import Fact, Refusal
from schemas.catalogue import FREE_SHAPES
from schemas.entries import Entry

T = TypeVar("T")


class SharedSequence(Sequence[T], Generic[T]):
    """A sequence, equal to its tuple, of which every step of a game has a copy.

    Tuples would take 800 MB for a game of 10,000 deals.

    >>> first = SharedSequence([1])
    >>> first.extended(2), first.extended(3), first
    (SharedSequence((1, 2)), SharedSequence((1, 3)), SharedSequence((1,)))
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    def extended(self, item: T) -> "SharedSequence[T]":
        """Return a copy with one more item."""
        longer: SharedSequence[T] = SharedSequence()
        longer._items = self._items
        longer._length = self._length + 1
        if not self._length or len(self._items) != self._length:
            longer._items = [*self, item]
            return longer
        self._items.append(item)
        # Another thread may have appended first.
        if self._items[self._length] is not item:
            longer._items = [*self, item]
        return longer

    def until(self, length: int) -> "SharedSequence[T]":
        """Return the first items.

        >>> SharedSequence([1, 2, 3]).until(1).extended(4)
        SharedSequence((1, 4))
        """
        shorter: SharedSequence[T] = SharedSequence()
        shorter._items, shorter._length = self._items, length
        return shorter

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple([self._items[at] for at in range(*index.indices(self._length))])
        if not -self._length <= index < self._length:
            raise IndexError(index)
        return self._items[index % self._length]

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        return iter(self._items[: self._length])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SharedSequence | tuple) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"SharedSequence({tuple(self)})"


Ranking = tuple[tuple[int, ...], ...]
Values = tuple[Any, ...]


class Status(Enum):
    """State of a game; `DECIDED` lasts only until `game_ended` is written."""

    OPEN = "open"
    DECIDED = "decided"
    OVER = "over"


class Outcome(Struct, frozen=True):
    """Result of a deal: points per seat, the game's detail, the next dealer (None: any seat)."""

    points: tuple[int, ...]
    detail: Struct
    dealer_next: int | None


# Shape of a free field: text, one number, one number per seat, cards, the cards of each seat (null
# if unknown), or a shape that a game declares (`FREE_SHAPES` in `schemas/<game>.py`).
if TYPE_CHECKING:
    Shape = str
else:  # the API's document lists them
    Shape = Literal["text", "integer", "integers", "cards", "hands", *FREE_SHAPES]


class FreeField(TypedDict):
    """A field whose values are not listed: its shape, the number of items, whether it is optional.

    `ranges` lists the allowed ranges of a number, both ends included; if `earlier`, only the last
    ones: some lower numbers are allowed too.
    """

    shape: Shape
    count: NotRequired[int]
    optional: NotRequired[bool]
    ranges: NotRequired[tuple[tuple[int, int], ...]]
    earlier: NotRequired[bool]


TEXT: FreeField = {"shape": "text"}
INTEGER: FreeField = {"shape": "integer"}
CARDS: FreeField = {"shape": "cards"}
HANDS: FreeField = {"shape": "hands", "optional": True}


CARD_FIELDS = (
    "cards",
    "with",
    "card",
)  # the fields that name cards of a hand; the first one present counts


class Choice(Struct, frozen=True, gc=False):
    """One kind of entry that may be recorded now.

    `fields` maps each field of the entry to its allowed values or to the shape of a free value. All
    combinations are accepted. `unproved` lists values of the card field for which the search
    stopped early: no deal that allows them was found yet, so the entry may still be refused.
    """

    type: str
    seat: int | None = None
    fields: Mapping[str, Values | FreeField] = field(default_factory=dict[str, Values | FreeField])
    unproved: Values | UnsetType = UNSET


def card_choice(
    kind: str, seat: int, fields: Mapping[str, Values], unproved: Callable[[Any], bool] | None
) -> Choice:
    """Return a choice of cards.

    `unproved` returns whether a card lacks a proof; None: every card has one.
    """
    if unproved is None:
        return Choice(kind, seat, fields)
    name = next(field for field in CARD_FIELDS if field in fields)
    doubts = tuple(filter(unproved, fields[name]))
    return Choice(kind, seat, fields, doubts or UNSET)


class Situation(Struct, frozen=True):
    """The public state of the table; `table` has a shape of the game's own."""

    phase: str
    to_act: tuple[int, ...]
    hand_counts: tuple[int, ...]
    stock: int
    table: Mapping[str, Any] = field(default_factory=dict[str, Any])


def is_exact(game: "Game") -> bool:
    known = getattr(game.deal, "knowledge", None)
    return known is None or not known.relaxed


def await_deal(game: "Game") -> Situation:
    """Return the state between deals: all cards are stock, and the next dealer is to act."""
    awaited = tuple(range(game.seats)) if game.dealer is None else (game.dealer,)
    return Situation("deal", awaited, (0,) * game.seats, game.rules.pack_size(game))


def has_points(game: "Game") -> tuple[bool, ...]:
    """Return True for every seat if points were played or awarded, else False."""
    return (len(game.deals) > 0 or any(game.totals),) * game.seats


class Rules(Struct, frozen=True, eq=False, kw_only=True):
    """The rules of a game as pure functions.

    `judges` has one function per entry type of the game. `pack_size` returns the number of cards.
    `choices` lists the game's own entries that may be recorded now; it takes `refuse`. `situation`
    describes the deal in progress. `is_decided` returns whether the deal just ended decides the
    game. `ranking` ranks the seats by their totals, best first, ties together; a seat that is not
    ranked is left out. `highest_wins` returns whether more points are better. `took_part` returns
    per seat whether the game, once over, counts for it. `moment_facts` returns facts about the
    point in the deal for a refusal, such as the trick or the bout. `turn_begins`: entry types that
    begin a player's turn, if turns are counted in refusals. `between_deals` describes an open game
    without a deal in progress. `count_deal` returns `Game.counted` with one more deal, given its
    detail.
    """

    name: str
    rules_version: int
    judges: Mapping[type[Entry], "Judge"]
    pack_size: Callable[["Game"], int]
    choices: Callable[["Game", "Refuse"], tuple[Choice, ...]]
    situation: Callable[["Game"], Situation]
    is_decided: Callable[["Game"], bool]
    ranking: Callable[["Game"], Ranking]
    highest_wins: Callable[["Game"], bool] = lambda _game: False
    took_part: Callable[["Game"], tuple[bool, ...]] = has_points
    moment_facts: Callable[["Game"], Mapping[str, Fact]] = lambda _game: {}
    turn_begins: tuple[type[Entry], ...] = ()
    between_deals: Callable[["Game"], Situation] = await_deal
    count_deal: Callable[["Game", Any], Any] = lambda _game, _detail: None


class Game(Struct, frozen=True, gc=False):
    """Immutable state of a game; `deal` is the game's own state of the deal in progress.

    `deals` has the points per seat of every ended deal, `details` the stored details; `totals` also
    includes adjustments. `counted`: a game's own counts over the ended deals, so that its ranking
    does not read them all. `dealer` is the next dealer, None if anybody may deal. Without `exact`,
    unseen cards are not followed and only visible rules are judged. A game that is `set_aside` does
    not count, and accepts only notes. A game refers to no cycle, so it is excluded from garbage
    collection (`gc`).
    """

    rules: Rules
    options: Any
    seats: int
    exact: bool
    totals: tuple[int, ...]
    deals: SharedSequence[tuple[int, ...]] = SharedSequence()
    details: SharedSequence[Any] = SharedSequence()
    counted: Any = None
    dealer: int | None = None
    deal: Any = None
    outcome: Outcome | None = None
    status: Status = Status.OPEN
    set_aside: bool = False


# Takes the game, an entry of one type and its version; returns the next game, with `outcome` set if
# the deal is complete, or a refusal.
Judge = Callable[[Game, Any, int], Game | Refusal]
# Returns the refusal of an entry, or None; a parameter of `choices`.
Refuse = Callable[[Game, Entry, int], Refusal | None]
LATER = 2**31 - 1  # later than any version: choices are judged, never stored


def rank_seats(totals: tuple[int, ...], *, highest_first: bool) -> Ranking:
    """Group the seats by equal totals, best first.

    >>> rank_seats((12, 30, 12), highest_first=True)
    ((1,), (0, 2))
    """
    order = sorted(set(totals), reverse=highest_first)
    return tuple(
        tuple(seat for seat, total in enumerate(totals) if total == best) for best in order
    )
