"""What each unseen card of a place can be, for people to read."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from domain.inference.counting import Counted
from domain.inference.flow import union
from domain.inference.knowledge import Knowledge
from domain.inference.possible_cards import PossibleCards
from domain.inference.worlds import Place, World, possible_faces
from domain.table.cards import Cards, Pack


class Faces(NamedTuple):
    """What the unseen cards of each group of places can be; `exact`: and nothing else.

    Where that is not so, there was no time to find out whether some card can be there.
    """

    at: list[list["Unknown"]]
    exact: bool


class Unknown(NamedTuple):
    """So many unseen cards, each of which can be one of `cards`."""

    number: int
    cards: Cards


def possible_at(
    knowledge: Knowledge, pack: Pack, sites: Sequence[Sequence[Place]], count: Counted
) -> Faces:
    """Return, for each group of places, what its unseen cards can be; `count`: all is known of it.

    Where all deals were counted they tell it; where some were, only the rest is asked.
    """
    world = knowledge.world
    if knowledge.forked or knowledge.relaxed or world.totals:
        asked = None if count.whole else PossibleCards(knowledge)
        at = [_at(site, world, pack, count.found, asked) for site in sites]
        return Faces(at, exact=not knowledge.relaxed and not (asked and asked.doubts))
    groups: dict[tuple[Place, Cards], Cards] = {}
    for place, candidates, assignment in world.pools:
        key = place, candidates & world.unseen
        groups[key] = groups.get(key, 0) | assignment
    parts = possible_faces([candidates for _, candidates in groups], [*groups.values()])
    found: list[list[Unknown]] = []
    for site in sites:
        counts: dict[Cards, int] = {}
        for ((place, candidates), held), part in zip(groups.items(), parts, strict=True):
            if place in site:
                can = candidates & part
                counts[can] = counts.get(can, 0) + held.bit_count()
        found.append([Unknown(count, cards) for cards, count in counts.items()])
    return Faces(found, exact=True)


def _at(
    site: Sequence[Place],
    world: World,
    pack: Pack,
    found: Mapping[Place, Cards],
    asked: PossibleCards | None,
) -> list[Unknown]:
    here = [pool for pool in world.pools if pool.place in site]
    count = sum(pool.assignment.bit_count() for pool in here)
    if not count:
        return []
    able = [*dict.fromkeys(pool.place for pool in here)]
    cards = union(found.get(place, 0) for place in able)
    for copies in pack.copies.values():
        unseen = copies & world.unseen
        if unseen & cards or (
            asked is not None and unseen and any(asked.can_leave(place, copies) for place in able)
        ):
            cards |= unseen
    return [Unknown(count, cards)]
