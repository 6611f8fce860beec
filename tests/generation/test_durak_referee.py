"""True deals of Durak with a mistake: recorded so, or inserted by a splice.

Both logs are judged by enumerating all deals. Breaches of visible rules are waived, since only
hidden cards are tested.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any, cast

import msgspec
import pytest

from domain.replay import opening
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.catalogue import shapes
from schemas.durak import Options, complete_options
from schemas.entries import Entry as Decoded
from schemas.strict_json import Malformed
from tests.generation.durak_cards import PACK, Entry, table_rules
from tests.generation.durak_deal import Habits, Happened, RealDeal
from tests.generation.durak_oracle import Oracle, TooManyWorlds, World
from tests.generation.mutations import doubted, waiving
from tests.generation.sizes import games
from tests.generation.test_durak_oracle import TABLES, VISIBLE, PartlyOpen

STANDS = -1
FIRST = "durak.first-lead"


class NobodyKnows(Exception):  # noqa: N818 not an error: the test tries another log
    """Too many deals would have to be listed."""


def first_refused(happened: Sequence[Happened], seats: int) -> int:
    """Return the index of the first illegal entry; `STANDS` if all entries are legal.

    Raises:
        NobodyKnows: there are too many deals to enumerate.
    """
    oracle = Oracle.opened(happened[0].entry, seats)
    for index, now in enumerate(happened[1:], 1):
        waived = FIRST in now.entry.get("waive", ())
        unasked = index == 1 and now.entry["type"] == "attack"
        if not any(true(oracle, world, now.entry, unasked=unasked) for world in oracle.fitting):
            if not (waived and any(true(oracle, one, now.entry) for one in oracle.loosely)):
                return index
            oracle.fitting = oracle.loosely  # conclusions about the hands are forgotten
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


FIRST_SEED = 310_000
STARTED = 1
LAYING = {"attack", "beat", "pass_on", "away"}
SPLICED_MAX = 100


def decoded(*entries: Entry) -> Sequence[Decoded]:
    found = shapes("durak").decode_submitted(msgspec.json.encode(entries))
    assert not isinstance(found, Malformed), found
    return found


def shrugged(happened: Happened) -> Happened:
    entry = happened.entry
    if entry["type"] not in LAYING:
        return happened
    waived = dict.fromkeys([*entry.get("waive", []), *VISIBLE])
    return replace(happened, entry={**entry, "waive": list(waived)})


def mistaken(chance: Random, happened: Sequence[Happened], place: int) -> list[Happened]:
    entry = happened[place].entry
    kind = chance.random()
    if kind < 0.25 or ("card" not in entry and "cards" not in entry):
        changed = doubted(chance, entry)
    elif kind < 0.4:
        changed = waiving(FIRST)(chance, entry)
    else:
        return renamed(chance, happened, place)
    return [*happened[:place], replace(happened[place], entry=changed), *happened[place + 1 :]]


def renamed(chance: Random, happened: Sequence[Happened], place: int) -> list[Happened]:
    log, entry = list(happened), happened[place].entry
    named: list[str] = entry.get("cards") or [entry["with" if "with" in entry else "card"]]
    card = chance.choice(named)
    other = chance.choice([one for one in PACK if one not in named])
    for at, one in enumerate(log[place:], place):
        told = one.entry
        if at == place:
            told = {key: _with(value, card, other) for key, value in told.items()}
            if "with" in entry:
                told["card"] = entry["card"]
        elif told["type"] == "beat" and told["card"] == card and "cards" in entry:
            told = {**told, "card": other}
        log[at] = replace(one, entry=told)
        if at > place and one.flow:
            break
    return log


def _with(value: object, card: str, other: str) -> object:
    if isinstance(value, list):
        return [other if one == card else one for one in cast("list[str]", value)]
    return other if value == card else value


@pytest.mark.parametrize(("seats", "hidden"), TABLES.values(), ids=TABLES)
def test_mistakes__are_judged_as_by_enumerating_all_deals(seats: int, hidden: int) -> None:
    assert sum(compared(seed, seats, hidden) for seed in games(FIRST_SEED, share=6))


def compared(seed: int, seats: int, hidden: int) -> int:
    chance, told = Random(seed), 0  # noqa: S311 games, not secrets
    said, played = table_rules(chance, seats)
    real = RealDeal(chance, played, seats, chance.randrange(seats), None)
    writer = PartlyOpen(chance, real, Habits(unsure=chance.choice([0.0, 0.1])))
    writer.hidden = hidden
    happened = [shrugged(one) for one in writer.run().happened]
    if happened[0].entry.get("unsure"):
        return 0
    options = complete_options(msgspec.convert(said, Options), seats)
    true = History(opening("durak", options, seats))
    for entry in decoded(*(one.entry for one in happened)):
        assert not isinstance(true.judge(entry), Refusal), (seed, entry)
    for _ in range(8):
        place = chance.randrange(1, len(happened))
        log = mistaken(chance, happened, place)
        if log == happened:
            continue
        try:
            expected = first_refused(log, seats)
        except NobodyKnows:
            continue
        told += 1
        entries = [one.entry for one in log]
        recorded(History(true.opening), entries, expected, f"{seed} {place}: {entries}")
        last = max(at for at, one in enumerate(log) if one != happened[at])
        spliced(true.copy(), entries[place : last + 1], place, expected)
    return told


def recorded(history: History, log: Sequence[Entry], expected: int, why: str) -> None:
    for index, entry in enumerate(decoded(*log)):
        if isinstance(history.judge(entry), Refusal):
            assert index == expected, why
            return
    assert expected == STANDS, why


def spliced(true: History, moves: Sequence[Entry], place: int, expected: int) -> None:
    if len(moves) > SPLICED_MAX:
        return
    version = place + STARTED + 1
    splice = {"type": "splice", "version": version, "drop": len(moves), "moves": list(moves)}
    judged = true.judge(decoded(splice)[0])
    assert isinstance(judged, Refusal) == (expected != STANDS), (splice, expected, judged)
    if isinstance(judged, Refusal) and expected >= place + len(moves):
        assert judged.contradicts == expected + STARTED + 1, (splice, expected, judged)
