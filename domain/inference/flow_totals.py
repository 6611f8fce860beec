"""Deals of a flow that satisfy all totals, or a proof that there is none."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
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


def solve_in_flow(
    flow: Flow, like: World, is_refuted: Callable[[], bool] = lambda: False
) -> TotalsAnswer:
    """Search for a world of the flow in which every total of `like` is satisfied.

    A backtracking search demands cards at the places of the totals: those with the fewest
    candidates first (fail-first, Haralick and Elliott 1980), in later rounds those with the most
    failures (Boussemart, Hemery, Lecoutre and Sais 2004). A search that ends without an unknown is
    a proof. `is_refuted` is asked after the first round: a search without an answer takes longest.
    """
    world = solve_totals(flow.world(like))
    if world is not None:
        return TotalsAnswer(world)
    rows = _rows(flow, like)
    if are_contradictory(like.totals) or any(row.missing not in row.sums[0] for row in rows):
        return TotalsAnswer(None, refuted=True)
    short_rows = [row for row in rows if len(row.tokens) <= TOKENS_MAX]
    if not short_rows:
        return TotalsAnswer(None)
    failures: Counter[Place] = Counter()
    classes = _classes(flow, like, short_rows)
    for number, budget in enumerate(ROUNDS):
        if number == 1 and is_refuted():
            return TotalsAnswer(None, refuted=True)
        search = _Search(like, budget, classes, budget.demands, failures)
        answer = _run_round(search, flow, short_rows)
        if answer.world is not None or answer.refuted:
            return answer
        if search.left > 0:
            break
    short_rows = [_narrow_row(flow.copy(), row, classes) for row in short_rows]
    if any(row.missing not in row.sums[0] for row in short_rows):
        return TotalsAnswer(None, refuted=True)
    short_rows.sort(key=lambda row: [len(token.candidates) for token in reversed(row.tokens)])
    answer = TotalsAnswer(None)
    for budget in LAST_ROUNDS:
        search = _Search(like, budget, classes, budget.demands, failures)
        answer = _run_round(search, flow, short_rows)
        if answer.world is not None or answer.refuted:
            break
    return answer


def _run_round(search: "_Search", flow: Flow, rows: Sequence[_Row]) -> TotalsAnswer:
    failures = search.failures
    rows = [
        _row_with_sums(row.missing, sorted(row.tokens, key=lambda token: -failures[token.place]))
        for row in rows
    ]
    search.back = [token.place for row in rows for token in row.tokens]
    world = _search_rows(search, flow, rows, 0)
    return TotalsAnswer(world, refuted=world is None and search.proves)


class _Search(Struct):
    """One search: the demands that are left to it, and whether its end proves infeasibility."""

    like: World
    budget: Budget
    classes: Mapping[Cards, int]  # per kind: interchangeable kinds have the same number
    left: int
    failures: Counter[Place]  # per place, in all rounds
    back: list[Place] = field(default_factory=list[Place])  # the places of the demands
    proves: bool = True


def _classes(flow: Flow, like: World, rows: Iterable[_Row]) -> dict[Cards, int]:
    """Return a number of each kind; kinds that can be exchanged in every deal share one.

    They have the same supplies and demands, and the same worth in every total.
    """
    numbers: dict[Hashable, int] = {}
    classes: dict[Cards, int] = {}
    for row in rows:
        for token in row.tokens:
            for copies, _ in token.candidates:
                if copies not in classes:
                    card = copies.bit_length() - 1
                    worth = tuple([total.values[card] for total in like.totals])
                    key = flow.symmetry(copies), worth
                    classes[copies] = numbers.setdefault(key, len(numbers))
    return classes


def _rows(flow: Flow, like: World) -> list[_Row]:
    kinds, reachable_bound = flow.unseen_kinds(), flow.reachable_bound()
    rows: list[_Row] = []
    counted: set[Place] = set()
    for total in reversed(dict.fromkeys(like.totals)):
        if counted.isdisjoint(total.places):
            counted |= total.places
            rows.append(_row_of_total(flow, like, total, kinds, reachable_bound))
    return sorted(
        rows, key=lambda row: (len(row.tokens), [len(token.candidates) for token in row.tokens])
    )


def _row_of_total(
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
    return _row_with_sums(missing, sorted(tokens, key=lambda token: len(token.candidates)))


def _row_with_sums(missing: int, tokens: Sequence[_Token]) -> _Row:
    sums = [frozenset([0])]
    for token in reversed(tokens):
        own = {value for _, value in token.candidates}
        sums.append(frozenset(value + rest for value in own for rest in sums[-1]))
    return _Row(missing, tuple(tokens), tuple(reversed(sums)))


def _narrow_row(flow: Flow, row: _Row, classes: Mapping[Cards, int]) -> _Row:
    """Drop the candidates that cannot leave their place, with one question per class."""
    candidates_at: dict[Place, tuple[tuple[Cards, int], ...]] = {}
    for token in row.tokens:
        if token.place not in candidates_at:
            reachable = flow.reachable().get(token.place, 0)
            class_leaves = {
                classes[copies]: True for copies, _ in token.candidates if copies & reachable
            }
            for copies, _ in token.candidates:
                if classes[copies] not in class_leaves:
                    class_leaves[classes[copies]] = _can_leave(flow, token.place, copies)
            candidates_at[token.place] = tuple(
                (copies, value)
                for copies, value in token.candidates
                if class_leaves[classes[copies]]
            )
    tokens = [_Token(token.place, candidates_at[token.place]) for token in row.tokens]
    return _row_with_sums(row.missing, sorted(tokens, key=lambda token: len(token.candidates)))


def _can_leave(flow: Flow, place: Place, copies: Cards) -> bool:
    allowed = flow.demand(place, copies, ROUTES_FIRST)
    if allowed:
        flow.undo_demand(place)
    return allowed is not False


def _search_rows(search: _Search, flow: Flow, rows: Sequence[_Row], named: Cards) -> World | None:
    if not rows:
        search.left -= WORLD_COST
        world = solve_totals(flow.copy().world(search.like, search.back))
        search.proves = False  # other routes of the same cards may satisfy the totals
        return world
    first, *rest = rows
    for further, also_named in _search_row(search, flow, first, 0, first.missing, 0, named):
        found = _search_rows(search, further, rest, also_named)
        if found is not None:
            return found
    return None


def _search_row(
    search: _Search, flow: Flow, row: _Row, at: int, missing: int, first: int, named: Cards
) -> Iterator[tuple[Flow, Cards]]:
    """Yield flows in which the tokens from `at` on are worth `missing` together.

    Each comes with all cards that the search named. `first` breaks the symmetry of tokens at one
    place: classes before it belong to earlier tokens.
    """
    if at == len(row.tokens):
        yield flow, named
        return
    token, further_sums = row.tokens[at], row.sums[at + 1]
    again = at + 1 < len(row.tokens) and row.tokens[at + 1].place == token.place
    plain = flow.reachable().get(token.place, 0)
    average = missing / (len(row.tokens) - at)
    able = sorted(
        (not copies & plain, abs(value - average), number, copies, value)
        for number, (copies, value) in enumerate(token.candidates)
        if search.classes[copies] >= first and missing - value in further_sums
    )
    fits, misses = False, 0
    tried: set[int] = set()  # classes: what is true of one kind is true of the others
    for _, _, _, copies, value in able:
        kind = search.classes[copies]
        if copies & named:
            if copies & (copies - 1) == 0:
                continue  # another token is this card
        elif kind in tried:
            continue
        else:
            tried.add(kind)
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
            yield from _search_row(
                search, further, row, at + 1, missing - value, kind if again else 0, named | copies
            )
    if not fits:
        search.failures.update([token.place])
