"""Conclude from the entries of Euchre which cards are where.

Each hand that is not given has five unseen cards. The turned card is known (unless unsure) until
the dealer takes it; a card laid face down is unknown unless named. A card that does not follow suit
proves that the hand has no card of the suit led (`euchre.follow-suit`). An entry is judged as if
its card were certain; if it is marked unsure, it proves nothing.
"""

from msgspec.structs import replace

from domain.euchre.state import AWAY, CARDS_EACH, STOCK, TABLE, TURNED, Deal
from domain.euchre.trumps import pack, trumps
from domain.inference import (
    Carried,
    Evidence,
    Knowledge,
    RuledOut,
    Seen,
    Shown,
    Unseen,
    learn,
    nothing_seen,
)
from domain.table.refusal import Fact, Refusal
from schemas import euchre as entries
from schemas.cards import UNSEEN

FOLLOW = "euchre.follow-suit"


def learn_deal(entry: entries.Deal, deck: int, version: int) -> Knowledge | None:
    """Return the knowledge after a deal; None if a card is named twice."""
    cards = pack(deck)
    found: list[Evidence] = []
    if entry.unsure:
        found.append(Unseen(STOCK, TURNED, 1, version))
    else:
        found.append(Seen(STOCK, cards.copies[entry.turn_up], TURNED, version))
    for seat, hand in enumerate(entry.hands or (None, None)):
        if hand is None:
            found.append(Unseen(STOCK, seat, CARDS_EACH, version))
        else:
            found.extend(Seen(STOCK, cards.copies[card], seat, version) for card in hand)
    found.sort(key=lambda piece: isinstance(piece, Unseen))
    return nothing_seen(cards, STOCK).learn_all(found)


def learn_exchange(
    deal: Deal, entry: entries.Accept | entries.Exchange, deck: int, version: int
) -> Knowledge | Refusal | None:
    """Judge the card that the dealer lays face down in exchange for the turned card.

    It is not the turned card, unless that was waived (`euchre.accept`, `euchre.exchange`); then it
    may be any of the six.
    """
    if deal.knowledge is None:
        return None
    joins = Carried(TURNED, deal.dealer, version)
    if exchange_clause(entry) in entry.waive:
        return _learn_discard(deal, deal.knowledge.learn_certain(joins), entry, deck, version)
    laid = _learn_discard(deal, deal.knowledge, entry, deck, version)
    return laid if isinstance(laid, Refusal) else laid.learn_certain(joins)


def exchange_clause(entry: entries.Accept | entries.Exchange) -> str:
    """Return the clause by which the dealer takes the turned card."""
    return "euchre.accept" if isinstance(entry, entries.Accept) else "euchre.exchange"


def _learn_discard(
    deal: Deal,
    knowledge: Knowledge,
    entry: entries.Accept | entries.Exchange,
    deck: int,
    version: int,
) -> Knowledge | Refusal:
    face_down = Unseen(deal.dealer, AWAY, 1, version)
    named = str(entry.discard or UNSEEN)
    shown = Shown(
        pack=pack(deck),
        version=version,
        evidence=(face_down,)
        if named == UNSEEN
        else (Seen(deal.dealer, pack(deck).copies[named], AWAY, version),),
        seat=deal.dealer,
        topic="",
        waived=entry.waive,
        facts={"seat": deal.dealer, "card": named},
        unsure=(face_down,) if entry.unsure else None,
    )
    return _explain_place(deal, learn(knowledge, shown))


def learn_play(
    deal: Deal, knowledge: Knowledge, entry: entries.Play, deck: int, version: int
) -> Knowledge | Refusal:
    """Judge a card played: it can be in the hand, and it follows suit if the hand can.

    A lead that is marked unsure proves nothing about the answer (`euchre.follow-suit`).
    """
    seat, card = entry.seat, entry.card
    order = trumps(deck, deal.trump or deal.turned_suit)
    suit = order.suit_of[card]
    facts: dict[str, Fact] = {"seat": seat, "card": card, "suit": suit}
    concluded: tuple[RuledOut, ...] = ()
    if deal.led is not None and deal.led_sure and FOLLOW not in entry.waive:
        led = order.suit_of[deal.led]
        if led != deal.led[1]:  # a bower or joker leads
            facts["bower"] = deal.led
        if suit != led:
            concluded = (RuledOut(seat, order.of_suit[led], FOLLOW, (seat, led), version),)
    shown = Shown(
        pack=pack(deck),
        version=version,
        evidence=(Seen(seat, pack(deck).copies[card], TABLE, version),),
        seat=seat,
        topic=suit,
        waived=entry.waive,
        facts=facts,
        concluded=concluded,
        unsure=(Unseen(seat, TABLE, 1, version),) if entry.unsure else None,
    )
    return _explain_place(deal, learn(knowledge, shown))


_LYING = {TURNED: "turned", AWAY: "away", TABLE: "played"}


def _explain_place(deal: Deal, judged: Knowledge | Refusal) -> Knowledge | Refusal:
    if isinstance(judged, Knowledge) or "lies" not in judged.facts:
        return judged
    facts = dict(judged.facts)
    lies, moved = int(facts.pop("lies")), facts.pop("moved", None)
    if lies in _LYING:
        return replace(judged, facts={**facts, "where": _LYING[lies]})
    where = "taken" if facts["card"] == deal.turned else "had" if moved else "hand"
    return replace(judged, facts={**facts, "where": where, "holder": lies})
