"""One real deal of Rami 51, and the entries that an observer records.

Real cards are dealt and played; each event becomes the entry of a truthful recorder: hands hidden
or given, draws named or not, cards marked unsure (right or wrong), breaches that the table waived.
The result is true, so no rule may refuse it. Written from the rule text, independently of `domain`.
"""

from dataclasses import dataclass, field
from random import Random

from tests.generation.rami_cards import (
    ASCENDING,
    SUITS,
    fits,
    held,
    in_hand,
    is_run,
    layable,
    pack,
    worth,
)
from tests.generation.rami_layings import Entry, Layings, Plan

Table = tuple[tuple[int, ...], tuple[int, ...], int]


@dataclass(frozen=True)
class Happened:
    entry: Entry
    table: Table


@dataclass
class Habits:
    """How often (0 to 1) players lay, tables err and recorders doubt or look into hands."""

    eager: float = 0.8
    rich: float = 0.6
    breach: float = 0.0
    unsure: float = 0.0
    given: float = 0.3
    named: float = 0.2
    odd_waive: float = 0.0
    turns: int = 120


@dataclass
class Script:
    """A whole deal as recorded; `winner` None: nobody is out."""

    dealer: int
    happened: list[Happened] = field(default_factory=list[Happened])
    winner: int | None = None
    opened: list[bool] = field(default_factory=list[bool])
    hands: list[list[str]] = field(default_factory=list[list[str]])
    points: tuple[int, ...] | None = None


@dataclass
class Thrown:
    card: str
    name: str


class RealDeal:
    def __init__(
        self, chance: Random, options: Entry, seats: int, dealer: int, habits: Habits
    ) -> None:
        """Shuffle and deal; `options` are complete."""
        self.chance, self.options, self.habits, self.seats = chance, options, habits, seats
        self.stock = pack()
        chance.shuffle(self.stock)
        self.hands = [self.dealt_hand() for _ in range(seats)]
        up = self.stock.pop()
        self.pile = [Thrown(up, up)]
        self.given = [chance.random() < habits.given for _ in range(seats)]
        self.melds: list[list[str]] = []  # as laid, runs in order
        self.broken: set[int] = set()  # melds that are no combination
        self.opened = [False] * seats
        self.turn = (dealer + 1) % seats
        self.counting: list[int] = []
        self.joker_kept = False  # a joker won in this turn and not melded, which the table waives
        self.script = Script(dealer, opened=self.opened, hands=self.hands)

    def often(self, share: float) -> bool:
        """Return True with probability `share`."""
        return self.chance.random() < share

    def dealt_hand(self) -> list[str]:
        hand: list[str] = []
        while self.often(self.habits.rich) and len(hand) < 9:
            suit, start = self.chance.choice(SUITS), self.chance.randrange(10)
            wanted = [rank + suit for rank in ASCENDING[start : start + self.chance.choice([3, 4])]]
            if fits(wanted, self.stock):
                for card in wanted:
                    self.stock.remove(card)
                hand += wanted
        while len(hand) < 13:
            hand.append(self.stock.pop())
        return hand

    # --- writing ----------------------------------------------------------------------------

    def table(self) -> Table:
        awaited = tuple(self.counting) if self.script.winner is not None else (self.turn,)
        return awaited, tuple(len(hand) for hand in self.hands), len(self.stock)

    def write(self, kind: str, *waived: str, **fields: object) -> None:
        entry: Entry = {"type": kind, **fields}
        waive = list(waived)
        if self.often(self.habits.odd_waive):
            waive.append(self.chance.choice(["table.dealer", "cards.held", "rami.win"]))
        if waive:
            self.chance.shuffle(waive)
            entry["waive"] = waive
        self.script.happened.append(Happened(entry, self.table()))

    def doubt(self) -> Entry:
        return {"unsure": True} if self.often(self.habits.unsure) else {}

    def misread(self, card: str, among: list[str], doubt: Entry) -> str:
        """Name a card, an unsure one sometimes wrongly, as another that can be there."""
        return self.chance.choice(among) if doubt and self.often(0.5) else card

    # --- the deal ---------------------------------------------------------------------------

    def run(self) -> Script:
        """Play until a player is out and the losers are counted, or for `turns` turns."""
        doubt = self.doubt()
        self.pile[0].name = self.misread(self.pile[0].card, self.stock, doubt)
        fields: Entry = {"dealer": self.script.dealer, "up": self.pile[0].name}
        if any(self.given):
            fields["hands"] = [
                self.chance.sample(hand, 13) if given else None
                for hand, given in zip(self.hands, self.given, strict=True)
            ]
        self.write("deal", **fields, **doubt)
        for _ in range(self.habits.turns):
            if not self.one_turn():
                return self.script
            if self.script.winner is not None:
                self.count()
                return self.script
        return self.script

    def one_turn(self) -> bool:
        """Play a turn; return whether another one follows."""
        waived: list[str] = []
        if self.often(self.habits.breach / 4):
            other = self.chance.randrange(self.seats)
            if other != self.turn:
                self.turn, waived = other, ["table.turn"]
        if self.often(self.habits.breach / 4):
            self.throw([*waived, "rami.draw-first"])
            return True
        plan = self.plan_with_top()
        if plan is not None:
            self.take(waived)
            self.follow(plan)
        elif self.pile and self.often(self.habits.breach / 4):
            self.take(waived)
            self.throw(["rami.take-use"])
            return True
        elif not self.draw(waived):
            return False
        elif self.often(self.habits.breach / 4):
            self.draw(["rami.draw-first"])
        self.lay()
        if self.script.winner is None:
            self.throw(["rami.swap-use"] if self.joker_kept else [])
            self.joker_kept = False
        return True

    def follow(self, plan: Plan) -> None:
        for kind, fields in plan:
            self.act(kind, fields)

    def draw(self, waived: list[str]) -> bool:
        if not self.stock:
            kept = self.pile[-1:] if self.options["reshuffle"] == "keep_top" else []
            moved = self.pile[: len(self.pile) - len(kept)]
            if not moved:
                return False
            self.stock = [thrown.card for thrown in moved]
            self.chance.shuffle(self.stock)
            self.pile = kept
        card = self.stock.pop()
        fields: Entry = {"seat": self.turn}
        if self.often(0.9 if self.given[self.turn] else self.habits.named):
            doubt = self.doubt()
            fields |= {"card": self.misread(card, [*self.stock, card], doubt), **doubt}
        self.hands[self.turn].append(card)
        self.write("draw", *waived, **fields)
        return True

    def take(self, waived: list[str]) -> None:
        self.hands[self.turn].append(self.pile.pop().card)
        self.write("take", *waived, seat=self.turn, **self.doubt())

    def throw(self, waived: list[str]) -> None:
        hand = self.hands[self.turn]
        doubt = self.doubt()
        card = min(self.chance.sample(hand, min(len(hand), 3)), key=lambda one: _use(one, hand))
        name = self.misread(card, hand, doubt)
        seat = self.turn
        hand.remove(card)
        self.pile.append(Thrown(card, name))
        self.turn = (seat + 1) % self.seats
        self.go_out(seat)
        self.write("discard", *waived, seat=seat, card=name, **doubt)

    def go_out(self, seat: int) -> None:
        """End play if a hand is empty (`rami.out`); determine the losers to count."""
        if self.hands[seat]:
            return
        self.script.winner = seat
        losers = [loser for loser in range(self.seats) if loser != seat]
        self.counting = [loser for loser in losers if self.opened[loser]]
        joker = self.options["joker_in_hand"]
        closed = self.options["not_opened" if self.counting else "dry"]
        self.script.points = tuple(
            0
            if loser == seat
            else sum(in_hand(card, joker) for card in self.hands[loser])
            if loser in self.counting
            else closed
            for loser in range(self.seats)
        )

    def count(self) -> None:
        left = list(self.counting)
        self.chance.shuffle(left)
        joker = self.options["joker_in_hand"]
        for seat in left:
            hand = self.hands[seat]
            self.counting.remove(seat)
            if self.often(0.5):
                cards = self.chance.sample(hand, len(hand))
                self.write("count", seat=seat, cards=cards, **self.doubt())
            else:
                points = sum(in_hand(card, joker) for card in hand)
                self.write("count", seat=seat, points=points, **self.doubt())

    # --- laying -----------------------------------------------------------------------------

    def over(self) -> bool:
        return self.script.winner is not None

    def lay(self) -> None:
        """Open if that can be, or lay, add and swap, as eagerly as the table is."""
        if self.over():
            return
        if not self.opened[self.turn]:
            group = self.layings().opening(None) if self.often(self.habits.eager) else None
            if group is not None:
                self.act("meld", {"melds": group})
            elif self.often(self.habits.breach / 6):
                self.lay_wrongly()
            if group is None or self.over():
                return
        for _ in range(4):
            if self.over() or not self.often(self.habits.eager):
                return
            step = self.layings().any_step(None)
            if step is None:
                return
            if step[0][0] == "swap_joker" and self.often(self.habits.breach):
                self.joker_kept, step = True, step[:1]
            self.follow(step)

    def lay_wrongly(self) -> None:
        """Lay something that does not open, or is no combination, or belongs elsewhere."""
        hand = self.hands[self.turn]
        found = layable(hand)
        if found and self.often(0.5):
            cards = self.chance.choice(found)
            waived = [] if worth(cards) >= self.options["opening"] else ["rami.opening"]
            pure = is_run(cards) and not any(card.endswith("*") for card in cards)
            if not (pure or (is_run(cards) and self.options["pure_run"] == "any_run")):
                waived.append("rami.opening-run")
            if not waived:
                return
            self.act("meld", {"melds": [cards]}, waived, opens=False)
            return
        adds = [step for step in self.layings().adds(hand) if step[0] == "add"]
        if adds and self.often(0.5):
            kind, fields = self.chance.choice(adds)
            self.act(kind, fields, ["rami.opened-first"])
            return
        self.broken.add(len(self.melds))
        cards = ["5S*" if card == "XX" else card for card in self.chance.sample(hand, 2)]
        waived = ["rami.meld-size", "rami.set", "rami.run", "rami.one-joker", "rami.joker-is"]
        self.act(
            "meld", {"melds": [cards]}, [*waived, "rami.opening", "rami.opening-run"], opens=False
        )

    def act(
        self, kind: str, fields: Entry, waived: list[str] | None = None, *, opens: bool = True
    ) -> None:
        seat = self.turn
        hand = self.hands[seat]
        if kind == "meld":
            self.opened[seat] |= opens
            for cards in fields["melds"]:
                self.melds.append(list(cards))
                for card in cards:
                    hand.remove(held(card))
        elif kind == "add":
            self.melds[fields["meld"] - 1] = fields.pop("grown")
            for card in fields["cards"]:
                hand.remove(held(card))
        else:
            there = self.melds[int(fields["meld"]) - 1]
            there[fields.pop("at")] = fields["card"]
            hand.remove(fields["card"])
            hand.append("XX")
        self.go_out(seat)
        self.write(kind, *(waived or []), **{"seat": seat, **fields}, **self.doubt())

    def layings(self) -> Layings:
        hand = self.hands[self.turn]
        return Layings(self.chance, self.options, hand, self.melds, self.broken)

    def plan_with_top(self) -> Plan | None:
        if not self.pile or self.pile[-1].card != self.pile[-1].name:
            return None
        if not self.often(self.habits.eager):
            return None
        top = self.pile[-1].card
        hand = self.hands[self.turn]
        hand.append(top)
        plan: Plan | None = None
        if self.opened[self.turn]:
            plan = self.layings().any_step(top)
        else:
            group = self.layings().opening(top)
            plan = [("meld", {"melds": group})] if group else None
        hand.remove(top)
        return plan


def _use(card: str, hand: list[str]) -> int:
    if card == "XX":
        return 9
    at = ASCENDING.index(card[0])
    near = [other for other in hand if other[1] == card[1] and other != card]
    return sum(abs(ASCENDING.index(other[0]) - at) <= 2 for other in near if other != "XX") + sum(
        other[0] == card[0] and other[1] != card[1] for other in hand
    )
