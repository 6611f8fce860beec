"""Bounds of the worth of some cards, which explain why a number of points is impossible."""

from collections.abc import Sequence
from typing import NamedTuple

from domain.inference.knowledge import Knowledge
from domain.inference.worlds import Place
from domain.table.cards import Pack, bit_numbers
from domain.table.refusal import Fact


class Bounds(NamedTuple):
    """The cards known with their worth, the number of all cards, and the bounds of their worth."""

    known: Sequence[str]
    size: int
    known_worth: int
    worth_min: int
    worth_max: int

    def facts(self, seat: int, points: int) -> dict[str, Fact]:
        facts: dict[str, Fact] = {"seat": seat, "points": points, "holding": self.size}
        named: dict[str, Fact] = {}
        if self.known:
            named = {"cards": " ".join(self.known), "already": self.known_worth}
        if points > self.worth_max:
            all_known = named if len(self.known) == self.size else {}
            return {**facts, **all_known, "why": "too many points", "most": self.worth_max}
        if points >= self.worth_min:
            rest: dict[str, Fact] = {
                "others": self.size - len(self.known),
                "rest": points - self.known_worth,
            }
            return {**facts, **named, **(rest if named else {}), "why": "no such points"}
        return {**facts, **named, "why": "too few points", "least": self.worth_min}


def bounds_of(
    knowledge: Knowledge, pack: Pack, row: Sequence[Place], size: int, values: Sequence[int]
) -> Bounds:
    """Return lower and upper bound of the worth of `size` cards at the places of `row`.

    >>> from domain.inference import Unseen, knowledge_before_deal
    >>> pack = Pack(["AS", "KS", "QS"])
    >>> known = knowledge_before_deal(pack, 0).learn_certain(Unseen(0, 1, 2, 1))
    >>> bounds_of(known, pack, [1], 2, (11, 4, 3))[3:]
    (7, 15)
    """
    seen = 0
    for place in row:
        seen |= knowledge.known_at(place)
    already = sum(values[bit] for bit in bit_numbers(seen))
    unseen = sorted(values[bit] for bit in bit_numbers(knowledge.world.unseen))
    hidden = size - seen.bit_count()
    least, most = already + sum(unseen[:hidden]), already + sum(unseen[len(unseen) - hidden :])
    return Bounds(pack.named(seen), size, already, least, most)
