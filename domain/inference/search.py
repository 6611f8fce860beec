"""Whether any way that evidence can have gone fits all of it.

Needed only where a piece of evidence does not say which of unlike tokens moved, and the way taken
first turns out wrong; where all that is unknown is which lot cards came from,
`domain.inference.lots` answers in its place. It is chronological backtracking: the fork nearest to
the end is taken another way first. Two things keep it short: a way is tried only if everything
after it fits at least one relaxed world that admits more than is true (a bound by relaxation); and
of worlds that nothing later tells apart one is tried (symmetry breaking by detecting dominance,
Fahle, Schamberger and Sellmann 2001).
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence

from domain.inference.evidence import Evidence, Seen
from domain.inference.sum_constraints import possible
from domain.inference.symmetry import Cells, described, further, refined
from domain.inference.worlds import World
from domain.table.cards import Cards, places

# Pieces of evidence followed: before it is asked whether there can be any way, and in the end.
PIECES_FIRST, PIECES_MAX = 300, 600


def follow(evidence: Evidence, world: World, *, relaxed: bool = False) -> list[World]:
    """Return the worlds that can follow and in which every promised total can be made."""
    worlds_after = evidence.relaxation(world) if relaxed else evidence.after(world)
    if not worlds_after or not worlds_after[0].totals:
        return worlds_after
    return [one for one in worlds_after if possible(one)]


class Relaxation:
    """A world that admits every deal that fits, and perhaps others, made when it is asked for."""

    def __init__(self, make: Callable[[], World]) -> None:
        self._make = make
        self.made: World | None = None

    @property
    def world(self) -> World:
        """The world; some deal fits, so there is one."""
        if self.made is None:
            self.made = self._make()
        return self.made

    def refutes(self, evidence: Evidence) -> bool:
        """Tell whether a card seen does not fit even the relaxed world: then no deal fits."""
        return isinstance(evidence, Seen) and not evidence.relaxation(self.world)


class Ways:
    """What can follow which world, remembered: for searches that differ in the last piece only.

    `whole`, where it is known, admits every deal that fits all the evidence, and perhaps others.
    """

    def __init__(
        self,
        evidence: Sequence[Evidence],
        first: World | None = None,
        whole: Relaxation | None = None,
    ) -> None:
        self.whole = whole
        self._evidence = evidence
        self._start = first  # the world before all of it
        self._parts = _told_apart(evidence)
        self._after: dict[tuple[int, int], tuple[World, list[World]]] = {}
        self._like: dict[tuple[int, int], tuple[World, Hashable, Cells]] = {}
        self._ends: dict[tuple[int, int], tuple[World, World | None, int]] = {}

    def after(self, at: int, world: World) -> list[World]:
        """Return what `follow` returns for a piece."""
        found = self._after.get((at, id(world)))
        if found is None:  # the world is kept beside, so that no other gets its id
            found = world, follow(self._evidence[at], world)
            self._after[at, id(world)] = found
        return found[1]

    def relaxation(self, start: int, world: World) -> tuple[World | None, int]:
        """Return a world that admits whatever fits from `start` on, and how many pieces it took."""
        found = self._ends.get((start, id(world)))
        if found is None:
            found = world, *self._end(start, world)
            self._ends[start, id(world)] = found
        return found[1:]

    def like(self, start: int, world: World, also: Iterable[Cards]) -> Hashable:
        """Describe a world as far as pieces from `start` on, or sets of cards, can tell."""
        parts = self._parts[start]
        found = self._like.get((start, id(world)))
        if found is None:
            found = world, *described(world, parts)
            self._like[start, id(world)] = found
        _, alike, cells = found
        return alike, *(further(cells, parts, cards) for cards in also)

    def alike(self, copies: Cards) -> Hashable:
        """Describe a card as far as the first world or any piece tells it apart from others.

        Of cards described alike each can be exchanged for the other in every deal that fits.
        """
        first = self._start
        if first is None or first.totals or copies & ~first.unseen:
            return copies
        found: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        for face in places(copies):
            lies = [at for at, pool in enumerate(first.pools) if pool.candidates >> face & 1]
            told = [at for at, part in enumerate(self._parts[0]) if part >> face & 1]
            found.append((tuple(told), tuple(lies)))
        return tuple(sorted(found))

    def _end(self, start: int, world: World) -> tuple[World | None, int]:
        for taken, piece in enumerate(self._evidence[start:], start=1):
            after = piece.relaxation(world)
            if not after:
                return None, taken
            world = after[0]
        return world, len(self._evidence) - start


class Search:
    """One search for a world that fits all the evidence, trying the ways each piece can have gone.

    A way is tried only if the rest of the evidence fits it relaxed, and only if no world
    like it, as far as the rest of the evidence can tell, has led nowhere. After `most` pieces
    the relaxed world is the answer: what might be true is never refused.
    """

    def __init__(
        self, evidence: list[Evidence], ways: Ways | None = None, most: int = PIECES_MAX
    ) -> None:
        self._evidence = evidence
        self._ways = ways or Ways(evidence[:-1])
        self._told_apart = evidence[-1].told_apart()
        self._first: dict[int, World] = {}  # tried after so many pieces, not described yet
        self._tried: dict[int, set[Hashable]] = {}
        self._left = self._most = most
        self._start: World | None = None  # where all of them begin, until it is asked about
        self._loose: World | None = None

    def run(self, path: list[World]) -> tuple[list[World] | None, bool]:
        """Return worlds that fit, or one relaxed one (true); None when none fits.

        `path` holds the world before each piece as taken so far, of which the last admits nothing;
        the worlds returned stand before each piece and after the last.
        """
        self._start = path[0]
        way = self._nearby(path)
        if way is not None or self._loose is None or self._left > 0:
            return way, False
        return [*path, self._loose], True

    def _nearby(self, path: list[World]) -> list[World] | None:
        """Take forks another way, the nearest to the end first.

        None proves that no way fits, if some pieces are left.
        """
        gone: World | None = None  # what it went on to from there
        for at, world in reversed([*enumerate(path)]):
            self._left -= 1
            after = self._after(at, world)
            if len(after) > 1:
                found = self._down(at + 1, [one for one in after if one != gone])
                if found is not None:
                    return [*path[: at + 1], *found]
            if not self._goes_on():
                return None
            gone = world
        return None

    def _goes_on(self) -> bool:
        if self._left > self._most - PIECES_FIRST:
            return True
        start, self._start = self._start, None
        if start is not None:
            self._loose = self.relaxation(start)
        return self._left > 0 and self._loose is not None

    def _down(self, start: int, after: list[World]) -> list[World] | None:
        """Return a world before each piece from `start` on and after the last, if any fit."""
        ways = [self._promising(after, start)]
        taken: list[World] = []
        while ways and self._goes_on():
            world = next(ways[-1], None)
            if world is None:
                ways.pop()
                continue
            at = start + len(ways) - 1
            del taken[len(ways) - 1 :]
            taken.append(world)
            if at == len(self._evidence):
                return taken
            self._left -= 1
            after = self._after(at, world)
            ways.append(self._promising(after, at + 1) if len(after) > 1 else iter(after))
        return None

    def _after(self, at: int, world: World) -> list[World]:
        last = at == len(self._evidence) - 1
        return follow(self._evidence[at], world) if last else self._ways.after(at, world)

    def _promising(self, after: list[World], start: int) -> Iterator[World]:
        for world in after:
            if self.relaxation(world, start) is not None and self._is_new(world, start):
                yield world

    def _is_new(self, world: World, start: int) -> bool:
        first = self._first.setdefault(start, world)
        if first is world:
            return True
        tried = self._tried.setdefault(start, set())
        if not tried:
            tried.add(self._ways.like(start, first, self._told_apart))
        like = self._ways.like(start, world, self._told_apart)
        new = like not in tried
        tried.add(like)
        return new

    def relaxation(self, world: World, start: int = 0) -> World | None:
        """Return a world that admits every deal in which evidence from `start` on fits a world.

        No more than one world is looked at; None proves that no deal fits.
        """
        if start < len(self._evidence):
            end, taken = self._ways.relaxation(start, world)
            self._left -= taken
            if end is None:
                return None
            self._left -= 1
            after = self._evidence[-1].relaxation(end)
            if not after:
                return None
            world = after[0]
        return world if not world.totals or possible(world) else None


def _told_apart(evidence: Sequence[Evidence]) -> list[Collection[Cards]]:
    parts: list[Collection[Cards]] = [()]
    for piece in reversed(evidence):
        parts.append(refined(parts[-1], piece.told_apart()))
    parts.reverse()
    return parts
