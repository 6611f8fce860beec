"""Random deals from fixed seeds, with the expected knowledge, choices and counts.

Three hands draw, discard, lay aside, take up, pass and exchange cards; the pile is shuffled into
the stock. Additional evidence selects the algorithm of the kernel: one world, pools, routes, all
worlds, a search, or a relaxed world.
"""

from collections.abc import Mapping, Sequence
from random import Random

from domain.inference import (
    AllMoved,
    Evidence,
    Held,
    Knowledge,
    Narrowed,
    Place,
    PossibleCards,
    RuledOut,
    Seen,
    Shuffled,
    Summed,
    Swapped,
    Unseen,
    knowledge_before_deal,
)
from domain.inference.counting import count_deals
from domain.inference.possibility import possible_at
from domain.table.cards import Cards, Pack, bit_numbers

STOCK, PILE, HANDS, ASIDE = 0, 4, (1, 2, 3), (5, 6, 7)
EVERYWHERE = (STOCK, *HANDS, PILE, *ASIDE)
UNLIKE = Pack([rank + suit for suit in "SHD" for rank in "AKQJT"])
EQUAL = Pack([rank + "S" for rank in "AKQJT987" for _ in range(2)])
# Events, weighted by number of occurrences: see `Dealt._happen`.
KINDS = {
    "lots": "dddttttm",
    "routes": "dddttttllcpwsmM",
    "worlds": "dddttttllcpnnsmM",
    "told": "dddttttllcprrhmM",
}
SEEDS: Mapping[str, Sequence[int]] = {
    "lots": range(20),
    "routes": range(6, 24),
    "worlds": (*range(20), 20, 25),
    "told": (*range(16), 45, 70, 95),
}


def worths(chance: Random, pack: Pack) -> dict[str, int]:
    return {code: chance.randint(1, 9) for code in pack.copies}


class Dealt:
    def __init__(self, seed: int, kind: str) -> None:
        self.chance = Random(seed)  # noqa: S311 deals, not secrets
        self.pack = UNLIKE if kind == "told" or seed % 4 == 3 else EQUAL
        self.true = [STOCK] * len(self.pack)
        self.known = knowledge_before_deal(self.pack, STOCK)
        self.version = 0
        for hand in HANDS:
            self._move(STOCK, hand, 3)
        for _ in range(40):
            self._happen(self.chance.choice(KINDS[kind]))

    def at(self, place: Place) -> list[int]:
        return [card for card, at in enumerate(self.true) if at == place]

    def copies(self, card: int) -> Cards:
        return self.pack.copies[self.pack.codes[card]]

    def count(self, number: int) -> None:
        worth = worths(self.chance, self.pack)
        values = tuple(worth[code] for code in self.pack.codes)
        for hand in self.chance.sample(HANDS, number):
            there = sum(values[card] for card in self.at(hand))
            self._tell(Summed((hand,), values, there, self.version))

    def _tell(self, piece: Evidence) -> None:
        self.known = self.known.learn_certain(piece)
        self.version += 1

    def _move(self, source: Place, target: Place, number: int) -> None:
        gone = self.chance.sample(self.at(source), min(number, len(self.at(source))))
        if gone:
            self._tell(Unseen(source, target, len(gone), self.version))
        for card in gone:
            self.true[card] = target

    def _all(self, source: Place, target: Place) -> None:
        self.true = [target if at == source else at for at in self.true]

    def _happen(self, what: str) -> None:
        chance, now = self.chance, self.version
        hand, other = chance.sample(HANDS, 2)
        aside, beside = chance.sample(ASIDE, 2)
        match what:
            case "d":
                self._move(STOCK, hand, chance.randint(1, 2))
            case "p":
                self._move(hand, other, 1)
            case "l":
                self._move(hand, aside, 1)
            case "t" if self.at(hand):
                card = chance.choice(self.at(hand))
                self._tell(Seen(hand, self.copies(card), PILE, now))
                self.true[card] = PILE
            case "m" | "M" if self.at(PILE) and (what == "M" or not self.at(STOCK)):
                self._tell(Shuffled(PILE, STOCK, now))
                self._all(PILE, STOCK)
            case "c":
                self._tell(AllMoved(aside, hand, now))
                self._all(aside, hand)
            case "w":
                self._tell(Swapped(aside, beside, now))
                turned = {aside: beside, beside: aside}
                self.true = [turned.get(at, at) for at in self.true]
            case "s":
                self._tell(Shuffled(hand, hand, now))
            case _:
                self._told(what, hand, aside)

    def _told(self, what: str, hand: Place, aside: Place) -> None:
        chance, now = self.chance, self.version
        there = self.at(hand)
        if what == "n" and len(self.at(aside)) == 1:
            kinds = {self.copies(card) for card in chance.sample(range(len(self.true)), 5)}
            self._tell(Narrowed(aside, sum(kinds | {self.copies(self.at(aside)[0])}), now))
        elif what == "r":
            gone = [card for card in range(len(self.true)) if card not in there]
            some = sum(1 << card for card in chance.sample(gone, 4))
            self._tell(RuledOut(hand, some, "c", (hand, "S"), now))
        elif what == "h" and there:
            self._tell(Held(hand, 1 << chance.choice(there), now))


def deals(kind: str, seed: int) -> Sequence[object]:
    """Ask all questions about one deal; a third of the deals count points."""
    dealt = Dealt(seed, kind)
    if seed % 3 == 2:
        dealt.count(1 + seed % 2)
    return asked_of(dealt.known, dealt.pack, EVERYWHERE, dealt.chance)


def asked_of(
    known: Knowledge, pack: Pack, everywhere: Sequence[Place], chance: Random
) -> list[object]:
    """Ask all questions; a place is named by its index in `everywhere`."""
    number = {place: at for at, place in enumerate(everywhere)}
    found: list[object] = [len(known.evidence())]
    kinds = [*dict.fromkeys(pack.copies.values())]
    for one in kinds:
        lies = [place for place, cards in known.world.known.items() if cards & one]
        found.append([*(number.get(place) for place in lies[:1]), *_name(known, one)])
    asked = PossibleCards(known)
    for place in everywhere:
        if len(kinds) == len(pack):
            some = chance.randrange(pack.everything)
            able = asked.cards_that_can_leave(place, some)
            doubted = any(asked.is_unproved(place, 1 << bit) for bit in bit_numbers(some))
            found.append(None if doubted else able)
        for copies in kinds:
            can = asked.can_leave(place, copies)
            found.append(None if asked.is_unproved(place, copies) else can)
        for cards in [chance.sample(kinds, number) for number in (1, 2, 3)]:
            can = asked.can_all_leave(place, cards)
            found.append(None if can and asked.is_unproved(place, *cards) else can)
    found.extend(_learn(known, pack, everywhere, chance))
    count = count_deals(known)
    found.append(count.deals if count.is_exact else None)
    shares = {
        card: sorted([number[place], str(share)] for place, share in alike.shares.items())
        for alike in count.kinds
        for card in bit_numbers(alike.cards)
    }
    found.append([shares[card] for card in sorted(shares)] if count.is_exact else None)
    faces = possible_at(known, pack, [(place,) for place in everywhere], count)
    named = [
        sorted([some.number, *sorted({*pack.named(some.cards)})] for some in at) for at in faces.at
    ]
    found.append(named if faces.exact else None)
    return found


def _name(known: Knowledge, copies: Cards) -> list[int]:
    named = [one for one in known.evidence() if isinstance(one, Seen) and one.copies == copies]
    last, unmixed = named[-1:], known.last_named_unmixed(copies)
    return [last[0].version if last else -1, unmixed.version if unmixed else -1]


def _learn(
    known: Knowledge, pack: Pack, everywhere: Sequence[Place], chance: Random
) -> list[object]:
    held = sorted({pool.place for pool in known.world.pools}, key=everywhere.index)
    kinds = [*dict.fromkeys(pack.copies.values())]
    found: list[object] = []
    for _ in range(4 if held else 0):
        place, other = chance.choice(held), chance.choice(held)
        one, two = chance.sample(kinds, 2)
        worth_of = worths(chance, pack)
        values = tuple(worth_of[code] for code in pack.codes)
        worth = sum(values[card] for card in chance.sample(range(len(pack)), 2))
        summed = Summed((place,), values, worth, 99)
        seen = Seen(place, one, PILE, 99), Seen(other, two, PILE, 99)
        for pieces in (seen[:1], seen, (summed,), (seen[0], summed), (summed, seen[1])):
            learnt = known.learn_all(pieces)
            found.append(None if learnt is not None and learnt.relaxed else learnt is not None)
    return found
