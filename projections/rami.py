"""What a Rami score sheet tells of a deal: who was out, who had opened, whether nobody else had."""

from collections.abc import Iterable, Mapping
from typing import Literal

from projections.score_sheet import FactColumn, FactValue
from schemas.rami import Detail

Went = Literal["dry", "usual"]


class RamiFacts:
    """The facts of a deal; `went` is `dry` (no loser had opened) or `usual`.

    `opened`: 1 for a seat that had opened, the winner's among them, else 0.
    """

    columns = (
        FactColumn(name="winner", kind="seat"),
        FactColumn(name="went", kind="word"),
        FactColumn(name="opened", kind="yes_per_seat"),
    )

    def facts(self, detail: Detail) -> Mapping[str, FactValue]:
        """Tell the facts of an ended deal (`rami.winner`, `rami.dry`)."""
        went: Went = "dry" if detail.dry else "usual"
        opened = tuple(int(had_opened) for had_opened in detail.opened)
        return {"winner": detail.winner, "went": went, "opened": opened}

    def standings(self, _details: Iterable[Detail], _seats: int) -> Mapping[str, tuple[int, ...]]:
        """Tell nothing more: points name the winner (`rami.win`)."""
        return {}


FACTS = RamiFacts()
