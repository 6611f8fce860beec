"""What a Dutch score sheet tells of a deal: who called, who countered, what the rows were worth."""

from collections.abc import Iterable, Mapping

from projections.score_sheet import FactColumn, FactValue
from schemas.dutch import Detail


class DutchFacts:
    """The facts of a deal; `caller` None: a row ran empty. `rows` are worth so much undoubled."""

    columns = (
        FactColumn(name="caller", kind="seat"),
        FactColumn(name="counter", kind="seat"),
        FactColumn(name="rows", kind="per_seat"),
    )

    def facts(self, detail: Detail) -> Mapping[str, FactValue]:
        """Tell the facts of an ended deal (`dutch.score-caller`, `dutch.score-counter`)."""
        return {"caller": detail.caller, "counter": detail.counter, "rows": detail.totals}

    def standings(self, _details: Iterable[Detail], _seats: int) -> Mapping[str, tuple[int, ...]]:
        """Tell nothing more: points name the winner (`dutch.win`)."""
        return {}


FACTS = DutchFacts()
