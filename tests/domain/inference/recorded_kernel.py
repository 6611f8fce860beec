"""Problems by chance, of a fixed seed each, for every part of the kernel: what it makes of them.

They are of a size that takes a millisecond or a few, and of kinds that reach its every line.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, NamedTuple

from domain.inference import World, assignment, flow_totals, nothing_seen, prices
from domain.inference.assignment import settle
from domain.inference.flow import Flow
from domain.inference.flow_totals import Round, world_that_makes
from domain.inference.prices import Route, refuting
from domain.inference.sightings import NOWHERE, Sightings
from domain.inference.sum_constraints import possible
from domain.inference.worlds import TokenPool, Total
from tests.domain.inference.enumeration import always, never
from tests.domain.inference.networks import Crowd, told
from tests.domain.inference.stories import STOCK, Story
from tests.domain.inference.test_assignment_exact import timetable
from tests.domain.inference.test_flow import EQUAL, UNLIKE
from tests.domain.inference.test_flow_totals_exact import (
    MANY,
    ROUNDS,
    TOLD_APART,
    VALUES,
    many,
    promising,
)

LATE = 40  # cards seen before others are asked about


Limit = tuple[object, str, object]  # of what, its name, and what it is


class Answered(NamedTuple):
    """What is true, which never changes; and what was found to show it, which may be another."""

    answer: list[object]
    found: list[object]


def written(world: World | None) -> object:
    """Write a world down, whatever its sets and dictionaries happen to be ordered by."""
    if world is None:
        return None
    known = sorted((place, cards) for place, cards in world.known.items() if cards)
    totals = [(sorted(total.places), total.values, total.worth) for total in world.totals]
    return [[*map(list, world.pools)], known, world.unseen, totals]


@contextmanager
def limits(*told: Limit) -> Generator[None]:
    """Set limits of effort to something else for a while."""
    before = [(holder, name, getattr(holder, name)) for holder, name, _ in told]
    for holder, name, limit in told:
        setattr(holder, name, limit)
    try:
        yield
    finally:
        for holder, name, limit in before:
            setattr(holder, name, limit)


# --- points promised --------------------------------------------------------------------------


def sums(seed: int) -> Answered:
    """Ask whether totals can be made, most of them just so or just not."""
    chance = Random(seed)  # noqa: S311 deals, not secrets
    found = Answered([], [])
    for _ in range(4):
        world = promised(chance)
        found.answer.append(possible(world))
        some = [one._replace(worth=one.worth + chance.randint(-2, 2)) for one in world.totals]
        found.answer.append(possible(world._replace(totals=tuple(some))))
    return found


def promised(chance: Random) -> World:
    """Make pools of unseen cards, and totals that a deal makes, or one with two cards exchanged."""
    cards, pools = chance.randint(8, 18), chance.randint(3, 7)
    at = [chance.randrange(pools) for _ in range(cards)]
    held = [sum(1 << card for card, pool in enumerate(at) if pool == one) for one in range(pools)]
    may = [chance.choice((0, chance.randrange(1 << cards), (1 << cards) - 1)) for _ in held]
    worths = [tuple(chance.randint(0, chance.choice((2, 13))) for _ in range(cards + pools))]
    worths.append(worths[0] if chance.random() < 0.7 else tuple(reversed(worths[0])))
    for _ in range(chance.randint(0, 3)):
        one, other = chance.sample(range(cards), 2)
        at[one], at[other] = at[other], at[one]
    alone = chance.random() < 0.7
    totals: list[Total] = []
    for number in range(chance.randint(1, pools)):
        counts = {number} if alone else {*chance.sample(range(pools), chance.randint(1, 2))}
        values = chance.choice(worths)
        worth = sum(values[card] for card, pool in enumerate(at) if pool in counts)
        worth += sum(values[cards + pool] for pool in counts)
        totals.append(Total(frozenset(counts), values, worth))
    made = tuple(
        TokenPool(one, able | own, own)
        for one, (own, able) in enumerate(zip(held, may, strict=True))
        if own
    )
    return World(
        made, {pool: 1 << cards + pool for pool in range(pools)}, (1 << cards) - 1, tuple(totals)
    )


# --- cards shared out to lots -----------------------------------------------------------------


def lots(seed: int) -> Answered:
    """Share cards seen out to lots, of a large table; and late in it, ones that may not be there.

    At every other table each search is soon tired, so that all take turns.
    """
    chance = Random(seed)  # noqa: S311 tables, not secrets
    found = Answered([], [])
    sightings = Sightings()
    with limits((assignment, "EFFORTS", (12, 40) if seed % 2 else assignment.EFFORTS)):
        for number, sightings in enumerate(timetable(seed)):
            if number > LATE:
                other = sightings.copy()
                source = chance.choice(sightings.seen).source
                other.see(source, chance.choice(sightings.seen).copies, NOWHERE)
                found.answer.append(settle(other, (never, always)[number % 7 == 0]))
                found.found.append(other.lot)
            settle(sightings)
    found.found.append(sightings.lot)
    return found


# --- routes -----------------------------------------------------------------------------------


def networks(seed: int) -> Answered:
    """Ask for routes in a small network that grows."""
    found = Answered([], [])
    for twin, _, allowed in told(seed):
        found.answer.append(allowed)
        found.found.append([[*route.edges, *route.takes] for route in twin.routes.demands])
    return found


def crowds(seed: int) -> Answered:
    """Ask for routes of many cards that go from place to place one at a time; then for all."""
    crowd = Crowd(seed)
    routes = crowd.routes
    found = Answered([], [])
    for node, card in crowd.asked():
        allowed = routes.demand(node, card)
        found.answer.append(allowed)
        if allowed:
            crowd.took()
    found.found.append([[*route.edges, *route.takes] for route in routes.demands])
    for place, rest in crowd.rest.items():
        for bit in range(crowd.CARDS if rest else 0):
            found.answer.append(routes.demand(crowd.at[place], 1 << bit))
            if found.answer[-1]:
                routes.put_back()
        found.found.append(routes.taken)
    return found


def dear(seed: int) -> Answered:
    """Look for prices that prove that cards have no routes, with more and more effort."""
    crowd = Crowd(seed)
    network = crowd.routes
    found = Answered([], [])
    for node, card in crowd.asked():
        if network.demand(node, card):
            crowd.took()
        elif network.sources(node):
            demands = network.demands[:]
            network.demands = [
                *(Route(one.node, one.copies, one.passes) for one in demands),
                Route(node, card),
            ]
            for tried in range(20 + node % 3, 60, 3):
                with limits((prices, "ROUTES_TRIED", tried)):
                    proof = refuting(network, {}, {})
                found.found.append(None if proof is None else sorted(proof.items()))
            network.demands = demands
    return found


# --- points of cards that passed unseen -------------------------------------------------------


def hardest(found: Answered) -> Limit:
    """Let each round of a search for totals say which places were in the way, the most first."""
    was = vars(flow_totals)["_round"]

    def noted(trying: Any, flow: Flow, rows: object) -> object:  # noqa: ANN401 it is private
        made: object = was(trying, flow, rows)
        stuck: dict[int, int] = trying.stuck
        found.found.append(sorted(stuck, key=lambda place: (-stuck[place], place)))
        return made

    return flow_totals, "_round", noted


def totals(seed: int) -> Answered:
    """Look for a world that makes totals: of many cards, or of few whose every deal is known.

    Of few, every other time hardly anything is tried.
    """
    found = Answered([], [])
    if seed < len(MANY):
        flow, like = many(MANY[seed])
        with limits(hardest(found)):
            made = world_that_makes(flow, like)
        found.answer.append([made.world is not None, made.refuted])
        found.found.append(written(made.world))
        return found
    story = Story(seed, (UNLIKE[1], EQUAL[0])[seed % 3 == 2])
    story.go_on(22, narrowed=seed % 3 == 1)
    read = story.flow()
    known = nothing_seen(story.pack, STOCK).learn_all(story.told)
    if read is not None and known is not None:
        for number in range(6):
            values = (VALUES, TOLD_APART)[number % 2][len(story.pack)]
            summed = story.summed(values, 3 if number % 3 else 2, exchanged=number % 2 == 1)
            rounds, last = ROUNDS[("rounds", "narrowed at once")[number % 2]]
            if number % 3 == 2:  # hardly anything
                rounds = last = (Round(3, 1, 1 + seed % 24),) * 2
            tried = (flow_totals, "ROUNDS", rounds), (flow_totals, "LAST_ROUNDS", last)
            with limits(*tried, hardest(found)):
                made = world_that_makes(read.copy(), promising(known, summed))
            found.answer.append([made.world is not None, made.refuted])
            found.found.append(written(made.world))
    return found


Problem = Callable[[int], Answered]
# What is asked, and of which seeds.
PROBLEMS: Mapping[str, tuple[Problem, Sequence[int]]] = {
    "sums": (sums, range(18, 52)),
    "lots": (lots, range(12)),
    "networks": (networks, range(60)),
    "crowds": (crowds, (6, 17, 42, 48)),
    "dear": (dear, (17, 48)),
    "totals": (totals, range(60)),
}
