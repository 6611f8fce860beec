"""Seats as bit sets, and their order around the table."""

from functools import cache

Seats = int

# Partners sit opposite: even seats and odd seats.
SIDES: tuple[Seats, Seats] = (0b010101, 0b101010)


@cache
def clockwise(seats: Seats, first: int) -> tuple[int, ...]:
    """Return the seats of a set clockwise, beginning with `first` or the next one in the set."""
    members = [seat for seat in range(seats.bit_length()) if seats >> seat & 1]
    return tuple(sorted(members, key=lambda seat: (seat < first, seat)))


@cache
def next_seat(seats: Seats, seat: int) -> int | None:
    """Return the next seat of a set to the left of `seat`; None if there is no other."""
    others = clockwise(seats & ~(1 << seat), seat)
    return others[0] if others else None
