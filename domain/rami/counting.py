"""Judge the hands of losers who had opened, after a player went out (`rami.loser-opened`)."""

from msgspec import UNSET
from msgspec.structs import replace

from domain.rami import proof, score
from domain.rami.state import Deal, LoserHand, Phase
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas import rami as entries


def judge_count(game: Game, entry: entries.Count, version: int) -> Game | Refusal:
    """Judge a loser's hand. The deal ends with the last one."""
    deal: Deal = game.deal
    refusal = _refuse(game, deal, entry, version)
    if refusal is not None:
        return refusal
    hand = loser_hand(entry, game.options.joker_in_hand, version)
    counted = (*deal.counted[: entry.seat], hand, *deal.counted[entry.seat + 1 :])
    return score.end_if_counted(replace(game, deal=replace(deal, counted=counted)))


def _refuse(game: Game, deal: Deal, entry: entries.Count, version: int) -> Refusal | None:
    if deal.phase is not Phase.COUNTING:
        return Refusal("table.phase", facts={"phase": deal.phase.value})
    if entry.seat not in deal.to_count:
        return Refusal(
            "table.turn", facts={"seat": entry.seat, "why": _uncounted(deal, entry.seat)}
        )
    if entry.cards is not UNSET and len(entry.cards) != deal.counts[entry.seat]:
        return refuse_size(deal, entry.seat, len(entry.cards))
    if deal.knowledge is None:
        return None
    joker = game.options.joker_in_hand
    hands = {**sure_hands(deal), entry.seat: loser_hand(entry, joker, version)}
    learnt = proof.learn_losers_hands(deal.knowledge, hands, joker, version)
    if not isinstance(learnt, Refusal):
        return None
    if entry.points is not UNSET:
        size = deal.counts[entry.seat]
        facts = proof.explain_points(deal.knowledge, entry.seat, size, entry.points, joker)
        return replace(learnt, facts=facts)
    return replace(learnt, facts={**learnt.facts, "seat": entry.seat})


def _uncounted(deal: Deal, seat: int) -> str:
    if seat == deal.winner:
        return "out"
    return "counted" if deal.opened[seat] else "closed"


def refuse_size(deal: Deal, seat: int, size: int) -> Refusal:
    facts = {"seat": seat, "found": size, "expected": deal.counts[seat]}
    return Refusal("cards.count", facts=facts)


def loser_hand(hand: entries.Count | entries.Held, joker: int, version: int) -> LoserHand:
    sure = not (isinstance(hand, entries.Count) and hand.unsure)
    if hand.cards is not UNSET:
        return LoserHand(proof.worth_in_hand(hand.cards, joker), hand.cards, version, sure)
    return LoserHand(int(hand.points or 0), None, version, sure)


def sure_hands(deal: Deal) -> dict[int, LoserHand]:
    """Return the hands counted so far by seat, without those marked unsure, which prove nothing.

    They are in the order of counting, so that cached results for them are found.
    """
    counted = [(seat, hand) for seat, hand in enumerate(deal.counted) if hand and hand.sure]
    return dict(sorted(counted, key=lambda item: item[1].version))
