from typing import Any

import msgspec
import pytest
from msgspec import Struct

from domain.games import GAMES
from domain.replay import opening
from domain.table.history import History, Line
from domain.table.refusal import Refusal
from domain.table.turn_shift import TurnShift, find_turn_shift
from schemas.catalogue import SHAPES, encode, shapes
from schemas.entries import DERIVED, SPLICED_MAX, Entry
from schemas.rami import Discard
from schemas.strict_json import Malformed

Raw = dict[str, Any]
PILE: Raw = {"type": "deal", "dealer": 0, "up": "2H"}


def throw(seat: int, card: str, **more: object) -> list[Raw]:
    return [{"type": "draw", "seat": seat}, {"type": "discard", "seat": seat, "card": card, **more}]


def dropped(seat: int, card: str) -> list[Raw]:
    return [{"type": "draw", "seat": seat}, {"type": "drop", "seat": seat, "card": card}]


def bout(attacker: int, defender: int, card: str, over: str) -> list[Raw]:
    return [
        {"type": "attack", "seat": attacker, "cards": [card]},
        {"type": "beat", "seat": defender, "card": card, "with": over},
        {"type": "done", "seat": None},
    ]


class Slip(Struct, frozen=True):
    """The true log, and a record in which the turn from `first` to `end` is missing or doubled."""

    ruleset: str
    seats: int
    true: list[Raw]
    recorded: list[Raw]
    correction: Raw


def splice(version: int, drop: int, *moves: Raw) -> Raw:
    return {"type": "splice", "version": version, "drop": drop, "moves": list(moves)}


SNAP: Raw = {"type": "snap", "seat": 0, "slot": 1, "card": "KD"}
TRUMP: list[Raw] = [{"type": "deal", "dealer": 2, "trump": "6H"}, {"type": "lowest", "seat": 0}]
OPTIONS: Raw = {"rami": {"opening": 0}, "durak": {"rules": "fr"}}
OPEN: list[Raw] = [
    {"type": "deal", "dealer": 0, "turn_up": "QH"},
    {"type": "order", "seat": 1},
    {"type": "exchange", "seat": 0, "take": False},
]
RUN: Raw = {"type": "meld", "melds": [["5C", "6C", "7C"]]}


def play(seat: int, card: str) -> Raw:
    return {"type": "play", "seat": seat, "card": card}


SLIPS = {
    "rami, a forgotten turn": Slip(
        "rami",
        3,
        [
            PILE,
            *throw(1, "9S"),
            *throw(2, "8S"),
            {"type": "draw", "seat": 0},
            {**RUN, "seat": 0},
            {"type": "discard", "seat": 0, "card": "7S"},
            *throw(1, "6S"),
        ],
        [
            PILE,
            *throw(1, "9S"),
            {"type": "draw", "seat": 2},
            {**RUN, "seat": 2},
            {"type": "discard", "seat": 2, "card": "7S"},
            *throw(0, "6S"),
        ],
        splice(5, 0, *throw(2, "8S")),
    ),
    "rami, a doubled turn of which only the card is dropped": Slip(
        "rami",
        3,
        [PILE, *throw(1, "9S"), *throw(2, "8S"), *throw(0, "7S")],
        [PILE, *throw(1, "9S"), *throw(2, "9S"), *throw(0, "8S"), *throw(1, "7S")],
        splice(6, 1),
    ),
    "dutch, a forgotten turn: who threw a card on the pile is not shifted": Slip(
        "dutch",
        3,
        [PILE, *dropped(1, "9S"), *dropped(2, "8S"), *dropped(0, "KS"), SNAP, *dropped(1, "5S")],
        [PILE, *dropped(1, "9S"), *dropped(2, "KS"), SNAP, *dropped(0, "5S")],
        splice(5, 0, *dropped(2, "8S")),
    ),
    "durak, a forgotten bout": Slip(
        "durak",
        3,
        [*TRUMP, *bout(0, 1, "7S", "8S"), *bout(1, 2, "7C", "8C"), *bout(2, 0, "7D", "8D")],
        [*TRUMP, *bout(0, 1, "7C", "8C"), *bout(1, 2, "7D", "8D")],
        splice(4, 0, *bout(0, 1, "7S", "8S")),
    ),
    "euchre, a forgotten card": Slip(
        "euchre",
        2,
        [*OPEN, play(1, "KS"), play(0, "TS"), play(1, "AC"), play(0, "KC"), play(1, "TD")],
        [*OPEN, play(1, "KS"), play(0, "AC"), play(1, "KC"), play(0, "TD")],
        splice(6, 0, play(0, "TS")),
    ),
}


def entries(ruleset: str, *raw: Raw) -> tuple[Entry, ...]:
    found = shapes(ruleset).decode_submitted(msgspec.json.encode(raw))
    assert not isinstance(found, Malformed), found
    return found


def history(ruleset: str, seats: int, log: list[Raw]) -> History:
    options = msgspec.convert(OPTIONS.get(ruleset, {}), SHAPES[ruleset].Options)
    complete = getattr(SHAPES[ruleset], "complete_options", None)
    made = History(opening(ruleset, complete(options, seats) if complete else options, seats))
    for entry in entries(ruleset, *log):
        record_legal(made, entry)
    return made


def record_legal(made: History, entry: Entry) -> tuple[Line, ...]:
    judged = made.judge(entry)
    assert not isinstance(judged, Refusal), (entry, judged)
    return judged


def effective(made: History) -> list[Raw]:
    return [
        msgspec.json.decode(encode(step.entry))
        for step in made.steps()
        if type(step.entry) not in DERIVED
    ]


def shift(made: History, ruleset: str, correction: Raw) -> TurnShift | None:
    (entry,) = entries(ruleset, correction)
    edit = made.preview(entry).edit
    turns = GAMES[ruleset].turns
    assert edit
    assert turns
    return find_turn_shift(made.opening, edit, turns)


@pytest.mark.parametrize("name", SLIPS)
def test_shift__leaves_what_truly_happened(name: str) -> None:
    slip = SLIPS[name]
    made = history(slip.ruleset, slip.seats, slip.recorded)
    before = len(effective(made))
    found = shift(made, slip.ruleset, slip.correction)
    assert found is not None
    for entry in found.entries:
        record_legal(made, entry)
    assert effective(made) == slip.true
    put_in = len(slip.correction["moves"])
    assert found.dropped == before + put_in - len(effective(made))


def test_shift__lists_what_each_player_did() -> None:
    slip = SLIPS["rami, a forgotten turn"]
    made = history(slip.ruleset, slip.seats, slip.recorded)
    found = shift(made, slip.ruleset, slip.correction)
    assert found is not None
    cards = [
        [[move.card for move in moves if isinstance(move, Discard)] for moves in side]
        for side in ((one.before, one.after) for one in found.players)
    ]
    assert cards == [[["6S"], ["7S"]], [[], ["6S"]], [["7S"], ["8S"]]]


def test_shift__is_none_where_the_moves_do_not_fit_other_players() -> None:
    slip = SLIPS["rami, a forgotten turn"]
    made = history(slip.ruleset, slip.seats, slip.recorded)
    # A draw after a draw without a discard is illegal.
    assert shift(made, slip.ruleset, splice(5, 0, {"type": "draw", "seat": 2})) is None


def test_shift__enters_again_what_has_no_room_in_a_splice() -> None:
    cards = [rank + suit for _ in range(2) for suit in "SHDC" for rank in "AKQJT98765"]
    turns = [throw((place + 1) % 3, card) for place, card in enumerate(cards[:60])]
    true = [PILE, *(entry for turn in turns for entry in turn)]
    forgotten = [throw((place + 1) % 3, card) for place, card in enumerate(cards[1:60])]
    made = history("rami", 3, [PILE, *(entry for turn in forgotten for entry in turn)])
    found = shift(made, "rami", splice(3, 0, *turns[0]))
    assert found is not None
    assert len(found.entries) > SPLICED_MAX
    for entry in found.entries:
        record_legal(made, entry)
    assert effective(made) == true
