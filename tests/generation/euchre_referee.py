"""Judges a log of one Euchre deal by enumerating all deals, entry by entry.

Written from the rule text, independently of `domain`: leads and tricks are followed here, cards are
enumerated (`euchre_oracle`). Bids are not judged.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from tests.generation.euchre_cards import answer_wins, pack
from tests.generation.euchre_oracle import (
    FOLLOW,
    Entry,
    Oracle,
    TooManyWorlds,
    enumerated,
    within,
)

STANDS = -1
WORLDS_MAX = 700


class NobodyKnows(Exception):  # noqa: N818 not an error: the test tries another log
    """Too many deals would have to be listed."""


@dataclass
class Trick:
    leader: int
    led: str | None = None

    def refuses(self, entry: Entry) -> bool:
        if self.led is None:
            return entry["seat"] != self.leader and "euchre.lead" not in entry.get("waive", ())
        return bool(entry["seat"] == self.leader)

    def play(self, entry: Entry, trump: str) -> None:
        if self.led is None:
            self.leader, self.led = entry["seat"], entry["card"]
            return
        if answer_wins(self.led, entry["card"], trump):
            self.leader = entry["seat"]
        self.led = None


def first_refused(deck: int, log: Sequence[Entry]) -> int:
    """Return the index of the first illegal entry; `STANDS` if all entries are legal.

    Raises:
        NobodyKnows: there are too many deals to enumerate.
    """
    trick = Trick(1 - log[0]["dealer"])
    forgotten: frozenset[int] = frozenset()
    sure = True  # all entries before this one are legal
    for index, entry in enumerate(log):
        if entry["type"] == "play" and (trick.refuses(entry) or entry["card"] not in pack(deck)):
            return index if sure else _nobody_knows()
        if entry["type"] in {"play", "accept"} or entry.get("take"):
            oracle = _list(deck, log[:index], forgotten)
            if isinstance(oracle, Oracle):
                after = oracle.after(entry)
                if after is None or _lays_turned(oracle, entry):
                    return index
                forgotten, sure = after.forgotten, True
            elif oracle is None or FOLLOW in entry.get("waive", ()):
                return _nobody_knows()  # refused before, or something may have to be forgotten
            else:
                sure = False
        if entry["type"] == "play":
            trick.play(entry, _trump(log[: index + 1]))
    return STANDS if sure else _nobody_knows()


def _nobody_knows() -> int:
    raise NobodyKnows


def _list(
    deck: int, log: Sequence[Entry], forgotten: frozenset[int]
) -> Oracle | TooManyWorlds | None:
    return _known(deck, tuple(msgspec.json.encode(entry) for entry in log), forgotten)


@lru_cache(maxsize=256)  # some deals: their mistakes begin alike
def _known(
    deck: int, written: tuple[bytes, ...], forgotten: frozenset[int]
) -> Oracle | TooManyWorlds | None:
    log = tuple(map(msgspec.json.decode, written))
    before = _known(deck, written[:-1], forgotten) if len(written) > 1 else None
    try:
        if isinstance(before, Oracle):
            return within(before.tried(log[-1]), WORLDS_MAX)
        return enumerated(deck, log, forgotten, limit=WORLDS_MAX)
    except TooManyWorlds as too_many:
        return too_many


def _lays_turned(oracle: Oracle, entry: Entry) -> bool:
    view = oracle.view
    return entry.get("discard") == view.turned and view.turned_sure and not entry.get("waive")


def _trump(log: Sequence[Entry]) -> str:
    named = [entry["suit"] for entry in log if entry["type"] == "name"]
    turned: str = log[0].get("turn_up_suit", log[0]["turn_up"][1])
    return named[0] if named else turned
