"""One feasible deal, kept as a matching of unseen tokens and faces that is repaired stepwise."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from domain.table.cards import Cards, bit_numbers, lowest, union

Place = int


class TokenPool(NamedTuple):
    """Unseen tokens of one place with the same candidates; `assignment` has one card per token."""

    place: Place
    candidates: Cards
    assignment: Cards


class Total(NamedTuple):
    """The constraint that the cards at some places are worth `worth`; `values` by a card's bit."""

    places: frozenset[Place]
    values: tuple[int, ...]
    worth: int

    def missing(self, cards: Mapping[Place, Cards]) -> int:
        """Return the worth that is missing beside some cards at each place."""
        here = [card for place in self.places for card in bit_numbers(cards.get(place, 0))]
        return self.worth - sum(self.values[card] for card in here)


def are_contradictory(totals: Iterable[Total]) -> bool:
    unlike = set(totals)
    return len({(total.places, total.values) for total in unlike}) < len(unlike)


class World(NamedTuple):
    """A bipartite matching of tokens and faces, with the cards whose place is known.

    A *token* is a physical card at a place; a *face* is what is printed on it. The assignments of
    all pools are a partition of `unseen`: a perfect matching, that is one deal, repaired along
    alternating paths (Hall 1935; Berge 1957). It need not satisfy the totals
    (`sum_constraints.solve_totals`).

    Faces seen since may remain in `candidates`: no pool is assigned them, so no path uses them.
    `shuffle_in` removes them before they become unseen again.
    """

    pools: tuple[TokenPool, ...]
    known: Mapping[Place, Cards]
    unseen: Cards
    totals: tuple[Total, ...] = ()


def possible_faces(candidates: Sequence[Cards], held: Sequence[Cards]) -> list[Cards]:
    """Return, for each group of tokens, the faces assigned to its strongly connected component.

    `candidates` and `held` are the faces that the tokens of each group may have, and are assigned.
    A candidate can belong to the group in some perfect matching if and only if the group it is
    assigned to is in the same component (Régin 1994); components come from a transitive closure
    (Warshall 1962).

    >>> [f"{part & may:03b}" for may in (0b011, 0b110) for part in possible_faces([may], [may])]
    ['011', '110']
    >>> possible_faces([0b011, 0b010], [0b001, 0b010]) == [0b001, 0b010]
    True
    """
    alike: dict[Cards, Cards] = {}
    for may, has in zip(candidates, held, strict=True):
        alike[may] = alike.get(may, 0) | has
    if len(alike) == 1:
        return [*alike.values()] * len(candidates)
    assigned = [*alike.values()]
    reached = [sum(1 << at for at, has in enumerate(assigned) if may & has) for may in alike]
    for through in range(len(reached)):
        for start, others in enumerate(reached):
            if others >> through & 1:
                reached[start] = others | reached[through]
    components: dict[Cards, Cards] = {}
    for group, may in enumerate(alike):
        component = assigned[group]
        for at, has in enumerate(assigned):
            if reached[group] >> at & 1 and reached[at] >> group & 1:
                component |= has
        components[may] = component
    return [components[may] for may in candidates]


def cards_by_place(world: World) -> dict[Place, Cards]:
    """Return the cards at each place, known or unseen, in the deal of a world.

    >>> [world] = move_seen(all_unseen(0b11, 0), 0, 0b10, 5)
    >>> cards_by_place(world)
    {5: 2, 0: 1}
    """
    cards_at = dict(world.known)
    for place, _, assignment in world.pools:
        cards_at[place] = cards_at.get(place, 0) | assignment
    return cards_at


def exchangeable_cards(world: World) -> dict[Place, Cards]:
    """Return the cards that exchanges can bring to each place.

    The deal must satisfy all totals. Without totals these are all possible cards; with totals only
    faces of equal worth are exchanged, so that the result is a lower bound.

    >>> [world] = move_unseen(all_unseen(0b11, 0), 0, 1, 1)
    >>> exchangeable_cards(world)
    {0: 3, 1: 3}
    """
    groups: list[tuple[Place, Cards, Cards]] = []
    for place, candidates, assignment in world.pools:
        counted = [total.values for total in world.totals if place in total.places]
        if not counted:
            groups.append((place, candidates & world.unseen, assignment))
            continue
        worth: dict[tuple[int, ...], Cards] = {}
        for card in bit_numbers(candidates & world.unseen):
            key = tuple([values[card] for values in counted])
            worth[key] = worth.get(key, 0) | 1 << card
        groups += [(place, may, may & assignment) for may in worth.values() if may & assignment]
    cards_at = dict(world.known)
    parts = possible_faces([may for _, may, _ in groups], [has for _, _, has in groups])
    for (place, may, _), part in zip(groups, parts, strict=True):
        cards_at[place] = cards_at.get(place, 0) | may & part
    return cards_at


def all_unseen(cards: Cards, place: Place) -> World:
    """Return the world in which all cards are unseen at one place.

    >>> all_unseen(0b11, 0).pools
    (TokenPool(place=0, candidates=3, assignment=3),)
    """
    return World((TokenPool(place, cards, cards),), {}, cards)


def move_seen(
    world: World, source: Place, copies: Cards, target: Place, *, relaxed: bool = False
) -> list[World]:
    """Move one card with a face in `copies` from `source` to `target`, where it is known.

    A card known at `source` is preferred: exchanging it with an equal unseen card turns any other
    deal into one of these. `relaxed`: return at most one world, which admits every deal that an
    exact successor admits, and perhaps others.
    """
    if world.known.get(source, 0) & copies:
        return [mark_seen(world, source, copies, target)]
    origins = _origins(world, source, copies & world.unseen)
    if relaxed and len(origins) > 1:
        world, origin = _merge_origins(world, origins)
        origins = [origin]
    return [
        revealed
        for index, face, _ in origins
        if (revealed := _reveal(world, index, face, target)) is not None
    ]


def mark_seen(world: World, source: Place, copies: Cards, target: Place) -> World:
    known = dict(world.known)
    here = known.get(source, 0) & copies
    face = lowest(here or world.unseen & copies, 1)
    if here:
        known[source] ^= face
    known[target] = known.get(target, 0) | face
    return World(world.pools, known, world.unseen & ~face, world.totals)


class _Origin(NamedTuple):
    """A pool and a face that the card seen can have been.

    `place_bits` has a bit for each pool that may have it.
    """

    pool: int
    face: Cards
    place_bits: int  # a bit a pool


def _origins(world: World, source: Place, faces: Cards) -> list[_Origin]:
    """Return from which pools of a place one of the faces can come, without needless branches."""
    able: list[tuple[int, Cards, Cards]] = []
    every_pool_alike = True
    for index, (place, candidates, assignment) in enumerate(world.pools):
        inside = candidates & faces
        if inside:
            if inside != faces:
                every_pool_alike = False
            if place == source:
                able.append((index, inside, assignment & faces))
    groups = [(0, faces)] if every_pool_alike else _group_by_pools(world.pools, faces)
    origins: list[_Origin] = []
    for place_bits, group in groups:
        for index, inside, held in able:
            own = held & group or inside & group
            if own:
                origins.append(_Origin(index, own & -own, place_bits))
    return origins if len(origins) <= 1 else _undominated(world, origins)


def _group_by_pools(pools: Iterable[TokenPool], faces: Cards) -> Iterable[tuple[int, Cards]]:
    """Return the faces that are candidates of the same pools; per group a bit for each pool."""
    parts: dict[int, Cards] = {}
    while faces:
        face = faces & -faces
        faces ^= face
        pool_bits = 0
        for index, (_, candidates, _) in enumerate(pools):
            if candidates & face:
                pool_bits |= 1 << index
        parts[pool_bits] = parts.get(pool_bits, 0) | face
    return parts.items()


def _undominated(world: World, origins: Iterable[_Origin]) -> list[_Origin]:
    pools, unseen = world.pools, world.unseen
    kept: list[_Origin] = []
    for new in sorted(origins, key=lambda end: (pools[end.pool].candidates & unseen).bit_count()):
        if not any(_dominates(world, other, new) for other in kept):
            kept = [other for other in kept if not _dominates(world, new, other)]
            kept.append(new)
    return kept


def _dominates(world: World, first: _Origin, other: _Origin) -> bool:
    narrow, wide = world.pools[first.pool].candidates, world.pools[other.pool].candidates
    return not first.place_bits & ~other.place_bits and not narrow & world.unseen & ~wide


def _merge_origins(world: World, origins: Sequence[_Origin]) -> tuple[World, _Origin]:
    """Relax several origins to one.

    A token of each pool joins one pool with the union of candidates.

    The faces, copies of one card, become candidates wherever one of them was.
    """
    faces = union(origin.face for origin in origins)
    pools = [
        TokenPool(place, candidates | faces, assignment)
        if candidates & faces
        else TokenPool(place, candidates, assignment)
        for place, candidates, assignment in world.pools
    ]
    pools, index = _merge_one_of_each(pools, sorted({origin.pool for origin in origins}))
    held = pools[index].assignment & faces or faces
    return world._replace(pools=tuple(pools)), _Origin(index, held & -held, 0)


def _merge_one_of_each(
    pools: Sequence[TokenPool], indexes: Sequence[int]
) -> tuple[list[TokenPool], int]:
    """Join a token of each pool in a new one; return all pools and the index of the new one."""
    place, candidates, assignment = pools[indexes[0]].place, 0, 0
    left = list(pools)
    for index in indexes:
        pool = pools[index]
        token = pool.assignment & -pool.assignment
        candidates |= pool.candidates
        assignment |= token
        left[index] = TokenPool(pool.place, pool.candidates, pool.assignment ^ token)
    rest = [pool for pool in left if pool.assignment]
    return [*rest, TokenPool(place, candidates, assignment)], len(rest)


def _reveal(world: World, index: int, face: Cards, target: Place) -> World | None:
    """Return the world in which the pool's token is `face`, now seen; None if it cannot be."""
    pools = list(world.pools)
    place, candidates, assignment = pools[index]
    if assignment & face:
        pools[index] = TokenPool(place, candidates, assignment ^ face)
    else:
        holder = 0
        while not pools[holder].assignment & face:
            holder += 1
        if not _exchange(pools, index, assignment, holder):
            return None
        at, could, has = pools[holder]
        pools[holder] = TokenPool(at, could, has ^ face)
    if not pools[index].assignment:
        del pools[index]
    known = dict(world.known)
    known[target] = known.get(target, 0) | face
    return World(tuple(pools), known, world.unseen ^ face, world.totals)


def _exchange(pools: list[TokenPool], giver: int, gives: Cards, goal: int) -> bool:
    """Move one face of `gives` out of the pool `giver` along an alternating path to `goal`.

    If `goal` is the giver itself, the path is a cycle. `pools` change only on success.
    """
    came: dict[int, tuple[int, Cards]] = {}
    direct = gives & pools[goal].candidates
    if direct:
        _shift(pools, {goal: (giver, direct & -direct)}, giver, goal)
        return True
    frontier = [giver]
    candidates_of = [pool.candidates for pool in pools]
    left = [target for target in range(len(pools)) if target != giver or target == goal]
    for source in frontier:
        out = gives if source == giver else pools[source].assignment
        still: list[int] = []
        for target in left:
            movable = out & candidates_of[target]
            if not movable:
                still.append(target)
                continue
            came[target] = (source, movable & -movable)
            if target == goal:
                _shift(pools, came, giver, goal)
                return True
            frontier.append(target)
        left = still
    return False


def _shift(
    pools: list[TokenPool], came: Mapping[int, tuple[int, Cards]], giver: int, goal: int
) -> None:
    """Move a face along each step of the path from the giver to `goal`."""
    step = goal
    while True:
        source, face = came[step]
        place, candidates, assignment = pools[source]
        pools[source] = TokenPool(place, candidates, assignment & ~face)
        place, candidates, assignment = pools[step]
        pools[step] = TokenPool(place, candidates, assignment | face)
        if source == giver:
            return
        step = source


def fix_card(world: World, place: Place, card: Cards) -> list[World]:
    """Fix one card, which has no equal, at `place`; it stays unseen."""
    if world.known.get(place, 0) & card:
        return [world]
    worlds: list[World] = []
    for seen in move_seen(world, place, card, place):
        known = {**seen.known, place: seen.known[place] ^ card}
        pools = (*seen.pools, TokenPool(place, card, card))
        worlds.append(World(pools, known, seen.unseen | card, seen.totals))
    return worlds


def rule_out(world: World, place: Place, cards: Cards) -> list[World]:
    """Forbid `cards` at `place`.

    >>> [world] = move_unseen(all_unseen(0b11, 0), 0, 1, 1)
    >>> exchangeable_cards(rule_out(world, 1, 0b01)[0])
    {0: 1, 1: 2}
    >>> rule_out(world, 1, 0b11)
    []
    """
    if world.known.get(place, 0) & cards:
        return []
    pools = list(world.pools)
    for index, pool in enumerate(pools):
        if pool.place == place:
            pools[index] = pool._replace(candidates=pool.candidates & ~cards)
    for index in range(len(pools)):
        while pools[index].place == place and (wrong := pools[index].assignment & cards):
            if not _exchange(pools, index, wrong & -wrong, index):
                return []
    return [World(tuple(pools), world.known, world.unseen, world.totals)]


def move_unseen(
    world: World, source: Place, target: Place, count: int, *, relaxed: bool = False
) -> list[World]:
    """Move `count` cards face down; `relaxed` as for `move_seen`."""
    worlds = [shuffle_in(world, source)] if world.known.get(source) else [world]
    own = [pool for pool in worlds[0].pools if pool.place == source]
    if len(own) == 1 and own[0].assignment.bit_count() >= count:
        return [_split(worlds[0], own[0], target, count)]
    if not relaxed:
        return list(_splits(worlds[0], own, target, count))
    moved: World | None = worlds[0]
    for _ in range(count):
        moved = moved and _move_one_relaxed(moved, source, target)
    return [moved] if moved else []


def _splits(world: World, pools: Sequence[TokenPool], target: Place, count: int) -> Iterator[World]:
    """Yield the world for each way to take `count` cards from several pools."""
    if not count:
        yield world
        return
    if not pools:
        return
    first, *others = pools
    left = sum(pool.assignment.bit_count() for pool in others)
    for taken in range(min(count, first.assignment.bit_count()), max(0, count - left) - 1, -1):
        after = _split(world, first, target, taken) if taken else world
        yield from _splits(after, others, target, count - taken)


def _move_one_relaxed(world: World, source: Place, target: Place) -> World | None:
    """Move an unseen card from any pool of a place, in one world for all of them."""
    own = [index for index, pool in enumerate(world.pools) if pool.place == source]
    if not own:
        return None
    pools, joined = _merge_one_of_each(world.pools, own)
    return _split(world._replace(pools=tuple(pools)), pools[joined], target, 1)


def _split(world: World, pool: TokenPool, target: Place, count: int) -> World:
    moved = lowest(pool.assignment, count)
    pools = [other for other in world.pools if other is not pool]
    if pool.assignment != moved:
        pools.append(TokenPool(pool.place, pool.candidates, pool.assignment ^ moved))
    joined = _merge_pool(pools, TokenPool(target, pool.candidates, moved))
    return World(joined, world.known, world.unseen, world.totals)


def _merge_pool(pools: list[TokenPool], new: TokenPool) -> tuple[TokenPool, ...]:
    for index, pool in enumerate(pools):
        if pool.place == new.place and pool.candidates == new.candidates:
            pools[index] = TokenPool(pool.place, pool.candidates, pool.assignment | new.assignment)
            return tuple(pools)
    return (*pools, new)


def shuffle_in(world: World, place: Place) -> World:
    """Shuffle the known cards at `place` into the pool there.

    Exact for places with one pool: the known faces are removed from the candidates of all other
    pools, so that they are among the shuffled tokens, in any order.
    """
    cards = world.known.get(place, 0)
    if not cards:
        return world
    known = {at: there for at, there in world.known.items() if at != place}
    pools = [
        TokenPool(at, candidates & ~cards, assignment) for at, candidates, assignment in world.pools
    ]
    for index, pool in enumerate(pools):
        if pool.place == place:
            pools[index] = TokenPool(place, pool.candidates | cards, pool.assignment | cards)
            break
    else:
        pools.append(TokenPool(place, cards, cards))
    return World(tuple(pools), known, world.unseen | cards, world.totals)


def move_all(world: World, source: Place, target: Place) -> World:
    """Move all cards at one place, known and unseen, to another."""
    known = dict(world.known)
    if cards := known.pop(source, 0):
        known[target] = known.get(target, 0) | cards
    pools = world.pools
    for pool in world.pools:
        if pool.place == source:
            others = [other for other in pools if other is not pool]
            pools = _merge_pool(others, TokenPool(target, pool.candidates, pool.assignment))
    return World(pools, known, world.unseen, world.totals)


def swap(world: World, one: Place, other: Place) -> World:
    """Exchange the contents of two places.

    >>> swap(all_unseen(0b11, 0), 0, 1).pools[0].place
    1
    """
    turned = {one: other, other: one}
    pools = tuple(
        TokenPool(turned.get(at, at), candidates, assignment)
        for at, candidates, assignment in world.pools
    )
    known = {turned.get(place, place): cards for place, cards in world.known.items()}
    return World(pools, known, world.unseen, world.totals)
