"""The entries that an observer of a deal of Dutch records, event by event.

Each event becomes the entry of a truthful recorder: hands hidden or given wholly or partly, drawn
cards named or not, cards marked unsure (right or wrong), breaches that the table waived. The result
is true, so no rule may refuse it.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.generation.dutch_table import PACK, Table, worth

Entry = dict[str, Any]
ODD = ["cards.seen", "table.turn", "dutch.call", "dutch.powers", "dutch.deal", "dutch.place"]


@dataclass(frozen=True)
class Happened:
    entry: Entry
    to_act: tuple[int, ...]
    counts: tuple[int, ...]
    stock: int
    result: Entry  # a possible result from here


@dataclass
class Habits:
    """Probabilities: of errors at the table, and of unsure or detailed entries."""

    breach: float = 0.0
    unsure: float = 0.0
    given: float = 0.0
    told: float = 0.1
    mistake: float = 0.05
    snap: float = 0.8
    call: float = 0.04
    odd_waive: float = 0.0
    rank: float = 0.0  # a suit goes unnoticed


@dataclass
class Script:
    """A deal as written down, whole or up to where it was left."""

    dealer: int
    happened: list[Happened] = field(default_factory=list[Happened])
    points: tuple[int, ...] = ()


class ObservedDeal:
    def __init__(
        self, chance: Random, options: Entry, seats: int, dealer: int, habits: Habits
    ) -> None:
        """Shuffle; `options` are complete."""
        self.chance, self.options, self.habits = chance, options, habits
        self.table = Table(chance, seats, dealer)
        self.table.shuffle_and_deal()
        self.sure: set[str] = set()  # cards the recorder surely named
        self.written: dict[int, int] = {}  # the points noted for each row
        self.script = Script(dealer)

    def often(self, share: float) -> bool:
        """Return True with probability `share`."""
        return self.chance.random() < share

    def breach(self, share: float = 1.0) -> bool:
        return self.often(self.habits.breach * share)

    def write(self, entry: Entry, *breaks: str) -> None:
        if breaks:
            entry["waive"] = list(breaks)
        elif self.often(self.habits.odd_waive):
            entry["waive"] = [self.chance.choice(ODD)]
        table = self.table
        self.script.happened.append(
            Happened(entry, table.to_act, table.counts, len(table.stock), self.in_short())
        )

    def in_short(self) -> Entry:
        """Return a result that can be true now: rows may still change unless they are fixed."""
        table = self.table
        seats = range(table.seats)
        entry: Entry = {"type": "result", "caller": table.caller, "counter": table.counter}
        if table.caller is None and not table.over:
            entry["caller"] = self.chance.choice([None, *seats])
            if entry["caller"] is not None and self.often(0.4):
                others = [seat for seat in seats if seat != entry["caller"]]
                entry["counter"] = self.chance.choice(others)
        elif self.often(0.4):
            late = [seat for seat in seats if table.may_yet_counter(seat)]
            entry["counter"] = self.chance.choice([*late, entry["counter"]])
        if table.fixed:
            entry["totals"] = [self.value(list(row.values())) for row in table.rows]
            return entry
        cards = self.chance.sample(PACK, len(PACK) - 1)
        emptied = self.chance.choice(seats) if entry["caller"] is None else None
        rows = [
            [cards.pop() for _ in range(self.chance.randint(1, 5))]
            if row and seat != emptied
            else []
            for seat, row in enumerate(table.rows)
        ]
        entry["totals"] = [self.value(row) for row in rows]
        return entry

    def value(self, cards: list[str]) -> int:
        return sum(worth(card, self.options["red_kings"]) for card in cards)

    def named(self, card: str, entry: Entry, key: str = "card", *, rank: bool = False) -> str:
        """Name a card in an entry, perhaps unsure and wrong (of the same rank if requested)."""
        name = card
        if self.often(self.habits.rank):
            name = self.rank_alone(card)
            if self.often(self.habits.unsure):
                entry["unsure"] = True
        elif self.often(self.habits.unsure):
            entry["unsure"] = True
            if card not in self.sure and self.often(0.6):
                name = self.chance.choice(
                    [
                        card,
                        *(
                            one
                            for one in PACK
                            if one not in self.sure and (one[0] == card[0] or not rank)
                        ),
                    ]
                )
        else:
            self.sure.add(card)
        entry[key] = name
        return name

    def rank_alone(self, card: str) -> str:
        """Name a card by its rank; no card of that rank is named wrongly from then on."""
        self.sure.update(one for one in PACK if one[0] == card[0])
        return card[0] + "?"

    def seen(self, card: str) -> str:
        return self.rank_alone(card) if self.often(self.habits.rank) else card

    def look(self, seat: int, slots: list[int], *breaks: str) -> None:
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

    def seat_with_cards(self) -> int | None:
        seats = [seat for seat in range(self.table.seats) if self.table.rows[seat]]
        return self.chance.choice(seats) if seats else None

    def throw_matching(self, seat: int, *breaks: str) -> None:
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
        table = self.table
        if table.window or table.fixed or not table.rows[seat]:
            return
        if self.often(0.5):
            self.throw_wrong(seat, "dutch.snap-window")
        elif table.pile:
            self.throw_matching(seat, "dutch.snap-window")

    def places(self) -> list[list[int]]:
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
