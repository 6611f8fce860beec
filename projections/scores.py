"""The score sheet of games by points: the players absent from a round."""

from collections.abc import Iterable, Mapping

from projections.score_sheet import FactColumn, FactValue
from schemas.scores import Detail


class ScoresFacts:
    """The facts of a round: the seat of the one player or the number of those that sat out."""

    columns = (FactColumn(name="absent", kind="count"),)

    def facts(self, detail: Detail) -> Mapping[str, FactValue]:
        """Return the facts of an ended round (`scores.points`)."""
        return {"absent": len(detail.absent)}

    def absent(self, detail: Detail) -> tuple[int, ...]:
        """Return the seats without a number in a round (`scores.points`)."""
        return detail.absent

    def standings(self, _details: Iterable[Detail], _seats: int) -> Mapping[str, tuple[int, ...]]:
        """Return {}: points name the winner (`scores.win`)."""
        return {}


FACTS = ScoresFacts()
