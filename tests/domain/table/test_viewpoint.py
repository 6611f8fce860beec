from typing import Any

import msgspec
import pytest

from domain.games import GAMES
from domain.table.viewpoint import mask_entry, mask_json
from schemas.catalogue import shapes
from schemas.strict_json import Malformed

EUCHRE = GAMES["euchre"]
HANDS = [["AS", "KS", "QS", "JS", "TS"], ["AH", "KH", "QH", "JH", "TH"]]
DEAL = {"type": "deal", "dealer": 0, "turn_up": "9D", "hands": HANDS}
BARE = {"type": "deal", "dealer": 0, "turn_up": "9D"}
TAKES = {"type": "accept", "seat": 0, "discard": "AS"}
LEAVES = {"type": "exchange", "seat": 0, "take": False}
PLAY = {"type": "play", "seat": 0, "card": "KS"}
SEEN = [
    (DEAL, 1, {**BARE, "hands": [None, HANDS[1]]}),
    (DEAL, None, BARE),
    (BARE, 0, BARE),
    (TAKES, 0, TAKES),
    (TAKES, 1, {**TAKES, "discard": "??"}),
    (TAKES, None, {**TAKES, "discard": "??"}),
    ({"type": "accept", "seat": 0}, 1, {**TAKES, "discard": "??"}),
    (LEAVES, 1, LEAVES),
    (PLAY, 1, PLAY),
    (PLAY, None, PLAY),
]


@pytest.mark.parametrize(("entry", "eyes", "told"), SEEN)
def test_as_told__leaves_out_what_another_seat_was_shown(
    entry: dict[str, Any], eyes: int | None, told: dict[str, Any]
) -> None:
    assert mask_json(EUCHRE, entry, eyes) == told
    amended = {"type": "amend", "version": 3, "move": entry}
    assert mask_json(EUCHRE, amended, eyes) == {**amended, "move": told}
    spliced = {"type": "splice", "version": 3, "drop": 1, "moves": [PLAY, entry]}
    assert mask_json(EUCHRE, spliced, eyes) == {**spliced, "moves": [PLAY, told]}


@pytest.mark.parametrize(("entry", "eyes", "told"), SEEN)
def test_masked__leaves_out_the_same(
    entry: dict[str, Any], eyes: int | None, told: dict[str, Any]
) -> None:
    found = shapes("euchre").decode_submitted(msgspec.json.encode([entry, told]))
    assert not isinstance(found, Malformed)
    assert mask_entry(EUCHRE, found[0], eyes) == found[1]


def test_as_told__where_nobody_looks_at_their_hand_the_deal_tells_none() -> None:
    row = ["7S", "8S", "9S", "TS"]
    dealt = {"type": "deal", "dealer": 0, "up": "9D"}
    told = mask_json(GAMES["dutch"], {**dealt, "hands": [row, None]}, 0)
    assert told == dealt
    assert mask_json(GAMES["durak"], {**dealt, "hands": [row, None]}, 0)["hands"] == [row, None]
