"""Five tricks: refuse and apply a card played."""

from msgspec.structs import replace

from domain.euchre import proof, score
from domain.euchre.state import CARDS_EACH, Deal, Phase
from domain.euchre.trumps import pack, trumps
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas import euchre as entries


def refuse_play(game: Game, entry: entries.Play, version: int) -> Refusal | None:
    """Judge a card played: `table.phase`, `euchre.lead`, `table.turn`, `cards.deck`, proofs."""
    deal: Deal = game.deal
    if deal.phase is not Phase.PLAY:
        return Refusal("table.phase", facts={"phase": deal.phase.value})
    if deal.led is None:
        if entry.seat != deal.leader and "euchre.lead" not in entry.waive:
            return Refusal("euchre.lead", facts={"seat": entry.seat, "card": entry.card})
    elif entry.seat == deal.leader:
        rule = "table.phase" if "table.turn" in entry.waive else "table.turn"
        return Refusal(rule, facts={"seat": entry.seat, "card": entry.card})
    deck = game.options.deck
    if entry.card not in pack(deck).copies:
        return Refusal("cards.deck", facts={"card": entry.card})
    if deal.knowledge is None:
        return None
    found = proof.played(deal, deal.knowledge, entry, deck, version)
    return found if isinstance(found, Refusal) else None


def apply_play(game: Game, entry: entries.Play, version: int) -> Game:
    """Lead, or answer and end the trick (`euchre.trick`); the fifth ends the deal."""
    deal: Deal = game.deal
    known = deal.knowledge
    if known is not None:
        found = proof.played(deal, known, entry, game.options.deck, version)
        known = None if isinstance(found, Refusal) else found
    counts = _one_less(deal.counts, entry.seat)
    if deal.led is None:
        led = replace(
            deal,
            knowledge=known,
            counts=counts,
            leader=entry.seat,
            led=entry.card,
            led_sure=not entry.unsure,
        )
        return replace(game, deal=led)
    order = trumps(game.options.deck, deal.trump or deal.turned_suit)
    winner = entry.seat if order.beats(entry.card, deal.led) else deal.leader
    tricks = _one_more(deal.tricks, winner)
    ended = replace(deal, knowledge=known, counts=counts, tricks=tricks, leader=winner, led=None)
    if sum(tricks) < CARDS_EACH:
        return replace(game, deal=ended)
    maker = deal.maker or 0
    return replace(
        game, deal=ended, outcome=score.outcome(maker, deal.trump, tricks[maker], deal.dealer)
    )


def _one_less(pair: tuple[int, int], seat: int) -> tuple[int, int]:
    return (pair[0] - 1, pair[1]) if seat == 0 else (pair[0], pair[1] - 1)


def _one_more(pair: tuple[int, int], seat: int) -> tuple[int, int]:
    return (pair[0] + 1, pair[1]) if seat == 0 else (pair[0], pair[1] + 1)
