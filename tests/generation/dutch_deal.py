"""One real deal of Dutch, and how somebody who watched it writes it down.

Each thing that happens is written as the entry a truthful recorder would make of it: hands hidden,
given or given in part, drawn cards told or not, cards marked unsure (right or wrong), breaches the
table let pass. Whatever comes out is true, so no rule may refuse it.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.generation.dutch_table import PACK, Table, score, worth

Entry = dict[str, Any]
ODD = ["cards.seen", "table.turn", "dutch.call", "dutch.powers", "dutch.deal", "dutch.place"]


@dataclass(frozen=True)
class Happened:
    """An entry and the table once it took effect."""

    entry: Entry
    to_act: tuple[int, ...]
    counts: tuple[int, ...]
    stock: int


@dataclass
class Habits:
    """How often (0 to 1) tables err and recorders doubt, tell and look."""

    breach: float = 0.0
    unsure: float = 0.0
    given: float = 0.0
    told: float = 0.1
    mistake: float = 0.05
    snap: float = 0.8
    call: float = 0.04
    odd_waive: float = 0.0


@dataclass
class Script:
    """A deal as written down, whole or up to where it was left."""

    dealer: int
    happened: list[Happened] = field(default_factory=list[Happened])
    points: tuple[int, ...] = ()


class RealDeal:
    """Plays one deal with real cards and writes it down as it goes."""

    def __init__(self, chance: Random, options: Entry, seats: int, dealer: int, habits: Habits) -> None:
        """Shuffle; `options` are complete."""
        self.chance, self.options, self.habits = chance, options, habits
        self.table = Table(chance, seats, dealer)
        self.table.shuffle_and_deal()
        self.sure: set[str] = set()  # cards the recorder surely named
        self.written: dict[int, int] = {}  # rows as they were written down
        self.summed = False
        self.script = Script(dealer)

    def often(self, share: float) -> bool:
        """Tell whether something that happens in a `share` of cases happens now."""
        return self.chance.random() < share

    def breach(self, share: float = 1.0) -> bool:
        """Tell whether the table lets a breach pass now."""
        return self.often(self.habits.breach * share)

    def write(self, entry: Entry, *breaks: str) -> None:
        """Write down what happened, waiving the clauses it broke."""
        if breaks:
            entry["waive"] = list(breaks)
        elif self.often(self.habits.odd_waive):
            entry["waive"] = [self.chance.choice(ODD)]
        table = self.table
        self.script.happened.append(
            Happened(entry, table.to_act, table.counts, len(table.stock))
        )

    def named(self, card: str, entry: Entry, key: str = "card", *, rank: bool = False) -> str:
        """Name a card in an entry, perhaps unsure and wrong (of the same rank if asked)."""
        name = card
        if self.often(self.habits.unsure):
            entry["unsure"] = True
            if card not in self.sure and self.often(0.6):
                name = self.chance.choice(
                    [card, *(one for one in PACK if one not in self.sure and (one[0] == card[0] or not rank))]
                )
        else:
            self.sure.add(card)
        entry[key] = name
        return name

    def run(self) -> Script:
        """Play the deal to its end."""
        self.deal()
        self.looks()
        while not self.table.over:
            self.between()
            if not self.table.over:
                self.one_turn()
        self.between()
        while not self.table.done:
            self.reveal()
        self.finish()
        return self.script

    def totals(self) -> tuple[int, ...]:
        """Add up the rows as they were written down."""
        return tuple(self.written.get(seat, 0) for seat in range(self.table.seats))

    def finish(self) -> None:
        """Score the deal."""
        table = self.table
        points = score(self.totals(), table.caller, table.counter, self.options["tie"])
        self.script.points = tuple(points)

    # --- before the first turn ------------------------------------------------------------------

    def deal(self) -> None:
        """Write the deal: the turned card, hands given whole, in part or not."""
        table = self.table
        entry: Entry = {"type": "deal", "dealer": table.dealer}
        hands = [self.given(row) for row in table.rows]
        name = self.named(table.pile[0].real, entry, "up")
        table.pile[0].named = name
        if any(hands) or self.often(0.1):
            entry["hands"] = hands
        self.write(entry)

    def given(self, row: dict[int, str]) -> list[str] | None:
        """Give a hand, whole or in part, or not."""
        if not self.often(self.habits.given):
            return None
        whole = self.often(0.6)
        shown = [card if whole or self.often(0.5) else "??" for card in row.values()]
        self.sure.update(card for card in shown if card != "??")
        return shown

    def looks(self) -> None:
        """Let players look at two of their cards, and the table err before it begins."""
        for seat in self.chance.sample(range(self.table.seats), self.table.seats):
            if self.often(0.6):
                self.look(seat, self.chance.sample(range(4), 2))
            if self.breach(0.3):
                self.snap_anything(seat)

    def look(self, seat: int, slots: list[int], *breaks: str) -> None:
        """Write a look."""
        table = self.table
        slots = [slot for slot in slots if slot in table.rows[seat]]
        if len(slots) < 2:
            return
        entry: Entry = {"type": "look", "seat": seat, "slots": slots}
        if self.often(self.habits.told) and slots[0] != slots[1]:
            unsure: Entry = {}
            cards = [
                self.named(table.rows[seat][slot], unsure) if self.often(0.7) else "??"
                for slot in slots
            ]
            if unsure.get("unsure"):  # one doubt is a doubt about all: name them as they are
                cards = [table.rows[seat][slot] for slot in slots]
                entry["unsure"] = True
            entry["cards"] = cards
        table.looked.add(seat)
        self.write(entry, *breaks)

    # --- between turns --------------------------------------------------------------------------

    def between(self) -> None:
        """Snap, use powers, be punished, call and counter, in any order."""
        for _ in range(self.chance.choice([1, 2, 3, 4])):
            if self.table.over and (self.table.fixed or self.table.done):
                return
            self.chance.choice(
                [self.snap_match, self.snap_match, self.mistake, self.power, self.punish,
                 self.calls, self.counters, self.unruly]
            )()

    def seat_with_cards(self) -> int | None:
        """Pick somebody who has cards."""
        seats = [seat for seat in range(self.table.seats) if self.table.rows[seat]]
        return self.chance.choice(seats) if seats else None

    def snap_match(self) -> None:
        """Let everybody who can throw a matching card."""
        table = self.table
        if not table.window or not table.pile or not self.often(self.habits.snap):
            return
        for seat in range(table.seats):
            self.throw_matching(seat)

    def throw_matching(self, seat: int, *breaks: str) -> None:
        """Throw every card that matches the top one."""
        table = self.table
        for slot in list(table.rows[seat]):
            top = table.pile[-1]
            card = table.rows[seat][slot]
            if table.fixed or card[0] != top.real[0] or top.real[0] != top.named[0]:
                continue
            entry: Entry = {"type": "snap", "seat": seat, "slot": slot}
            table.snap(seat, slot, self.named(card, entry, rank=True))
            self.write(entry, *breaks)
            if breaks:
                return

    def mistake(self) -> None:
        """Let somebody throw a card that does not match."""
        if self.table.window and self.often(self.habits.mistake):
            seat = self.seat_with_cards()
            if seat is not None:
                self.throw_wrong(seat)

    def throw_wrong(self, seat: int, *breaks: str) -> None:
        """Throw a card that does not match: it goes back, and cards are drawn."""
        table = self.table
        slot = self.chance.choice(list(table.rows[seat]))
        card = table.rows[seat][slot]
        tops = {table.pile[-1].real[0], table.pile[-1].named[0]} if table.pile else set[str]()
        if card[0] in tops:
            return
        entry: Entry = {"type": "snap", "seat": seat, "slot": slot}
        self.named(card, entry, rank=True)
        table.punish(seat, self.options["penalty"])
        self.write(entry, *breaks)

    def snap_anything(self, seat: int) -> None:
        """Throw a card although nothing is open, the table letting it pass."""
        table = self.table
        if table.window or table.fixed or not table.rows[seat]:
            return
        if self.often(0.5):
            self.throw_wrong(seat, "dutch.snap-window")
        elif table.pile:
            self.throw_matching(seat, "dutch.snap-window")

    def power(self) -> None:
        """Use a power (`dutch.queen`, `dutch.jack`)."""
        table = self.table
        if not table.powers:
            return
        place = self.chance.randrange(len(table.powers))
        seat, rank = table.powers[place]
        place = table.powers.index((seat, rank))
        if self.often(0.7) and self.exercise(seat, rank, place + 1):
            return

    def places(self) -> list[list[int]]:
        """List every slot that holds a card."""
        return [[seat, slot] for seat, row in enumerate(self.table.rows) for slot in row]

    def exercise(self, seat: int, rank: str, used: int, *breaks: str) -> bool:
        """Peek or trade; the first `used` powers are gone then."""
        table, places = self.table, self.places()
        if not places or (rank == "J" and len(places) < 2):
            return False
        entry: Entry
        if rank == "Q":
            place = self.chance.choice(places)
            entry = {"type": "peek", "seat": seat, "place": place}
            if self.often(self.habits.told):
                self.named(table.rows[place[0]][place[1]], entry)
        else:
            one, other = self.chance.sample(places, 2)
            entry = {"type": "trade", "seat": seat, "a": one, "b": other}
            first, second = table.rows[one[0]], table.rows[other[0]]
            first[one[1]], second[other[1]] = second[other[1]], first[one[1]]
        del table.powers[:used]
        self.write(entry, *breaks)
        return True

    def punish(self) -> None:
        """Punish a forbidden look."""
        seat = self.seat_with_cards()
        if seat is not None and not self.table.fixed and self.often(0.06):
            self.table.punish(seat, self.options["penalty"])
            self.write({"type": "penalty", "seat": seat})

    def calls(self) -> None:
        """Call Dutch at one of its moments."""
        table = self.table
        if table.caller is not None or table.over or not self.often(self.habits.call):
            return
        seats = [seat for seat in range(table.seats) if table.begins(seat) or table.has_ended(seat)]
        self.call(self.chance.choice(seats))

    def call(self, seat: int, *breaks: str) -> None:
        """Write a call."""
        self.table.call(seat)
        self.write({"type": "dutch", "seat": seat}, *breaks)

    def counters(self) -> None:
        """Say "Contre Dutch" at one of its moments."""
        table = self.table
        seats = [seat for seat in range(table.seats) if table.may_counter(seat)]
        if seats and self.often(0.2):
            seat = self.chance.choice(seats)
            table.counts_dutch(seat, instead=table.begins(seat))
            self.write({"type": "counter", "seat": seat})

    # --- breaches -------------------------------------------------------------------------------

    def unruly(self) -> None:
        """Break one rule of play, the table letting it pass."""
        if not self.habits.breach or self.table.fixed:
            return
        if self.breach():
            self.chance.choice(
                [self.late_look, self.no_power, self.trade_nothing, self.late_call, self.late_counter]
            )()

    def late_look(self) -> None:
        """Look too late, again, too far along or twice at one card."""
        seat = self.seat_with_cards()
        table = self.table
        if seat is not None and (table.begun or seat in table.looked):
            slots = list(table.rows[seat])
            self.look(seat, [self.chance.choice(slots), self.chance.choice(slots)], "dutch.first-look")

    def no_power(self) -> None:
        """Use a power nobody gave."""
        table = self.table
        seat, rank = self.chance.randrange(table.seats), self.chance.choice("QJ")
        own = {one for owner, one in table.powers if owner == seat}
        if rank not in own:
            clause = {"Q": "dutch.queen", "J": "dutch.jack"}[rank] if own else "dutch.powers"
            self.exercise(seat, rank, 0, clause)

    def trade_nothing(self) -> None:
        """Trade a card for itself."""
        jacks = [power for power in self.table.powers if power[1] == "J"]
        if jacks and self.places():
            seat, place = jacks[0][0], self.chance.choice(self.places())
            del self.table.powers[: self.table.powers.index(jacks[0]) + 1]
            self.write({"type": "trade", "seat": seat, "a": place, "b": place}, "dutch.jack")

    def late_call(self) -> None:
        """Call at a wrong moment, or again (which changes nothing)."""
        table = self.table
        seat = self.chance.randrange(table.seats)
        if table.caller is not None:
            self.write({"type": "dutch", "seat": seat}, "dutch.call")
        elif not table.over and not table.begins(seat) and not table.has_ended(seat):
            if self.often(0.3):
                self.call(seat, "dutch.call")

    def late_counter(self) -> None:
        """Counter at a wrong moment: the turn is not given up."""
        table = self.table
        seat = self.chance.randrange(table.seats)
        if table.caller in {None, seat} or table.counter is not None or table.may_counter(seat):
            return
        table.counts_dutch(seat, instead=False)
        self.write({"type": "counter", "seat": seat}, "dutch.counter")

    # --- a turn ---------------------------------------------------------------------------------

    def one_turn(self) -> None:
        """Draw or take, then swap or drop."""
        table = self.table
        seat, breaks = table.turn, list[str]()
        if self.breach(0.5) and table.seats > 1:
            seat = self.chance.choice([one for one in range(table.seats) if one != seat])
            breaks = ["table.turn"]
        if (not table.stock and len(table.pile) < 2) or self.often(0.35):
            table.take(seat)
            self.write({"type": "take", "seat": seat}, *breaks)
        else:
            card = table.draw(seat)
            entry: Entry = {"type": "draw", "seat": seat}
            if self.often(self.habits.told):
                self.named(card, entry)
            self.write(entry, *breaks)
        if self.breach(0.3):
            self.mid_turn(seat)
        if not table.over:
            self.discard(seat)

    def mid_turn(self, seat: int) -> None:
        """Break a rule with a card in hand."""
        table = self.table
        other = self.chance.randrange(table.seats)
        self.chance.choice(
            [
                lambda: self.snap_anything(other),
                lambda: self.call(seat, "dutch.call") if table.caller is None else None,
                lambda: self.call(other, "dutch.call") if table.caller is None else None,
                self.late_look,
                self.late_counter,
                self.punish,
                self.no_power,
            ]
        )()

    def discard(self, seat: int) -> None:
        """End the turn with a card on the pile."""
        table = self.table
        assert table.held is not None
        card, origin = table.held
        slots = list(table.rows[seat])
        drops = not slots or (self.often(0.4) if origin == "drawn" else self.breach())
        entry: Entry = {"type": "drop" if drops else "swap", "seat": seat}
        laid = card
        if not drops:
            slot = entry["slot"] = self.chance.choice(slots)
            laid, table.rows[seat][slot] = table.rows[seat][slot], card
        name = self.named(laid, entry)
        table.lay(seat, laid, name)
        table.end_turn(seat)
        self.write(entry, *(["dutch.take-swap"] if drops and origin == "taken" else []))

    # --- the end --------------------------------------------------------------------------------

    def reveal(self) -> None:
        """Turn a row up: its cards, its points, or some cards and the points of all."""
        table = self.table
        seat = self.chance.choice(table.to_act)
        row = [table.rows[seat][slot] for slot in sorted(table.rows[seat])]
        value = sum(worth(card, self.options["red_kings"]) for card in row)
        entry: Entry = {"type": "reveal", "seat": seat}
        way = self.chance.choice(["cards", "cards", "points", "both"])
        if self.often(self.habits.unsure):
            entry["unsure"] = True
        if way == "points":
            entry["points"] = value
        else:
            hidden = self.chance.randrange(len(row)) if way == "both" else -1
            entry["cards"] = ["??" if place == hidden else card for place, card in enumerate(row)]
            if way == "both":
                entry["points"] = value
            if not entry.get("unsure"):
                self.sure.update(entry["cards"])
        table.fixed, table.window, table.powers = True, False, []
        table.revealed[seat] = self.written[seat] = value
        self.write(entry)
