"""Judge the cards played in five tricks."""

from msgspec.structs import replace

from domain.euchre import proof, score
from domain.euchre.state import CARDS_EACH, Deal, Phase
from domain.euchre.trumps import pack, trumps
from domain.table.refusal import Refusal
from domain.table.rules import Game
from domain.table.tricks import add_play, refuse_play, take_trick
from schemas import euchre as entries


def judge_play(game: Game, entry: entries.Play, version: int) -> Game | Refusal:
    """Judge a card, which leads or completes a trick. The fifth trick ends the deal."""
    deal: Deal = game.deal
    deck: int = game.options.deck
    if deal.phase is not Phase.PLAY:
        return Refusal("table.phase", facts={"phase": deal.phase.value})
    refusal = refuse_play(game, entry, pack(deck), "euchre.lead")
    known = refusal or proof.learn_play(deal, entry, deck, version)
    if isinstance(known, Refusal):
        return known
    deal = add_play(deal, entry, known)
    if len(deal.trick.plays) < game.seats:
        return replace(game, deal=deal)
    order = trumps(deck, deal.trump or deal.turned_suit)
    deal = take_trick(deal, order.best(deal.trick.plays).seat)
    if sum(deal.tricks) < CARDS_EACH:
        return replace(game, deal=deal)
    maker = deal.maker or 0
    outcome = score.outcome(maker, deal.trump, deal.tricks[maker], deal.dealer)
    return replace(game, deal=deal, outcome=outcome)
