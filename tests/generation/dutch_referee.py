"""Judges a log of one deal of Dutch by the rule text and a matching of cards.

Independent of `domain`. Visible events are followed on a `Table` whose cards are numbers; names in
entries restrict the cards that a number can be. An entry is legal if it breaks no visible rule and
all numbers can still be assigned different cards with the given row totals.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.generation.dutch_table import PACK, Lying, Table, worth
from tests.generation.refereed import Clauses, NobodyKnows

Entry = dict[str, Any]
Cards = frozenset[str]
STEPS_MAX = 20_000
LEGAL: Clauses = frozenset()
CARDS = frozenset({"cards.seen", "cards.held", "dutch.place", "cards.impossible"})
WHOLE = frozenset(PACK)


def name(code: str) -> Cards:
    """List the cards a code can be: itself, those of a rank (`7?`), any (`??`)."""
    if code == "??":
        return WHOLE
    return frozenset(card for card in PACK if card[0] == code[0] and code[1] in {"?", card[1]})


@dataclass
class Facts:
    about: list[tuple[str, Cards, int]] = field(default_factory=list[tuple[str, Cards, int]])
    sums: list[tuple[list[str], int, int]] = field(default_factory=list[tuple[list[str], int, int]])

    def without(self, index: int) -> "Facts":
        return Facts(
            [one for one in self.about if one[2] != index],
            [one for one in self.sums if one[2] != index],
        )

    def denied(self, news: "Facts", index: int) -> bool:
        told = [(number, cards) for number, cards, by in self.about if by == index]
        return any(
            number == there and not cards & seen
            for there, seen, _ in news.about
            for number, cards in told
        )

    def and_more(self, news: "Facts") -> "Facts":
        return Facts([*self.about, *news.about], [*self.sums, *news.sums])

    def fit(self, red_kings: str) -> bool:
        each: dict[str, Cards] = {}
        for number, cards, _ in self.about:
            each[number] = each.get(number, WHOLE) & cards
        return _worth(each, [(list(row), worth) for row, worth, _ in self.sums], red_kings, [0])


def _worth(
    each: Mapping[str, Cards], rows: list[tuple[list[str], int]], red_kings: str, steps: list[int]
) -> bool:
    steps[0] += 1
    if steps[0] > STEPS_MAX:
        raise NobodyKnows
    if not has_matching(each):
        return False
    if not rows:
        return True
    (row, total), *others = rows
    if not row:
        return not total and _worth(each, others, red_kings, steps)
    able = each.get(row[0], WHOLE)
    for value in sorted({worth(card, red_kings) for card in able}):
        if value <= total and (len(row) > 1 or value == total):
            cards = frozenset(card for card in able if worth(card, red_kings) == value)
            rest = [(row[1:], total - value), *others]
            if _worth({**each, row[0]: cards}, rest, red_kings, steps):
                return True
    return False


def has_matching(each: Mapping[str, Cards]) -> bool:
    """Return whether all numbers can be different cards (augmenting paths)."""
    held: dict[str, str] = {}

    def assign_card(number: str, tried: set[str]) -> bool:
        for card in each[number] - tried:
            tried.add(card)
            if card not in held or assign_card(held[card], tried):
                held[card] = number
                return True
        return False

    return all(
        assign_card(number, set()) for number in sorted(each, key=lambda one: len(each[one]))
    )


class Referee:
    def __init__(self, options: Entry, seats: int) -> None:
        """`options` are complete; no points and no number of deals end the game."""
        self.options, self.seats = options, seats
        self.table: Table | None = None
        self.facts = Facts()
        self.news = Facts()  # the facts of the entry that was refused for its cards
        self.index = 0
        self.over = False

    def copy(self) -> "Referee":
        return deepcopy(self)

    def judge(self, entry: Entry) -> Clauses:
        """Return the clauses an entry breaks; without any, apply it."""
        if self.over and entry["type"] != "deal":
            return frozenset({"table.phase"})
        if self.table is None:
            broken = self.deal(entry) if entry["type"] == "deal" else frozenset({"table.phase"})
        elif entry["type"] == "deal":
            if self.over:
                raise NobodyKnows
            broken = frozenset({"table.phase"})
        else:
            judges: Mapping[str, Callable[[Table, Entry], Clauses]] = {
                "look": self.look,
                "draw": self.begin,
                "take": self.begin,
                "swap": self.discard,
                "drop": self.discard,
                "snap": self.snap,
                "peek": self.power,
                "trade": self.power,
                "penalty": self.penalty,
                "dutch": self.call,
                "counter": self.counter,
                "reveal": self.reveal,
            }
            broken = judges[entry["type"]](self.table, entry)
        self.index += not broken
        return broken

    def learn(
        self,
        entry: Entry,
        about: Sequence[tuple[str, str]],
        total: tuple[list[str], int] | None = None,
    ) -> Clauses:
        news = [(number, name(code), self.index) for number, code in about if code != "??"]
        sums = [(*total, self.index)] if total else []
        grown = self.facts.and_more(Facts(news, sums))
        if not grown.fit(self.options["red_kings"]):
            self.news = Facts(news, sums)
            codes = [code for _, code in about if "?" not in code]
            twice = {"cards.count"} if len(set(codes)) < len(codes) else set[str]()
            return CARDS | twice
        if not entry.get("unsure"):
            self.facts = grown
        return LEGAL

    def is_the_reason(self, index: int, rule: str) -> bool:
        """Return whether an earlier entry is the reason of a refusal.

        Either the refused entry would be legal without it, or it showed another card at that place.
        """
        if rule == "cards.impossible":
            left = self.facts.without(index).and_more(self.news)
            return left.fit(self.options["red_kings"])
        return self.facts.denied(self.news, index)

    # --- each entry -------------------------------------------------------------------------

    def deal(self, entry: Entry) -> Clauses:
        table = Table(Random(0), self.seats, entry["dealer"])  # noqa: S311 nothing is shuffled
        numbers = [str(number) for number in range(len(PACK))]
        table.rows = [
            dict(enumerate(numbers[4 * seat : 4 * seat + 4])) for seat in range(self.seats)
        ]
        table.used = [4] * self.seats
        up, *table.stock = numbers[4 * self.seats :]
        table.pile = [Lying(up, entry["up"])]
        table.turn = (entry["dealer"] + 1) % self.seats
        given: list[list[str] | None] = entry.get("hands") or []
        hands = [
            (table.rows[seat][slot], card)
            for seat, hand in enumerate(given)
            for slot, card in enumerate(hand or ())
        ]
        broken = self.learn({}, [*hands, (up, entry["up"])])
        if broken:
            return broken
        if entry.get("unsure"):
            self.facts = Facts()
            self.learn({}, hands)
        self.table = table
        return LEGAL

    def look(self, table: Table, entry: Entry) -> Clauses:
        """`dutch.first-look`."""
        seat: int = entry["seat"]
        slots: list[int] = entry["slots"]
        if table.over:
            return frozenset({"table.phase", "dutch.first-look"})
        wrong = table.begun or seat in table.looked or len(set(slots)) < 2 or max(slots) > 3
        empty = any(slot not in table.rows[seat] for slot in slots)
        broken = {"dutch.first-look"} if wrong else set[str]()
        broken |= {"dutch.place"} if empty else set()
        if broken:
            return frozenset(broken)
        cards = zip(slots, entry.get("cards", ()), strict=False)
        clash = self.learn(entry, [(table.rows[seat][slot], card) for slot, card in cards])
        if clash:
            return clash
        table.looked.add(seat)
        return LEGAL

    def begin(self, table: Table, entry: Entry) -> Clauses:
        """`dutch.turn`, `dutch.stock-empty`."""
        if table.over or table.held is not None:
            return frozenset({"table.phase", "table.turn", "dutch.turn"})
        if entry["seat"] != table.turn:
            return frozenset({"table.turn"})
        if entry["type"] == "take":
            table.take(entry["seat"])
            return LEGAL
        if not table.stock:
            raise NobodyKnows
        broken = self.learn(entry, [(table.stock[-1], entry.get("card", "??"))])
        if broken:
            return broken
        table.draw(entry["seat"])
        return LEGAL

    def discard(self, table: Table, entry: Entry) -> Clauses:
        """`dutch.turn`, `dutch.take-swap`."""
        seat: int = entry["seat"]
        slot: int | None = entry.get("slot")
        if table.over or table.held is None:
            return frozenset({"table.phase", "table.turn", "dutch.turn"})
        number, origin = table.held
        nothing_in_hand = {"table.turn", "table.phase"}
        broken: set[str] = nothing_in_hand if seat != table.turn else set()
        if slot is None:
            broken |= {"dutch.take-swap"} if origin == "taken" else set()
        elif slot not in table.rows[seat]:
            broken.add("dutch.place")
        if broken:
            return frozenset(broken)
        laid = number if slot is None else table.rows[seat][slot]
        clash = self.learn(entry, [(laid, entry["card"])])
        if clash:
            return clash
        if slot is not None:
            table.rows[seat][slot] = number
        table.lay(seat, laid, entry["card"])
        table.end_turn(seat)
        return LEGAL

    def snap(self, table: Table, entry: Entry) -> Clauses:
        """`dutch.snap-window`, `dutch.snap-match`."""
        seat: int = entry["seat"]
        slot: int = entry["slot"]
        broken: set[str] = set() if table.window else {"dutch.snap-window"}
        broken |= {"dutch.place"} if slot not in table.rows[seat] else set()
        broken |= {"table.phase"} if broken and table.over else set()
        if broken:
            return frozenset(broken)
        clash = self.learn(entry, [(table.rows[seat][slot], entry["card"])])
        if clash:
            return clash
        if table.pile[-1].named[0] == entry["card"][0]:
            table.snap(seat, slot, entry["card"])
        else:
            self.punish(table, seat)
        self.settle(table)
        return LEGAL

    def punish(self, table: Table, seat: int) -> None:
        if len(table.stock) < self.options["penalty"]:
            raise NobodyKnows
        table.punish(seat, self.options["penalty"])

    def power(self, table: Table, entry: Entry) -> Clauses:
        """`dutch.powers`, `dutch.queen`, `dutch.jack`."""
        seat: int = entry["seat"]
        peeks = entry["type"] == "peek"
        wanted = (seat, "Q" if peeks else "J")
        places: list[list[int]] = [entry["place"]] if peeks else [entry["a"], entry["b"]]
        broken: set[str] = set()
        if wanted not in table.powers:
            owned = [one for one in table.powers if one[0] == seat]
            own = "dutch.queen" if peeks else "dutch.jack"
            broken = {own, "dutch.powers"} if owned else {"dutch.powers"}
            broken |= {"table.phase"} if table.over else set()
        broken |= {"dutch.jack"} if not peeks and places[0] == places[1] else set()
        broken |= {"dutch.place"} if any(b not in table.rows[a] for a, b in places) else set()
        if broken:
            return frozenset(broken)
        (one, slot), (other, to) = places[0], places[-1]
        seen = [(table.rows[one][slot], entry.get("card", "??"))] if peeks else []
        clash = self.learn(entry, seen)
        if clash:
            return clash
        first, second = table.rows[one], table.rows[other]
        first[slot], second[to] = second[to], first[slot]
        del table.powers[: table.powers.index(wanted) + 1]
        return LEGAL

    def penalty(self, table: Table, entry: Entry) -> Clauses:
        """`dutch.look-penalty`."""
        if table.fixed or not table.rows[entry["seat"]]:
            return frozenset({"dutch.look-penalty", "table.phase"})
        self.punish(table, entry["seat"])
        return LEGAL

    def call(self, table: Table, entry: Entry) -> Clauses:
        """`dutch.call`."""
        seat = entry["seat"]
        moment = self.options["call"] == "any" or table.begins(seat) or table.has_ended(seat)
        if table.caller is not None or table.over or not table.rows[seat] or not moment:
            return frozenset({"dutch.call"} | ({"table.phase"} if table.over else set()))
        table.call(seat, self.options["call"])
        self.settle(table)
        return LEGAL

    def counter(self, table: Table, entry: Entry) -> Clauses:
        """`dutch.counter`."""
        seat = entry["seat"]
        if not table.may_counter(seat):
            return frozenset({"dutch.counter", "table.phase"})
        table.counts_dutch(seat, instead=table.begins(seat))
        self.settle(table)
        return LEGAL

    def reveal(self, table: Table, entry: Entry) -> Clauses:
        """Turn a row up, by its cards, its points or both."""
        seat: int = entry["seat"]
        cards: list[str] = entry.get("cards", [])
        if not table.over or seat in table.revealed:
            return frozenset({"table.phase"})
        row = [table.rows[seat][slot] for slot in sorted(table.rows[seat])]
        broken: set[str] = set() if seat in table.to_act else {"table.turn"}
        broken |= {"cards.count"} if cards and len(cards) != len(row) else set()
        if broken:
            return frozenset(broken)
        total = (row, int(entry["points"])) if "points" in entry else None
        clash = self.learn(entry, list(zip(row, cards, strict=False)), total)
        if clash:
            return clash
        table.fixed, table.window, table.powers = True, False, []
        table.revealed[seat] = 0
        self.settle(table)
        return LEGAL

    def settle(self, table: Table) -> None:
        self.over = table.done
