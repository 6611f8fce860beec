"""What every game shares: the common entries, whose deal it is, how deals and games end.

`refuse` and `apply` are the one place where an entry is judged and takes effect; an entry of a
game's own is passed on to its rules. Corrections (`take_back`, `amend`) need the whole log:
`domain.table.history`.
"""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.table.refusal import Refusal
from domain.table.rules import Choice, Game, Rules, Situation, Status
from schemas.entries import Adjust, DealEnded, Entry, Finish, GameEnded, Note, Void, is_deal_ended

BETWEEN_DEALS = "deal"
OVER = "over"
TEXT = {"shape": "text"}
# An enum looks its members up anew each time they are named, and these are asked for every entry.
_OPEN, _DECIDED = Status.OPEN, Status.DECIDED


def start(rules: Rules, options: Struct, seats: int, *, exact: bool = True) -> Game:
    """Return a game in which nothing has happened yet."""
    return Game(rules, options, seats, exact, totals=(0,) * seats)


def refuse(game: Game, entry: Entry, version: int) -> Refusal | None:
    """Say why an entry other than a correction cannot stand as `version`, or None.

    Clauses: `table.seat`, `table.phase`, then the game's own.
    """
    if game.status is not _OPEN and not isinstance(entry, Note):
        return Refusal("table.phase", facts={"phase": OVER})
    seat = getattr(entry, "seat", None)  # None or UNSET where an entry leaves it out
    if isinstance(seat, int) and not 0 <= seat < game.seats:
        return Refusal("table.seat", facts={"seat": seat})
    if type(entry) in game.rules.own:
        return game.rules.refuse(game, entry, version)
    if isinstance(entry, Void) and game.deal is None:
        return Refusal("table.phase", facts={"phase": BETWEEN_DEALS})
    return None


def apply(game: Game, entry: Entry, version: int) -> Game:
    """Return the game after a legal entry, derived ones included."""
    if type(entry) in game.rules.own:
        return game.rules.apply(game, entry, version)
    if is_deal_ended(entry):
        return _deal_ended(game, entry)
    match entry:
        case Void():
            return replace(game, deal=None, dealer=game.deal.dealer)
        case Adjust(seat=seat, points=points):
            return replace(game, totals=_added(game.totals, seat, points))
        case Finish():
            return replace(game, deal=None, status=Status.DECIDED)
        case GameEnded():
            return replace(game, status=Status.OVER)
        case _:
            return game


def _added(totals: tuple[int, ...], seat: int, points: int) -> tuple[int, ...]:
    return (*totals[:seat], totals[seat] + points, *totals[seat + 1 :])


def _deal_ended(game: Game, entry: "DealEnded[Any]") -> Game:
    ended = replace(
        game,
        totals=tuple(total + won for total, won in zip(game.totals, entry.points, strict=True)),
        deals=(*game.deals, entry.points),
        details=(*game.details, entry.detail),
        dealer=game.outcome.dealer_next if game.outcome else game.dealer,
        deal=None,
        outcome=None,
    )
    return replace(ended, status=Status.DECIDED) if game.rules.decided(ended) else ended


def due(game: Game) -> Entry | None:
    """Return the entry the service must write now, if any: `deal_ended`, then `game_ended`."""
    if game.outcome is not None:
        outcome = game.outcome
        return DealEnded(deal=len(game.deals) + 1, points=outcome.points, detail=outcome.detail)
    if game.status is _DECIDED:
        return GameEnded(totals=game.totals, ranking=game.rules.ranking(game))
    return None


def refuse_dealer(game: Game, entry: Entry, dealer: int) -> Refusal | None:
    """Judge who deals: `table.seat`, then `table.dealer` (free until somebody has dealt)."""
    if not 0 <= dealer < game.seats:
        return Refusal("table.seat", facts={"seat": dealer})
    if game.dealer is not None and dealer != game.dealer and "table.dealer" not in entry.waive:
        return Refusal("table.dealer", facts={"seat": dealer, "dealer": game.dealer})
    return None


def situation(game: Game) -> Situation:
    """Describe the table now; between deals the pack is stock and the next dealer is awaited."""
    if game.deal is not None and game.outcome is None:
        return game.rules.situation(game)
    nobody = (0,) * game.seats
    pack = game.rules.pack_size(game)
    if game.status is not Status.OPEN:
        return Situation(OVER, (), nobody, pack)
    awaited = tuple(range(game.seats)) if game.dealer is None else (game.dealer,)
    return Situation(BETWEEN_DEALS, awaited, nobody, pack)


def choices(game: Game) -> tuple[Choice, ...]:
    """List what may be entered now, corrections aside (contract §3)."""
    note = Choice("note", fields={"text": TEXT})
    if game.status is not Status.OPEN:
        return (note,)
    seats = tuple(range(game.seats))
    common = (
        Choice("adjust", fields={"seat": seats, "points": {"shape": "integer"}, "reason": TEXT}),
        note,
        Choice("finish", fields={"reason": TEXT}),
    )
    void = (Choice("void", fields={"reason": TEXT}),) if game.deal is not None else ()
    return (*game.rules.choices(game), *void, *common)
