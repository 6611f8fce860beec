"""Evidence of tricks: what a card played proves about the rest of the hand that it came from."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.inference.evidence import RuledOut, Seen, Unseen
from domain.inference.knowledge import Knowledge
from domain.inference.possible_cards import PossibleCards
from domain.inference.proof import JudgedEvidence, learn
from domain.inference.worlds import Place
from domain.table.cards import Cards, Pack
from domain.table.refusal import Fact, Refusal
from domain.table.rules import LATER, Game
from domain.table.tricks import CardOrder, PlayEntry, Trick, TrickDeal

# The place of cards that were played, beside `STOCK` and the hands, which have the seats' numbers.
TABLE = 21


class PlayDuty(Struct, frozen=True, gc=False):
    """A hand with one of `cards`, of one suit or of several, must play one of them (`clause`)."""

    clause: str
    cards: Cards

    def ruled_out(self, seat: int, order: CardOrder, version: int) -> Iterator[RuledOut]:
        """Yield what a card that breaks the duty shows about the rest of the hand, suit by suit."""
        for suit, its in order.of_suit.items():
            if self.cards & its:
                yield RuledOut(seat, self.cards & its, self.clause, (seat, suit), version)


def follow_suit(trick: Trick, order: CardOrder, clause: str) -> tuple[PlayDuty, ...]:
    """Return the duty to follow suit. A lead that is marked unsure imposes none."""
    if trick.led is None or not trick.led.sure:
        return ()
    suit = order.suit_of[trick.led.card]
    return (PlayDuty(clause, order.of_suit[suit]),)


def learn_play(
    deal: TrickDeal,
    entry: PlayEntry,
    pack: Pack,
    order: CardOrder,
    duties: Sequence[PlayDuty],
    version: int,
    facts: Mapping[str, Fact] | None = None,
) -> Knowledge | Refusal | None:
    """Judge a card played: it can be in the hand, and the rest of the hand breaks no duty.

    Duties are in order: the first that the card satisfies, or that is waived, ends them. An entry
    that is marked unsure is judged as if its card were certain, and proves nothing.
    """
    knowledge: Knowledge | None = deal.knowledge
    if knowledge is None:
        return None
    seat, copies = entry.seat, pack.copies[entry.card]
    concluded: list[RuledOut] = []
    for duty in duties:
        if copies & duty.cards or duty.clause in entry.waive:
            break
        concluded += duty.ruled_out(seat, order, version)
    suit = order.suit_of[entry.card]
    shown = JudgedEvidence(
        pack=pack,
        version=version,
        evidence=(Seen(seat, copies, TABLE, version),),
        seat=seat,
        topic=suit,
        waived=entry.waive,
        facts={"seat": seat, "card": entry.card, "suit": suit, **(facts or {})},
        concluded=tuple(concluded),
        unsure=(Unseen(seat, TABLE, 1, version),) if entry.unsure else None,
    )
    return learn(knowledge, shown)


def playable_cards(
    deal: TrickDeal, seat: int, pack: Pack, duties: Sequence[PlayDuty]
) -> tuple[str, ...]:
    """Return the cards that a seat may play: those that `learn_play` accepts."""
    known: Knowledge | None = deal.knowledge
    if known is None:
        return tuple(pack.copies)
    playable: set[str] = set()
    left = dict(pack.copies)
    for duty in duties:
        search = PossibleCards(known)
        meant = {card for card, copies in left.items() if copies & duty.cards}
        playable |= {card for card in meant if search.can_leave(seat, left[card])}
        left = {card: copies for card, copies in left.items() if card not in meant}
        known = known.learn(RuledOut(seat, duty.cards, duty.clause, (seat, ""), LATER))
        if known is None:
            break
    else:
        search = PossibleCards(known)
        playable |= {card for card, copies in left.items() if search.can_leave(seat, copies)}
    return tuple(card for card in pack.copies if card in playable)


def explain_place(
    judged: Knowledge | Refusal | None, lying: Mapping[Place, str]
) -> Knowledge | Refusal | None:
    """Name the place of a refused card in the fact `where`; `lying` names those that are no hand.

    In a hand it is `hand`, or `had` if it has left it since; `holder` is then its seat.
    """
    if not isinstance(judged, Refusal) or "lies" not in judged.facts:
        return judged
    facts = dict(judged.facts)
    lies, moved = int(facts.pop("lies")), facts.pop("moved", None)
    if lies in lying:
        return replace(judged, facts={**facts, "where": lying[lies]})
    return replace(judged, facts={**facts, "where": "had" if moved else "hand", "holder": lies})


def describe_tricks(game: Game, pack: Pack, *gone: Place) -> dict[str, Any]:
    """Return a deal's part of `Situation.table`: dealer, tricks, the trick, known cards.

    `gone`: the places, beside the table, of known cards that are out of play.
    """
    deal: TrickDeal = game.deal
    known: Knowledge | None = deal.knowledge
    away = 0
    for place in (TABLE, *gone):
        away |= known.known_at(place) if known else 0
    return {
        "dealer": deal.dealer,
        "tricks": list(deal.tricks),
        "trick": [{"seat": play.seat, "card": play.card} for play in deal.trick.plays],
        "known": [
            list(pack.named(known.known_at(seat))) if known else [] for seat in range(game.seats)
        ],
        "gone": list(pack.named(away)),
    }
