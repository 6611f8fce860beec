from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from tests.answers import judged
from tests.generation.dutch_deal import RealDeal
from tests.generation.dutch_table import PACK
from tests.generation.dutch_watched import Habits
from tests.generation.sizes import games

Entry = dict[str, Any]
Spot = tuple[int, int] | str
OPTIONS: Entry = {
    "target": 100,
    "deals": None,
    "red_kings": "hearts",
    "penalty": 1,
    "call": "any",
    "tie": "caller",
}
TABLES = {
    "hidden": Habits(mistake=0.5),
    "open": Habits(mistake=0.3, given=0.7, told=0.5),
}


@dataclass
class Seen:
    spot: Spot
    entry: int
    times: int = 1


@dataclass
class Watcher:
    cards: dict[str, Seen] = field(default_factory=dict[str, Seen])
    pile: list[str] = field(default_factory=list[str])

    def at(self, spot: Spot) -> str | None:
        return next((card for card, seen in self.cards.items() if seen.spot == spot), None)

    def move(self, source: Spot, target: Spot) -> None:
        card = self.at(source)
        if card is not None:
            self.cards[card].spot = target

    def watch(self, index: int, entry: Entry) -> None:
        match entry["type"]:
            case "take":
                card = self.pile.pop()
                self.cards[card].spot = "hand"
            case "swap":
                self.lay(entry["card"], index)
                self.move("hand", (entry["seat"], entry["slot"]))
            case "drop":
                self.lay(entry["card"], index)
            case "snap" if self.pile[-1][0] == entry["card"][0]:
                self.lay(entry["card"], index)
            case "trade":
                one, other = tuple(entry["a"]), tuple(entry["b"])
                self.move(one, "between")
                self.move(other, one)
                self.move("between", other)
            case _:
                for spot, card in show(entry):
                    self.name(card, spot, index)
        if entry["type"] == "deal":
            self.lay(entry["up"], index)

    def lay(self, card: str, index: int) -> None:
        self.name(card, "pile", index)
        self.pile.append(card)

    def name(self, card: str, spot: Spot, index: int) -> None:
        before = self.cards.get(card)
        self.cards[card] = Seen(spot, index, before.times + 1 if before else 1)


def show(entry: Entry) -> list[tuple[Spot, str]]:
    seat = entry.get("seat")
    named: list[tuple[Spot, str]] = [
        ((owner, slot), card)
        for owner, hand in enumerate(entry.get("hands") or [])
        for slot, card in enumerate(hand or [])
    ]
    if seat is not None:
        slots = zip(entry.get("slots", []), entry.get("cards", []), strict=False)
        named += [((seat, slot), card) for slot, card in slots]
    if "card" in entry:
        places: dict[str, Any] = {"draw": "hand", "peek": tuple(entry.get("place", ()))}
        named.append((places.get(entry["type"], (seat, entry.get("slot"))), entry["card"]))
    return [(spot, card) for spot, card in named if card != "??"]


def source(entry: Entry) -> Spot | None:
    if entry["type"] == "drop":
        return "hand"
    return (entry["seat"], entry["slot"]) if entry["type"] in {"swap", "snap"} else None


def lies(chance: Random, seats: int, habits: Habits) -> Iterator[tuple[list[Entry], Entry]]:
    script = RealDeal(chance, OPTIONS, seats, 0, habits).run()
    watcher = Watcher()
    log: list[Entry] = []
    for index, happened in enumerate(script.happened):
        entry, spot = happened.entry, source(happened.entry)
        if happened.stock == 0:
            return  # the pile is reshuffled soon: named cards move unseen
        if spot is not None and chance.random() < 0.2:
            there = watcher.at(spot)
            for card in chance.sample(PACK, 6):
                found = refusal(watcher, spot, there, card)
                if found is not None:
                    yield [*log, {**entry, "card": card}], {"ok": False, "at": index, **found}
        log.append(entry)
        watcher.watch(index, entry)


def refusal(watcher: Watcher, spot: Spot, there: str | None, card: str) -> Entry | None:
    seen = watcher.cards.get(card)
    if seen is not None and seen.spot != spot:
        return {"rule": "cards.seen", "contradicts": seen.entry}
    if there is not None and there != card:
        rule = "cards.held" if spot == "hand" else "dutch.place"
        named = watcher.cards[there]
        # Of two entries that named the same card neither is the reason alone.
        return {"rule": rule} | ({"contradicts": named.entry} if named.times == 1 else {})
    return None


@pytest.mark.parametrize("table", TABLES)
def test_lies__are_refused_by_their_clause_and_the_entry_they_contradict(table: str) -> None:
    told = 0
    for seed in games(50_000, share=6):
        chance = Random(seed)  # noqa: S311 games, not secrets
        seats = chance.choice([2, 3, 5, 8])
        for log, expected in lies(chance, seats, TABLES[table]):
            told += 1
            record = {"ruleset": "dutch", "options": OPTIONS, "seats": seats, "log": log}
            assert judged(record) == expected, record
    assert told
