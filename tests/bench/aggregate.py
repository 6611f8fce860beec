"""A peer from PyPI: eventsourcing appends events to an aggregate, and rebuilds it from them.

It judges nothing.
"""

from eventsourcing.domain import Aggregate, event


class Game(Aggregate):
    """The smallest useful aggregate: the cards played."""

    def __init__(self) -> None:
        self.played: list[tuple[int, str]] = []

    @event("CardPlayed")
    def play(self, seat: int, card: str) -> None:
        self.played.append((seat, card))
