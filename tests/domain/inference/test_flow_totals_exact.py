"""Totals are made exactly where some deal makes them, in whatever round: fixed seeds."""

from collections.abc import Iterator
from functools import cache

import pytest

from domain.inference import flow_totals
from domain.inference.evidence import Summed
from domain.inference.flow import Flow
from domain.inference.flow_totals import Round, world_that_makes
from domain.inference.knowledge import Knowledge, nothing_seen
from domain.inference.sum_constraints import possible
from domain.inference.worlds import World
from tests.domain.inference import enumeration
from tests.domain.inference.enumeration import Deal
from tests.domain.inference.stories import STOCK, Story
from tests.domain.inference.test_flow import EQUAL, UNLIKE

SEEDS = range(60)
VALUES = {6: (1, 1, 3, 3, 7, 7), 8: (1, 1, 3, 3, 7, 7, 8, 8)}


@cache
def stories() -> list[tuple[Flow, World, set[Deal]]]:
    """List what passed unseen, a world that promises totals, and every deal that makes them."""
    return list(_stories())


def _stories() -> Iterator[tuple[Flow, World, set[Deal]]]:
    for seed in SEEDS:
        story = Story(seed, (UNLIKE[1], EQUAL[0])[seed % 3 == 2])
        story.go_on(22, narrowed=seed % 3 == 1)
        flow = story.flow()
        known = nothing_seen(story.pack, STOCK).learn_all(story.told)
        assert known is not None
        if flow is None:
            continue
        for rows in (2, 3, 3):
            for wrong in (0, 0, 0, 2):
                totals = story.summed(VALUES[len(story.pack)], rows, wrong)
                yield (
                    flow,
                    promising(known, totals),
                    enumeration.after_all(story.deals, totals),
                )


def promising(known: Knowledge, totals: list[Summed]) -> World:
    """Return a world that fits what is known, and promises totals as well."""
    world = known.world
    for one in totals:
        (world,) = one.after(world)
    return world


# How much is tried: as always; at length only; each card once, and hardly at length.
ROUNDS = {
    "rounds": (flow_totals.ROUNDS, flow_totals.LAST_ROUNDS),
    "narrowed at once": ((), flow_totals.LAST_ROUNDS),
    "hardly any": ((Round(3, 1, 2),) * 2, (Round(3, 1, 4),)),
}
# A little more than were not known when this was written, and than cards were put somewhere.
UNKNOWN = {"rounds": 10, "narrowed at once": 10, "hardly any": 64}
DEMANDS = {"rounds": 4_100, "narrowed at once": 2_450, "hardly any": 960}


@pytest.mark.parametrize("rounds", ROUNDS)
def test_world_that_makes__is_found_where_some_deal_makes_the_totals_and_else_refuted(
    rounds: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flow_totals, "ROUNDS", ROUNDS[rounds][0])
    monkeypatch.setattr(flow_totals, "LAST_ROUNDS", ROUNDS[rounds][1])
    asked = [0]
    demand = Flow.demand

    def counted(flow: Flow, *args: int) -> bool | None:
        asked[0] += 1
        return demand(flow, *args)

    monkeypatch.setattr(Flow, "demand", counted)
    unknown = 0
    for read, like, deals in stories():
        flow = read.copy()
        made = world_that_makes(flow, like)
        if made.world is None:
            assert not (made.refuted and deals)
            unknown += not made.refuted
        else:
            assert deals
            assert possible(made.world)
            assert not made.refuted
        for place in range(7):
            assert flow.unseen_at(place) == read.unseen_at(place)
            assert flow.plainly_at(place) == read.plainly_at(place)
    assert unknown <= UNKNOWN[rounds]
    assert asked[0] <= DEMANDS[rounds]
