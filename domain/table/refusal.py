"""Why an entry cannot stand: a value, never an exception; text is made at the edge."""

from collections.abc import Mapping

from msgspec import Struct, field

Fact = str | int


class Refusal(Struct, frozen=True):
    """The clause an entry breaks, and the one earlier entry it cannot stand with, if there is one.

    `contradicts` is a version. `facts` are what the sentence at the edge may name: `seat`, `card`,
    `suit`, `phase`, counts. `suspects`: the versions among which that entry is still to be found,
    the likeliest first, where knowledge of unseen cards refuses (domain/table/citation.py).
    `ruleset` is the game whose sentences say it; empty: those of every game.
    """

    rule: str
    contradicts: int | None = None
    facts: Mapping[str, Fact] = field(default_factory=dict[str, Fact])
    suspects: tuple[int, ...] = ()
    ruleset: str = ""
