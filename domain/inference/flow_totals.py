"""Deals of a flow that satisfy all totals, or a proof that there is none."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from domain.inference.flow import Flow
from domain.inference.routes import ROUTES_FIRST
from domain.inference.sum_constraints import solve_totals
from domain.inference.worlds import Place, Total, World, are_contradictory
from domain.table.cards import Cards

# Totals with more unseen cards are only tried by exchanges in one deal: the search is exponential.
TOKENS_MAX = 10
WORLD_COST = 20  # solving the totals of one world takes as long as so many demands


class Budget(NamedTuple):
    """Limits of one search: routes of a demand, unknown demands at one place, demands in all."""

    routes: int
    misses: int
    demands: int


# Short rounds find the hardest places, which later ones try first. Without them no answer of the 25
# worst games known changes, but four judgements of Dutch take two to five times as many steps.
ROUNDS = (Budget(ROUTES_FIRST, 1, 20),) * 4
# Many demands with few routes each, then fewer with more routes.
LAST_ROUNDS = (Budget(ROUTES_FIRST, 2, 300), Budget(25, 2, 100))


class TotalsAnswer(NamedTuple):
    """A world that satisfies the totals, or a proof that none does (`refuted`), or neither."""

    world: World | None
    refuted: bool = False


class _Token(NamedTuple):
    """An unseen card of a total: its place, and its candidates with their worth."""

    place: Place
    candidates: tuple[tuple[Cards, int], ...]


class _Row(NamedTuple):
    """A total: what its tokens must be worth, and subset sums of each token and those after it."""

    missing: int
    tokens: tuple[_Token, ...]
    sums: tuple[frozenset[int], ...]


def solve_in_flow(flow: Flow, like: World) -> TotalsAnswer:
    """Search for a world of the flow in which every total of `like` is satisfied.

    A backtracking search demands cards at the places of the totals: those with the fewest
    candidates first (fail-first, Haralick and Elliott 1980), in later rounds those with the most
    failures (Boussemart, Hemery, Lecoutre and Sais 2004). A search that ends without an unknown is
    a proof.
    """
    world = solve_totals(flow.world(like))
    if world is not None:
        return TotalsAnswer(world)
    rows = _rows(flow, like)
    if are_contradictory(like.totals) or any(row.missing not in row.sums[0] for row in rows):
        return TotalsAnswer(None, refuted=True)
    few = [row for row in rows if len(row.tokens) <= TOKENS_MAX]
    if not few:
        return TotalsAnswer(None)
    failures: Counter[Place] = Counter()
    for budget in ROUNDS:
        search = _Search(like, budget, budget.demands, failures)
        found = _run_round(search, flow, few)
        if found.world is not None or found.refuted:
            return found
        if search.left > 0:
            break
    few = [_narrow_row(flow.copy(), row) for row in few]
    if any(row.missing not in row.sums[0] for row in few):
        return TotalsAnswer(None, refuted=True)
    few.sort(key=lambda row: [len(one.candidates) for one in reversed(row.tokens)])
    found = TotalsAnswer(None)
    for budget in LAST_ROUNDS:
        found = _run_round(_Search(like, budget, budget.demands, failures), flow, few)
        if found.world is not None or found.refuted:
            break
    return found


def _run_round(search: "_Search", flow: Flow, rows: Sequence[_Row]) -> TotalsAnswer:
    failures = search.failures
    rows = [
        _row_of(row.missing, sorted(row.tokens, key=lambda one: -failures[one.place]))
        for row in rows
    ]
    search.back = [token.place for row in rows for token in row.tokens]
    world = _search_rows(search, flow, rows)
    return TotalsAnswer(world, refuted=world is None and search.proves)


class _Search(Struct):
    """One search: the demands that are left to it, and whether its end proves infeasibility."""

    like: World
    budget: Budget
    left: int
    failures: Counter[Place]  # per place, in all rounds
    back: list[Place] = field(default_factory=list[Place])  # the places of the demands
    proves: bool = True


def _rows(flow: Flow, like: World) -> list[_Row]:
    kinds, reachable_bound = flow.unseen_kinds(), flow.reachable_bound()
    rows: list[_Row] = []
    counted: set[Place] = set()
    for total in reversed(dict.fromkeys(like.totals)):
        if counted.isdisjoint(total.places):
            counted |= total.places
            rows.append(_row(flow, like, total, kinds, reachable_bound))
    return sorted(
        rows, key=lambda row: (len(row.tokens), [len(one.candidates) for one in row.tokens])
    )


def _row(
    flow: Flow,
    like: World,
    total: Total,
    kinds: Sequence[Cards],
    reachable_bound: Mapping[Place, Cards],
) -> _Row:
    values = total.values
    worth = [(copies, values[copies.bit_length() - 1]) for copies in kinds]
    tokens: list[_Token] = []
    for place in sorted(total.places):
        candidates = reachable_bound.get(place, 0)
        token = _Token(
            place, tuple((copies, value) for copies, value in worth if copies & candidates)
        )
        tokens += [token] * flow.unseen_at(place)
    missing = total.missing(like.known)
    return _row_of(missing, sorted(tokens, key=lambda one: len(one.candidates)))


def _row_of(missing: int, tokens: Sequence[_Token]) -> _Row:
    sums = [frozenset([0])]
    for token in reversed(tokens):
        own = {value for _, value in token.candidates}
        sums.append(frozenset(value + rest for value in own for rest in sums[-1]))
    return _Row(missing, tuple(tokens), tuple(reversed(sums)))


def _narrow_row(flow: Flow, row: _Row) -> _Row:
    left: dict[Place, tuple[tuple[Cards, int], ...]] = {}
    for token in row.tokens:
        if token.place not in left:
            plain = flow.reachable().get(token.place, 0)
            left[token.place] = tuple(
                (copies, value)
                for copies, value in token.candidates
                if copies & plain or _can_leave(flow, token.place, copies)
            )
    tokens = [_Token(one.place, left[one.place]) for one in row.tokens]
    return _row_of(row.missing, sorted(tokens, key=lambda one: len(one.candidates)))


def _can_leave(flow: Flow, place: Place, copies: Cards) -> bool:
    found = flow.demand(place, copies, ROUTES_FIRST)
    if found:
        flow.undo_demand(place)
    return found is not False


def _search_rows(search: _Search, flow: Flow, rows: Sequence[_Row]) -> World | None:
    if not rows:
        search.left -= WORLD_COST
        world = solve_totals(flow.copy().world(search.like, search.back))
        search.proves = False  # other routes of the same cards may satisfy the totals
        return world
    first, *rest = rows
    for named in _search_row(search, flow, first, 0, first.missing, 0):
        found = _search_rows(search, named, rest)
        if found is not None:
            return found
    return None


def _search_row(
    search: _Search, flow: Flow, row: _Row, at: int, missing: int, first: int
) -> Iterator[Flow]:
    """Yield flows in which the tokens from `at` on are worth `missing` together.

    `first` breaks the symmetry of tokens at one place: candidates before it belong to earlier
    tokens.
    """
    if at == len(row.tokens):
        yield flow
        return
    token, further_sums = row.tokens[at], row.sums[at + 1]
    again = at + 1 < len(row.tokens) and row.tokens[at + 1].place == token.place
    plain = flow.reachable().get(token.place, 0)
    average = missing / (len(row.tokens) - at)
    able = sorted(
        (not copies & plain, abs(value - average), number, copies, value)
        for number, (copies, value) in enumerate(token.candidates)
        if number >= first and missing - value in further_sums
    )
    fits, misses = False, 0
    for _, _, number, copies, value in able:
        if search.left <= 0 or misses >= search.budget.misses or flow.effort.spent:
            search.proves = False
            return
        search.left -= 1
        further = flow.copy()
        seen = further.demand(token.place, copies, search.budget.routes)
        if seen is None:
            misses += 1
            search.proves = False
        elif seen:
            fits = True
            after = number if again else 0
            yield from _search_row(search, further, row, at + 1, missing - value, after)
    if not fits:
        search.failures.update([token.place])
