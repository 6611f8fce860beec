"""The score sheet of Rami: winner, openings, dry wins."""

from collections.abc import Iterable, Mapping
from typing import Literal

from projections.score_sheet import FactColumn, FactValue
from schemas.rami import Detail

Went = Literal["dry", "usual"]


class RamiFacts:
    """The facts of a deal; `went` is `dry` (no loser had opened) or `usual`.

    `opened`: 1 for a seat that had opened, the winner included, else 0.
    """

    columns = (
        FactColumn(name="winner", kind="seat"),
        FactColumn(name="went", kind="word"),
        FactColumn(name="opened", kind="yes_per_seat"),
    )

    def facts(self, detail: Detail) -> Mapping[str, FactValue]:
        went: Went = "dry" if detail.dry else "usual"
        opened = tuple(int(had_opened) for had_opened in detail.opened)
        return {"winner": detail.winner, "went": went, "opened": opened}

    def absent(self, _detail: Detail) -> tuple[int, ...]:
        """Return (): everybody plays every deal."""
        return ()

    def standings(self, _details: Iterable[Detail], _seats: int) -> Mapping[str, tuple[int, ...]]:
        return {}


FACTS = RamiFacts()
