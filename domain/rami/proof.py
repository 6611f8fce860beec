"""Conclude from the entries of Rami which cards are where.

Each hand that is not given has thirteen unseen cards. Draws are unseen unless named; melds and
discards are seen, unless unsure; a rebuilt stock is exactly the pile it was made of, in unknown
order. No rule of play proves anything, so waivers have no effect on knowledge.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from domain.inference import (
    HELD,
    IMPOSSIBLE,
    AllMoved,
    Evidence,
    Knowledge,
    Place,
    PossibleCards,
    Seen,
    Shuffled,
    Summed,
    Unseen,
    bounds_of,
    find_misplaced,
    learn_hands,
    suspects,
)
from domain.rami.combinations import MeldedCard, card_points
from domain.rami.state import (
    CARDS_EACH,
    COUNTED,
    PILE,
    STOCK,
    TABLE,
    TOP,
    DiscardedCard,
    LoserHand,
    Pile,
    pack,
    pile_cards,
    unsure_place,
)
from domain.table.refusal import Fact, Refusal
from schemas import rami as entries
from schemas.cards import JOKER


class EntryEvidence(NamedTuple):
    """The evidence of an entry, and the knowledge `evidence_after` after it.

    `seat` and `card` are named by a refusal; `card` is None where several cards are shown.
    """

    evidence: tuple[Evidence, ...]
    evidence_after: tuple[Evidence, ...]
    seat: int | None = None
    card: str | None = None

    @property
    def facts(self) -> dict[str, Fact]:
        named = {"seat": self.seat, "card": self.card}
        return {name: value for name, value in named.items() if value is not None}


def judge(knowledge: Knowledge, claim: EntryEvidence, version: int) -> Knowledge | Refusal:
    """Learn from an entry, or return a refusal if no distribution of the unseen cards allows it."""
    learnt = knowledge.learn_all(claim.evidence)
    if learnt is None:
        return _explain(knowledge, claim, version)
    return (
        learnt
        if claim.evidence_after is claim.evidence
        else knowledge.learn_certain(*claim.evidence_after)
    )


def _explain(knowledge: Knowledge, claim: EntryEvidence, version: int) -> Refusal:
    misplaced = find_misplaced(knowledge, claim.evidence, version)
    if misplaced is None:
        why = suspects(knowledge, claim.evidence, version)
        from_stock = any(
            isinstance(evidence, Seen) and evidence.source == STOCK for evidence in claim.evidence
        )
        rebuilt = any(isinstance(evidence, Shuffled) for evidence in knowledge.evidence())
        drawn: dict[str, Fact] = {"why": "drawn"} if from_stock and rebuilt else {}
        facts = {**claim.facts, **drawn, **_impossible_alone(knowledge, claim, version)}
        return Refusal(IMPOSSIBLE, None, facts, why)
    refusal = misplaced.refusal(pack(), claim.facts)
    facts = dict(refusal.facts)
    lies = facts.pop("lies", None)
    if isinstance(lies, int):
        facts |= (
            {"where": _PLACE_WORDS[lies]}
            if lies in _PLACE_WORDS
            else {"where": "hand", "holder": lies}
        )
    left_out = _omitted_card(knowledge, claim.evidence, version) if misplaced.rule == HELD else None
    if left_out is not None:
        facts |= {"why": "lacks", "card": left_out}
    return replace(refusal, facts=facts)


def _impossible_alone(knowledge: Knowledge, claim: EntryEvidence, version: int) -> dict[str, Fact]:
    """Return the fact `card`: one of several cards that no deal allows alone, if there is one."""
    if claim.card is not None:
        return {}
    possible = PossibleCards(knowledge)
    alone = [
        piece.copies
        for piece in claim.evidence
        if isinstance(piece, Seen) and piece.version == version
        if not possible.can_leave(piece.source, piece.copies)
    ]
    return {"card": pack().named(min(alone))[0]} if alone else {"why": "together"}


_PLACE_WORDS = {PILE: "pile", TABLE: "melds", STOCK: "stock"}


def _omitted_card(knowledge: Knowledge, evidence: Sequence[Evidence], version: int) -> str | None:
    """Return the only known card of a hand that a complete count of it omits."""
    counted = [piece for piece in evidence if isinstance(piece, Seen) and piece.version == version]
    if not counted or counted[0].target != COUNTED:
        return None
    named = Counter(code for piece in counted for code in pack().named(piece.copies)[:1])
    known = Counter(pack().named(knowledge.known_at(counted[0].source)))
    left_out = list((known - named).elements())
    return left_out[0] if len(left_out) == 1 else None


def learn_deal(entry: entries.Deal, seats: int, version: int) -> Knowledge | None:
    """Return the knowledge after a deal; None if a card occurs too often."""
    up = (
        Unseen(STOCK, unsure_place(version), 1, version)
        if entry.unsure
        else Seen(STOCK, pack().copies[entry.up], PILE, version)
    )
    return learn_hands(pack(), entry.hands, (CARDS_EACH,) * seats, version, up, stock=STOCK)


class VisibleCardTest:
    """A test, card by card, whether a card can be seen to leave a place."""

    def __init__(self, knowledge: Knowledge | None, place: Place) -> None:
        self._possible = None if knowledge is None else PossibleCards(knowledge)
        self._place = place

    def __call__(self, card: str) -> bool:
        return self._possible is None or self._possible.can_leave(self._place, pack().copies[card])

    @property
    def unproved(self) -> Callable[[str], bool] | None:
        """The fallback test if the effort limit was reached; None if all cards were decided."""
        asked = self._possible
        if asked is None or not asked.has_unproved:
            return None
        return lambda card: asked.is_unproved(self._place, pack().copies[card])


def rebuild_evidence(pile: Pile, *, keep_top: bool, version: int) -> tuple[Evidence, ...]:
    """Return the evidence of a stock rebuilt from the pile (`rami.stock-empty`).

    Cards discarded unsure go first; known cards are then mixed into them.
    """
    cards = list(pile_cards(pile))
    moved = cards[1:] if keep_top else cards
    unsure = [AllMoved(card.place, STOCK, version) for card in moved if card.place != PILE]
    shuffled: tuple[Evidence, ...] = (*unsure, Shuffled(PILE, STOCK, version))
    if not keep_top or cards[0].place != PILE:
        return shuffled
    copies, named = pack().copies[cards[0].code], cards[0].version
    set_aside, put_back = Seen(PILE, copies, TOP, named), Seen(TOP, copies, PILE, named)
    return (set_aside, *shuffled, put_back)


def learn_draw(
    knowledge: Knowledge, entry: entries.Draw, before: tuple[Evidence, ...], version: int
) -> Knowledge | Refusal:
    """Judge a card drawn from the stock, rebuilt from the pile `before` if necessary."""
    seat, card = entry.seat, entry.card
    if not card:
        return knowledge.learn_certain(*before, Unseen(STOCK, seat, 1, version))
    named = (Seen(STOCK, pack().copies[card], seat, version),)
    kept = (Unseen(STOCK, seat, 1, version),) if entry.unsure else named
    rebuilt = knowledge.learn_certain(*before)
    return judge(rebuilt, EntryEvidence(named, kept, seat, card), version)


def learn_take(knowledge: Knowledge, seat: int, top: DiscardedCard, version: int) -> Knowledge:
    """Move the top discard and its knowledge to a hand."""
    if top.place != PILE:
        return knowledge.learn_certain(AllMoved(top.place, seat, version))
    return knowledge.learn_certain(Seen(PILE, pack().copies[top.code], seat, top.version))


def learn_discard(
    knowledge: Knowledge, entry: entries.Discard, version: int
) -> Knowledge | Refusal:
    """Judge a discarded card."""
    seat, card = entry.seat, entry.card
    seen = (Seen(seat, pack().copies[card], PILE, version),)
    kept = (Unseen(seat, unsure_place(version), 1, version),) if entry.unsure else seen
    return judge(knowledge, EntryEvidence(seen, kept, seat, card), version)


def learn_meld(
    knowledge: Knowledge, seat: int, cards: Sequence[MeldedCard], version: int, *, unsure: bool
) -> Knowledge | Refusal:
    """Judge cards melded. Jokers marked unsure get places of their own."""
    copies = pack().copies
    seen = tuple(Seen(seat, copies[card.held], TABLE, version) for card in cards)
    kept: tuple[Evidence, ...] = seen
    if unsure:
        kept = tuple(
            Unseen(seat, unsure_place(version, number) if card.joker else TABLE, 1, version)
            for number, card in enumerate(cards)
        )
    return judge(knowledge, EntryEvidence(seen, kept, seat), version)


def unsure_jokers(cards: Iterable[MeldedCard], version: int) -> tuple[tuple[str, Place], ...]:
    """Return the places of the jokers in a meld that is marked unsure."""
    return tuple(
        (card.code, unsure_place(version, number))
        for number, card in enumerate(cards)
        if card.joker
    )


def learn_swap(
    knowledge: Knowledge, entry: entries.SwapJoker, joker_at: Place, version: int
) -> Knowledge | Refusal:
    """Judge a card that replaces a joker, which joins the hand."""
    copies = pack().copies
    joker = Seen(joker_at, copies[JOKER], entry.seat, version)
    seen = (Seen(entry.seat, copies[entry.card], TABLE, version), joker)
    unseen = (Unseen(entry.seat, TABLE, 1, version), joker)
    kept = unseen if entry.unsure else seen
    return judge(knowledge, EntryEvidence(seen, kept, entry.seat, entry.card), version)


@lru_cache
def hand_values(joker: int) -> tuple[int, ...]:
    """Return the value of each card of the pack in a hand (`rami.values`)."""
    return tuple(joker if code == JOKER else card_points(code[0]) for code in pack().codes)


def learn_losers_hands(
    knowledge: Knowledge, hands: Mapping[int, LoserHand], joker: int, version: int
) -> Knowledge | Refusal:
    """Judge the losers' hands together. Each is a list of cards or a number of points."""
    named: list[Evidence] = []
    summed: list[Evidence] = []
    for seat, hand in hands.items():
        if hand.cards is None:
            summed.append(Summed((seat,), hand_values(joker), hand.points, hand.version))
        else:
            copies = pack().copies
            named += [Seen(seat, copies[card], COUNTED, hand.version) for card in hand.cards]
    shown = (*named, *summed)
    return judge(knowledge, EntryEvidence(shown, shown), version)


def suspects_of_card(
    knowledge: Knowledge | None, seat: int, card: str, version: int
) -> tuple[int, ...]:
    """Return the entries that this card in a hand can contradict; see `suspects`."""
    if knowledge is None:
        return ()
    return suspects(knowledge, [Seen(seat, pack().copies[card], COUNTED, version)], version)


def explain_points(
    knowledge: Knowledge, seat: int, size: int, points: int, joker: int
) -> dict[str, Fact]:
    """Return in numbers why a hand of this size cannot have these points."""
    bounds = bounds_of(knowledge, pack(), (seat,), size, hand_values(joker))
    return bounds.facts(seat, points)


def worth_in_hand(cards: Iterable[str], joker: int) -> int:
    """Return the points of cards left in a hand (`rami.values`)."""
    return sum(joker if card == JOKER else card_points(card[0]) for card in cards)
