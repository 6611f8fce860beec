"""The 36 cards of Durak, their order, and the options of a table, from the rule text."""

from random import Random
from typing import Any

Entry = dict[str, Any]

UPWARD = "6789TJQKA"
SUITS = "SHDC"
PACK = [rank + suit for suit in SUITS for rank in UPWARD]

FRENCH: Entry = {
    "lead": "single",
    "throwers": "neighbours",
    "word": "strict",
    "while_unbeaten": False,
    "first_bout": None,
    "max_bout": 6,
    "transfer": False,
    "throw_after_take": False,
    "after_transfer": "opener",
    "four_away": False,
    "redeal_suit": False,
    "redeal_no_trump": True,
    "next_lead": "winner",
    "winner_by": "durak",
    "deals": None,
}
GERMAN: Entry = FRENCH | {
    "lead": "several",
    "while_unbeaten": True,
    "first_bout": 5,
    "transfer": True,
    "throw_after_take": True,
    "four_away": True,
    "redeal_suit": True,
    "next_lead": "teach",
}
VALUES: dict[str, list[Any]] = {
    "lead": ["single", "several"],
    "throwers": ["neighbours", "all"],
    "word": ["strict", "loose"],
    "while_unbeaten": [True, False],
    "first_bout": [None, 1, 2, 3, 4, 5, 6],
    "max_bout": [6, None],
    "transfer": [True, False],
    "throw_after_take": [True, False],
    "after_transfer": ["opener", "passer"],
    "four_away": [True, False],
    "redeal_suit": [True, False],
    "redeal_no_trump": [True, False],
    "next_lead": ["winner", "teach", "spare"],
    "winner_by": ["durak", "places", "first"],
    "deals": [None, 1, 2, 3],
}


def higher(card: str, other: str) -> bool:
    return UPWARD.index(card[0]) > UPWARD.index(other[0])


def can_beat(card: str, attack: str, trump: str) -> bool:
    if attack[1] == trump:
        return card[1] == trump and higher(card, attack)
    return card[1] == trump or (card[1] == attack[1] and higher(card, attack))


def table_rules(chance: Random, seats: int) -> tuple[Entry, Entry]:
    rules = chance.choice(["fr", "de"])
    said: Entry = {"rules": rules}
    changes = chance.choice([0, 1, 3, 8])
    for name in chance.sample(sorted(VALUES), changes):
        said[name] = chance.choice(VALUES[name])
    played = (FRENCH if rules == "fr" else GERMAN) | said
    if seats != 4:
        return said, played | {"teams": False}
    if rules == "fr":
        if played["transfer"] or chance.random() < 0.3:
            said["teams"] = False
        return said, played | {"teams": said.get("teams", True)}
    if not played["transfer"] and chance.random() < 0.5:
        said["teams"] = True
    return said, played | {"teams": said.get("teams", False)}
