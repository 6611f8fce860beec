"""Judge a result, entered for a whole deal or to end one recorded in part (`table.result`)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial

from msgspec import UNSET
from msgspec.structs import replace

from domain.inference import IMPOSSIBLE, Knowledge, TokenPool, Total, World, solve_totals
from domain.rami import proof, score
from domain.rami.counting import loser_hand, sure_hands
from domain.rami.state import CARDS_EACH, TABLE, Deal, LoserHand, Phase, pack
from domain.table import judgement
from domain.table.cards import Cards, bit_numbers, lowest
from domain.table.judgement import RESULT
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game, Outcome
from schemas import rami as entries


def judge_result(game: Game, entry: entries.Result, version: int) -> Game | Refusal:
    """Judge a result, which ends the deal."""
    refusal = _refuse(game, game.deal, entry, version)
    return judgement.end_by_result(
        game, entry.dealer, refusal, partial(_outcome, game, entry, version)
    )


def _outcome(game: Game, entry: entries.Result, version: int, dealer: int | None) -> Outcome:
    joker = game.options.joker_in_hand
    opened = tuple(held is None or held.opened for held in entry.hands)
    held = tuple(
        loser_hand(hand, joker, version).points if hand is not None and hand.opened else None
        for hand in entry.hands
    )
    return score.outcome(game, entry.winner, opened, held, dealer)


def _refuse(game: Game, deal: Deal | None, entry: entries.Result, version: int) -> Refusal | None:
    if not 0 <= entry.winner < game.seats:
        return Refusal("table.seat", facts={"seat": entry.winner})
    if len(entry.hands) != game.seats:
        return Refusal("cards.count", facts={"found": len(entry.hands), "expected": game.seats})
    if deal is None and entry.dealer is not UNSET:
        refusal = judgement.refuse_dealer(game, entry, entry.dealer)
        if refusal is not None:
            return refusal
    misplaced = [
        seat for seat, held in enumerate(entry.hands) if (held is None) != (seat == entry.winner)
    ]
    if misplaced:
        return _disagrees(seat=misplaced[0], why="hands")
    if deal is not None:
        refusal = _refuse_part_way(deal, entry)
        if refusal is not None:
            return refusal
    return _refuse_hands(game, entry, version)


def _disagrees(with_entry: int | None = None, **facts: Fact) -> Refusal:
    return Refusal(RESULT, with_entry, facts)


def _refuse_part_way(deal: Deal, entry: entries.Result) -> Refusal | None:
    if entry.dealer is not UNSET and entry.dealer != deal.dealer:
        return _disagrees(dealer=deal.dealer, why="dealer")
    over = deal.phase is Phase.COUNTING
    if over and entry.winner != deal.winner:
        return _disagrees(deal.out_at, seat=entry.winner, turn=deal.winner or 0, why="winner")
    for seat, held in _losers(entry):
        if deal.opened[seat] > held.opened or (over and held.opened != deal.opened[seat]):
            had = "had opened" if deal.opened[seat] else "had not opened"
            return _disagrees(dict(deal.openings).get(seat), seat=seat, why=had)
    return None


def _losers(entry: entries.Result) -> Iterator[tuple[int, entries.Held]]:
    return ((seat, held) for seat, held in enumerate(entry.hands) if held is not None)


def _refuse_hands(game: Game, entry: entries.Result, version: int) -> Refusal | None:
    joker: int = game.options.joker_in_hand
    hands = [
        (seat, loser_hand(held, joker, version)) for seat, held in _losers(entry) if held.opened
    ]
    for seat, hand in hands:
        refusal = _refuse_size(game.deal, seat, hand)
        if refusal is not None:
            return refusal
    deal: Deal | None = game.deal
    if deal is not None and deal.phase is Phase.COUNTING:
        return _refuse_counted(deal, hands, joker, version)
    return _refuse_shares(deal, hands, joker, version)


def _refuse_size(deal: Deal | None, seat: int, hand: LoserHand) -> Refusal | None:
    if hand.cards is None:
        return None
    twice = pack().named_too_often(hand.cards)
    if twice:
        return Refusal("cards.count", facts={"seat": seat, "card": twice})
    most = hand_size_max(deal, seat)
    exact = deal is not None and deal.phase is Phase.COUNTING
    if not (most if exact else 1) <= len(hand.cards) <= most:
        bound = "expected" if exact else "most"
        facts: dict[str, Fact] = {"seat": seat, "found": len(hand.cards), bound: most}
        return Refusal("cards.count", facts=facts)
    return None


def hand_size_max(deal: Deal | None, seat: int) -> int:
    """Return the maximum number of cards in a loser's hand at the end.

    A loser who has drawn may have discarded before another player went out, or not.
    """
    return CARDS_EACH if deal is None else min(CARDS_EACH, deal.counts[seat])


def _refuse_counted(
    deal: Deal, hands: list[tuple[int, LoserHand]], joker: int, version: int
) -> Refusal | None:
    before = sure_hands(deal)
    merged = {**before, **dict(hands)}
    for seat, hand in hands:
        earlier = before.get(seat)
        if earlier is None:
            continue
        both = hand.cards is not None and earlier.cards is not None
        differ = both and Counter(hand.cards) != Counter(earlier.cards)
        if hand.points != earlier.points or differ:
            why = "counted" if hand.points != earlier.points else "counted cards"
            return _disagrees(earlier.version, seat=seat, points=earlier.points, why=why)
        merged[seat] = hand if earlier.cards is None and hand.cards is not None else earlier
    if deal.knowledge is None:
        return None
    learnt = proof.learn_losers_hands(deal.knowledge, merged, joker, version)
    if not isinstance(learnt, Refusal):
        return None
    impossible = learnt.rule == IMPOSSIBLE
    facts = _facts_of_points(deal, deal.knowledge, hands, joker) if impossible else learnt.facts
    return replace(learnt, rule=RESULT, facts=facts)


def _facts_of_points(
    deal: Deal, knowledge: Knowledge, hands: list[tuple[int, LoserHand]], joker: int
) -> dict[str, Fact]:
    sums = [
        proof.explain_points(knowledge, seat, deal.counts[seat], hand.points, joker)
        for seat, hand in hands
        if hand.cards is None
    ]
    alone = [facts for facts in sums if facts["why"] != "no such points"]
    ordered = [*alone, *sums]
    return ordered[0] if ordered else {}


def _refuse_shares(
    deal: Deal | None, hands: list[tuple[int, LoserHand]], joker: int, version: int
) -> Refusal | None:
    """Check that the hands fit together and with the cards on the table.

    Turns that were not recorded can have moved every other card.
    """
    on_table = deal.knowledge.known_at(TABLE) if deal and deal.knowledge else 0
    cards, worths = _remaining_cards(on_table, joker)
    cards_left, worths_left = Counter(cards), Counter(worths)
    for seat, hand in hands:
        named = hand.cards or ()
        cards_left.subtract(named)
        worths_left.subtract(proof.worth_in_hand((card,), joker) for card in named)
        short = next((card for card in named if cards_left[card] < 0), None)
        if short is not None:
            why = proof.suspects_of_card(deal.knowledge if deal else None, seat, short, version)
            return Refusal(RESULT, None, {"seat": seat, "card": short}, why)
    wanted = [
        (hand.points, hand_size_max(deal, seat)) for seat, hand in hands if hand.cards is None
    ]
    if hands_are_possible(wanted, worths_left):
        return None
    ascending = sorted(worths_left.elements())
    for seat, hand in hands:
        most = hand_size_max(deal, seat)
        highest = sum(ascending[-most:])
        if hand.cards is None and hand.points > highest:
            facts = {"seat": seat, "points": hand.points, "holding": most, "most": highest}
            return _disagrees(why="too many points", **facts)
    return _disagrees(points=max(wanted)[0])


@lru_cache(maxsize=64)
def _remaining_cards(gone: Cards, joker: int) -> tuple[Mapping[str, int], Mapping[int, int]]:
    cards = pack().everything & ~gone
    worths = proof.hand_values(joker)
    return Counter(pack().named(cards)), Counter(worths[place] for place in bit_numbers(cards))


def hands_are_possible(hands: Sequence[tuple[int, int]], cards: Mapping[int, int]) -> bool:
    """Return whether every hand (points, maximum size) can be made of `cards` (value: number).

    A hand has at least one card. Smaller hands are filled up with blank cards worth nothing. Hands
    are added one by one: a few that are impossible together are found before the rest is searched.

    >>> hands_are_possible([(20, 2), (5, 1)], {10: 2, 5: 1}), hands_are_possible([(20, 2)], {5: 9})
    (True, False)
    """
    worthless = sum(1 for points, _ in hands if not points)
    if worthless > cards.get(0, 0):
        return False
    counted = sorted(hand for hand in hands if hand[0])
    values = [worth for worth, number in cards.items() if worth for _ in range(number)]
    alone = [[hand] for hand in dict.fromkeys(counted)]
    together = [counted[: size + 1] for size in range(1, len(counted))]
    return all(_can_be_dealt(group, values) for group in (*alone, *together))


def _can_be_dealt(hands: Sequence[tuple[int, int]], values: Sequence[int]) -> bool:
    if len(values) < len(hands):
        return False
    worth = (*values, *[0] * sum(size - 1 for _, size in hands))
    everything = left = (1 << len(worth)) - 1
    pools: list[TokenPool] = []
    totals: list[Total] = []
    for number, (points, size) in enumerate(hands):
        own = lowest(left, size)
        left ^= own
        pools.append(TokenPool(number, everything, own))
        totals.append(Total(frozenset([number]), worth, points))
    pools.append(TokenPool(len(hands), everything, left))
    return solve_totals(World(tuple(pools), {}, everything, tuple(totals))) is not None
