"""The clauses cited by this game, and the check that a waiver switches off."""

from collections.abc import Iterable, Mapping

from domain.table.refusal import Fact, Refusal
from schemas.entries import Entry

REDEAL = "durak.redeal"
FIRST_LEAD = "durak.first-lead"
NEXT_LEAD = "durak.next-lead"
DEALER = "durak.dealer"
DEFENDER = "durak.defender"
MUST_LEAD = "durak.must-lead"
LEAD = "durak.lead"
UNBEATEN = "durak.unbeaten"
TARGET = "durak.target"
RANK = "durak.rank"
WHO_ADDS = "durak.who-adds"
WORD = "durak.word"
LIMIT = "durak.limit"
BEATS = "durak.beats"
TRANSFER = "durak.transfer"
TAKE = "durak.take"
FOUR_AWAY = "durak.four-away"
TURN = "durak.turn"


def first_broken(
    entry: Entry, checks: Iterable[tuple[bool, str]], facts: Mapping[str, Fact]
) -> Refusal | None:
    for broken, clause in checks:
        if broken and clause not in entry.waive:
            return Refusal(clause, facts=facts)
    return None
