"""Seats as bit sets, and their order round the table.

Bit i is seat i. The seat to the left of a seat is the next higher one, after the highest seat 0, so
that a set knows its order whatever the number of players.
"""

from functools import cache

Seats = int

# In teams, partners sit opposite: the seats that are even and those that are odd.
SIDES: tuple[Seats, Seats] = (0b010101, 0b101010)


@cache
def clockwise(seats: Seats, first: int) -> tuple[int, ...]:
    """Return the seats of a set in turn: `first`, or whoever of them sits next, and so on."""
    members = [seat for seat in range(seats.bit_length()) if seats >> seat & 1]
    return tuple(sorted(members, key=lambda seat: (seat < first, seat)))


@cache
def next_of(seats: Seats, seat: int) -> int | None:
    """Return the first of a set left of `seat`, None where there is no other."""
    others = clockwise(seats & ~(1 << seat), seat)
    return others[0] if others else None
