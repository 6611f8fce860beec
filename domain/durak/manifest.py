"""Durak as it declares itself: somebody is left with cards, and nobody wins by the rules."""

from domain.durak.hidden import hidden
from domain.durak.holders import holders
from domain.durak.parts import begins
from domain.durak.rules import RULES
from domain.table.manifest import Manifest, StandingsColumn, Teams
from schemas.durak import Detail, Options

# Partners sit opposite (`durak.teams`).
_SIDES: Teams = ((0, 2), (1, 3))


def _teams(options: Options) -> Teams:
    return _SIDES if options.teams is True else ()


def _duraks(detail: Detail, seats: int) -> tuple[int, ...]:
    return tuple(int(seat == detail.durak) for seat in range(seats))


MANIFEST = Manifest(
    rules=RULES,
    won=False,
    teams=_teams,
    holders=holders,
    hidden=hidden,
    begins=begins,
    counted=(StandingsColumn(name="duraks", once="durak", of_deal=_duraks),),
)
