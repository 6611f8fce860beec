"""Judge a result, entered for a whole deal or to end one recorded in part (`table.result`)."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations

from msgspec import UNSET

from domain.durak import score
from domain.durak.dealing import refuse_dealer
from domain.durak.score import Places
from domain.durak.state import Deal
from domain.table import judgement
from domain.table.judgement import RESULT
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game
from schemas import durak as entries

ENDINGS_KEPT = 256  # lists of orders; the longest, of six players, takes a megabyte


def judge_result(game: Game, entry: entries.Result, _version: int) -> Game | Refusal:
    """Judge a result, which ends the deal: `table.seat`, the dealer, `table.result`."""
    return judgement.end_by_result(
        game,
        entry.dealer,
        _refuse(game, game.deal, entry),
        lambda dealer: score.outcome(game, entry.places, entry.durak, dealer),
    )


def _refuse(game: Game, deal: Deal | None, entry: entries.Result) -> Refusal | None:
    seats = [seat for group in entry.places for seat in group]
    named = seats if entry.durak is None else [*seats, entry.durak]
    for seat in named:
        if not 0 <= seat < game.seats:
            return Refusal("table.seat", facts={"number": seat})
    if deal is None and entry.dealer is not UNSET:
        refusal = refuse_dealer(game, entry, entry.dealer)
        if refusal is not None:
            return refusal
    if not well_formed(game, entry.places, entry.durak):
        return Refusal(RESULT, facts={"why": _why_malformed(game, entry)})
    if deal is not None and not fits_record(deal, entry):
        return Refusal(RESULT, facts=_disagreement(deal, entry))
    return None


def _why_malformed(game: Game, entry: entries.Result) -> str:
    named = [seat for group in entry.places for seat in group]
    if sorted(named) != list(range(game.seats)):
        return "everybody"
    if entry.durak is not None and entry.durak not in entry.places[-1]:
        return "last"
    return "shared"


def _disagreement(deal: Deal, entry: entries.Result) -> dict[str, Fact]:
    if entry.dealer not in {UNSET, deal.dealer}:
        return {"why": "dealer", "dealer": deal.dealer}
    first = enumerate((*deal.out, *_next_out(deal)))
    place, out = next((place, seat) for place, seat in first if entry.places[place] != (seat,))
    return {"why": "out", "seat": out, "number": place + 1}


def well_formed(game: Game, places: Places, durak: int | None) -> bool:
    """Return whether each seat occurs once, with ties only if the options have them."""
    return _well_formed(game.seats, places, durak, teams=game.options.teams is True)


def _well_formed(count: int, places: Places, durak: int | None, *, teams: bool) -> bool:
    seats = [seat for group in places for seat in group]
    if sorted(seats) != list(range(count)) or any(len(group) != 1 for group in places[:-1]):
        return False
    return _may_be_left(count, places[-1], durak, teams=teams)


def _may_be_left(count: int, last: tuple[int, ...], durak: int | None, *, teams: bool) -> bool:
    sides = {seat % 2 for seat in last}
    if durak is None:
        return len(last) > 1 and (not teams or len(sides) > 1)
    if durak not in last:
        return False
    return len(last) == 1 or (teams and len(last) * 2 == count and len(sides) == 1)


def fits_record(deal: Deal, entry: entries.Result) -> bool:
    """Return whether a result fits the dealer and the seats that are out or will be."""
    if entry.dealer is not UNSET and entry.dealer != deal.dealer:
        return False
    return _fits_those_out(entry.places, entry.durak, deal.out, _next_out(deal))


def _next_out(deal: Deal) -> tuple[int, ...]:
    """Return the seat that goes out next unless the bout leaves all hands empty.

    With an empty stock, it is the seat whose last card lies against the defender.
    """
    if deal.stock or deal.bout is None:
        return ()
    return tuple(seat for seat in deal.emptied if seat != deal.bout.defender)


def _fits_those_out(
    places: Places, durak: int | None, out: tuple[int, ...], emptied: tuple[int, ...]
) -> bool:
    if not _begins_with(places, out):
        return False
    rest = places[len(out) :]
    return (durak is None and len(rest) == 1) or _begins_with(rest, emptied)


def endings(game: Game) -> Sequence[tuple[int | None, tuple[Places, ...]]]:
    """Return, per possible durak, the possible orders of the other seats.

    Results are cached: seats are the same at every table.
    """
    deal: Deal | None = game.deal
    teams = game.options.teams is True
    if deal is None:
        return _endings(game.seats, (), (), teams=teams)
    return _endings(game.seats, deal.out, _next_out(deal), teams=teams)


@lru_cache(maxsize=ENDINGS_KEPT)
def _endings(
    seats: int, out: tuple[int, ...], emptied: tuple[int, ...], *, teams: bool
) -> tuple[tuple[int | None, tuple[Places, ...]], ...]:
    found: list[tuple[int | None, tuple[Places, ...]]] = []
    for durak in (None, *range(seats)):
        orders = tuple(
            places
            for places in _orders(seats, out)
            if _may_be_left(seats, places[-1], durak, teams=teams)
            and _fits_those_out(places, durak, out, emptied)
        )
        if orders:
            found.append((durak, orders))
    return tuple(found)


def _orders(seats: int, out: tuple[int, ...]) -> Iterator[Places]:
    """Yield each order in which the seats after `out` can go out, with the last seats together.

    >>> list(_orders(3, (2,)))
    [((2,), (0, 1)), ((2,), (0,), (1,)), ((2,), (1,), (0,))]
    """
    in_play = [seat for seat in range(seats) if seat not in out]
    for count in range(len(in_play)):
        for next_out in permutations(in_play, count):
            left = tuple(seat for seat in in_play if seat not in next_out)
            yield (*((seat,) for seat in (*out, *next_out)), left)


def _begins_with(places: Places, seats: tuple[int, ...]) -> bool:
    return places[: len(seats)] == tuple((seat,) for seat in seats)
