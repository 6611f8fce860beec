"""Bounds of the worth of some cards, which explain why a number of points is impossible."""

from collections.abc import Sequence
from typing import NamedTuple

from domain.inference.knowledge import Knowledge
from domain.inference.worlds import Place
from domain.table.cards import Pack, places
from domain.table.refusal import Fact


class Bounds(NamedTuple):
    """The cards known with their worth, the number of all cards, and the bounds of their worth."""

    known: Sequence[str]
    size: int
    already: int
    least: int
    most: int

    def facts(self, seat: int, points: int) -> dict[str, Fact]:
        facts: dict[str, Fact] = {"seat": seat, "points": points, "holding": self.size}
        named: dict[str, Fact] = {}
        if self.known:
            named = {"cards": " ".join(self.known), "already": self.already}
        if points > self.most:
            all_known = named if len(self.known) == self.size else {}
            return {**facts, **all_known, "why": "too many points", "most": self.most}
        if points >= self.least:
            rest: dict[str, Fact] = {
                "others": self.size - len(self.known),
                "rest": points - self.already,
            }
            return {**facts, **named, **(rest if named else {}), "why": "no such points"}
        return {**facts, **named, "why": "too few points", "least": self.least}


def bounds_of(
    knowledge: Knowledge, pack: Pack, row: Sequence[Place], size: int, values: Sequence[int]
) -> Bounds:
    """Return lower and upper bound of the worth of `size` cards at the places of `row`.

    >>> from domain.inference import Unseen, nothing_seen
    >>> pack = Pack(["AS", "KS", "QS"])
    >>> known = nothing_seen(pack, 0).learn_certain(Unseen(0, 1, 2, 1))
    >>> bounds_of(known, pack, [1], 2, (11, 4, 3))[3:]
    (7, 15)
    """
    seen = 0
    for place in row:
        seen |= knowledge.known_at(place)
    already = sum(values[bit] for bit in places(seen))
    unseen = sorted(values[bit] for bit in places(knowledge.world.unseen))
    hidden = size - seen.bit_count()
    least, most = already + sum(unseen[:hidden]), already + sum(unseen[len(unseen) - hidden :])
    return Bounds(pack.named(seen), size, already, least, most)
