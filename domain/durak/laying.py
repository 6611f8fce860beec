"""List the cards that may be played: first by public information, then by possible hands.

Cards of the same `_equivalence_key` are equal to public information and are judged together.
Possible hands are asked for all cards at once, and for the largest set first: if a hand can hold
it, the hand can hold each of its subsets.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from itertools import combinations

from msgspec.structs import replace

from domain.durak.clauses import (
    DEFENDER,
    MUST_LEAD,
    NEXT_LEAD,
    TURN,
    UNBEATEN,
    WHO_ADDS,
    WORD,
)
from domain.durak.ranks import FOURS, PACK, cards_of_ranks
from domain.durak.state import Deal, Phase
from domain.inference import Knowledge, PossibleCards
from domain.table.cards import Cards, bit_numbers
from domain.table.rules import LATER, Choice, Game, Refuse, Values, card_choice
from schemas.entries import Entry

Named = tuple[str, ...]
Make = Callable[[Named], Entry]

# Clauses that refuse every card alike: they concern the turn and the phase.
_CLAUSES_OF_ANY_CARD = frozenset(
    {"table.phase", NEXT_LEAD, TURN, WHO_ADDS, WORD, UNBEATEN, DEFENDER, MUST_LEAD}
)


class PlayableCards:
    def __init__(self, game: Game, refuse: Refuse, known: Knowledge | None) -> None:
        deal: Deal = game.deal
        self._deal = deal
        self._refuse = refuse
        self.seen = game  # the public part of it
        if deal.knowledge is not None:
            self.seen = replace(game, deal=replace(deal, knowledge=None))
        self._possible = None if known is None else PossibleCards(known)
        self._sorts = _equivalence_classes(deal)
        self._stands: dict[Hashable, bool] = {}

    def offered(self, kind: str, seat: int, fields: Mapping[str, Values]) -> Choice:
        """Return the choices from a hand: sets of cards, or single cards."""
        doubts = self._possible is not None and self._possible.has_unproved
        return card_choice(kind, seat, fields, partial(self._unproved, seat) if doubts else None)

    def single_cards(self, seat: int, make: Make, among: Cards) -> Named:
        """Return those cards of one equivalence class, `among`, that may be played alone."""
        if not among or not self._is_legal_by_sight(PACK.named(among & -among), make):
            return ()
        return PACK.named(self._held(seat, among))

    def sets(self, seat: int, make: Make) -> tuple[Named, ...]:
        """Return the sets of equal rank that may be played, single cards first."""
        able = self._held(seat, self._legal_by_sight(make))
        ranks = [PACK.named(able & four) for four in FOURS]
        named: list[Named] = [(card,) for rank in ranks for card in rank]
        for rank in ranks:
            if len(rank) > 1 and self._is_legal_by_sight(rank[:2], make):
                named += self._larger(seat, rank, make)
        return tuple(named)

    def ranks_to_lay_away(self, seat: int, make: Make) -> tuple[Named, ...]:
        """Return the ranks whose four cards may be set aside. They share one `_equivalence_key`."""
        if not self._is_legal_by_sight(PACK.named(FOURS[0]), make):
            return ()
        fours = [
            PACK.named(four)
            for four in FOURS
            if all(self._held(seat, 1 << place) for place in bit_numbers(four))
        ]
        return tuple(four for four in fours if self._is_legal(seat, four, make))

    def _larger(self, seat: int, rank: Named, make: Make) -> Sequence[Named]:
        """Return the sets of two or more cards of one rank that may be laid."""
        if self._is_legal(seat, rank, make) and not self._unproved(seat, rank):
            return [cards for size in range(2, len(rank) + 1) for cards in combinations(rank, size)]
        legal: set[Named] = {(card,) for card in rank}
        sets: list[Named] = []
        for count in range(2, len(rank) + 1):
            larger = [
                cards
                for cards in combinations(rank, count)
                if legal.issuperset(combinations(cards, count - 1))  # without any one card
                and self._is_legal(seat, cards, make)
            ]
            if not larger:
                break
            legal.update(larger)
            sets += larger
        return sets

    def _held(self, seat: int, cards: Cards) -> Cards:
        if self._possible is None or not cards:
            return cards
        return self._possible.cards_that_can_leave(seat, cards)

    def _is_legal(self, seat: int, cards: Named, make: Make) -> bool:
        if not self._is_legal_by_sight(cards, make):
            return False
        copies = [PACK.copies[card] for card in cards]
        return self._possible is None or self._possible.can_all_leave(seat, copies)

    def _unproved(self, seat: int, cards: str | Named) -> bool:
        some = (cards,) if isinstance(cards, str) else cards
        return self._possible is not None and self._possible.is_unproved(
            seat, *(PACK.copies[card] for card in some)
        )

    def _legal_by_sight(self, make: Make) -> Cards:
        legal = 0
        for alike in self._sorts:
            refusal = self._refuse(self.seen, make(PACK.named(alike & -alike)), LATER)
            if refusal is None:
                legal |= alike
            elif refusal.rule in _CLAUSES_OF_ANY_CARD:
                return 0
        return legal

    def _is_legal_by_sight(self, cards: Named, make: Make) -> bool:
        sort = (make, _equivalence_key(self._deal, cards))
        stands = self._stands.get(sort)
        if stands is None:
            stands = self._refuse(self.seen, make(cards), LATER) is None
            self._stands[sort] = stands
        return stands


def _equivalence_key(deal: Deal, cards: Named) -> Hashable:
    nobody_leads = deal.phase is Phase.LOWEST
    return len(cards), nobody_leads and any(card[1] == deal.trump for card in cards)


def _equivalence_classes(deal: Deal) -> tuple[Cards, ...]:
    if deal.bout is not None:
        return (cards_of_ranks(deal.bout.ranks),)
    if deal.phase is not Phase.LOWEST:
        return (PACK.everything,)
    trumps = PACK.of_suit[deal.trump]
    return trumps, PACK.everything & ~trumps
