from collections.abc import Iterator
from itertools import pairwise
from random import Random

import msgspec
import pytest

from domain.replay import opening
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.catalogue import shapes
from schemas.durak import Options, complete_options
from schemas.entries import Entry as Decoded
from schemas.strict_json import Malformed
from tests.generation.durak_cards import PACK, SUITS, Entry, table_rules
from tests.generation.durak_deal import Habits, Happened, RealDeal
from tests.generation.durak_oracle import Oracle, TooManyWorlds, World
from tests.generation.durak_play import Played
from tests.generation.sizes import games

FIRST = "durak.first-lead"
PHYSICAL = {"cards.seen", "cards.held", "cards.impossible"}
VISIBLE = [
    clause
    for clause in sorted(shapes("durak").clauses)
    if clause.startswith("durak.") and clause != FIRST
]
# Players and hidden hands, few enough that all deals can be listed.
TABLES = {"six, two hidden": (6, 2), "five, the stock hidden": (5, 0), "six, one hidden": (6, 1)}


class PartlyOpen(Played):
    """A deal of which all hands but a few are given."""

    hidden = 0

    def deal(self) -> Entry:
        real = self.real
        hidden = self.chance.sample(range(real.seats), self.hidden)
        hands = [None if seat in hidden else hand for seat, hand in enumerate(real.hands)]
        given = [list(hand) if hand else None for hand in hands]
        return {"type": "deal", "dealer": real.dealer, "trump": real.shown, "hands": given}


def decoded(entry: Entry) -> Decoded:
    found = shapes("durak").decode_submitted(msgspec.json.encode([entry]))
    assert not isinstance(found, Malformed)
    return found[0]


@pytest.mark.parametrize("unsure", [0.0, 0.1])
@pytest.mark.parametrize(("seats", "hidden"), TABLES.values(), ids=TABLES)
def test_every_card__is_judged_as_by_enumerating_all_deals(
    seats: int, hidden: int, unsure: float
) -> None:
    for seed in games(0, share=12):
        compare_deal(Random(seed), seats, hidden, Habits(unsure=unsure))  # noqa: S311 games


def compare_deal(chance: Random, seats: int, hidden: int, habits: Habits) -> None:
    said, played = table_rules(chance, seats)
    leader = None if chance.random() < 0.8 else chance.randrange(seats)
    real = RealDeal(chance, played, seats, chance.randrange(seats), leader)
    writer = PartlyOpen(chance, real, habits)
    writer.hidden = hidden
    happened = writer.run().happened
    if happened[0].entry.get("unsure") or leader is not None:
        return
    options = complete_options(msgspec.convert(said, Options), seats)
    history = History(opening("durak", options, seats))
    oracle = Oracle.opened(happened[0].entry, seats)
    stand(history, happened[0].entry)
    try:
        for before, now in pairwise(happened):
            compare(chance, history, oracle, now)
            unasked = before.entry["type"] == "deal" and now.entry["type"] == "attack"
            oracle.follow(now, leads_unasked=unasked)
            stand(history, now.entry)
    except TooManyWorlds:
        return


def stand(history: History, entry: Entry) -> None:
    assert not isinstance(history.judge(decoded(entry)), Refusal)


def compare(chance: Random, history: History, oracle: Oracle, now: Happened) -> None:
    for candidate in candidates(chance, now.entry):
        refusal = judgement.refuse(history.game, decoded(candidate), history.version + 1)
        told = f"{candidate}: {refusal}"
        true = any(fits(oracle, world, candidate) for world in oracle.fitting)
        assert (refusal is None) == true, told
        if refusal is not None and candidate["type"] in {"attack", "beat"}:
            loosely = any(fits(oracle, world, candidate) for world in oracle.loosely)
            assert refusal.rule in ({FIRST} if loosely else PHYSICAL), told


def fits(oracle: Oracle, world: World, candidate: Entry) -> bool:
    match candidate:
        case {"type": "lowest", "seat": seat, **rest}:
            return oracle.lowest_is(world, seat, rest.get("card"))
        case {"type": "redeal", "reason": "suit", "seat": seat, "suit": suit}:
            return oracle.long_suit(world, seat, suit)
        case {"type": "redeal"}:
            return oracle.no_trump(world)
        case {"seat": seat, "with": card} | {"seat": seat, "cards": [card]}:
            return card in world.hands[seat]
        case _:
            return True


def candidates(chance: Random, entry: Entry) -> Iterator[Entry]:
    kind, seat = entry["type"], entry.get("seat")
    doubt = {"unsure": True} if chance.random() < 0.2 else {}
    if kind == "attack":
        for card in PACK:
            yield {**entry, "cards": [card], "waive": VISIBLE, **doubt}
    if kind == "beat":
        for card in PACK:
            yield {**entry, "with": card, "waive": VISIBLE, **doubt}
    if kind == "lowest":
        for one in range(6 if seat == 5 else 5):
            yield {"type": "lowest", "seat": one}
            for card in PACK:
                if card[1] == entry.get("card", "??")[1]:
                    yield {"type": "lowest", "seat": one, "card": card}
    if kind == "redeal":
        for suit in SUITS:
            yield {**entry, "suit": suit} if "suit" in entry else entry
