"""Problems by chance, of a fixed seed each, for parts of the kernel.

They take a millisecond or a few, and are of kinds that reach its every line.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from domain.inference import World, knowledge_before_deal
from domain.inference.flow_totals import TotalsAnswer, solve_in_flow
from domain.inference.sum_constraints import solve_totals
from domain.inference.worlds import TokenPool, Total
from tests.domain.inference.networks import Crowd, told
from tests.domain.inference.stories import STOCK, Story
from tests.domain.inference.test_flow import EQUAL, UNLIKE
from tests.domain.inference.test_flow_totals_exact import (
    MANY,
    TOLD_APART,
    VALUES,
    many,
    promising,
)

# --- points promised --------------------------------------------------------------------------


def sums(seed: int) -> Sequence[object]:
    """Ask whether totals are feasible; most are barely so or barely not."""
    chance = Random(seed)  # noqa: S311 deals, not secrets
    found: list[object] = []
    for _ in range(4):
        world = random_world_with_totals(chance)
        found.append(solve_totals(world) is not None)
        some = [one._replace(worth=one.worth + chance.randint(-2, 2)) for one in world.totals]
        found.append(solve_totals(world._replace(totals=tuple(some))) is not None)
    return found


def random_world_with_totals(chance: Random) -> World:
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


# --- routes -----------------------------------------------------------------------------------


def networks(seed: int) -> Sequence[object]:
    return [allowed for _, _, allowed in told(seed)]


def crowds(seed: int) -> Sequence[object]:
    """Demand routes of many cards that move one at a time; then of all."""
    crowd = Crowd(seed)
    routes = crowd.routes
    found: list[object] = []
    for node, card in crowd.asked():
        allowed = routes.demand(node, card)
        found.append(allowed)
        if allowed:
            crowd.took()
    for place, rest in crowd.rest.items():
        for bit in range(crowd.CARDS if rest else 0):
            allowed = routes.demand(crowd.at[place], 1 << bit)
            found.append(allowed)
            if allowed:
                routes.undo_demand()
    return found


# --- points of cards that passed unseen -------------------------------------------------------


def totals(seed: int) -> Sequence[object]:
    """Look for a world that makes totals: of many cards, or of few whose every deal is known."""
    if seed < len(MANY):
        return [_make(solve_in_flow(*many(MANY[seed])))]
    story = Story(seed, (UNLIKE[1], EQUAL[0])[seed % 3 == 2])
    story.go_on(22, narrowed=seed % 3 == 1)
    read = story.flow()
    known = knowledge_before_deal(story.pack, STOCK).learn_all(story.told)
    found: list[object] = []
    if read is not None and known is not None:
        for number in range(6):
            values = (VALUES, TOLD_APART)[number % 2][len(story.pack)]
            summed = story.summed(values, 3 if number % 3 else 2, exchanged=number % 2 == 1)
            found.append(_make(solve_in_flow(read.copy(), promising(known, summed))))
    return found


def _make(made: TotalsAnswer) -> bool | None:
    return True if made.world is not None else False if made.refuted else None


Problem = Callable[[int], Sequence[object]]
# Questions and their seeds.
PROBLEMS: Mapping[str, tuple[Problem, Sequence[int]]] = {
    "sums": (sums, range(18, 52)),
    "networks": (networks, range(60)),
    "crowds": (crowds, (6, 17, 42, 48)),
    "totals": (totals, range(60)),
}
