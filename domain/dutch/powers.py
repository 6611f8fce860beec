"""Judge the powers of a discarded queen or jack (`dutch.powers`)."""

from msgspec.structs import replace

from domain.dutch import proof
from domain.dutch.state import Deal, Power, slot_place
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas import dutch as entries

NO_POWER = "dutch.powers"
QUEEN, JACK = "dutch.queen", "dutch.jack"


def _refuse_power(deal: Deal, entry: entries.Peek | entries.Trade, power: Power) -> Refusal | None:
    if power in deal.powers:
        return None
    owns_another = any(owned.seat == entry.seat for owned in deal.powers)
    clause_of_power = QUEEN if power.rank == "Q" else JACK
    clause = clause_of_power if owns_another else NO_POWER
    if clause in entry.waive:
        return None
    return Refusal(clause, facts={"seat": entry.seat, "why": "other"})


def _refuse_place(game: Game, place: entries.Place) -> Refusal | None:
    deal: Deal = game.deal
    seat, slot = place
    if not deal.has_card(seat, slot):
        return Refusal("dutch.place", facts={"seat": seat, "slot": slot})
    return None


def _use_power(deal: Deal, power: Power) -> tuple[Power, ...]:
    if power not in deal.powers:
        return deal.powers
    return deal.powers[deal.powers.index(power) + 1 :]


def judge_peek(game: Game, entry: entries.Peek, version: int) -> Game | Refusal:
    deal: Deal = game.deal
    queen = Power(entry.seat, "Q")
    refusal = _refuse_power(deal, entry, queen) or _refuse_place(game, entry.place)
    if refusal is not None:
        return refusal
    known = deal.knowledge
    if known is not None:
        learnt = proof.learn_look(known, (slot_place(*entry.place),), entry, version)
        if isinstance(learnt, Refusal):
            return learnt
        known = learnt
    return replace(game, deal=replace(deal, powers=_use_power(deal, queen), knowledge=known))


def judge_trade(game: Game, entry: entries.Trade, version: int) -> Game | Refusal:
    deal: Deal = game.deal
    jack = Power(entry.seat, "J")
    refusal = _refuse_power(deal, entry, jack)
    if refusal is not None:
        return refusal
    if deal.rows_final:
        return Refusal("table.phase", facts=deal.moment)
    refusal = _refuse_place(game, entry.a) or _refuse_place(game, entry.b)
    if refusal is not None:
        return refusal
    if entry.a == entry.b and JACK not in entry.waive:
        return Refusal(JACK, facts={"seat": entry.seat, "why": "same"})
    known = (
        deal.knowledge if entry.a == entry.b else proof.learn_trade(deal.knowledge, entry, version)
    )
    return replace(game, deal=replace(deal, powers=_use_power(deal, jack), knowledge=known))
