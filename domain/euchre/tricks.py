"""Judge the cards played in five tricks."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from domain.euchre import proof, score
from domain.euchre.state import CARDS_EACH, Deal, Phase
from domain.euchre.trumps import pack, trumps
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game
from schemas import euchre as entries
from schemas.cards import Suit
from schemas.entries import Seat
from schemas.euchre import Options


def judge_play(game: Game, entry: entries.Play, version: int) -> Game | Refusal:
    """Judge a card, which leads or completes a trick. The fifth trick ends the deal."""
    deal: Deal = game.deal
    refusal = _refuse_by_sight(game, deal, entry)
    if refusal is not None:
        return refusal
    known = deal.knowledge and proof.learn_play(
        deal, deal.knowledge, entry, game.options.deck, version
    )
    if isinstance(known, Refusal):
        return known
    counts = _one_less(deal.counts, entry.seat)
    if deal.led is not None:
        return _complete_trick(game, replace(deal, knowledge=known, counts=counts), deal.led, entry)
    led = replace(
        deal,
        knowledge=known,
        counts=counts,
        leader=entry.seat,
        led=entry.card,
        led_sure=not entry.unsure,
    )
    return replace(game, deal=led)


def _refuse_by_sight(game: Game, deal: Deal, entry: entries.Play) -> Refusal | None:
    facts: dict[str, Fact]
    if deal.phase is not Phase.PLAY:
        return Refusal("table.phase", facts={"phase": deal.phase.value})
    if deal.led is None:
        if entry.seat != deal.leader and "euchre.lead" not in entry.waive:
            why = "won" if any(deal.tricks) else "first"
            facts = {"seat": entry.seat, "card": entry.card, "turn": deal.leader, "why": why}
            return Refusal("euchre.lead", facts=facts)
    elif entry.seat == deal.leader:
        rule = "table.phase" if "table.turn" in entry.waive else "table.turn"
        facts = {"seat": entry.seat, "card": entry.card, "turn": 1 - entry.seat}
        return Refusal(rule, facts={**facts, "phase": deal.phase.value})
    if entry.card not in pack(game.options.deck).copies:
        return Refusal("cards.deck", facts={"card": entry.card})
    return None


def _complete_trick(game: Game, deal: Deal, led: str, entry: entries.Play) -> Game:
    order = trumps(game.options.deck, deal.trump or deal.turned_suit)
    winner = entry.seat if order.beats(entry.card, led) else deal.leader
    tricks = _one_more(deal.tricks, winner)
    ended = replace(deal, tricks=tricks, leader=winner, led=None)
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


def find_trick_winner(
    options: Options, table: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]
) -> Seat | None:
    """Return the winner of the last complete trick of `entries` in JSON form (`euchre.trick`).

    `table` has the trump, or the `detail` of an ended deal; None if it cannot be known.
    """
    ended = next((entry for entry in reversed(entries) if entry["type"] == "deal_ended"), None)
    suit: Suit | None = table.get("trump") or (ended["detail"]["trump"] if ended else None)
    by_hand = [entry for entry in entries if entry["type"] not in {"deal_ended", "game_ended"}]
    trick = by_hand[-2:]
    if suit is None or [entry["type"] for entry in trick] != ["play", "play"]:
        return None
    led, answer = trick
    beats = trumps(options.deck, suit).beats(answer["card"], led["card"])
    winner: Seat = answer["seat"] if beats else led["seat"]
    return winner
