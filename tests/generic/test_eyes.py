"""What a seat is told is what it could know: the same as from a record that never held the rest.

Whoever judges the stripped record was never told what others saw, so that nothing of it can be in
what they know. What is private is written down here anew, from the rules, and not asked of a game.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import pytest

from domain.games import GAMES
from domain.inference import possible
from domain.replay import opening
from domain.table.eyes import seen_by
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.catalogue import decode_record
from schemas.entries import Seat
from schemas.malformed import Malformed
from tests.depth import sized
from tests.generic.test_possible import GENERATED, OPEN

# By game and type of entry: the field that only its seat saw. The dealer of Euchre lays a card away
# face down; a card drawn is seen by who draws it; in Dutch looks are one's own.
PRIVATE: Mapping[str, Mapping[str, str]] = {
    "durak": {},
    "dutch": {"look": "cards", "draw": "card", "peek": "card"},
    "euchre": {"exchange": "discard", "accept": "discard"},
    "rami": {"draw": "card"},
}
# Slots lie face down before everybody; elsewhere players look at their hands.
OWN_HAND = {"durak": True, "dutch": False, "euchre": True, "rami": True}
EVERY = 5  # moments looked at: one in so many


def stripped(ruleset: str, entry: Mapping[str, Any], eyes: Seat | None) -> dict[str, Any]:
    """Leave out of an entry, or of what a correction puts in place, what others alone saw."""
    kept = dict(entry)
    if kept["type"] == "amend":
        kept["move"] = stripped(ruleset, kept["move"], eyes)
    if kept["type"] == "splice":
        kept["moves"] = [stripped(ruleset, move, eyes) for move in kept["moves"]]
    if (field := PRIVATE[ruleset].get(kept["type"])) and kept["seat"] != eyes:
        kept.pop(field, None)
    if kept["type"] == "deal" and "hands" in kept:
        seen = OWN_HAND[ruleset]
        own = [hand if seen and seat == eyes else None for seat, hand in enumerate(kept["hands"])]
        kept |= {"hands": own}
        if not any(own):
            del kept["hands"]
    return kept


def histories(ruleset: str, seed: int, eyes: Seat | None) -> Iterator[tuple[History, History]]:
    """Judge the first deal of a game twice, whole and stripped, an entry at a time."""
    module = GENERATED[ruleset]
    written = module.true_game(seed, module.PROFILES[OPEN[ruleset]])
    told = {**written, "log": [stripped(ruleset, entry, eyes) for entry in written["log"]]}
    whole, less = (decode_record(msgspec.json.encode(one)) for one in (written, told))
    assert not isinstance(whole, Malformed)
    assert not isinstance(less, Malformed)
    start = opening(ruleset, whole.options, written["seats"])
    knows, learns = History(start), History(start)
    for entry, seen in zip(whole.log, less.log, strict=True):
        assert not isinstance(knows.judge(entry), Refusal)
        if knows.game.deals:
            break
        assert not isinstance(learns.judge(seen), Refusal), (ruleset, seed, eyes, seen)
        yield knows, learns


def compared(ruleset: str, seed: int) -> int:
    """Compare what each seat, and everybody, is told with what the stripped record tells."""
    manifest, moments = GAMES[ruleset], 0
    seats = GENERATED[ruleset].true_game(seed, GENERATED[ruleset].PROFILES[OPEN[ruleset]])["seats"]
    for eyes in (None, *range(seats)):
        for number, (knows, learns) in enumerate(histories(ruleset, seed, eyes)):
            if number % EVERY:
                continue
            seen = manifest.hidden(seen_by(manifest, knows.opening, knows.steps(), eyes))
            known = manifest.hidden(learns.game)
            assert (seen is None) == (known is None)
            if seen is not None and known is not None:
                assert possible(seen) == possible(known), (ruleset, seed, eyes, number)
                moments += 1
    return moments


@pytest.mark.parametrize("ruleset", GAMES)
def test_nobody_is_told_what_only_another_saw(ruleset: str) -> None:
    games = sized("games seen by every seat")
    assert sum(compared(ruleset, seed) for seed in range(games)) > games
