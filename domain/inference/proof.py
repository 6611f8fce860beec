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


def learn(knowledge: Knowledge, claim: JudgedEvidence) -> Knowledge | Refusal:
    learnt = knowledge.learn_all(claim.evidence)
    if learnt is None:
        forgiven = _waive(knowledge, claim)
        if forgiven is None:
            return _explain(knowledge, claim)
        knowledge, learnt = forgiven
    for conclusion in claim.concluded:
        further = learnt.learn(conclusion)
        if further is None:
            return _broken_by_entry(knowledge, claim, conclusion)
        learnt = further
    return learnt if claim.unsure is None else knowledge.learn_certain(*claim.unsure)


def _waive(knowledge: Knowledge, claim: JudgedEvidence) -> tuple[Knowledge, Knowledge] | None:
    """Forget the fewest waived conclusions; return the knowledge before and after the evidence."""
    if not claim.waived:
        return None
    waived = [piece for piece in knowledge.conclusions() if piece.clause in claim.waived]
    about_seat = [piece for piece in waived if piece.about[0] == claim.seat]
    about_topic = [piece for piece in about_seat if piece.about[1] == claim.topic]
    for narrowest in (about_topic, about_seat, waived):
        entries = {(piece.clause, piece.version) for piece in narrowest}
        if not entries:
            continue
        forgotten = [piece for piece in waived if (piece.clause, piece.version) in entries]
        before = knowledge.without(forgotten)
        after = before.learn_all(claim.evidence)
        if after is not None:
            return before, after
    return None


def _explain(knowledge: Knowledge, claim: JudgedEvidence) -> Refusal:
    misplaced = find_misplaced(knowledge, claim.evidence, claim.version)
    if misplaced is not None:
        return misplaced.refusal(claim.pack, claim.facts)
    facts: dict[str, Fact] = dict(claim.facts)
    conclusions = knowledge.conclusions()
    rule = IMPOSSIBLE
    if conclusions and knowledge.without(conclusions).learn_all(claim.evidence) is not None:
        about = [piece for piece in conclusions if piece.about == (claim.seat, claim.topic)]
        rule = (about or conclusions)[-1].clause
        facts["why"] = "denied" if about else "counted"
    elif (named := _named_elsewhere(knowledge, claim.evidence)) is not None:
        facts["card"] = claim.pack.named(named.copies)[0]
        return Refusal(SEEN, named.version, {**facts, "lies": named.target, "moved": 1})
    else:
        facts |= _facts_of_possible_hand(knowledge, claim)
    return Refusal(rule, None, facts, suspects(knowledge, claim.evidence, claim.version))


def _facts_of_possible_hand(knowledge: Knowledge, claim: JudgedEvidence) -> dict[str, Fact]:
    possible = knowledge.known_at(claim.seat)
    for pool in knowledge.world.pools:
        if pool.place == claim.seat:
            possible |= pool.candidates & knowledge.world.unseen
    strange = [
        piece.copies
        for piece in claim.evidence
        if isinstance(piece, Seen) and piece.source == claim.seat and not piece.copies & possible
    ]
    if not strange or possible.bit_count() > _CARDS_LISTED_MAX:
        return {}
    named = claim.pack.named
    return {"card": named(strange[0])[0], "able": " ".join(named(possible))}


def _named_elsewhere(knowledge: Knowledge, evidence: Sequence[Evidence]) -> Seen | None:
    """Return the last piece that named a card of the evidence at another place."""
    elsewhere: list[Seen] = []
    for piece in evidence:
        if isinstance(piece, Seen) and knowledge.learn(piece) is None:
            naming = knowledge.last_named_unmixed(piece.copies)
            if naming is not None and naming.target != piece.source:
                elsewhere.append(naming)
    return max(elsewhere, key=knowledge.evidence().index, default=None)


def _broken_by_entry(knowledge: Knowledge, claim: JudgedEvidence, conclusion: RuledOut) -> Refusal:
    """Return the refusal of an entry that is feasible, but whose own conclusion is not."""
    facts: dict[str, Fact] = {**claim.facts, "led": conclusion.about[1]}
    still = knowledge.known_at(conclusion.place) & conclusion.cards
    for piece in claim.evidence:
        still &= ~piece.copies if isinstance(piece, Seen) else ~0
    if still:
        facts["still"] = " ".join(claim.pack.named(still))
    evidence = (*claim.evidence, conclusion)
    return Refusal(conclusion.clause, None, facts, suspects(knowledge, evidence, claim.version))


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
        """Return a refusal; the game turns the place in the fact `lies` into words."""
        all_facts: dict[str, Fact] = {**facts, "card": pack.named(self.card)[0]}
        if self.location is not None:
            all_facts["lies"] = self.location
        if self.rule == HELD:
            count = self.known.bit_count()
            all_facts["holding"] = count + self.unseen
            if self.unseen:
                all_facts["unknown"] = self.unseen
                if len(self.missing) <= _CARDS_LISTED_MAX:
                    cards = sorted(self.missing)
                    all_facts["missing"] = " ".join(pack.named(card)[0] for card in cards)
            if 0 < count <= _CARDS_LISTED_MAX:
                all_facts["beside" if self.unseen else "known"] = " ".join(pack.named(self.known))
        return Refusal(self.rule, self.contradicts, all_facts, self.suspects)


def find_misplaced(
    knowledge: Knowledge, evidence: Sequence[Evidence], version: int
) -> Misplaced | None:
    """Return one card of the entry `version` that `cards.seen` or `cards.held` refuses.

    A card seen elsewhere comes before too many cards for a hand; of several cards seen elsewhere
    it is the one seen last.
    """
    pieces = [piece for piece in evidence if isinstance(piece, Seen)]
    own = [piece for piece in pieces if piece.version == version]
    return _last_seen_elsewhere(knowledge, pieces, own, version) or _too_many_named(
        knowledge, evidence, own, version
    )


def _last_seen_elsewhere(
    knowledge: Knowledge, pieces: Sequence[Seen], own: Sequence[Seen], version: int
) -> Misplaced | None:
    targets = {piece.copies: piece.target for piece in own}
    elsewhere: list[Misplaced] = []
    for copies, target in targets.items():
        alike = [piece for piece in pieces if piece.copies == copies and piece.target == target]
        misplaced = _elsewhere(knowledge, alike, version)
        if misplaced is not None:
            elsewhere.append(misplaced)
    order = {piece.version: at for at, piece in enumerate((*knowledge.evidence(), *pieces))}
    return max(
        elsewhere,
        key=lambda misplaced: (order.get(misplaced.contradicts or 0, -1), misplaced.card),
        default=None,
    )


def _too_many_named(
    knowledge: Knowledge, evidence: Sequence[Evidence], own: Sequence[Seen], version: int
) -> Misplaced | None:
    """Return a card of a place that has fewer unseen cards than the entry newly names there."""
    named = Counter((piece.source, piece.copies) for piece in own)
    new: dict[Place, list[Cards]] = {}
    for (place, copies), number in named.items():
        known = (knowledge.known_at(place) & copies).bit_count()
        new.setdefault(place, []).extend([copies] * (number - known))
    for place, cards in new.items():
        unseen = unseen_at(knowledge, place)
        if len(cards) > unseen:
            why = suspects(knowledge, evidence, version)
            known_there = knowledge.known_at(place)
            return Misplaced(HELD, min(cards), None, why, None, known_there, unseen, tuple(cards))
    return None


def unseen_at(knowledge: Knowledge, place: Place) -> int:
    return sum(pool.assignment.bit_count() for pool in knowledge.world.pools if pool.place == place)


def _elsewhere(knowledge: Knowledge, pieces: Sequence[Seen], version: int) -> Misplaced | None:
    """Return the card that all pieces name, if fewer of its copies can be where they name it."""
    copies = pieces[0].copies
    sources = {piece.source for piece in pieces}
    known = sum((knowledge.known_at(place) & copies).bit_count() for place in sources)
    unseen = (knowledge.world.unseen & copies).bit_count()
    if len(pieces) <= known + unseen:
        return None
    earlier = [piece for piece in pieces if piece.version != version]
    if earlier:
        return Misplaced(SEEN, copies, earlier[-1].version, (), earlier[-1].source)
    trail = knowledge.evidence()
    last: tuple[Seen, Place] | None = None
    for place, cards in knowledge.world.known.items():
        if place in sources or not cards & copies:
            continue
        naming = named_at(trail, place, copies)
        if naming is not None and (last is None or trail.index(naming) >= trail.index(last[0])):
            last = naming, place
    if last is None:
        return Misplaced(SEEN, copies)
    last_naming, last_place = last
    return Misplaced(SEEN, copies, last_naming.version, (), last_place)
