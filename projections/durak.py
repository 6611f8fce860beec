"""The score sheet of Durak, with the three ways to name a winner."""

from collections.abc import Iterable, Mapping

from projections.score_sheet import FactColumn, FactValue
from schemas.durak import Detail

PLACE_COLUMNS = ("firsts", "seconds", "thirds", "fourths", "fifths", "sixths")


class DurakFacts:
    """The facts of a deal: the durak (None after a draw) and each seat's place."""

    columns = (
        FactColumn(name="durak", kind="seat"),
        FactColumn(name="places", kind="per_seat"),
    )

    def facts(self, detail: Detail) -> Mapping[str, FactValue]:
        return {"durak": detail.durak, "places": places(detail)}

    def absent(self, _detail: Detail) -> tuple[int, ...]:
        """Return (): everybody plays every deal."""
        return ()

    def standings(self, details: Iterable[Detail], seats: int) -> Mapping[str, tuple[int, ...]]:
        """Return per seat: the sum of places, the number of each place, and how often durak."""
        sums, duraks = [0] * seats, [0] * seats
        times = [[0] * seats for _ in range(seats)]
        for detail in details:
            for seat, place in enumerate(places(detail)):
                sums[seat] += place
                times[place - 1][seat] += 1
            if detail.durak is not None:
                duraks[detail.durak] += 1
        columns = {
            "place_sums": sums,
            **dict(zip(PLACE_COLUMNS, times, strict=False)),
            "duraks": duraks,
        }
        return {name: tuple(counted) for name, counted in columns.items()}


FACTS = DurakFacts()


def places(detail: Detail) -> tuple[int, ...]:
    """Return each seat's place: 1 + the number of seats ranked before it."""
    place_of: dict[int, int] = {}
    for group in detail.places:
        place = 1 + len(place_of)
        place_of |= dict.fromkeys(group, place)
    return tuple(place_of[seat] for seat in sorted(place_of))
