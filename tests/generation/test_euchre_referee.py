"""True deals of Euchre with a mistake in them: recorded so, amended so, spliced so.

Three ways to the same log, judged by enumerating every deal of the cards.
"""

from collections.abc import Sequence
from random import Random

import msgspec
import pytest

from domain.replay import opening
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.catalogue import shapes
from schemas.entries import Entry as Decoded
from schemas.euchre import Options
from schemas.strict_json import Malformed
from tests.generation.euchre_cards import pack
from tests.generation.euchre_deal import FOLLOW, Entry, RealDeal
from tests.generation.euchre_referee import STANDS, NobodyKnows, first_refused
from tests.generation.mutations import another_card, changed, doubted, mutations, waiving
from tests.generation.sizes import games
from tests.generation.test_euchre_oracle import TABLES, options

FIRST_SEED = 300_000
STARTED = 1


def decode(*entries: Entry) -> Sequence[Decoded]:
    found = shapes("euchre").decode_submitted(msgspec.json.encode(entries))
    assert not isinstance(found, Malformed), found
    return found


def record(chosen: Entry, log: Sequence[Entry]) -> tuple[History, int]:
    history = History(opening("euchre", Options(**chosen), 2))
    for index, entry in enumerate(decode(*log)):
        if isinstance(history.judge(entry), Refusal):
            return history, index
    return history, STANDS


def corrections(place: int, entry: Entry) -> list[Entry]:
    version = place + STARTED + 1
    return [
        {"type": "amend", "version": version, "move": entry},
        {"type": "splice", "version": version, "drop": 1, "moves": [entry]},
    ]


@pytest.mark.parametrize("table", TABLES)
def test_mistakes__are_judged_as_by_enumerating_all_deals(table: str) -> None:
    told = sum(compared(seed, table) for seed in games(FIRST_SEED))
    assert told


def compared(seed: int, table: str) -> int:
    chance, told = Random(seed), 0  # noqa: S311 games, not secrets
    chosen = options(chance)
    script = RealDeal(chance, chosen, chance.randrange(2), TABLES[table]).run()
    log = [happened.entry for happened in script.happened]
    true, stopped = record(chosen, log)
    if stopped != STANDS:
        return 0  # an unnoticed revoke
    plays = [place for place, entry in enumerate(log) if entry["type"] == "play"]
    changes = [another_card("card", pack(chosen["deck"])), doubted, waiving(FOLLOW)]
    for place, entry in mutations(chance, log, plays, changes):
        mistaken = changed(log, place, entry)
        try:
            expected = first_refused(chosen["deck"], mistaken)
        except NobodyKnows:
            continue
        told += 1
        why = f"{seed}: {mistaken}"
        assert record(chosen, mistaken)[1] == expected, why
        for correction in corrections(place, entry):
            judged = true.copy().judge(decode(correction)[0])
            assert isinstance(judged, Refusal) == (expected != STANDS), (why, judged)
            if isinstance(judged, Refusal) and expected > place:
                assert judged.contradicts == expected + STARTED + 1, (why, judged)
    return told
