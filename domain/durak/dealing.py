"""Judge entries before the first attack: the deal, a redeal, the lowest trump."""

from msgspec import UNSET
from msgspec.structs import replace

from domain.durak import proof, score
from domain.durak.clauses import DEALER, FIRST_LEAD, REDEAL, first_broken
from domain.durak.ranks import PACK
from domain.durak.state import CARDS_EACH, PACK_SIZE, SEATS_WITHOUT_STOCK, Deal, Phase
from domain.table.dealing import refuse_hands
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game
from schemas import durak as entries
from schemas.durak import Options


def refuse_dealer(game: Game, entry: entries.Deal | entries.Result, dealer: int) -> Refusal | None:
    """Check the dealer: `table.seat`, `durak.dealer`; `table.dealer` after an annulled deal."""
    if not 0 <= dealer < game.seats:
        return Refusal("table.seat", facts={"number": dealer})
    waived = DEALER in entry.waive or "table.dealer" in entry.waive
    if game.dealer is None or dealer == game.dealer or waived:
        return None
    facts: dict[str, Fact] = {"seat": dealer, "dealer": game.dealer}
    if not game.details:
        return Refusal("table.dealer", facts=facts)
    drawn = game.details[-1].durak is None
    return Refusal(DEALER, facts={**facts, "why": "drawn" if drawn else "durak"})


def judge_deal(game: Game, entry: entries.Deal, version: int) -> Game | Refusal:
    """Judge a deal of six cards each. A seat leads, or the lowest trump is awaited."""
    if game.deal is not None:
        return Refusal("table.phase", facts={"phase": game.deal.phase.value})
    refusal = refuse_dealer(game, entry, entry.dealer) or _refuse_hands(game, entry)
    return refusal or replace(game, deal=_new_deal(game, entry, version))


def _refuse_hands(game: Game, entry: entries.Deal) -> Refusal | None:
    if entry.trump not in PACK:
        return Refusal("cards.deck", facts={"card": entry.trump})
    hands = entry.hands or (None,) * game.seats
    in_hand = game.seats == SEATS_WITHOUT_STOCK and len(hands) == game.seats
    dealers_hand = hands[entry.dealer] if in_hand else None
    beside_hands = (entry.trump,) if dealers_hand is None else ()
    refusal = refuse_hands(entry.hands, PACK, seats=game.seats, each=CARDS_EACH, shown=beside_hands)
    if refusal is None and dealers_hand is not None and entry.trump not in dealers_hand:
        facts = {"seat": entry.dealer, "card": entry.trump, "why": "shown"}
        return Refusal("cards.held", facts=facts)
    return refusal


def _new_deal(game: Game, entry: entries.Deal, version: int) -> Deal:
    return Deal(
        version=version,
        dealer=entry.dealer,
        shown=entry.trump,
        shown_sure=not entry.unsure,
        knowledge=proof.learn_deal(entry, game.seats, version) if game.exact else None,
        counts=(CARDS_EACH,) * game.seats,
        holding=(1 << game.seats) - 1,
        stock=PACK_SIZE - CARDS_EACH * game.seats,
        leader=score.leader_next(game),
    )


def judge_redeal(game: Game, entry: entries.Redeal, version: int) -> Game | Refusal:
    """Judge a request for a redeal before the first attack. The same dealer deals again."""
    deal: Deal = game.deal
    return _refuse_redeal(game, deal, entry, version) or replace(
        game, deal=None, dealer=deal.dealer
    )


def _refuse_redeal(game: Game, deal: Deal, entry: entries.Redeal, version: int) -> Refusal | None:
    if deal.bouts or deal.bout is not None:
        return Refusal("table.phase", facts={"phase": deal.phase.value})
    if REDEAL in entry.waive:
        return None
    facts: dict[str, Fact] = {}
    if entry.seat is not UNSET and entry.suit is not UNSET:
        facts = {"seat": entry.seat, "suit": entry.suit}
    why = _reason_against_redeal(game, deal, entry)
    if why is not None:
        contradicts = deal.lowest if why == "shown" else None
        if contradicts and not proof.redeal_possible_without(deal, entry, contradicts, version):
            contradicts = None
        return Refusal(REDEAL, contradicts, {**facts, "why": why})
    refusal = proof.refuse_redeal(deal, entry, version)
    return refusal and replace(refusal, facts={**facts, **refusal.facts})


def _reason_against_redeal(game: Game, deal: Deal, entry: entries.Redeal) -> str | None:
    options: Options = game.options
    if not (options.redeal_suit if entry.reason == "suit" else options.redeal_no_trump):
        return "table"
    if entry.reason == "suit":
        return "trumps" if entry.suit == deal.trump else None
    if deal.phase is Phase.LOWEST:
        return None
    return "unasked" if deal.lowest is None else "shown"


def judge_lowest(game: Game, entry: entries.Lowest, version: int) -> Game | Refusal:
    """Judge the lowest trump being shown. Its holder leads."""
    deal: Deal = game.deal
    if deal.phase is not Phase.LOWEST:
        return Refusal("table.phase", facts={"phase": deal.phase.value})
    if entry.card is not UNSET:
        if entry.card not in PACK:
            return Refusal("cards.deck", facts={"card": entry.card})
        facts = {"seat": entry.seat, "card": entry.card, "why": "suit"}
        wrong_suit = entry.card[1] != deal.trump
        refusal = first_broken(entry, ((wrong_suit, FIRST_LEAD),), facts)
        if refusal is not None:
            found = proof.learn_lowest(
                deal, replace(entry, waive=(*entry.waive, FIRST_LEAD)), version
            )
            return found if isinstance(found, Refusal) else refusal
    known = proof.learn_lowest(deal, entry, version)
    if isinstance(known, Refusal):
        return known
    shown = replace(deal, leader=entry.seat, lowest=version, knowledge=known)
    return replace(game, deal=shown)
