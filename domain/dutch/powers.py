"""What a discarded queen or jack lets its player do (`dutch.powers`)."""

from msgspec.structs import replace

from domain.dutch import proof
from domain.dutch.state import Deal, Power, slot_place
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas import dutch as entries

NO_POWER = "dutch.powers"
QUEEN, JACK = "dutch.queen", "dutch.jack"


def _refuse_power(deal: Deal, entry: entries.Peek | entries.Trade, power: Power) -> Refusal | None:
    """Judge whether the seat has that power: none is `dutch.powers`, another its own clause."""
    if power in deal.powers:
        return None
    other = any(owned.seat == entry.seat for owned in deal.powers)
    clause = (QUEEN if power.rank == "Q" else JACK) if other else NO_POWER
    if clause in entry.waive:
        return None
    return Refusal(clause, facts={"seat": entry.seat})


def _refuse_place(game: Game, place: entries.Place) -> Refusal | None:
    deal: Deal = game.deal
    seat, slot = place
    if not 0 <= seat < game.seats:
        return Refusal("table.seat", facts={"seat": seat})
    if not deal.lies(seat, slot):
        return Refusal("dutch.place", facts={"seat": seat, "slot": slot})
    return None


def _used(deal: Deal, power: Power) -> tuple[Power, ...]:
    """Return the powers left when one is used: those discarded after it."""
    if power not in deal.powers:
        return deal.powers
    return deal.powers[deal.powers.index(power) + 1 :]


def refuse_peek(game: Game, entry: entries.Peek, version: int) -> Refusal | None:
    """Judge a queen's look: the power, `table.seat`, `dutch.place`, the card if it was told."""
    deal: Deal = game.deal
    refusal = _refuse_power(deal, entry, Power(entry.seat, "Q"))
    refusal = refusal or _refuse_place(game, entry.place)
    if refusal is not None or deal.knowledge is None or not entry.card:
        return refusal
    found = proof.looked(deal.knowledge, (slot_place(*entry.place),), entry, version)
    return found if isinstance(found, Refusal) else None


def apply_peek(game: Game, entry: entries.Peek, version: int) -> Game:
    """Use the queen's power."""
    deal: Deal = game.deal
    known = deal.knowledge
    if known is not None and entry.card:
        found = proof.looked(known, (slot_place(*entry.place),), entry, version)
        known = None if isinstance(found, Refusal) else found
    powers = _used(deal, Power(entry.seat, "Q"))
    return replace(game, deal=replace(deal, powers=powers, knowledge=known))


def refuse_trade(game: Game, entry: entries.Trade, _version: int) -> Refusal | None:
    """Judge a jack's exchange: the power, `table.seat`, `dutch.place`, `dutch.jack`."""
    deal: Deal = game.deal
    refusal = _refuse_power(deal, entry, Power(entry.seat, "J"))
    if refusal is not None:
        return refusal
    if deal.fixed:
        return Refusal("table.phase", facts={"phase": deal.phase.value})
    for place in (entry.a, entry.b):
        refusal = _refuse_place(game, place)
        if refusal is not None:
            return refusal
    if entry.a == entry.b and JACK not in entry.waive:
        return Refusal(JACK, facts={"seat": entry.seat})
    return None


def apply_trade(game: Game, entry: entries.Trade, version: int) -> Game:
    """Use the jack's power: the two cards change slots."""
    deal: Deal = game.deal
    known = deal.knowledge if entry.a == entry.b else proof.traded(deal.knowledge, entry, version)
    powers = _used(deal, Power(entry.seat, "J"))
    return replace(game, deal=replace(deal, powers=powers, knowledge=known))
