"""Values derived from the evidence of one deal, cached for its most recent versions."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct, field

from domain.inference import all_worlds, evidence, flows
from domain.inference.all_worlds import WorldList
from domain.inference.evidence import Evidence
from domain.inference.flows import Flows
from domain.inference.prices import Effort
from domain.inference.worlds import World

Trail = tuple[Evidence, World, "Trail"] | None  # a piece, the world before it, the pieces before
Value = TypeVar("Value")
# Versions in the cache: the newest, the one before it, and one that was judged but not appended.
TRAILS_CACHED = 3


class PrefixCache(Generic[Value]):
    """A fold over a trail that continues from the longest prefix in its cache."""

    def __init__(
        self,
        begin: Callable[[World], Value],
        extend: Callable[[Value, Sequence[Evidence]], Value],
    ) -> None:
        self._begin = begin
        self._extend = extend
        self._recent: tuple[tuple[Trail, Value], ...] = ()

    def value_at(self, trail: Trail, since: Trail, world: World) -> Value:
        """Return the value after a trail, folded from `since`.

        `world` is the world after the trail.

        `since` must be the same for every trail that continues a cached one.
        """
        pieces: list[Evidence] = []
        at = trail
        while True:
            cached = [value for known, value in self._recent if known is at]
            if cached:
                value = cached[0]
                break
            if at is since or at is None:
                value = self._begin(world)
                break
            piece, world, at = at
            pieces.append(piece)
        if pieces:
            pieces.reverse()
            value = self._extend(value, pieces)
            self._recent = ((trail, value), *self._recent[: TRAILS_CACHED - 1])
        return value


class DealCaches(Struct, frozen=True, eq=False, gc=False):
    """The caches of one deal: all worlds, the relaxed world, the flows.

    `effort` counts the nodes visited while entries were judged.
    """

    effort: Effort = field(default_factory=Effort)

    worlds: PrefixCache[WorldList] = field(
        default_factory=lambda: PrefixCache(all_worlds.begin, all_worlds.extend)
    )
    relaxed: PrefixCache[World] = field(
        default_factory=lambda: PrefixCache(lambda world: world, evidence.relax)
    )
    flows: PrefixCache[Flows | None] = field(
        default_factory=lambda: PrefixCache(flows.begin, flows.extend)
    )
