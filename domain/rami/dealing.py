"""The deal: thirteen cards each, one turned up (`rami.deal`)."""

from msgspec.structs import replace

from domain.rami import proof
from domain.rami.state import CARDS_EACH, PILE, Deal, DiscardedCard, pack, unsure_place
from domain.table import judgement
from domain.table.dealing import refuse_hands
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas import rami as entries


def judge_deal(game: Game, entry: entries.Deal, version: int) -> Game | Refusal:
    """Judge a deal. The player on the dealer's left begins."""
    if game.deal is not None:
        return Refusal("table.phase", facts={"phase": game.deal.phase.value})
    refusal = judgement.refuse_dealer(game, entry, entry.dealer) or refuse_hands(
        entry.hands, pack(), seats=game.seats, each=CARDS_EACH, shown=(entry.up,)
    )
    return refusal or replace(game, deal=_new_deal(game, entry, version))


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
