"""Reason why an entry is illegal, as a value; the user's text is rendered elsewhere."""

from collections.abc import Mapping

from msgspec import Struct, field

Fact = str | int


class Refusal(Struct, frozen=True):
    """The clause an entry breaks, and the version of the one entry it contradicts, if there is one.

    `facts` are parameters of the sentence: `seat`, `card`, `suit`, `phase`, counts. `suspects` are
    the versions of candidates for `contradicts`, the likeliest first (see
    domain/table/citation.py). `ruleset` selects the game's sentences; empty selects the common
    ones.
    """

    rule: str
    contradicts: int | None = None
    facts: Mapping[str, Fact] = field(default_factory=dict[str, Fact])
    suspects: tuple[int, ...] = ()
    ruleset: str = ""
