from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest

from domain.replay import opening
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.catalogue import shapes
from schemas.entries import Entry as Decoded
from schemas.euchre import Options
from schemas.strict_json import Malformed
from tests.generation.euchre_cards import pack, suit_of
from tests.generation.euchre_deal import FOLLOW, Entry, Habits, RealDeal
from tests.generation.euchre_oracle import Oracle, TooManyWorlds, enumerated
from tests.generation.sizes import games

WORLDS_MAX = 700  # enumerating more deals takes too long for every commit
PHYSICAL = {"cards.seen", "cards.held", "cards.impossible"}
TABLES = {
    "both hands given": Habits(given=1.0, unsure=0.1, breach=0.05),
    "one hand or none given": Habits(given=0.4, unsure=0.08, breach=0.05),
    "hands hidden": Habits(given=0.0, unsure=0.0),
    "hidden and unsure": Habits(given=0.0, unsure=0.1),
    "hidden and unruly": Habits(given=0.2, breach=0.1, unnoticed=0.5),
}


def options(chance: Random) -> Entry:
    return {
        "deck": chance.choice([24, 24, 24, 25, 32]),
        "target": 10,
        "last_bid": "pass",
        "turned_down_suit": "allowed",
    }


def decoded(entry: Entry) -> Decoded:
    found = shapes("euchre").decode_submitted(msgspec.json.encode([entry]))
    assert not isinstance(found, Malformed)
    return found[0]


def candidates(chance: Random, entry: Entry, deck: int) -> Iterator[Entry]:
    kind: dict[str, Any] = {key: entry[key] for key in ("type", "seat", "take") if key in entry}
    field = "card" if entry["type"] == "play" else "discard"
    clause = {"play": FOLLOW, "accept": "euchre.accept"}.get(entry["type"], "euchre.exchange")
    let_pass = [one for one in entry.get("waive", []) if one == "euchre.lead"]
    kind["waive"] = let_pass
    for card in pack(deck):
        yield {**kind, field: card}
        if chance.random() < 0.3:
            yield {**kind, field: card, "unsure": True}
        if chance.random() < 0.3:
            yield {**kind, field: card, "waive": [clause, *let_pass]}
        if chance.random() < 0.1:
            yield {**kind, field: card, "unsure": True, "waive": [clause, *let_pass]}


@pytest.mark.parametrize("habits", TABLES.values(), ids=TABLES)
def test_every_card__is_judged_as_by_enumerating_all_deals(habits: Habits) -> None:
    for seed in games(0, share=8):
        compare_deal(Random(seed), habits)  # noqa: S311 games, not secrets


def compare_deal(chance: Random, habits: Habits) -> None:
    chosen = options(chance)
    script = RealDeal(chance, chosen, chance.randrange(2), habits).run()
    history = History(opening("euchre", Options(**chosen), 2))
    log: list[Entry] = []
    forgotten: frozenset[int] = frozenset()
    for happened in script.happened:
        entry = happened.entry
        oracle = tractable(chosen["deck"], log, forgotten) if has_card(entry) else None
        if oracle is not None:
            for candidate in candidates(chance, entry, chosen["deck"]):
                compare(history, oracle, candidate)
            after = oracle.after(entry)
            forgotten = after.forgotten if after else forgotten
        elif FOLLOW in entry.get("waive", ()):
            return
        if isinstance(history.judge(decoded(entry)), Refusal):
            return  # an unnoticed revoke: the refusal itself was compared above
        log.append(entry)


def has_card(entry: Entry) -> bool:
    return entry["type"] in {"play", "accept"} or bool(entry.get("take"))


def tractable(deck: int, log: list[Entry], forgotten: frozenset[int]) -> Oracle | None:
    try:
        return enumerated(deck, tuple(log), forgotten, limit=WORLDS_MAX)
    except TooManyWorlds:
        return None


def compare(history: History, oracle: Oracle, candidate: Entry) -> None:
    refusal = judgement.refuse(history.game, decoded(candidate), history.version + 1)
    told = f"{oracle.log} then {candidate}: {refusal}"
    try:
        stands = oracle.after(candidate) is not None
        if laid_turned(oracle, candidate):
            assert refusal is not None, told
            assert refusal.rule in {"euchre.exchange", "euchre.accept", "cards.seen"}, told
            return
        assert (refusal is None) == stands, told
        if refusal is not None:
            cited = history.judge(decoded(candidate))
            assert isinstance(cited, Refusal), told
            check_reason(oracle, candidate, cited, told)
    except TooManyWorlds:
        return


def laid_turned(oracle: Oracle, candidate: Entry) -> bool:
    return (
        candidate.get("discard") == oracle.view.turned
        and oracle.view.turned_sure
        and not candidate.get("waive")
    )


@pytest.mark.parametrize("habits", TABLES.values(), ids=TABLES)
def test_every_kind_of_entry__is_refused_unless_it_is_awaited(habits: Habits) -> None:
    for seed in games(0):
        chance = Random(seed)  # noqa: S311 games, not secrets
        chosen = options(chance)
        script = RealDeal(chance, chosen, chance.randrange(2), habits).run()
        history = History(opening("euchre", Options(**chosen), 2))
        log: list[Entry] = []
        for happened, then in pairwise(script.happened):
            if isinstance(history.judge(decoded(happened.entry)), Refusal):
                break
            log.append(happened.entry)
            compare_kinds(history, awaited(log, script.dealer, happened.to_act), then.entry)


def awaited(log: list[Entry], dealer: int, to_act: int) -> set[tuple[str, int]]:
    kinds = [entry["type"] for entry in log]
    if {"exchange", "accept", "name"} & set(kinds):
        return {("play", to_act)}
    if kinds[-1] == "order":
        return {("exchange", dealer)}
    if kinds.count("pass") >= 2:
        return {("pass", to_act), ("name", to_act)}
    return {("pass", to_act), ("accept", dealer) if to_act == dealer else ("order", to_act)}


def compare_kinds(history: History, may: set[tuple[str, int]], true: Entry) -> None:
    """Try every kind of entry by both seats; `true` lends the card of a play."""
    fields: dict[str, Entry] = {
        "pass": {},
        "order": {},
        "accept": {},
        "exchange": {"take": False},
        "name": {"suit": "S"},
        "play": {"card": true.get("card", "AS")},
        "deal": {"dealer": 0, "turn_up": "9S"},
    }
    for kind, rest in fields.items():
        for seat in (0, 1):
            entry: Entry = {"type": kind, **rest} | ({} if kind == "deal" else {"seat": seat})
            refusal = judgement.refuse(history.game, decoded(entry), history.version + 1)
            told = f"{entry} when {may} may: {refusal}"
            if (kind, seat) not in may:
                assert refusal is not None, told
                assert refusal.rule.startswith(("table.", "euchre.")), told
            elif kind != "play":
                assert refusal is None, told


def check_reason(oracle: Oracle, candidate: Entry, refusal: Refusal, told: str) -> None:
    """Hold the clause and the entry cited to the order of `domain/inference/proof.py`."""
    if refusal.rule == "cards.seen":
        return
    live = [one.index for one in oracle.view.sloughs if one.index not in oracle.forgotten]
    broken_now = oracle.tried(candidate, concluding=False) is not None
    without_all = oracle.dropping(live).tried(candidate, concluding=False) is not None
    if broken_now or without_all:
        assert refusal.rule == FOLLOW, told
    else:
        assert refusal.rule in PHYSICAL, told
    conflicting = oracle.conflicting(lambda less: less.tried(candidate) is not None)
    if refusal.rule == FOLLOW and conflicting:
        given = {2} if oracle.log[0].get("hands") else set[int]()
        assert refusal.contradicts in {one + 2 for one in conflicting} | given, told
    elif refusal.rule == FOLLOW and broken_now and not conflicting:
        assert refusal.contradicts == (2 if gave_the_suit(oracle, candidate) else None), told
    elif refusal.rule == FOLLOW:
        assert refusal.contradicts is None, told


def gave_the_suit(oracle: Oracle, candidate: Entry) -> bool:
    """Return whether the given hand has an unplayed card of the suit led.

    If only the turned card proves the suit, the given hand is not the reason.
    """
    seat: int = candidate["seat"]
    hand = (oracle.log[0].get("hands") or (None, None))[seat]
    if hand is None or oracle.view.led is None:
        return False
    denied = suit_of(oracle.view.led["card"], oracle.view.trump)
    played = {entry["card"] for entry in oracle.log if entry["type"] == "play"}
    left = {card for card in hand if suit_of(card, oracle.view.trump) == denied} - played
    hands: list[set[str]] = [set(world.hands[seat]) for world in oracle.worlds]
    held = hands[0].intersection(*hands)
    certain = {card for card in held if suit_of(card, oracle.view.trump) == denied}
    return bool(left & certain if certain else left)
