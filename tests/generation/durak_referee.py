"""Is a log of one deal of Durak legal? Asked of every deal of the cards, entry by entry.

Written from the rule text apart from `domain`: what follows each entry comes with it (`Happened`),
what the cards can be is enumerated (`durak_oracle`). What everybody sees is taken as it is.
"""

from collections.abc import Sequence
from typing import Any

from tests.generation.durak_cards import Entry
from tests.generation.durak_deal import Happened
from tests.generation.durak_oracle import Oracle, TooManyWorlds, World

STANDS = -1
FIRST = "durak.first-lead"


class NobodyKnows(Exception):  # noqa: N818 not an error: another log is asked about
    """Too many deals would have to be listed."""


def first_refused(happened: Sequence[Happened], seats: int) -> int:
    """Return the index of the first entry that cannot stand, `STANDS` where all do.

    Raises:
        NobodyKnows: too many deals would have to be listed to tell.

    """
    oracle = Oracle.opened(happened[0].entry, seats)
    for index, now in enumerate(happened[1:], 1):
        waived = FIRST in now.entry.get("waive", ())
        unasked = index == 1 and now.entry["type"] == "attack"
        if not any(true(oracle, world, now.entry, unasked=unasked) for world in oracle.fitting):
            if not (waived and any(true(oracle, one, now.entry) for one in oracle.loosely)):
                return index
            oracle.fitting = oracle.loosely  # what was proved about the hands is forgotten
        try:
            oracle.follow(now, leads_unasked=unasked and not waived)
        except TooManyWorlds:
            raise NobodyKnows from None
    return STANDS


def true(oracle: Oracle, world: World, entry: Entry, *, unasked: bool = False) -> bool:
    waived = FIRST in entry.get("waive", ())
    match entry:
        case {"type": "lowest", "seat": seat, **rest}:
            if waived:
                return rest.get("card") is None or rest["card"] in world.hands[seat]
            return oracle.lowest_is(world, seat, rest.get("card"))
        case {"type": "redeal", "reason": "suit", "seat": seat, "suit": suit}:
            return oracle.long_suit(world, seat, suit)
        case {"type": "redeal"}:
            return oracle.no_trump(world)
        case {"seat": seat, "with": card}:
            return card in world.hands[seat]
        case {"seat": seat, "cards": cards}:
            concluded = waived or not unasked or oracle.no_trump(world)
            hands: Any = world.hands
            return bool(concluded and hands[seat].issuperset(cards))
        case _:
            return True
