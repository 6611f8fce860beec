"""What a record proves about hidden cards (docs/inference.md has method, sources and limits).

Promises: no legal entry is refused and no impossible one accepted, unless `Knowledge.relaxed` or
`PossibleCards.doubted` says that a search gave up; answers depend on the evidence alone; effort is
bounded by counted steps.

Assumes: a `Place` is any small integer, a card is in one place at a time, and cards that are equal
have equal bits in every set that names them (`Pack.copies`).

A deal begins with `nothing_seen`. What an entry shows is evidence (`Seen`, `Unseen`, `RuledOut`,
`Narrowed`, `Held`, `Carried`, `Swapped`, `Shuffled`, `Summed`), which `Knowledge.learn` adds or
`learn` refuses with a reason. `World`, `TokenPool` and `rule_out` are for games with evidence of
their own.
"""

from domain.inference.bounds import Bounds, bounds_of
from domain.inference.counting import deals_that_fit
from domain.inference.evidence import (
    Carried,
    Evidence,
    Held,
    Narrowed,
    RuledOut,
    Seen,
    Shuffled,
    Summed,
    Swapped,
    Unseen,
)
from domain.inference.knowledge import Knowledge, nothing_seen
from domain.inference.possibility import Holding, Possible, possible
from domain.inference.possible_cards import PossibleCards
from domain.inference.proof import HELD, IMPOSSIBLE, SEEN, Shown, learn, misplaced, unseen_at
from domain.inference.suspicion import suspects
from domain.inference.worlds import Place, TokenPool, World, rule_out

__all__ = [
    "HELD",
    "IMPOSSIBLE",
    "SEEN",
    "Bounds",
    "Carried",
    "Evidence",
    "Held",
    "Holding",
    "Knowledge",
    "Narrowed",
    "Place",
    "Possible",
    "PossibleCards",
    "RuledOut",
    "Seen",
    "Shown",
    "Shuffled",
    "Summed",
    "Swapped",
    "TokenPool",
    "Unseen",
    "World",
    "bounds_of",
    "deals_that_fit",
    "learn",
    "misplaced",
    "nothing_seen",
    "possible",
    "rule_out",
    "suspects",
    "unseen_at",
]
