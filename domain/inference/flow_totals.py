"""A world of a flow in which all promised totals are made, or a proof that there is none."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from domain.inference.flow import Flow
from domain.inference.routes import ROUTES_FIRST
from domain.inference.sum_constraints import solved
from domain.inference.worlds import Place, Total, World
from domain.table.cards import Cards, places

ROUTES_MORE = 25
TOKENS_MAX = 10  # unseen cards of a total that are named; where more count, exchanges must do
A_WORLD = 20  # a world looked at counts as so many cards put somewhere


class Round(NamedTuple):
    """How much is tried: routes for one card, cards without a route at one place, cards in all.

    The first that have no route in time say little, and all those after them cost as much.
    """

    routes: int
    misses: int
    demands: int


# Those that find out which places are hardest, and those once what has no route is left out.
ROUNDS = (Round(ROUTES_FIRST, 1, 20),) * 4
LAST_ROUNDS = (Round(ROUTES_FIRST, 2, 300), Round(ROUTES_MORE, 2, 100))


class Made(NamedTuple):
    """A world in which the totals are made; `refuted`: no deal makes them. Neither: not known."""

    world: World | None
    refuted: bool = False


class _Token(NamedTuple):
    """An unseen card that counts: where it is, and what it can be, with what that is worth."""

    place: Place
    able: tuple[tuple[Cards, int], ...]


class _Row(NamedTuple):
    """What the unseen cards of a total must be worth, and what each and all after it can be."""

    missing: int
    tokens: tuple[_Token, ...]
    sums: tuple[frozenset[int], ...]


def world_that_makes(flow: Flow, like: World) -> Made:
    """Look for a world of the flow's deals in which every total of `like` can be made.

    Cards that make the totals are demanded at the places counted, one after another: totals and
    places with the fewest choices first (fail-first, Haralick and Elliott 1980), in later rounds
    those where nothing fitted most often (Boussemart, Hemery, Lecoutre and Sais 2004). A search
    that ends without a doubt is a proof.
    """
    world = solved(flow.world(like))
    if world is not None:
        return Made(world)
    rows = _rows(flow, like)
    promised = {(total.places, total.values): total.worth for total in like.totals}
    if any(promised[one.places, one.values] != one.worth for one in like.totals):
        return Made(None, refuted=True)
    if any(row.missing not in row.sums[0] for row in rows):
        return Made(None, refuted=True)
    few = [row for row in rows if len(row.tokens) <= TOKENS_MAX]
    if not few:
        return Made(None)
    stuck: Counter[Place] = Counter()
    for most in ROUNDS:
        trying = _Trying(like, most, most.demands, stuck)
        found = _round(trying, flow, few)
        if found.world is not None or found.refuted:
            return found
        if trying.left > 0:
            break
    few = [_narrowed(flow.copy(), row) for row in few]
    if any(row.missing not in row.sums[0] for row in few):
        return Made(None, refuted=True)
    few.sort(key=lambda row: [len(one.able) for one in reversed(row.tokens)])
    found = Made(None)
    for most in LAST_ROUNDS:
        found = _round(_Trying(like, most, most.demands, stuck), flow, few)
        if found.world is not None or found.refuted:
            break
    return found


def _round(trying: "_Trying", flow: Flow, rows: Sequence[_Row]) -> Made:
    often = trying.stuck
    rows = [
        _of_tokens(row.missing, sorted(row.tokens, key=lambda one: -often[one.place]))
        for row in rows
    ]
    trying.back = [token.place for row in rows for token in row.tokens]
    world = _named(trying, flow, rows)
    return Made(world, refuted=world is None and trying.proves)


class _Trying(Struct):
    """One search: how many cards may still be put somewhere, and whether it proves anything."""

    like: World
    most: Round
    left: int
    stuck: Counter[Place]  # how often nothing fit there, in this search or an earlier one
    back: list[Place] = field(default_factory=list[Place])  # where cards were named
    proves: bool = True  # that there is no world, once all have been tried


def _rows(flow: Flow, like: World) -> list[_Row]:
    kinds, upstream = flow.kinds(), flow.upstream()
    rows: list[_Row] = []
    counted: set[Place] = set()
    for total in reversed(dict.fromkeys(like.totals)):
        if counted.isdisjoint(total.places):
            counted |= total.places
            rows.append(_row(flow, like, total, kinds, upstream))
    return sorted(rows, key=lambda row: (len(row.tokens), [len(one.able) for one in row.tokens]))


def _row(
    flow: Flow, like: World, total: Total, kinds: Sequence[Cards], upstream: Mapping[Place, Cards]
) -> _Row:
    values = total.values
    worth = [(copies, values[copies.bit_length() - 1]) for copies in kinds]
    tokens: list[_Token] = []
    missing = total.worth
    for place in sorted(total.places):
        missing -= sum(values[card] for card in places(like.known.get(place, 0)))
        able = upstream.get(place, 0)
        token = _Token(place, tuple((copies, value) for copies, value in worth if copies & able))
        tokens += [token] * flow.unseen_at(place)
    return _of_tokens(missing, sorted(tokens, key=lambda one: len(one.able)))


def _of_tokens(missing: int, tokens: Sequence[_Token]) -> _Row:
    sums = [frozenset([0])]
    for token in reversed(tokens):
        own = {value for _, value in token.able}
        sums.append(frozenset(value + rest for value in own for rest in sums[-1]))
    return _Row(missing, tuple(tokens), tuple(reversed(sums)))


def _narrowed(flow: Flow, row: _Row) -> _Row:
    left: dict[Place, tuple[tuple[Cards, int], ...]] = {}
    for token in row.tokens:
        if token.place not in left:
            plain = flow.unblocked().get(token.place, 0)
            left[token.place] = tuple(
                (copies, value)
                for copies, value in token.able
                if copies & plain or _can_leave(flow, token.place, copies)
            )
    tokens = [_Token(one.place, left[one.place]) for one in row.tokens]
    return _of_tokens(row.missing, sorted(tokens, key=lambda one: len(one.able)))


def _can_leave(flow: Flow, place: Place, copies: Cards) -> bool:
    found = flow.demand(place, copies, ROUTES_FIRST)
    if found:
        flow.put_back(place)
    return found is not False


def _named(trying: _Trying, flow: Flow, rows: Sequence[_Row]) -> World | None:
    if not rows:
        trying.left -= A_WORLD
        world = solved(flow.copy().world(trying.like, trying.back))
        trying.proves = False  # where it is none, other routes for the same cards may make it
        return world
    first, *rest = rows
    for named in _row_named(trying, flow, first, 0, first.missing, 0):
        found = _named(trying, named, rest)
        if found is not None:
            return found
    return None


def _row_named(
    trying: _Trying, flow: Flow, row: _Row, at: int, missing: int, first: int
) -> Iterator[Flow]:
    """Yield flows in which the cards of a row from one on were seen, worth so much together.

    `first`: of cards at one place those before it were tried for an earlier one.
    """
    if at == len(row.tokens):
        yield flow
        return
    token, further_sums = row.tokens[at], row.sums[at + 1]
    again = at + 1 < len(row.tokens) and row.tokens[at + 1].place == token.place
    plain = flow.unblocked().get(token.place, 0)
    average = missing / (len(row.tokens) - at)
    able = sorted(
        (not copies & plain, abs(value - average), number, copies, value)
        for number, (copies, value) in enumerate(token.able)
        if number >= first and missing - value in further_sums
    )
    fits, misses = False, 0
    for _, _, number, copies, value in able:
        if trying.left <= 0 or misses >= trying.most.misses or flow.effort.spent:
            trying.proves = False
            return
        trying.left -= 1
        further = flow.copy()
        seen = further.demand(token.place, copies, trying.most.routes)
        if seen is None:
            misses += 1
            trying.proves = False
        elif seen:
            fits = True
            after = number if again else 0
            yield from _row_named(trying, further, row, at + 1, missing - value, after)
    if not fits:
        trying.stuck.update([token.place])
