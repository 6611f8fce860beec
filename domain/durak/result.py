"""The deal in short: in place of a whole deal, or to end one recorded part-way (`table.result`)."""

from msgspec import UNSET
from msgspec.structs import replace

from domain.durak import score
from domain.durak.dealing import refuse_dealer
from domain.durak.score import Places
from domain.durak.state import Deal
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas import durak as entries

RESULT = "table.result"


def refuse_result(game: Game, entry: entries.Result, _version: int) -> Refusal | None:
    """Judge a result: `table.seat`, who dealt, `table.result`."""
    seats = [seat for group in entry.places for seat in group]
    named = seats if entry.durak is None else [*seats, entry.durak]
    for seat in named:
        if not 0 <= seat < game.seats:
            return Refusal("table.seat", facts={"number": seat})
    deal: Deal | None = game.deal
    if deal is None and entry.dealer is not UNSET:
        refusal = refuse_dealer(game, entry, entry.dealer)
        if refusal is not None:
            return refusal
    if not well_formed(game, entry.places, entry.durak):
        return Refusal(RESULT)
    if deal is not None and not agrees(deal, entry):
        return Refusal(RESULT, facts={"dealer": deal.dealer, "phase": deal.phase.value})
    return None


def well_formed(game: Game, places: Places, durak: int | None) -> bool:
    """Tell whether a deal can end like that: each seat once, ties only where the game has them."""
    seats = [seat for group in places for seat in group]
    if sorted(seats) != list(range(game.seats)) or any(len(group) != 1 for group in places[:-1]):
        return False
    last = places[-1]
    sides = {seat % 2 for seat in last}
    teams = game.options.teams is True
    if durak is None:
        return len(last) > 1 and (not teams or len(sides) > 1)
    if durak not in last:
        return False
    return len(last) == 1 or (teams and len(last) * 2 == game.seats and len(sides) == 1)


def agrees(deal: Deal, entry: entries.Result) -> bool:
    """Tell whether a result fits the dealer, those who are out and those who will be.

    With the stock empty, who has laid the last card against the defender goes out before all who
    still hold cards, unless the bout leaves nobody with cards.
    """
    if entry.dealer is not UNSET and entry.dealer != deal.dealer:
        return False
    certain = deal.out
    if not _begins_with(entry.places, certain):
        return False
    if deal.stock or deal.bout is None:
        return True
    emptied = tuple(seat for seat in deal.emptied if seat != deal.bout.defender)
    rest = entry.places[len(certain) :]
    if entry.durak is None and len(rest) == 1:
        return True
    return _begins_with(rest, emptied)


def _begins_with(places: Places, seats: tuple[int, ...]) -> bool:
    """Tell whether the first places are these seats, one a place."""
    return places[: len(seats)] == tuple((seat,) for seat in seats)


def apply_result(game: Game, entry: entries.Result, _version: int) -> Game:
    """End the deal as told; a result that names nobody as dealer leaves it with the rotation."""
    deal: Deal | None = game.deal
    if deal is not None:
        dealer: int | None = deal.dealer
    else:
        dealer = game.dealer if entry.dealer is UNSET else entry.dealer
    return replace(game, outcome=score.outcome(game, entry.places, entry.durak, dealer))
