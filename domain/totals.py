"""Whether promised totals can be made: counted hands and revealed rows, all together. Exact.

The tokens at the places of a total are given values one by one, highest first, and each choice must
leave a perfect matching; bounds cut what cannot reach the total, and a choice that failed is not
tried again.
"""

from domain.cards import Cards, places
from domain.worlds import Pool, Total, World, exchange

_VALUED = -1  # where a token lies once its value is chosen


def possible(world: World) -> bool:
    """Tell whether some deal that fits the world makes every promised total."""
    return _Search(world).all_made(0, list(world.pools))


class _Search:
    """One search; `_failed` remembers choices that led nowhere."""

    def __init__(self, world: World) -> None:
        self._unseen = world.unseen
        self._totals = world.totals
        self._known = [
            sum(
                total.values[card]
                for place in total.places
                for card in places(world.known.get(place, 0))
            )
            for total in world.totals
        ]
        self._failed: set[tuple[object, ...]] = set()

    def all_made(self, index: int, pools: list[Pool]) -> bool:
        """Make the totals from `index` on."""
        if index == len(self._totals):
            return True
        missing = self._totals[index].worth - self._known[index]
        return self._made(index, pools, missing, None)

    def _made(
        self, index: int, pools: list[Pool], missing: int, last: tuple[Pool, int] | None
    ) -> bool:
        """Give a value to the next token of a total; `last` is the pool and value before it."""
        total = self._totals[index]
        own = [pool for pool in pools if pool.place in total.places]
        if not own:
            return missing == 0 and self.all_made(index + 1, pools)
        key = (index, missing, last and (last[0].may, last[1]), *_signature(pools))
        if key in self._failed or not self._within(total, own, missing):
            return False
        pool = own[0]
        most = last[1] if last and (last[0].place, last[0].may) == (pool.place, pool.may) else None
        for value, faces in self._values(total, pool):
            if value <= missing and (most is None or value <= most):
                fixed = _give(pools, pool, faces)
                if fixed is not None and self._made(index, fixed, missing - value, (pool, value)):
                    return True
        self._failed.add(key)
        return False

    def _values(self, total: Total, pool: Pool) -> list[tuple[int, Cards]]:
        """Group the faces a token of the pool can have by their value, highest first."""
        found: dict[int, Cards] = {}
        for card in places(pool.may & self._unseen):
            value = total.values[card]
            found[value] = found.get(value, 0) | 1 << card
        return sorted(found.items(), reverse=True)

    def _within(self, total: Total, own: list[Pool], missing: int) -> bool:
        """Tell whether the tokens left could make it if each pool had its faces to itself."""
        least = most = 0
        for pool in own:
            values = sorted(total.values[card] for card in places(pool.may & self._unseen))
            count = pool.holds.bit_count()
            least += sum(values[:count])
            most += sum(values[len(values) - count :])
        return least <= missing <= most


def _signature(pools: list[Pool]) -> list[tuple[int, Cards, int]]:
    """Describe pools by what matters to a search: place, faces, how many tokens."""
    return sorted((pool.place, pool.may, pool.holds.bit_count()) for pool in pools)


def _give(pools: list[Pool], pool: Pool, faces: Cards) -> list[Pool] | None:
    """Let one token of a pool have one of `faces`; None when no deal allows it."""
    changed = [other for other in pools if other is not pool]
    held = pool.holds & faces or pool.holds
    face = held & -held
    if pool.holds != face:
        changed.append(pool._replace(holds=pool.holds ^ face))
    changed.append(Pool(_VALUED, pool.may & faces, face))
    index = len(changed) - 1
    if face & faces or exchange(changed, index, face, index):
        return changed
    return None
