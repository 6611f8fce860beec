"""The deal of any game: the dealer, and the hands that were shown."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import UNSET, UnsetType

from domain.table import judgement
from domain.table.cards import Pack
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas.entries import Seat

Hands = Sequence[Sequence[str] | None]


class DealEntry(judgement.HasWaivers, Protocol):
    """An entry of a game by which a deal begins; `hands` are those that everybody saw."""

    @property
    def dealer(self) -> Seat: ...
    @property
    def hands(self) -> tuple[tuple[str, ...] | None, ...] | UnsetType: ...


def left_of(seat: Seat, seats: int) -> Seat:
    return (seat + 1) % seats


def next_dealer(dealer: Seat | None, seats: int) -> Seat | None:
    """Return the dealer after `dealer` where the deal passes to the left; None stays unknown."""
    return None if dealer is None else left_of(dealer, seats)


def refuse_deal(
    game: Game, entry: DealEntry, pack: Pack, *, each: int, shown: Sequence[str] = ()
) -> Refusal | None:
    """Judge a deal of `each` cards to every player: the phase, the dealer, then its cards.

    `shown` are the cards turned up. Clauses: `table.phase`, `table.seat`, `table.dealer` and those
    of `refuse_hands`.
    """
    if game.deal is not None:
        return Refusal("table.phase", facts={"phase": game.rules.situation(game).phase})
    refusal = judgement.refuse_dealer(game, entry, entry.dealer)
    return refusal or refuse_hands(entry.hands, pack, seats=game.seats, each=each, shown=shown)


def refuse_hands(
    hands: Hands | UnsetType, pack: Pack, *, seats: int, each: int, shown: Sequence[str] = ()
) -> Refusal | None:
    """Judge hands of `each` cards, None where unseen, with the cards `shown` beside them.

    Clauses: `cards.deck`, `cards.count`, `cards.seen`.
    """
    given = () if hands is UNSET else hands
    named = [*shown, *(card for hand in given for card in hand or ())]
    for card in named:
        if card not in pack:
            return Refusal("cards.deck", facts={"card": card})
    if hands is not UNSET and len(given) != seats:
        return Refusal("cards.count", facts={"found": len(given), "expected": seats})
    for seat, hand in enumerate(given):
        if hand is not None and len(hand) != each:
            facts = {"seat": seat, "found": len(hand), "expected": each}
            return Refusal("cards.count", facts=facts)
        twice = pack.named_too_often(hand or ())
        if twice:
            return Refusal("cards.count", facts={"seat": seat, "card": twice})
    twice = pack.named_too_often(named)
    return Refusal("cards.seen", facts={"card": twice}) if twice else None
