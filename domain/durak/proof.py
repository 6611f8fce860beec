"""Conclude from the entries of Durak which cards are where.

Each hand that is not given has six unseen cards. The trump card is known under the stock, or in
the dealer's hand with six players. A played card is seen, a taken card is known in the taker's
hand, a drawn card is unseen; the last draw takes the trump card. `lowest` proves that no hand
has a lower trump. Beating and adding are voluntary, so they prove nothing else.
"""

from collections.abc import Sequence

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.durak import reasons
from domain.durak.clauses import FIRST_LEAD, REDEAL
from domain.durak.lowest import LowestHeld
from domain.durak.ranks import PACK, UPWARD, lower_cards
from domain.durak.state import (
    AWAY,
    CARDS_EACH,
    LIMBO,
    SEATS_WITHOUT_STOCK,
    STOCK,
    UNDER,
    Bout,
    Deal,
)
from domain.inference import (
    AllMoved,
    Evidence,
    JudgedEvidence,
    Knowledge,
    PossibleCards,
    RuledOut,
    Seen,
    Unseen,
    knowledge_before_deal,
    learn,
    suspects,
)
from domain.table.cards import Cards
from domain.table.refusal import Refusal
from domain.table.rules import LATER
from schemas import durak as entries

FIVE = 5
Laying = entries.Attack | entries.Beat | entries.PassOn | entries.Away


class Draw(Struct, frozen=True):
    """The draw of a seat after a bout: `count` cards, including the trump card if it is last."""

    seat: int
    count: int
    last: bool

    @property
    def hidden(self) -> int:
        return self.count - self.last


def learn_deal(entry: entries.Deal, seats: int, version: int) -> Knowledge | None:
    """Return the knowledge after a deal; None if no distribution of the cards fits it."""
    evidence: list[Evidence] = []
    in_hand = seats == SEATS_WITHOUT_STOCK
    under = entry.dealer if in_hand else UNDER
    if not entry.unsure:
        evidence.append(Seen(STOCK, PACK.copies[entry.trump], under, version))
    elif not in_hand:
        evidence.append(Unseen(STOCK, UNDER, 1, version))
    hands = entry.hands or (None,) * seats
    for seat, hand in enumerate(hands):
        has_trump = in_hand and seat == entry.dealer
        if hand is None:
            count = CARDS_EACH - (has_trump and not entry.unsure)
            evidence.append(Unseen(STOCK, seat, count, version))
            continue
        known = [card for card in hand if not (has_trump and card == entry.trump)]
        evidence.extend(Seen(STOCK, PACK.copies[card], seat, version) for card in known)
        if has_trump and entry.unsure:
            evidence.append(Unseen(STOCK, seat, 1, version))
    evidence.sort(key=lambda piece: isinstance(piece, Unseen))
    return knowledge_before_deal(PACK, STOCK).learn_all(evidence)


def learn_cards_laid(
    deal: Deal,
    entry: Laying,
    cards: Sequence[str],
    target: int,
    version: int,
    concluded: tuple[RuledOut, ...] = (),
) -> Knowledge | Refusal | None:
    """Judge cards played openly from a hand; None if unseen cards are not tracked."""
    if deal.knowledge is None:
        return None
    seat = entry.seat
    claim = JudgedEvidence(
        pack=PACK,
        version=version,
        evidence=tuple(Seen(seat, PACK.copies[card], target, version) for card in cards),
        seat=seat,
        topic=deal.trump,
        waived=entry.waive,
        facts={"seat": seat, "card": cards[0]},
        concluded=tuple(piece for piece in concluded if piece.clause not in entry.waive),
        unsure=(Unseen(seat, target, len(cards), version),) if entry.unsure else None,
    )
    judged = learn(deal.knowledge, claim)
    if isinstance(judged, Knowledge):
        return judged
    if judged.rule != FIRST_LEAD:
        return reasons.explain_place(deal, judged)
    earlier = "nothing shown" if deal.lowest is None else "shown"
    return replace(judged, facts={**judged.facts, "why": "lead" if concluded else earlier})


def learn_away(deal: Deal, entry: entries.Away, version: int) -> Knowledge | Refusal | None:
    """Judge four cards set aside (`durak.four-away`)."""
    return learn_cards_laid(deal, entry, entry.cards, AWAY, version)


def rule_out_trumps(deal: Deal, seats: int, version: int) -> tuple[RuledOut, ...]:
    """Return the knowledge that no hand has a trump, which leading without `lowest` implies."""
    trumps = PACK.of_suit[deal.trump]
    return tuple(
        RuledOut(seat, trumps, FIRST_LEAD, (seat, deal.trump), version) for seat in range(seats)
    )


def learn_lowest(deal: Deal, entry: entries.Lowest, version: int) -> Knowledge | Refusal | None:
    """Judge the holder of the lowest trump, and the card if it is named."""
    if deal.knowledge is None:
        return None
    seat, card = entry.seat, entry.card
    concluded = () if FIRST_LEAD in entry.waive else _rule_out_lower(deal, entry, version)
    claim = JudgedEvidence(
        pack=PACK,
        version=version,
        evidence=(Seen(seat, PACK.copies[card], seat, version),) if card else (),
        seat=seat,
        topic=deal.trump,
        waived=entry.waive,
        facts={"seat": seat, **({"card": card} if card else {})},
        concluded=concluded,
        unsure=() if entry.unsure else None,
    )
    judged = learn(deal.knowledge, claim)
    if isinstance(judged, Knowledge):
        return judged
    if judged.rule != FIRST_LEAD:
        return reasons.explain_place(deal, judged)
    facts = {**judged.facts, "why": "lower" if card else "other"}
    seats = len(deal.counts)
    lower = PACK.copies[deal.shown] & (lower_cards(card) if card else PACK.everything)
    if seats == SEATS_WITHOUT_STOCK and deal.shown_sure and seat != deal.dealer and lower:
        facts |= {"dealer": deal.dealer, "other": deal.shown}
    return replace(judged, facts=facts)


def find_lowest_trumps(deal: Deal, known: Knowledge) -> tuple[tuple[Cards, ...], Knowledge | None]:
    """Return, per seat, the trumps that can be the lowest of all and lie in its hand.

    The second value is the knowledge if no hand has a trump; None: some hand has one.
    """
    hands = range(len(deal.counts))
    possible_trumps = [0] * len(hands)
    left: Knowledge | None = known
    for card in UPWARD[deal.trump]:
        if left is None:
            break
        copies = PACK.copies[card]
        search = PossibleCards(left)
        for seat in hands:
            possible_trumps[seat] |= search.cards_that_can_leave(seat, copies)
        about = deal.trump
        nowhere = [RuledOut(seat, copies, FIRST_LEAD, (seat, about), LATER) for seat in hands]
        left = left.learn_all(nowhere)
    return tuple(possible_trumps), left


def _rule_out_lower(deal: Deal, entry: entries.Lowest, version: int) -> tuple[RuledOut, ...]:
    hands = tuple(range(len(deal.counts)))
    about = (entry.seat, deal.trump)
    if entry.card:
        lower = lower_cards(entry.card)
        return tuple(
            RuledOut(seat, lower, FIRST_LEAD, (seat, deal.trump), version)
            for seat in hands
            if lower
        )
    trumps = UPWARD[deal.trump]
    return (
        LowestHeld(
            place=entry.seat,
            cards=PACK.all_copies(trumps),
            clause=FIRST_LEAD,
            about=about,
            version=version,
            hands=hands,
            upward=tuple(PACK.copies[card] for card in trumps),
        ),
    )


def refuse_redeal(deal: Deal, entry: entries.Redeal, version: int) -> Refusal | None:
    """Return a refusal if no distribution fits the reason given for a redeal (`durak.redeal`)."""
    if deal.knowledge is None:
        return None
    evidence = _redeal_evidence(deal, entry, version)
    if deal.knowledge.learn_all(evidence) is not None:
        return None
    why = "hands"
    if entry.seat is not UNSET:
        if deal.knowledge.learn_all(evidence[:1]) is None:
            why = "trump"
        elif deal.knowledge.learn_all(evidence[1:]) is None:
            why = "few"
    return Refusal(REDEAL, None, {"why": why}, suspects(deal.knowledge, evidence, version))


def _redeal_evidence(deal: Deal, entry: entries.Redeal, version: int) -> list[Evidence]:
    trumps = PACK.of_suit[deal.trump]
    match entry.seat, entry.suit:
        case int(seat), str(suit):
            others = PACK.everything & ~PACK.of_suit[suit]
            return [
                RuledOut(seat, trumps, REDEAL, (seat, deal.trump), version),
                Unseen(seat, LIMBO, FIVE, version),
                RuledOut(LIMBO, others, REDEAL, (seat, suit), version),
            ]
        case _:
            return [
                RuledOut(seat, trumps, REDEAL, (seat, deal.trump), version)
                for seat in range(len(deal.counts))
            ]


def redeal_possible_without(deal: Deal, entry: entries.Redeal, lowest: int, version: int) -> bool:
    """Return whether the reason for a redeal could be true without the entry `lowest`."""
    if deal.knowledge is None:
        return True
    shown = [piece for piece in deal.knowledge.evidence() if piece.version == lowest]
    before = deal.knowledge.without(shown)
    return before.learn_all(_redeal_evidence(deal, entry, version)) is not None


def learn_bout_end(
    deal: Deal, knowledge: Knowledge, bout: Bout, draws: Sequence[Draw], version: int
) -> Deal:
    """Return the deal with its knowledge after a bout.

    The defender may have taken the cards (`durak.take`), and hands are refilled (`durak.draw`).
    """
    evidence: list[Evidence] = []
    if bout.taking:
        evidence.append(AllMoved(deal.table, bout.defender, version))
    for draw in draws:
        if draw.hidden:
            evidence.append(Unseen(STOCK, draw.seat, draw.hidden, version))
        if draw.last:
            evidence.append(AllMoved(UNDER, draw.seat, version))
    return replace(deal, knowledge=knowledge.learn_certain(*evidence))
