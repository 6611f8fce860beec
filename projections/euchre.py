"""The score sheet of Euchre: maker, trump, tricks and outcome."""

from collections.abc import Iterable, Mapping
from typing import Literal

from domain.euchre.state import CARDS_EACH
from projections.score_sheet import FactColumn, FactValue
from schemas.euchre import Detail

Went = Literal["made", "march", "euchred", "passed_out"]


class EuchreFacts:
    """The facts of a deal; `went` is `made`, `march` (all tricks), `euchred` or `passed_out`."""

    columns = (
        FactColumn(name="maker", kind="seat"),
        FactColumn(name="trump", kind="suit"),
        FactColumn(name="tricks", kind="per_seat", first="maker"),
        FactColumn(name="went", kind="word"),
    )

    def facts(self, detail: Detail) -> Mapping[str, FactValue]:
        return {
            "maker": detail.maker,
            "trump": detail.trump,
            "tricks": None if detail.maker is None else detail.tricks,
            "went": outcome_of(detail),
        }

    def absent(self, _detail: Detail) -> tuple[int, ...]:
        """Return (): everybody plays every deal."""
        return ()

    def standings(self, _details: Iterable[Detail], _seats: int) -> Mapping[str, tuple[int, ...]]:
        return {}


FACTS = EuchreFacts()


def outcome_of(detail: Detail) -> Went:
    """Return the outcome of a deal for the maker."""
    if detail.maker is None:
        return "passed_out"
    if detail.euchred:
        return "euchred"
    return "march" if detail.tricks[detail.maker] == CARDS_EACH else "made"
