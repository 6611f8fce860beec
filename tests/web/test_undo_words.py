import re
from typing import Any

import pytest

from tests.web.recorder_page import reader

NAMES = ("Ann", "Bob", "<Eve>")
Json = dict[str, Any]

# Entries that name a card, and the full label of undo.
SAID: tuple[tuple[str, Json, str], ...] = (
    ("euchre", {"type": "deal", "dealer": 0, "turn_up": "QH"}, "Ann deals and turns up Q♥"),
    ("euchre", {"type": "play", "seat": 1, "card": "AS"}, "Bob plays A♠"),
    ("euchre", {"type": "accept", "seat": 0, "discard": "9D"}, "Ann accepts, laying away 9♦"),
    (
        "euchre",
        {"type": "exchange", "seat": 0, "take": True, "discard": "TC"},
        "Ann takes the turned card, laying away 10♣",
    ),
    ("durak", {"type": "deal", "dealer": 0, "trump": "7C"}, "Ann deals; trump is 7♣"),
    ("durak", {"type": "lowest", "seat": 1, "card": "6C"}, "Bob shows the lowest trump, 6♣"),
    ("durak", {"type": "attack", "seat": 0, "cards": ["6H", "6S"]}, "Ann attacks with 6♥, 6♠"),
    ("durak", {"type": "beat", "seat": 1, "card": "6H", "with": "8S"}, "Bob beats 6♥ with 8♠"),
    (
        "durak",
        {"type": "pass_on", "seat": 1, "cards": ["6D"]},
        "Bob passes the attack on with 6♦",
    ),
    (
        "durak",
        {"type": "away", "seat": 0, "cards": ["9S", "9H", "9D", "9C"]},
        "Ann lays four away: 9♠, 9♥, 9♦, 9♣",
    ),
    ("rami", {"type": "deal", "dealer": 1, "up": "XX"}, "Bob deals and turns up ★"),
    ("rami", {"type": "draw", "seat": 0, "card": "5S"}, "Ann draws 5♠"),
    ("rami", {"type": "discard", "seat": 0, "card": "5S"}, "Ann throws 5♠"),
    ("rami", {"type": "meld", "seat": 0, "melds": [["3H", "4H", "5H"]]}, "Ann lays 3♥, 4♥, 5♥"),
    (
        "rami",
        {"type": "add", "seat": 0, "cards": ["6H"], "meld": 1},
        "Ann adds 6♥ to combination 1",
    ),
    (
        "rami",
        {"type": "swap_joker", "seat": 0, "meld": 2, "card": "8C"},
        "Ann swaps 8♣ for the joker of combination 2",
    ),
    ("rami", {"type": "count", "seat": 1, "cards": ["KH", "XX"]}, "Bob holds K♥, ★"),
    ("dutch", {"type": "deal", "dealer": 0, "up": "5C"}, "Ann deals and turns up 5♣"),
    ("dutch", {"type": "draw", "seat": 0, "card": "5C"}, "Ann draws 5♣"),
    (
        "dutch",
        {"type": "swap", "seat": 0, "slot": 1, "card": "QS"},
        "Ann swaps card 2 and discards Q♠",
    ),
    ("dutch", {"type": "drop", "seat": 0, "card": "QS"}, "Ann discards Q♠"),
    ("dutch", {"type": "snap", "seat": 2, "slot": 0, "card": "7H"}, "<Eve> throws card 1: 7♥"),
    (
        "dutch",
        {"type": "peek", "seat": 0, "place": [1, 3], "card": "2D"},
        "Ann looks at card 4 of Bob: 2♦",
    ),
    ("dutch", {"type": "look", "seat": 0, "slots": [0, 3]}, "Ann looks at cards 1 and 4"),
    ("dutch", {"type": "reveal", "seat": 1, "cards": ["2D", "AS"]}, "Bob reveals 2♦, A♠"),
    ("dutch", {"type": "reveal", "seat": 1, "points": 7}, "Bob reveals 7 points"),
    (
        "dutch",
        {"type": "reveal", "seat": 1, "cards": ["2D", "??"], "points": 40},
        "Bob reveals 2♦, a card that was not seen (40 points)",
    ),
    (
        "scores",
        {"type": "result", "points": [12, None, -7], "deal": 3},
        "Round 3: Ann 12, Bob –, <Eve> −7",
    ),
    (
        "rami",
        {
            "type": "result",
            "winner": 0,
            "hands": [None, {"opened": True, "points": 24}, {"opened": False}],
            "deal": 4,
        },
        "Deal 4: Ann goes out · Bob: 24 · <Eve>: not opened",
    ),
    (
        "dutch",
        {"type": "result", "caller": 1, "counter": None, "totals": [11, 4, 0], "deal": 2},
        "Deal 2: Dutch by Bob · Ann 11, Bob 4, <Eve> 0",
    ),
    (
        "durak",
        {"type": "result", "places": [[2], [0], [1]], "durak": 1, "deal": 1},
        "Deal 1: The deal ends: 1 <Eve>, 2 Ann, 3 Bob. Durak: Bob",
    ),
    (
        "euchre",
        {"type": "result", "maker": 1, "tricks": 4, "deal": 9},
        "Deal 9: Bob made trumps and 4 tricks",
    ),
    (
        "dutch",
        {"type": "amend", "version": 4, "move": {"type": "drop", "seat": 0, "card": "9S"}},
        "Corrected: Ann discards 9♠",
    ),
)


def _read(markup: str) -> str:
    for sign, code in (("♠", "S"), ("♥", "H"), ("♦", "D"), ("♣", "C"), ("★", "X")):
        markup = re.sub(rf'<svg[^>]*><use href="#{code}"/></svg>', sign, markup)
    assert "<Eve>" not in markup
    return re.sub(r"<[^>]*>", "", markup).replace("&lt;Eve&gt;", "<Eve>")


@pytest.mark.parametrize(("ruleset", "entry", "said"), SAID)
def test_undo_says_the_whole_entry(ruleset: str, entry: Json, said: str) -> None:
    assert _read(reader().draw(entry, ruleset, NAMES)) == said


BRIEFLY: tuple[tuple[str, Json, str], ...] = (
    ("euchre", {"type": "play", "seat": 1, "card": "AS"}, "Bob A♠"),
    ("durak", {"type": "beat", "seat": 1, "card": "6H", "with": "8S"}, "Bob 6♥ beaten with 8♠"),
    ("durak", {"type": "attack", "seat": 0, "cards": ["6H", "6S"]}, "Ann 6♥ 6♠"),
    ("durak", {"type": "lowest", "seat": 1, "card": "6C"}, ""),
    ("rami", {"type": "discard", "seat": 0, "card": "5S"}, "Ann 5♠"),
    ("rami", {"type": "draw", "seat": 0, "card": "5S"}, ""),
    ("dutch", {"type": "swap", "seat": 0, "slot": 1, "card": "QS"}, "Ann Q♠"),
    ("dutch", {"type": "peek", "seat": 0, "place": [1, 3], "card": "2D"}, "Ann Bob 4"),
)


@pytest.mark.parametrize(("ruleset", "entry", "said"), BRIEFLY)
def test_undo_on_a_small_phone_says_what_was_laid(ruleset: str, entry: Json, said: str) -> None:
    brief = reader().game(ruleset).brief(entry, NAMES)
    assert " ".join(_read(brief).split()) == said
