"""The score sheet of Dutch: caller, counter and the values of the rows."""

from collections.abc import Iterable, Mapping

from projections.score_sheet import FactColumn, FactValue
from schemas.dutch import Detail


class DutchFacts:
    """The facts of a deal. `caller` None: a row ran empty. `rows` are values before doubling."""

    columns = (
        FactColumn(name="caller", kind="seat"),
        FactColumn(name="counter", kind="seat"),
        FactColumn(name="rows", kind="per_seat"),
    )

    def facts(self, detail: Detail) -> Mapping[str, FactValue]:
        return {"caller": detail.caller, "counter": detail.counter, "rows": detail.totals}

    def absent(self, _detail: Detail) -> tuple[int, ...]:
        """Return (): everybody plays every deal."""
        return ()

    def standings(self, _details: Iterable[Detail], _seats: int) -> Mapping[str, tuple[int, ...]]:
        return {}


FACTS = DutchFacts()
