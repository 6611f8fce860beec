"""The kernel: evidence in, the deals that fit out. Exact.

All that games use of it is named here, and nothing else is imported from outside (a test reads
that off the imports). `nothing_seen` begins a deal; what an entry shows is evidence (`Seen`,
`Unseen`, `RuledOut`, `Narrowed`, `Held`, `Carried`, `Swapped`, `Shuffled`, `Summed`), and `learn`
adds a `Shown` to a `Knowledge`, or says why no deal allows it. `PossibleCards` answers many
questions about one moment. `bounds_of` puts into numbers why points cannot be. `possible` says
where each unseen card can lie, and how many deals fit, which `deals_that_fit` alone says sooner.
`Place` is any small integer a game chooses.

`World`, `TokenPool` and `rule_out` are for a game that brings a kind of evidence of its own.
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
