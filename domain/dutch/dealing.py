"""Judge the deal, the first look, and penalties for forbidden looks."""

from msgspec import UNSET
from msgspec.structs import replace

from domain.dutch import pile, proof, reasons
from domain.dutch.state import (
    CARDS_EACH,
    FIRST_ROW,
    PACK,
    UNKNOWN_SUIT,
    Deal,
    Discard,
    slot_place,
)
from domain.inference import Knowledge
from domain.table import judgement
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game
from schemas import dutch as entries

FIRST_LOOK = "dutch.first-look"
LOOKED_AT = 2


def judge_deal(game: Game, entry: entries.Deal, version: int) -> Game | Refusal:
    """Judge a deal of four cards each and one turned up (`dutch.deal`)."""
    if game.deal is not None:
        return Refusal("table.phase", facts=game.deal.moment)
    refusal = judgement.refuse_dealer(game, entry, entry.dealer)
    if refusal is None and entry.hands is not UNSET:
        refusal = _refuse_hands(game, entry.up, entry.hands, version)
    if refusal is not None:
        return refusal
    known = proof.learn_deal(entry, game.seats, version) if game.exact else None
    if isinstance(known, Refusal):
        return known
    return replace(game, deal=_new_deal(game, entry, known, version))


def _refuse_hands(
    game: Game, up: str, hands: tuple[entries.Row | None, ...], version: int
) -> Refusal | None:
    if len(hands) != game.seats:
        return Refusal("cards.count", facts={"found": len(hands), "expected": game.seats})
    shown = {up}
    for seat, hand in enumerate(hands):
        if hand is None:
            continue
        refusal = refuse_row_size(seat, hand, CARDS_EACH)
        if refusal is not None:
            return refusal
        for card in hand:
            if card[1] != UNKNOWN_SUIT and card in shown:
                return Refusal("cards.seen", version, facts={"card": card})
            shown.add(card)
    return None


def refuse_row_size(seat: int, cards: entries.Row, expected: int) -> Refusal | None:
    """Check a list of possibly unseen cards: its length, no card twice (`cards.count`)."""
    named = [card for card in cards if card[1] != UNKNOWN_SUIT]
    distinct = len(cards) - len(named) + len(set(named))
    if len(cards) == expected and distinct == expected:
        return None
    facts: dict[str, Fact] = {"seat": seat, "found": len(cards), "expected": expected}
    if len(cards) == expected:
        facts = {"seat": seat, "card": next(card for card in named if named.count(card) > 1)}
    return Refusal("cards.count", facts=facts)


def _new_deal(game: Game, entry: entries.Deal, known: Knowledge | None, version: int) -> Deal:
    seats = game.seats
    return Deal(
        version=version,
        dealer=entry.dealer,
        turn=(entry.dealer + 1) % seats,
        rows=(FIRST_ROW,) * seats,
        used=(CARDS_EACH,) * seats,
        stock=len(PACK) - CARDS_EACH * seats - 1,
        top=Discard(0, entry.up, None, 1),
        knowledge=known,
        totals=(None,) * seats,
    )


def judge_look(game: Game, entry: entries.Look, version: int) -> Game | Refusal:
    """Judge a look, and add the cards it names to the knowledge."""
    deal: Deal = game.deal
    refusal = _refuse_slots(deal, entry)
    if refusal is not None:
        return refusal
    if FIRST_LOOK not in entry.waive and not _first_look(deal, entry):
        return Refusal(FIRST_LOOK, facts=reasons.explain_look(deal, entry))
    known = deal.knowledge
    if known is not None:
        places = tuple(slot_place(entry.seat, slot) for slot in entry.slots)
        learnt = proof.learn_look(known, places, entry, version)
        if isinstance(learnt, Refusal):
            return learnt
        known = learnt
    looked = replace(deal, looked=deal.looked | 1 << entry.seat, knowledge=known)
    return replace(game, deal=looked)


def _refuse_slots(deal: Deal, entry: entries.Look) -> Refusal | None:
    seat, slots = entry.seat, entry.slots
    if len(slots) != LOOKED_AT:
        facts = {"seat": seat, "found": len(slots), "expected": LOOKED_AT}
        return Refusal("cards.count", facts=facts)
    for slot in slots:
        if not deal.has_card(seat, slot):
            return Refusal("dutch.place", facts={"seat": seat, "slot": slot})
    return refuse_row_size(seat, entry.cards, LOOKED_AT) if entry.cards is not UNSET else None


def _first_look(deal: Deal, entry: entries.Look) -> bool:
    one, other = entry.slots
    dealt = one < CARDS_EACH and other < CARDS_EACH
    return not deal.turns_begun and not deal.looked >> entry.seat & 1 and one != other and dealt


def judge_penalty(game: Game, entry: entries.Penalty, version: int) -> Game | Refusal:
    """Judge penalty cards for a row that has cards and may still change (`dutch.look-penalty`)."""
    deal: Deal = game.deal
    if deal.rows_final or not deal.rows[entry.seat]:
        return Refusal("dutch.look-penalty", facts=reasons.explain_penalty(deal, entry.seat))
    given, drawn = pile.add_penalty_cards(deal, entry.seat, game.options.penalty, version)
    return replace(game, deal=replace(given, knowledge=proof.learn_moves(deal.knowledge, *drawn)))
