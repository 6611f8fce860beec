"""The manifest of Durak: one player is left with cards, and the rules name no winner."""

from msgspec import UNSET

from domain.durak.ranks import PACK
from domain.durak.roles import holders
from domain.durak.rules import RULES
from domain.durak.state import STOCK, UNDER, Deal
from domain.table.hidden import Location, hand_locations, make_hidden_finder
from domain.table.manifest import Manifest, StandingsColumn, Teams
from domain.table.parts import Part, make_part_finder
from domain.table.rules import Game
from domain.table.turn_shift import Turns
from schemas import durak as entries
from schemas.durak import Detail, Options

# Partners sit opposite (`durak.teams`).
_SIDES: Teams = ((0, 2), (1, 3))


def _teams(options: Options, _seats: int) -> Teams:
    return _SIDES if options.teams is True else ()


def _duraks_decide(options: Options) -> bool:
    """Return whether totals rank first: places of earlier deals cannot be carried over."""
    return options.winner_by in ("durak", UNSET)


def _duraks(detail: Detail, seats: int) -> tuple[int, ...]:
    return tuple(int(seat == detail.durak) for seat in range(seats))


def _locations(game: Game) -> tuple[Location, ...]:
    return (*hand_locations(game), Location("stock", (STOCK, UNDER)))


def _roles(deal: Deal) -> tuple[int, ...]:
    if deal.bout is not None:
        return deal.bout.main_attacker, deal.bout.defender
    return () if deal.leader is None else (deal.leader,)


MANIFEST = Manifest(
    rules=RULES,
    has_winner=False,
    teams=_teams,
    possible_holders=holders,
    hidden=make_hidden_finder(lambda _: PACK, _locations),
    part_begun_by=make_part_finder(
        Part("dealing", (entries.Deal,)),
        Part("bout", (entries.Attack,), lambda deal: deal.bout is None),
    ),
    turns=Turns((entries.Attack, entries.Beat, entries.PassOn, entries.Take, entries.Done), _roles),
    deals_option="deals",
    correctable=("deals",),
    goes_on=_duraks_decide,
    standings_columns=(StandingsColumn(name="duraks", singular="durak", of_deal=_duraks),),
)
