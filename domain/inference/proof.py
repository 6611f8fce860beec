"""Reasons of refusals that knowledge proves: the clause, and the earlier entries it rests on.

The order: `cards.seen`, `cards.held`, then the clause of a contradicted conclusion, else
`cards.impossible` (domain/clauses.toml). Waiving the clause of a conclusion removes it: first the
conclusions about that seat and topic, then all about that seat, then all from the clause. What one
entry concluded about several hands is removed for all of them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from domain.inference.evidence import Evidence, RuledOut, Seen
from domain.inference.knowledge import Knowledge
from domain.inference.suspicion import named_at, suspects
from domain.inference.worlds import Place
from domain.table.cards import Cards, Pack
from domain.table.refusal import Fact, Refusal

_CARDS_LISTED_MAX = 8
IMPOSSIBLE, SEEN, HELD = "cards.impossible", "cards.seen", "cards.held"


class JudgedEvidence(Struct, frozen=True):
    """The evidence and conclusions of an entry, with its seat and topic.

    `waived` are the clauses the entry waives; the caller omits conclusions from them. `unsure`: the
    entry is judged by `evidence`, but only `unsure` is added to the knowledge.
    """

    pack: Pack
    version: int
    evidence: tuple[Evidence, ...]
    seat: int
    topic: str
    waived: tuple[str, ...]
    facts: Mapping[str, Fact]
    concluded: tuple[RuledOut, ...] = ()
    unsure: tuple[Evidence, ...] | None = None


def learn(knowledge: Knowledge, shown: JudgedEvidence) -> Knowledge | Refusal:
    learnt = knowledge.learn_all(shown.evidence)
    if learnt is None:
        forgiven = _waive(knowledge, shown)
        if forgiven is None:
            return _explain(knowledge, shown)
        knowledge, learnt = forgiven
    for conclusion in shown.concluded:
        further = learnt.learn(conclusion)
        if further is None:
            return _broken_by_entry(knowledge, shown, conclusion)
        learnt = further
    return learnt if shown.unsure is None else knowledge.learn_certain(*shown.unsure)


def _waive(knowledge: Knowledge, shown: JudgedEvidence) -> tuple[Knowledge, Knowledge] | None:
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


def _explain(knowledge: Knowledge, shown: JudgedEvidence) -> Refusal:
    found = find_misplaced(knowledge, shown.evidence, shown.version)
    if found is not None:
        return found.refusal(shown.pack, shown.facts)
    facts: dict[str, Fact] = dict(shown.facts)
    conclusions = knowledge.conclusions()
    rule = IMPOSSIBLE
    if conclusions and knowledge.without(conclusions).learn_all(shown.evidence) is not None:
        about = [one for one in conclusions if one.about == (shown.seat, shown.topic)]
        rule = (about or conclusions)[-1].clause
        facts["why"] = "denied" if about else "counted"
    elif (named := _named_elsewhere(knowledge, shown.evidence)) is not None:
        facts["card"] = shown.pack.named(named.copies)[0]
        return Refusal(SEEN, named.version, {**facts, "lies": named.target, "moved": 1})
    else:
        facts |= _able(knowledge, shown)
    return Refusal(rule, None, facts, suspects(knowledge, shown.evidence, shown.version))


def _able(knowledge: Knowledge, shown: JudgedEvidence) -> dict[str, Fact]:
    able = knowledge.known_at(shown.seat)
    for pool in knowledge.world.pools:
        if pool.place == shown.seat:
            able |= pool.candidates & knowledge.world.unseen
    strange = [
        piece.copies
        for piece in shown.evidence
        if isinstance(piece, Seen) and piece.source == shown.seat and not piece.copies & able
    ]
    if not strange or able.bit_count() > _CARDS_LISTED_MAX:
        return {}
    named = shown.pack.named
    return {"card": named(strange[0])[0], "able": " ".join(named(able))}


def _named_elsewhere(knowledge: Knowledge, evidence: Sequence[Evidence]) -> Seen | None:
    trail = knowledge.evidence()
    named = {
        trail.index(naming): naming
        for piece in evidence
        if isinstance(piece, Seen) and knowledge.learn(piece) is None
        if (naming := knowledge.last_named_unmixed(piece.copies)) and naming.target != piece.source
    }
    return named[max(named)] if named else None


def _broken_by_entry(knowledge: Knowledge, shown: JudgedEvidence, conclusion: RuledOut) -> Refusal:
    """Return the refusal of an entry that is feasible, but whose own conclusion is not."""
    facts: dict[str, Fact] = {**shown.facts, "led": conclusion.about[1]}
    still = knowledge.known_at(conclusion.place) & conclusion.cards
    for piece in shown.evidence:
        still &= ~piece.copies if isinstance(piece, Seen) else ~0
    if still:
        facts["still"] = " ".join(shown.pack.named(still))
    evidence = (*shown.evidence, conclusion)
    return Refusal(conclusion.clause, None, facts, suspects(knowledge, evidence, shown.version))


class Misplaced(NamedTuple):
    """A card that cannot leave a place: all copies are elsewhere, or only other cards are there.

    `rule` is `cards.seen` or `cards.held`; `location` is the place of the copy seen last, `known`
    the cards known at the place it should come from, where `unseen` others may be.
    """

    rule: str
    card: Cards
    contradicts: int | None = None
    suspects: tuple[int, ...] = ()
    location: Place | None = None
    known: Cards = 0
    unseen: int = 0
    missing: tuple[Cards, ...] = ()  # cards named that are not known there

    def refusal(self, pack: Pack, facts: Mapping[str, Fact]) -> Refusal:
        """Return a refusal; the game turns the place in the fact `location` into words."""
        found: dict[str, Fact] = {**facts, "card": pack.named(self.card)[0]}
        if self.location is not None:
            found["lies"] = self.location
        if self.rule == HELD:
            found["holding"] = self.known.bit_count() + self.unseen
            if self.unseen:
                found["unknown"] = self.unseen
                if len(self.missing) <= _CARDS_LISTED_MAX:
                    cards = sorted(self.missing)
                    found["missing"] = " ".join(pack.named(card)[0] for card in cards)
                if 0 < self.known.bit_count() <= _CARDS_LISTED_MAX:
                    found["beside"] = " ".join(pack.named(self.known))
            elif 0 < self.known.bit_count() <= _CARDS_LISTED_MAX:
                found["known"] = " ".join(pack.named(self.known))
        return Refusal(self.rule, self.contradicts, found, self.suspects)


def find_misplaced(
    knowledge: Knowledge, evidence: Sequence[Evidence], version: int
) -> Misplaced | None:
    """Return one card of the entry `version` that `cards.seen` or `cards.held` refuses.

    Of several cards seen elsewhere it is the one seen last.
    """
    pieces = [piece for piece in evidence if isinstance(piece, Seen)]
    own = [piece for piece in pieces if piece.version == version]
    shown = {piece.copies: piece.target for piece in own}
    alike = {
        copies: [one for one in pieces if one.copies == copies and one.target == target]
        for copies, target in shown.items()
    }
    seen = [found for some in alike.values() if (found := _elsewhere(knowledge, some, version))]
    if seen:
        order = {piece.version: at for at, piece in enumerate((*knowledge.evidence(), *pieces))}
        return max(seen, key=lambda one: (order.get(one.contradicts or 0, -1), one.card))
    named = Counter((piece.source, piece.copies) for piece in own)
    strange: dict[Place, list[Cards]] = {}
    for (place, copies), number in named.items():
        missing = number - (knowledge.known_at(place) & copies).bit_count()
        strange.setdefault(place, []).extend([copies] * missing)
    for place, cards in strange.items():
        if len(cards) > unseen_at(knowledge, place):
            why = suspects(knowledge, evidence, version)
            known, unseen = knowledge.known_at(place), unseen_at(knowledge, place)
            return Misplaced(HELD, min(cards), None, why, None, known, unseen, tuple(cards))
    return None


def unseen_at(knowledge: Knowledge, place: Place) -> int:
    return sum(pool.assignment.bit_count() for pool in knowledge.world.pools if pool.place == place)


def _elsewhere(knowledge: Knowledge, pieces: Sequence[Seen], version: int) -> Misplaced | None:
    copies = pieces[0].copies
    here = {piece.source for piece in pieces}
    known = sum((knowledge.known_at(place) & copies).bit_count() for place in here)
    if len(pieces) <= known + (knowledge.world.unseen & copies).bit_count():
        return None
    others = [(piece, piece.source) for piece in pieces if piece.version != version]
    if others:
        return Misplaced(SEEN, copies, others[-1][0].version, (), others[-1][1])
    trail = knowledge.evidence()
    named = {
        trail.index(naming): (naming, place)
        for place, cards in knowledge.world.known.items()
        if place not in here and cards & copies
        if (naming := named_at(trail, place, copies)) is not None
    }
    if not named:
        return Misplaced(SEEN, copies)
    naming, lies = named[max(named)]
    return Misplaced(SEEN, copies, naming.version, (), lies)
