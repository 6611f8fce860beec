"""Who sits next, who defends, who may add and who has the word."""

from collections.abc import Iterator

from domain.durak.state import Bout, Deal
from schemas.durak import Options


def clockwise(seat: int, seats: int) -> Iterator[int]:
    """Yield the other seats in turn, from the left of `seat`."""
    for step in range(1, seats):
        yield (seat + step) % seats


def playing(deal: Deal) -> tuple[int, ...]:
    """Return the seats that hold cards."""
    return tuple([seat for seat, count in enumerate(deal.counts) if count])


def next_of(seats: tuple[int, ...], seat: int, around: int) -> int | None:
    """Return the first of `seats` left of `seat`, None where there is no other."""
    for step in range(1, around):
        if (one := (seat + step) % around) in seats:
            return one
    return None


def defender_of(seats: tuple[int, ...], attacker: int, around: int, *, teams: bool) -> int | None:
    """Return whom a seat attacks (`durak.defender`), None where nobody is left to attack."""
    if teams:
        seats = tuple(seat for seat in seats if (seat - attacker) % 2)
    return next_of(seats, attacker, around)


def adders_of(
    seats: tuple[int, ...], main: int, defender: int, around: int, options: Options
) -> tuple[int, ...]:
    """Return who may add (`durak.who-adds`), clockwise from the main attacker."""
    if options.teams is True:
        allowed = tuple(seat for seat in seats if not (seat - main) % 2)
    elif options.throwers == "all":
        allowed = seats
    else:
        neighbour = next_of(seats, defender, around)
        allowed = () if neighbour is None else (neighbour,)
    return tuple(
        seat
        for seat in (main, *clockwise(main, around))
        if seat != defender and (seat == main or seat in allowed)
    )


def holder(bout: Bout, counts: tuple[int, ...]) -> int | None:
    """Return who has the word: whoever holds no card is passed over (`durak.word`)."""
    first = bout.adders.index(bout.word) if bout.word in bout.adders else 0
    for seat in (*bout.adders[first:], *bout.adders[:first]):
        if counts[seat]:
            return seat
    return None


def may_still_add(bout: Bout, counts: tuple[int, ...]) -> bool:
    """Tell whether anybody can add: the limit leaves room and an adder holds a card."""
    if len(bout.pairs) >= bout.limit:
        return False
    for seat in bout.adders:  # noqa: SIM110 as in bouts: asked after every entry
        if counts[seat]:
            return True
    return False


def with_count(counts: tuple[int, ...], seat: int, change: int) -> tuple[int, ...]:
    """Return the hand sizes with one changed."""
    return (*counts[:seat], counts[seat] + change, *counts[seat + 1 :])
