"""Judge four cards of one rank set aside (`durak.four-away`)."""

from msgspec.structs import replace

from domain.durak import proof, reasons, score
from domain.durak.attack import refuse_cards
from domain.durak.bouts import settle, without_cards
from domain.durak.clauses import FOUR_AWAY, first_broken
from domain.durak.state import Deal, next_seat
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game
from schemas import durak as entries

FOUR = 4


def judge_away(game: Game, entry: entries.Away, version: int) -> Game | Refusal:
    """Judge four cards set aside. An emptied hand may be out, which may end the deal."""
    deal: Deal = game.deal
    refusal = _refuse_by_sight(game, deal, entry)
    if refusal is not None:
        return refusal
    known = proof.learn_away(deal, entry, version)
    if isinstance(known, Refusal):
        return known
    deal = without_cards(deal, entry.seat, FOUR, known, deal.bout)
    if deal.bout is not None:
        return settle(game, deal, version)
    if not deal.holding >> entry.seat & 1:
        deal = _empty_hand(deal, entry.seat)
    return replace(game, deal=deal, outcome=score.outcome_if_over(game, deal, (entry.seat,)))


def _refuse_by_sight(game: Game, deal: Deal, entry: entries.Away) -> Refusal | None:
    between = deal.bout is None and deal.bouts > 0
    alike = len({card[0] for card in entry.cards}) == 1
    allowed = game.options.four_away and between
    facts: dict[str, Fact] = {
        "seat": entry.seat,
        "card": entry.cards[0] if entry.cards else "",
        **reasons.explain_not_laid_away(game, deal, entry.cards),
    }
    refusal = first_broken(entry, ((not allowed, FOUR_AWAY),), facts)
    refusal = refusal or refuse_cards(deal, entry.seat, entry.cards)
    if refusal is not None:
        return refusal
    if len(entry.cards) != FOUR:
        count = {"seat": entry.seat, "found": len(entry.cards), "expected": FOUR}
        return Refusal("cards.count", facts={**count, "why": "number"})
    return first_broken(entry, ((not alike, FOUR_AWAY),), facts)


def _empty_hand(deal: Deal, seat: int) -> Deal:
    if not deal.stock:
        deal = replace(deal, out=(*deal.out, *deal.emptied), emptied=())
    if deal.leader != seat:
        return deal
    return replace(deal, leader=next_seat(deal.holding, seat))
