"""What was worked out of one deal, kept so that it is not worked out again: a memo, no knowledge.

Promises: each answer follows from what is asked with, the evidence and the world it began in, and
from nothing else; so does how much effort finding it is worth, which is why nobody may ask whether
something is remembered. With a memo emptied between any two questions every answer is the same, and
later: `tests/domain/inference/test_memo.py` holds that, limits of effort included.

It is the one thing in the domain that is written while a game is judged. It is bounded (a few
moments of a deal), and goes with the deal.
"""

from msgspec import Struct, field

from domain.inference.all_worlds import AllWorlds
from domain.inference.flows import Flows

FEW_WORLDS = 200  # so many are followed where they are to be counted


class Memo(Struct, frozen=True, eq=False, gc=False):
    """The worlds there can be, those where they never were many, and the routes cards may take."""

    worlds: AllWorlds = field(default_factory=AllWorlds)
    few: AllWorlds = field(default_factory=lambda: AllWorlds(FEW_WORLDS))
    flows: Flows = field(default_factory=Flows)
