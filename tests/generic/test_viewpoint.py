"""A seat sees what it could know: the same as in a record without the private entries of others.

The stripped record cannot contain private cards of others. Which fields are private is declared by
the generators, from the rules.
"""

from collections.abc import Mapping
from itertools import product
from typing import Any

import msgspec
import pytest

from domain.games import GAMES
from domain.inference import possible
from domain.inference.evidence import Evidence
from domain.inference.knowledge import Knowledge
from domain.replay import opening
from domain.table.hidden import Hidden
from domain.table.history import History
from domain.table.refusal import Refusal
from domain.table.viewpoint import mask_entry, mask_game, mask_json
from schemas.catalogue import decode_record
from schemas.entries import Seat
from schemas.strict_json import Malformed
from tests.depth import run_size
from tests.generation.makers import FOLLOWED, MAKERS
from tests.generic.walks import Written

EVERY = 5  # test every fifth version


def stripped(ruleset: str, entry: Mapping[str, Any], eyes: Seat | None) -> dict[str, Any]:
    kept = dict(entry)
    if kept["type"] == "amend":
        kept["move"] = stripped(ruleset, kept["move"], eyes)
    if kept["type"] == "splice":
        kept["moves"] = [stripped(ruleset, move, eyes) for move in kept["moves"]]
    if (field := MAKERS[ruleset].PRIVATE.get(kept["type"])) and kept["seat"] != eyes:
        kept.pop(field, None)
    if kept["type"] == "deal" and "hands" in kept:
        seen = MAKERS[ruleset].HAND_SEEN
        own = [hand if seen and seat == eyes else None for seat, hand in enumerate(kept["hands"])]
        kept |= {"hands": own}
        if not any(own):
            del kept["hands"]
    return kept


def first_deal(ruleset: str, written: Written) -> list[History]:
    record = decode_record(msgspec.json.encode(written))
    assert not isinstance(record, Malformed)
    history = History(opening(ruleset, record.options, written["seats"]))
    found: list[History] = []
    for entry in record.log:
        assert not isinstance(history.judge(entry), Refusal), (ruleset, entry)
        if history.game.deals:
            break
        found.append(history.copy())
    return found


def have_same_knowledge(seen: Hidden, known: Hidden) -> bool:
    """Return whether both got the same evidence and reached the same knowledge.

    Then the possible cards are equal, which would be expensive to compute.
    """
    one, other = seen.knowledge, known.knowledge
    same = (seen.pack, seen.locations, one.world, one.relaxed) == (
        known.pack,
        known.locations,
        other.world,
        other.relaxed,
    )
    return same and evidence(one) == evidence(other)


def evidence(knowledge: Knowledge) -> list[Evidence]:
    found: list[Evidence] = []
    trail = knowledge.trail
    while trail is not None:
        found.append(trail[0])
        trail = trail[2]
    return found


def compared(ruleset: str, seed: int) -> int:
    module, manifest, moments = MAKERS[ruleset], GAMES[ruleset], 0
    whole = module.true_game(seed, module.PROFILES[module.OPEN])
    knows = first_deal(ruleset, whole)
    whole["log"] = whole["log"][: len(knows)]
    for eyes in (None, *range(whole["seats"])):
        log = [stripped(ruleset, entry, eyes) for entry in whole["log"]]
        learns = first_deal(ruleset, {**whole, "log": log})
        for number in range(0, len(knows), EVERY):
            step = knows[number]
            seen = manifest.hidden(mask_game(manifest, step, eyes))
            known = manifest.hidden(learns[number].game)
            assert (seen is None) == (known is None)
            if seen is not None and known is not None:
                told = have_same_knowledge(seen, known) or possible(seen) == possible(known)
                assert told, (ruleset, seed, eyes, number)
                moments += 1
    return moments


@pytest.mark.parametrize("ruleset", FOLLOWED)
def test_nobody_is_told_what_only_another_saw(ruleset: str) -> None:
    games = run_size(4, deep=10_000)
    assert sum(compared(ruleset, seed) for seed in range(games)) > games


@pytest.mark.parametrize("ruleset", FOLLOWED)
def test_a_log_without_what_is_private_stands_and_ends_deals_as_the_whole_one_does(
    ruleset: str,
) -> None:
    module, manifest = MAKERS[ruleset], GAMES[ruleset]
    for seed, profile in product(range(run_size(4, deep=1_000)), module.PROFILES):
        game = module.true_game(seed, module.PROFILES[profile], mended=True)
        record = decode_record(msgspec.json.encode(game))
        assert not isinstance(record, Malformed)
        whole, shown = (History(opening(ruleset, record.options, game["seats"])) for _ in range(2))
        for entry in record.log:
            lines, told = whole.judge(entry), shown.judge(mask_entry(manifest, entry, None))
            assert not isinstance(lines, Refusal)
            assert not isinstance(told, Refusal), (profile, seed, entry, told)
            assert told[1:] == lines[1:]
            assert shown.deal_first_version == whole.deal_first_version


@pytest.mark.parametrize("ruleset", FOLLOWED)
def test_an_entry_is_told_without_what_only_another_saw(ruleset: str) -> None:
    module, left_out = MAKERS[ruleset], 0
    for seed in range(run_size(4, deep=10_000)):
        game = module.true_game(seed, module.PROFILES[module.OPEN])
        entries: list[dict[str, Any]] = [*game["log"]]
        entries += [{"type": "amend", "version": 2, "move": one} for one in game["log"]]
        entries.append({"type": "splice", "version": 2, "drop": 1, "moves": game["log"]})
        for eyes in (None, *range(game["seats"])):
            for entry in entries:
                told = mask_json(GAMES[ruleset], entry, eyes)
                bare = stripped(ruleset, entry, eyes)
                assert told == mask_json(GAMES[ruleset], bare, eyes)
                assert stripped(ruleset, told, eyes) == bare
                left_out += told != entry
    assert left_out > 0
