"""A table of Dutch with real cards, by the rule text alone: rows, stock, pile, turns, powers.

Slow and obvious, as one side of a comparison. It has every card; `dutch_watched` writes the
entries.
"""

from dataclasses import dataclass, field
from random import Random

RANKS, SUITS = "A23456789TJQK", "SHDC"
PACK = [rank + suit for suit in SUITS for rank in RANKS]


def worth(card: str, red_kings: str) -> int:
    """Value a card (`dutch.values`)."""
    if card == "KH" or (card == "KD" and red_kings == "both"):
        return 0
    return RANKS.index(card[0]) + 1


@dataclass
class Lying:
    """A card of the discard pile: the real one, and the recorded one."""

    real: str
    named: str


@dataclass
class Table:
    """One deal. `to_come` is None before the call; `held` is a card drawn or taken."""

    chance: Random
    seats: int
    dealer: int
    rows: list[dict[int, str]] = field(default_factory=list[dict[int, str]])
    used: list[int] = field(default_factory=list[int])
    stock: list[str] = field(default_factory=list[str])
    pile: list[Lying] = field(default_factory=list[Lying])
    turn: int = 0
    held: tuple[str, str] | None = None
    window: bool = False
    powers: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    ended: int | None = None
    looked: set[int] = field(default_factory=set[int])
    begun: bool = False
    caller: int | None = None
    counter: int | None = None
    to_come: list[int] | None = None
    last: int = 0  # the last seat of the last round
    last_turn: bool = False
    over: bool = False
    fixed: bool = False
    revealed: dict[int, int] = field(default_factory=dict[int, int])

    def shuffle_and_deal(self) -> None:
        cards = list(PACK)
        self.chance.shuffle(cards)
        self.rows = [dict(enumerate(cards[4 * seat : 4 * seat + 4])) for seat in range(self.seats)]
        self.used = [4] * self.seats
        turned = cards[4 * self.seats]
        self.stock, self.pile = cards[4 * self.seats + 1 :], [Lying(turned, turned)]
        self.turn = (self.dealer + 1) % self.seats

    # --- public state ------------------------------------------------------------------

    @property
    def to_act(self) -> tuple[int, ...]:
        if not self.over:
            return (self.turn,)
        return tuple(
            seat for seat in range(self.seats) if self.rows[seat] and seat not in self.revealed
        )

    @property
    def done(self) -> bool:
        return self.over and not self.to_act

    @property
    def counts(self) -> tuple[int, ...]:
        return tuple(len(row) for row in self.rows)

    # --- cards --------------------------------------------------------------------------------

    def renew(self) -> None:
        """Shuffle the pile but its top card into an empty stock (`dutch.stock-empty`)."""
        if not self.stock and len(self.pile) > 1:
            self.stock = [lying.real for lying in self.pile[:-1]]
            self.chance.shuffle(self.stock)
            self.pile = self.pile[-1:]

    def draw(self, seat: int) -> str:
        self.renew()
        card = self.stock.pop()
        self.begin(seat, (card, "drawn"))
        return card

    def take(self, seat: int) -> str:
        card = self.pile.pop().real
        self.begin(seat, (card, "taken"))
        return card

    def begin(self, seat: int, held: tuple[str, str]) -> None:
        """Begin a turn, in turn or not (`dutch.last-round`)."""
        self.turn, self.held, self.begun = seat, held, True
        self.window, self.powers = False, []
        self.last_turn = self.to_come is not None and seat != self.caller
        if self.last_turn:
            self.pass_over(self.after_last(seat))

    def after_last(self, seat: int) -> int:
        return (seat - self.last - 1) % self.seats

    def pass_over(self, first: int) -> None:
        """Skip the turns of those less than `first` seats after the first."""
        self.to_come = [seat for seat in self.to_come or [] if self.after_last(seat) >= first]

    def lay(self, seat: int, real: str, named: str) -> None:
        """Put a card on the pile (`dutch.powers`)."""
        self.pile.append(Lying(real, named))
        self.window = True
        if named[0] in "QJ":
            self.powers.append((seat, named[0]))

    def end_turn(self, seat: int) -> None:
        self.held, self.ended = None, seat
        if self.to_come is None:
            self.turn = (seat + 1) % self.seats
            return
        if self.last_turn:
            self.pass_over(self.after_last(seat) + 1)
        self.go_on()

    def go_on(self) -> None:
        """Wait for the next seat of the last round, unless a card is in hand."""
        if self.held is None and self.to_come is not None and not self.over:
            if self.to_come:
                self.turn = self.to_come[0]
            else:
                self.over = True

    def snap(self, seat: int, slot: int, named: str) -> None:
        self.lay(seat, self.rows[seat].pop(slot), named)
        if self.rows[seat]:
            return
        if self.to_come is None:
            self.over = self.fixed = True
            self.window, self.powers = False, []
        else:
            self.to_come = [other for other in self.to_come if other != seat]
            self.go_on()

    def punish(self, seat: int, count: int) -> None:
        """Give penalty cards, as many as there are (`dutch.look-penalty`)."""
        for _ in range(count):
            self.renew()
            if not self.stock:
                return
            self.rows[seat][self.used[seat]] = self.stock.pop()
            self.used[seat] += 1

    def call(self, seat: int, moments: str) -> None:
        """Begin the last round (`dutch.call`)."""
        self.caller, self.begun, self.ended, self.last_turn = seat, True, None, False
        self.last = seat
        if moments == "any":
            self.last = (self.turn - (self.held is None)) % self.seats
        around = [(self.last + step) % self.seats for step in range(1, self.seats + 1)]
        self.to_come = [one for one in around if one != seat]
        self.go_on()

    def counts_dutch(self, seat: int, *, instead: bool) -> None:
        """Counter the call, perhaps instead of a turn (`dutch.counter`)."""
        self.counter = seat
        if instead:
            self.to_come = [other for other in self.to_come or [] if other != seat]
            self.go_on()

    # --- moments ------------------------------------------------------------------------------

    def begins(self, seat: int) -> bool:
        return not self.over and self.held is None and self.turn == seat

    def has_ended(self, seat: int) -> bool:
        """Return whether a seat has just ended its turn (since the call)."""
        return self.held is None and not self.fixed and self.ended == seat

    def may_counter(self, seat: int) -> bool:
        free = self.caller not in {None, seat} and self.counter is None
        return free and bool(self.rows[seat]) and (self.begins(seat) or self.has_ended(seat))

    def may_yet_counter(self, seat: int) -> bool:
        """Return whether a seat may counter now or later."""
        if self.caller in {None, seat} or self.counter is not None or not self.rows[seat]:
            return False
        holds = self.held is not None and self.turn == seat
        return holds or seat in (self.to_come or []) or self.has_ended(seat)


def score(totals: tuple[int, ...], caller: int | None, counter: int | None, tie: str) -> list[int]:
    """Score a deal (`dutch.score-caller`, `dutch.score-counter`, `dutch.score-empty`)."""
    points = list(totals)
    if caller is None:
        return points
    if counter is not None:
        winner, loser = (counter, caller) if totals[counter] < totals[caller] else (caller, counter)
        points[winner], points[loser] = 0, 2 * totals[loser]
        return points
    others = [total for seat, total in enumerate(totals) if seat != caller]
    lowest = totals[caller] < min(others) or (tie == "caller" and totals[caller] == min(others))
    points[caller] = 0 if lowest else 2 * totals[caller]
    return points
