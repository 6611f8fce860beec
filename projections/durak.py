"""What a Durak score sheet tells of a deal, and the three ways to name a winner.

The game has a loser and no winner; the French text names three ways to have one all the same: by
the sum of places, by who was first most often, by who was durak least often.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from projections.score_sheet import FactColumn, FactValue
from schemas.durak import Detail


class DurakFacts:
    """The facts of a deal: who was durak (nobody after a draw) and everybody's place."""

    columns = (
        FactColumn(name="durak", kind="seat"),
        FactColumn(name="places", kind="per_seat"),
    )

    def facts(self, detail: Detail) -> Mapping[str, FactValue]:
        """Tell the facts of an ended deal (`durak.end`, `durak.drawn`, `durak.teams`)."""
        return {"durak": detail.durak, "places": places(detail)}

    def standings(self, details: Iterable[Detail], seats: int) -> Mapping[str, tuple[int, ...]]:
        """Tell, per seat, the sum of places, how often first and how often durak."""
        ways = three_ways(details, seats)
        return {"place_sums": ways.place_sums, "firsts": ways.firsts, "duraks": ways.duraks}


class ThreeWays(Struct, frozen=True):
    """Per seat: the sum of places, how often first (shared too), how often durak."""

    place_sums: tuple[int, ...]
    firsts: tuple[int, ...]
    duraks: tuple[int, ...]


def places(detail: Detail) -> tuple[int, ...]:
    """Return each seat's place: 1 + the seats ranked before."""
    found: dict[int, int] = {}
    for group in detail.places:
        place = 1 + len(found)
        found |= dict.fromkeys(group, place)
    return tuple(found[seat] for seat in sorted(found))


def three_ways(details: Iterable[Detail], seats: int) -> ThreeWays:
    """Sum the ended deals of a game of `seats`."""
    sums, firsts, duraks = [0] * seats, [0] * seats, [0] * seats
    for detail in details:
        for seat, place in enumerate(places(detail)):
            sums[seat] += place
            firsts[seat] += place == 1
        if detail.durak is not None:
            duraks[detail.durak] += 1
    return ThreeWays(tuple(sums), tuple(firsts), tuple(duraks))
