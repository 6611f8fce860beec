"""A world of a flow in which promised totals are made, if one is soon found.

The first tried is the one at hand. Else, where few unseen cards count for the newest total, cards
that make it are put there one after another, and other routes give way to them.
"""

from collections.abc import Iterator, Sequence

from domain.inference.flow import Flow
from domain.inference.routes import ROUTES_FIRST
from domain.inference.sum_constraints import possible
from domain.inference.worlds import Place, World
from domain.table.cards import Cards, places

TOKENS_MAX, DEMANDS_MAX = 5, 400  # unseen cards that count; how often a card is put there

_Kinds = Sequence[tuple[Cards, int]]  # equal cards, and what each is worth


def world_that_makes(flow: Flow, like: World) -> World | None:
    """Return a world of the flow's deals in which every total of `like` can be made.

    None: none was found, which proves nothing.
    """
    world = flow.world(like)
    if not like.totals or possible(world):
        return world
    total = like.totals[-1]
    row = [place for place in sorted(total.places) for _ in range(flow.unseen_at(place))]
    if len(row) > TOKENS_MAX:
        return None
    known = sum(
        total.values[card] for place in total.places for card in places(like.known.get(place, 0))
    )
    kinds = [(cards, total.values[cards.bit_length() - 1]) for cards in flow.kinds()]
    tries = iter(range(DEMANDS_MAX))
    for named in _named(flow, row, total.worth - known, kinds, tries):
        world = named.world(like, row)
        if possible(world):
            return world
    return None


def _named(
    flow: Flow, row: Sequence[Place], missing: int, kinds: _Kinds, tries: Iterator[int]
) -> Iterator[Flow]:
    """Yield flows in which a card at each place of a row was seen, worth so much together."""
    if not row:
        if not missing:
            yield flow
        return
    values = [value for _, value in kinds]
    least, most = min(values) * (len(row) - 1), max(values) * (len(row) - 1)
    for cards, value in kinds:
        if not least <= missing - value <= most:
            continue
        if next(tries, None) is None:
            return
        further = flow.copy()
        if further.demand(row[0], cards, ROUTES_FIRST):
            yield from _named(further, row[1:], missing - value, kinds, tries)
