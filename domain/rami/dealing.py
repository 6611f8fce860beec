"""The deal: thirteen cards each, one turned up (`rami.deal`)."""

from collections import Counter
from collections.abc import Iterable

from msgspec import UNSET
from msgspec.structs import replace

from domain.rami import proof
from domain.rami.state import CARDS_EACH, PILE, Deal, DiscardedCard, pack, unsure_place
from domain.table import judgement
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas import rami as entries


def judge_deal(game: Game, entry: entries.Deal, version: int) -> Game | Refusal:
    """Judge a deal. The player on the dealer's left begins."""
    if game.deal is not None:
        return Refusal("table.phase", facts={"phase": game.deal.phase.value})
    refusal = judgement.refuse_dealer(game, entry, entry.dealer) or _refuse_hands(game, entry)
    return refusal or replace(game, deal=_new_deal(game, entry, version))


def _refuse_hands(game: Game, entry: entries.Deal) -> Refusal | None:
    if entry.hands is UNSET:
        return None
    if len(entry.hands) != game.seats:
        return Refusal("cards.count", facts={"found": len(entry.hands), "expected": game.seats})
    for seat, hand in enumerate(entry.hands):
        if hand is not None and len(hand) != CARDS_EACH:
            facts = {"seat": seat, "found": len(hand), "expected": CARDS_EACH}
            return Refusal("cards.count", facts=facts)
        twice = card_too_often(hand or ())
        if twice:
            return Refusal("cards.count", facts={"seat": seat, "card": twice})
    shown = [entry.up, *(card for hand in entry.hands for card in hand or ())]
    twice = card_too_often(shown)
    return Refusal("cards.seen", facts={"card": twice}) if twice else None


def card_too_often(cards: Iterable[str]) -> str | None:
    copies = pack().copies
    return next((card for card, n in Counter(cards).items() if n > copies[card].bit_count()), None)


def _new_deal(game: Game, entry: entries.Deal, version: int) -> Deal:
    return Deal(
        version=version,
        dealer=entry.dealer,
        to_act=(entry.dealer + 1) % game.seats,
        counts=(CARDS_EACH,) * game.seats,
        stock=len(pack()) - CARDS_EACH * game.seats - 1,
        pile=(
            DiscardedCard(entry.up, unsure_place(version) if entry.unsure else PILE, version),
            None,
        ),
        opened=(False,) * game.seats,
        openings=(),
        knowledge=proof.learn_deal(entry, game.seats, version) if game.exact else None,
        counted=(None,) * game.seats,
    )
