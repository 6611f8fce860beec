"""The possible melds of a player of Rami 51: openings, combinations, additions, joker swaps.

Found with real cards, independently of `domain`; one of them is chosen at random.
"""

from random import Random
from typing import Any

from tests.generation.rami_cards import (
    ASCENDING,
    SUITS,
    fits,
    held,
    is_combination,
    is_run,
    is_set,
    layable,
    worth,
)

Entry = dict[str, Any]
Step = tuple[str, Entry]
Plan = list[Step]
Melds = list[list[str]]


class Layings:
    """One hand beside the `melds` on the table; those `broken` (by index) take no more cards."""

    def __init__(
        self, chance: Random, options: Entry, hand: list[str], melds: Melds, broken: set[int]
    ) -> None:
        """`options` are complete."""
        self._chance, self._options = chance, options
        self._hand, self._melds, self._broken = hand, melds, broken

    def opening(self, using: str | None) -> list[list[str]] | None:
        """Find a group that opens, one that lays the card `using` if there is one."""
        found = layable(self._hand)
        for _ in range(12):
            self._chance.shuffle(found)
            left, group = list(self._hand), list[list[str]]()
            for cards in found:
                if fits(cards, left) and (len(left) > len(cards) or self._chance.random() < 0.5):
                    group.append(cards)
                    for card in cards:
                        left.remove(held(card))
            if group and self._opens(group):
                laid = [held(card) for cards in group for card in cards]
                if using is None or using in laid:
                    return group
        return None

    def _opens(self, group: list[list[str]]) -> bool:
        """Return whether a group suffices to open (`rami.opening`, `rami.opening-run`)."""
        pure = self._options["pure_run"] == "no_joker"
        run = any(
            is_run(cards) and not (pure and any(card.endswith("*") for card in cards))
            for cards in group
        )
        return run and sum(map(worth, group)) >= self._options["opening"]

    def any_step(self, using: str | None) -> Plan | None:
        """Find a combination, an addition or a swap, one that lays the card `using` if given."""
        hand = self._hand
        steps: list[Plan] = [
            [("meld", {"melds": [cards]})]
            for cards in layable(hand)
            if using is None or using in map(held, cards)
        ]
        steps += [
            [step]
            for step in self.adds(hand)
            if using is None or using in map(held, step[1]["cards"])
        ]
        if using != "XX":
            steps += self._swaps(using)
        return self._chance.choice(steps) if steps else None

    def adds(self, hand: list[str]) -> Plan:
        found: Plan = []
        for number, there in enumerate(self._melds, start=1):
            if number - 1 in self._broken:
                continue
            for card in sorted(set(hand)):
                for name in _names(card, there):
                    grown, end = _grow(there, name)
                    if grown:
                        found.append(
                            ("add", {"meld": number, "cards": [name], "grown": grown, **end})
                        )
                        found += self._two(number, grown, name, hand)
        return found

    def _two(self, number: int, grown: list[str], first: str, hand: list[str]) -> Plan:
        left = list(hand)
        left.remove(held(first))
        card = self._chance.choice([*left, "XX"])
        if card == "XX" or card[0] == "A":
            return []
        more, _ = _grow(grown, card)
        if not more or first[0] == "A":
            return []
        cards = self._chance.sample([first, card], 2)
        if is_set(more) and "?" in "".join(grown):
            return []
        return [("add", {"meld": number, "cards": cards, "grown": more})]

    def _swaps(self, using: str | None) -> list[Plan]:
        found: list[Plan] = []
        hand = self._hand
        for number, there in enumerate(self._melds, start=1):
            at = next((place for place, card in enumerate(there) if card.endswith("*")), None)
            if at is None or number - 1 in self._broken:
                continue
            for card in sorted(set(hand)):
                if card == "XX" or (using is not None and using != card):
                    continue
                if _replaces(card, there, at):
                    found += self._laid_again(number, there, at, card)
        return found

    def _laid_again(self, number: int, there: list[str], at: int, card: str) -> list[Plan]:
        """Swap a joker for `card` and lay it again."""
        swap = ("swap_joker", {"meld": number, "card": card, "at": at})
        hand = self._hand
        before, kept = list(there), list(hand)
        there[at] = card
        hand.remove(card)
        hand.append("XX")
        again = [
            ("meld", {"melds": [cards]})
            for cards in layable(hand)
            if any(name.endswith("*") for name in cards)
        ] + [step for step in self.adds(["XX"]) if len(step[1]["cards"]) == 1]
        there[:], hand[:] = before, kept
        return [[swap, self._chance.choice(again)]] if again else []


def _names(card: str, there: list[str]) -> list[str]:
    if card != "XX":
        return [card]
    if is_run(there):
        return [rank + there[0][1] + "*" for rank in dict.fromkeys(ASCENDING)]
    return [there[0][0] + suit + "*" for suit in SUITS]


def _grow(there: list[str], card: str) -> tuple[list[str], Entry]:
    if is_set(there):
        more = [*there, card]
        if len(more) == 4 and "?" in "".join(there) and not card.endswith("*"):
            left = [suit for suit in SUITS if suit not in "".join(one[1] for one in more)]
            more = [f"{one[0]}{left[0]}*" if one[1] == "?" else one for one in more]
        return (more, {}) if is_combination(more) else ([], {})
    low, high = [card, *there], [*there, card]
    if is_run(low) and is_run(high):
        return low, {"end": "low"}
    if is_run(low):
        return low, {}
    return (high, {}) if is_run(high) else ([], {})


def _replaces(card: str, there: list[str], at: int) -> bool:
    """Return whether a card may replace the joker at `at` (`rami.swap`)."""
    joker = there[at]
    if joker[1] == "?":
        return card[0] == joker[0] and card[1] not in [one[1] for one in there]
    return joker[:2] == card
