"""Judge the deal and the two rounds of bidding, phase by phase.

A bid out of turn may be waived (`euchre.bid-first`, `table.turn`). A bid in the wrong phase breaks
`table.phase`; a bid that this player can never make breaks its own clause, which cannot be waived.
"""

from msgspec import UNSET
from msgspec.structs import replace

from domain.euchre import proof, score
from domain.euchre.state import CARDS_EACH, Deal, Phase
from domain.euchre.trumps import pack
from domain.table.dealing import left_of, refuse_deal
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game
from domain.table.tricks import Trick
from schemas import euchre as entries

BID_FIRST, TURN = "euchre.bid-first", "table.turn"
ROUNDS = (Phase.ROUND_ONE, Phase.ROUND_TWO)


def judge_deal(game: Game, entry: entries.Deal, version: int) -> Game | Refusal:
    """Judge a deal, which begins the first round of bidding."""
    cards = pack(game.options.deck)
    refusal = refuse_deal(game, entry, cards, each=CARDS_EACH, shown=(entry.turn_up,))
    return refusal or replace(game, deal=_new_deal(game, entry, version))


def _new_deal(game: Game, entry: entries.Deal, version: int) -> Deal:
    turned_suit = entry.turn_up_suit or entry.turn_up[1]
    return Deal(
        phase=Phase.ROUND_ONE,
        version=version,
        dealer=entry.dealer,
        turned=entry.turn_up,
        turned_suit=turned_suit,
        turned_sure=not entry.unsure,
        counts=(CARDS_EACH,) * game.seats,
        tricks=(0,) * game.seats,
        trick=Trick(left_of(entry.dealer, game.seats)),
        knowledge=proof.learn_deal(entry, game.options.deck, version) if game.exact else None,
    )


def judge_pass(game: Game, entry: entries.Pass, _version: int) -> Game | Refusal:
    """Judge a pass. After two, the round or the deal is over."""
    deal: Deal = game.deal
    refusal = _refuse_pass(game, deal, entry)
    if refusal is not None:
        return refusal
    passed = deal.passed if entry.seat in deal.passed else (*deal.passed, entry.seat)
    if len(passed) < game.seats:
        return replace(game, deal=replace(deal, passed=passed))
    if deal.phase is Phase.ROUND_ONE:
        return replace(game, deal=replace(deal, passed=(), phase=Phase.ROUND_TWO))
    return replace(game, outcome=score.outcome(None, None, UNSET, deal.dealer))


def _refuse_pass(game: Game, deal: Deal, entry: entries.Pass) -> Refusal | None:
    if deal.phase not in ROUNDS:
        return Refusal("table.phase", facts={"phase": deal.phase.value})
    turn = _refuse_turn(deal, entry)
    if turn is not None:
        return turn
    last = deal.phase is Phase.ROUND_TWO and entry.seat == deal.dealer
    if last and game.options.last_bid == "stick" and "euchre.stick" not in entry.waive:
        return Refusal("euchre.stick", facts={"seat": entry.seat})
    return None


def _refuse_turn(deal: Deal, entry: "Bid | entries.Pass") -> Refusal | None:
    """Check the turn: `euchre.bid-first` for the dealer, `table.turn` for the other.

    A waiver of either lets both pass.
    """
    if entry.seat == deal.to_act or BID_FIRST in entry.waive or TURN in entry.waive:
        return None
    if entry.seat == deal.dealer:
        return Refusal(BID_FIRST, facts={"seat": entry.seat})
    facts: dict[str, Fact] = {"seat": entry.seat, "dealer": deal.dealer, "why": "passed"}
    return Refusal(TURN, facts=facts)


def _refuse_bid(deal: Deal, entry: "Bid", phase: Phase, clause: str, seat: int) -> Refusal | None:
    if deal.phase is not phase:
        return Refusal("table.phase", facts={"phase": deal.phase.value})
    if entry.seat != seat:
        rule = "table.phase" if clause in entry.waive else clause
        return Refusal(rule, facts={"seat": entry.seat, "phase": deal.phase.value})
    return _refuse_turn(deal, entry)


Bid = entries.Order | entries.Accept | entries.Exchange | entries.Name


def judge_order(game: Game, entry: entries.Order, _version: int) -> Game | Refusal:
    """Judge an order: the non-dealer is the maker and the dealer may exchange."""
    deal: Deal = game.deal
    refusal = _refuse_bid(deal, entry, Phase.ROUND_ONE, "euchre.order", deal.elder)
    if refusal is not None:
        return refusal
    ordered = replace(deal, phase=Phase.EXCHANGE, maker=entry.seat, trump=deal.turned_suit)
    return replace(game, deal=ordered)


def judge_exchange(game: Game, entry: entries.Exchange, version: int) -> Game | Refusal:
    """Judge the answer to an order: the turned card is taken or left. Play begins."""
    deal: Deal = game.deal
    bid = _refuse_bid(deal, entry, Phase.EXCHANGE, proof.exchange_clause(entry), deal.dealer)
    if bid is not None:
        return bid
    taking = _take_turned_card(game, deal, entry, version) if entry.take else deal
    return taking if isinstance(taking, Refusal) else replace(game, deal=_lead(taking))


def judge_accept(game: Game, entry: entries.Accept, version: int) -> Game | Refusal:
    """Judge an acceptance: the dealer is the maker and takes the turned card. Play begins."""
    deal: Deal = game.deal
    bid = _refuse_bid(deal, entry, Phase.ROUND_ONE, proof.exchange_clause(entry), deal.dealer)
    taking = bid or _take_turned_card(game, deal, entry, version)
    if isinstance(taking, Refusal):
        return taking
    return replace(game, deal=_lead(replace(taking, maker=entry.seat, trump=deal.turned_suit)))


def _take_turned_card(
    game: Game, deal: Deal, entry: entries.Accept | entries.Exchange, version: int
) -> Deal | Refusal:
    clause = proof.exchange_clause(entry)
    card = entry.discard
    if card and card != "??" and card not in pack(game.options.deck):
        return Refusal("cards.deck", facts={"card": card})
    if card == deal.turned and deal.turned_sure and clause not in entry.waive:
        return Refusal(clause, facts={"seat": deal.dealer, "card": deal.turned})
    known = proof.learn_exchange(deal, entry, game.options.deck, version)
    return known if isinstance(known, Refusal) else replace(deal, taken=True, knowledge=known)


def _lead(deal: Deal) -> Deal:
    return replace(deal, phase=Phase.PLAY, passed=())


def judge_name(game: Game, entry: entries.Name, _version: int) -> Game | Refusal:
    """Judge a named suit: its player is the maker and the suit is trump. Play begins."""
    deal: Deal = game.deal
    bid = _refuse_bid(deal, entry, Phase.ROUND_TWO, "euchre.name", entry.seat)
    if bid is not None:
        return bid
    forbidden = game.options.turned_down_suit == "forbidden" and entry.suit == deal.turned_suit
    if forbidden and "euchre.turned-down" not in entry.waive:
        return Refusal("euchre.turned-down", facts={"suit": entry.suit})
    return replace(game, deal=_lead(replace(deal, maker=entry.seat, trump=entry.suit)))
