"""Why knowledge refuses an entry: which clause, and which earlier entry it cannot stand with.

The order: `cards.seen`, `cards.held`, then the clause behind the one conclusion the entry
contradicts, then the clause behind several, else `cards.impossible` (domain/clauses.toml).
Waiving the clause of a conclusion forgets it: first what was concluded about that seat and topic,
then all about that seat, then all that came from the clause. What one entry showed of several hands
is forgotten of all of them.
"""

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from domain.inference.knowledge import Evidence, Knowledge, RuledOut, Seen, conflicts
from domain.table.cards import places
from domain.table.refusal import Fact, Refusal

IMPOSSIBLE = "cards.impossible"


class Shown(Struct, frozen=True):
    """What an entry shows: the evidence, the conclusions drawn from it, whom and what it is about.

    `waived` are the clauses the entry waives; conclusions from a waived clause are left out by the
    caller. `given` is the version that gave the whole hand the cards come from, if one did.
    `unsure`: the entry is judged by all this, but what stays known of it is `unsure` instead.
    """

    evidence: tuple[Evidence, ...]
    seat: int
    topic: str
    waived: tuple[str, ...]
    facts: Mapping[str, Fact]
    concluded: tuple[RuledOut, ...] = ()
    given: int | None = None
    unsure: tuple[Evidence, ...] | None = None


def learn(knowledge: Knowledge, shown: Shown) -> Knowledge | Refusal:
    """Add what an entry shows to what is known, or say why no deal allows it."""
    learnt = knowledge.learn_all(shown.evidence)
    if learnt is None:
        forgiven = _forgive(knowledge, shown)
        if forgiven is None:
            return _explain(knowledge, shown)
        knowledge, learnt = forgiven
    judged = _conclude(knowledge, learnt, shown)
    if shown.unsure is None or isinstance(judged, Refusal):
        return judged
    return knowledge.learn_certain(*shown.unsure)


def _conclude(knowledge: Knowledge, learnt: Knowledge, shown: Shown) -> Knowledge | Refusal:
    for conclusion in shown.concluded:
        further = learnt.learn(conclusion)
        if further is None:
            return _broken_now(knowledge, shown, conclusion)
        learnt = further
    return learnt


def _forgive(knowledge: Knowledge, shown: Shown) -> tuple[Knowledge, Knowledge] | None:
    if not shown.waived:
        return None
    waived = [one for one in knowledge.conclusions() if one.clause in shown.waived]
    about_seat = [one for one in waived if one.about[0] == shown.seat]
    about_topic = [one for one in about_seat if one.about[1] == shown.topic]
    for some in (about_topic, about_seat, waived):
        if some:
            entries = {(one.clause, one.version) for one in some}
            forgotten = [one for one in waived if (one.clause, one.version) in entries]
            less = knowledge.without(forgotten)
            learnt = less.learn_all(shown.evidence)
            if learnt is not None:
                return less, learnt
    return None


def _explain(knowledge: Knowledge, shown: Shown) -> Refusal:
    stands = _stands(shown.evidence)
    seen = _seen_elsewhere(knowledge, shown)
    if seen is not None:
        return seen
    alone = conflicts(knowledge, stands)
    if len(alone) == 1:
        enough = conflicts(knowledge, _stands((*shown.evidence, *shown.concluded)))
        return Refusal(alone[0].clause, alone[0].version if enough else None, shown.facts)
    conclusions = knowledge.conclusions()
    if conclusions and stands(knowledge.without(conclusions)):
        return Refusal(conclusions[-1].clause, facts=shown.facts)
    return _not_there(knowledge, shown)


def _not_there(knowledge: Knowledge, shown: Shown) -> Refusal:
    for piece in shown.evidence:
        naming = knowledge.last_named(piece.copies) if isinstance(piece, Seen) else None
        if isinstance(piece, Seen) and naming and naming.target != piece.source:
            return Refusal("cards.seen", naming.version, shown.facts)
        if isinstance(piece, Seen) and naming is None and shown.given is not None:
            return Refusal("cards.held", shown.given, shown.facts)
    return Refusal(IMPOSSIBLE, facts=shown.facts)


def _seen_elsewhere(knowledge: Knowledge, shown: Shown) -> Refusal | None:
    """Find a card of the entry all of whose copies are known to lie elsewhere (`cards.seen`)."""
    for piece in shown.evidence:
        if not isinstance(piece, Seen) or piece.copies & knowledge.world.unseen:
            continue
        if knowledge.known_at(piece.source) & piece.copies:
            continue
        naming = knowledge.naming(piece.copies)
        return Refusal("cards.seen", naming.version if naming else None, shown.facts)
    return None


def _broken_now(knowledge: Knowledge, shown: Shown, conclusion: RuledOut) -> Refusal:
    """Say that the entry itself breaks the clause: the card can be there, the conclusion cannot.

    Where nothing concluded before stands against it, the entry that gave the hand does.
    """
    alone = conflicts(knowledge, _stands((*shown.evidence, conclusion)))
    contradicts = alone[0].version if len(alone) == 1 else None
    if not alone and _was_given(knowledge, shown, conclusion):
        contradicts = shown.given
    facts = {**shown.facts, "led": conclusion.about[1]}
    return Refusal(conclusion.clause, contradicts, facts)


def _was_given(knowledge: Knowledge, shown: Shown, conclusion: RuledOut) -> bool:
    if shown.given is None or conclusion.place != shown.seat:
        return False
    held = conclusion.cards & knowledge.known_at(shown.seat) or conclusion.cards
    namings = (knowledge.last_named(1 << place) for place in places(held))
    return any(one and (one.target, one.version) == (shown.seat, shown.given) for one in namings)


def _stands(evidence: Iterable[Evidence]) -> Callable[[Knowledge], bool]:
    pieces = tuple(evidence)
    return lambda knowledge: knowledge.learn_all(pieces) is not None
