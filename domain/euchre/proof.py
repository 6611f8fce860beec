"""Conclude from the entries of Euchre which cards are where.

Each hand that is not given has five unseen cards. The turned card is known (unless unsure) until
the dealer takes it; a card laid face down is unknown unless named. A card that does not follow suit
proves that the hand has no card of the suit led (`euchre.follow-suit`). An entry is judged as if
its card were certain; if it is marked unsure, it proves nothing.
"""

from msgspec.structs import replace

from domain.euchre.state import AWAY, CARDS_EACH, TURNED, Deal
from domain.euchre.trumps import pack, trumps
from domain.inference import (
    STOCK,
    AllMoved,
    Evidence,
    JudgedEvidence,
    Knowledge,
    Seen,
    Unseen,
    learn,
    learn_hands,
    tricks,
)
from domain.inference.tricks import TABLE, PlayDuty, follow_suit
from domain.table.refusal import Refusal
from schemas import euchre as entries
from schemas.cards import UNSEEN

FOLLOW = "euchre.follow-suit"


def learn_deal(entry: entries.Deal, deck: int, version: int) -> Knowledge | None:
    """Return the knowledge after a deal; None if a card is named twice."""
    turned = (
        Unseen(STOCK, TURNED, 1, version)
        if entry.unsure
        else Seen(STOCK, pack(deck).copies[entry.turn_up], TURNED, version)
    )
    return learn_hands(pack(deck), entry.hands, (CARDS_EACH,) * 2, version, turned)


def learn_exchange(
    deal: Deal, entry: entries.Accept | entries.Exchange, deck: int, version: int
) -> Knowledge | Refusal | None:
    """Judge the card that the dealer lays face down in exchange for the turned card.

    It is not the turned card, unless that was waived (`euchre.accept`, `euchre.exchange`); then it
    may be any of the six.
    """
    if deal.knowledge is None:
        return None
    joins = AllMoved(TURNED, deal.dealer, version)
    if exchange_clause(entry) in entry.waive:
        return _learn_discard(deal, deal.knowledge.learn_certain(joins), entry, deck, version)
    laid = _learn_discard(deal, deal.knowledge, entry, deck, version)
    return laid.learn_certain(joins) if isinstance(laid, Knowledge) else laid


def exchange_clause(entry: entries.Accept | entries.Exchange) -> str:
    """Return the clause by which the dealer takes the turned card."""
    return "euchre.accept" if isinstance(entry, entries.Accept) else "euchre.exchange"


def _learn_discard(
    deal: Deal,
    knowledge: Knowledge,
    entry: entries.Accept | entries.Exchange,
    deck: int,
    version: int,
) -> Knowledge | Refusal | None:
    face_down = Unseen(deal.dealer, AWAY, 1, version)
    named = str(entry.discard or UNSEEN)
    discard: Evidence = face_down
    if named != UNSEEN:
        discard = Seen(deal.dealer, pack(deck).copies[named], AWAY, version)
    claim = JudgedEvidence(
        pack=pack(deck),
        version=version,
        evidence=(discard,),
        seat=deal.dealer,
        topic="",
        waived=entry.waive,
        facts={"seat": deal.dealer, "card": named},
        unsure=(face_down,) if entry.unsure else None,
    )
    return _explain_place(deal, learn(knowledge, claim))


def duties(deal: Deal, deck: int) -> tuple[PlayDuty, ...]:
    return follow_suit(deal.trick, trumps(deck, deal.trump or deal.turned_suit), FOLLOW)


def learn_play(
    deal: Deal, entry: entries.Play, deck: int, version: int
) -> Knowledge | Refusal | None:
    """Judge a card played: it can be in the hand, and it follows suit if the hand can."""
    order, led = trumps(deck, deal.trump or deal.turned_suit), deal.trick.led
    bower = led and order.suit_of[led.card] != led.card[1]  # a bower or joker leads
    owed = duties(deal, deck)
    facts = {"bower": led.card} if led and bower and owed and FOLLOW not in entry.waive else {}
    judged = tricks.learn_play(deal, entry, pack(deck), order, owed, version, facts)
    return _explain_place(deal, judged)


_PLACE_WORDS = {TURNED: "turned", AWAY: "away", TABLE: "played"}


def _explain_place(deal: Deal, judged: Knowledge | Refusal | None) -> Knowledge | Refusal | None:
    judged = tricks.explain_place(judged, _PLACE_WORDS)
    taken = isinstance(judged, Refusal) and judged.facts.get("card") == deal.turned
    if isinstance(judged, Refusal) and taken and "holder" in judged.facts:
        return replace(judged, facts={**judged.facts, "where": "taken"})
    return judged
