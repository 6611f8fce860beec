"""Proofs about hidden cards from a record (docs/inference.md has method, sources and limits).

Promises: no legal entry is refused and no impossible one accepted, unless `Knowledge.relaxed` or
`PossibleCards.is_unproved` shows that a search reached its limit; answers depend on the evidence
alone; effort is bounded by counted steps, never by time.

Assumes: a `Place` is any small integer, a card is in one place at a time, and cards that are equal
have equal bits in every set that contains one of them (`Pack.copies`).

A deal begins with `knowledge_before_deal`. An entry is turned into pieces of evidence (`Seen`,
`Unseen`, `RuledOut`, `Narrowed`, `Held`, `AllMoved`, `Swapped`, `Shuffled`, `Summed`), which
`Knowledge.learn` adds; the function `learn` also returns the reason of a refusal. A game that
defines a piece of its own uses `World`, `TokenPool` and `rule_out`.
"""

from domain.inference.bounds import Bounds, bounds_of
from domain.inference.counting import deals_that_fit
from domain.inference.dealing import STOCK, learn_hands
from domain.inference.evidence import (
    AllMoved,
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
from domain.inference.knowledge import Knowledge, knowledge_before_deal
from domain.inference.possibility import Holding, Possible, possible
from domain.inference.possible_cards import PossibleCards
from domain.inference.proof import (
    HELD,
    IMPOSSIBLE,
    SEEN,
    JudgedEvidence,
    find_misplaced,
    learn,
    unseen_at,
)
from domain.inference.sum_constraints import solve_totals
from domain.inference.suspicion import suspects
from domain.inference.worlds import Place, TokenPool, Total, World, rule_out

__all__ = [
    "HELD",
    "IMPOSSIBLE",
    "SEEN",
    "STOCK",
    "AllMoved",
    "Bounds",
    "Evidence",
    "Held",
    "Holding",
    "JudgedEvidence",
    "Knowledge",
    "Narrowed",
    "Place",
    "Possible",
    "PossibleCards",
    "RuledOut",
    "Seen",
    "Shuffled",
    "Summed",
    "Swapped",
    "TokenPool",
    "Total",
    "Unseen",
    "World",
    "bounds_of",
    "deals_that_fit",
    "find_misplaced",
    "knowledge_before_deal",
    "learn",
    "learn_hands",
    "possible",
    "rule_out",
    "solve_totals",
    "suspects",
    "unseen_at",
]
