"""Sets and runs on the table: parse them, extend them, value them, take a joker from them.

Every function is total: it returns the resulting cards and the clauses that they break, as
`Defect`s. Invalid cards that a waiver allowed are a `CombinationKind.NONE`, to which nothing can be
added.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from domain.inference import Place
from domain.table.cards import RANKS, SUITS
from schemas.cards import JOKER

ORDER = RANKS
LADDER = ORDER + "A"  # by position: the ace is low or high
LOW_ACE, HIGH_ACE = 1, 14
ACE_HIGH, COURT = 11, 10
SIZE_MIN, SET_MAX = 3, 4
OPEN = "?"

SIZE, SET, RUN = "rami.meld-size", "rami.set", "rami.run"
ONE_JOKER, JOKER_IS, ADD, SWAP = "rami.one-joker", "rami.joker-is", "rami.add", "rami.swap"

# Every card except the joker, in the pack's order.
_CARDS = tuple(rank + suit for suit in SUITS for rank in ORDER[:1] + ORDER[:0:-1])

# A defect: the clause it breaks first, then further clauses that forbid it.
# Waiving any of them allows it.
Defect = tuple[str, ...]


class CombinationKind(Enum):
    __hash__ = (
        object.__hash__
    )  # members are single; an enum's own hash is slow, and often asked for

    SET = "set"
    RUN = "run"
    NONE = "none"


class MeldedCard(NamedTuple):
    """A card of a combination: `6H*` is a joker for `6H`, `8?*` one for an eight of any suit."""

    code: str
    rank: str
    suit: str
    joker: bool

    @property
    def held(self) -> str:
        return JOKER if self.joker else self.code

    @property
    def stands_for(self) -> str:
        return self.rank + self.suit


class Combination(Struct, frozen=True, gc=False):
    """Cards on the table; a run ascends from position `low` (ace 1, king 13, ace 14).

    `unsure`: the places of jokers that were marked unsure, by code.
    """

    kind: CombinationKind
    cards: tuple[str, ...]
    low: int = 0
    unsure: tuple[tuple[str, Place], ...] = ()

    @property
    def joker(self) -> MeldedCard | None:
        for code in self.cards:
            if code.endswith("*"):
                return parse_card(code)
        return None

    @property
    def high(self) -> int:
        return self.low + len(self.cards) - 1


class JudgedCombination(NamedTuple):
    combination: Combination
    defects: tuple[Defect, ...]


@lru_cache(maxsize=256)
def parse_card(code: str) -> MeldedCard:
    return MeldedCard(code, code[0], code[1], code.endswith("*"))


@lru_cache(maxsize=1024)
def parse_combination(codes: tuple[str, ...]) -> JudgedCombination:
    """Parse cards laid together (`rami.meld-size`, `rami.set`, `rami.run`, jokers).

    Cached: it is needed to judge and to apply an entry.
    """
    cards = [parse_card(code) for code in codes]
    defects: list[Defect] = [(SIZE,)] if len(cards) < SIZE_MIN else []
    ranks = {card.rank for card in cards}
    suits = {card.suit for card in cards if card.suit != OPEN}
    if len(ranks) <= 1:
        kind = CombinationKind.SET
        defects += _set_defects(cards)
    elif len(suits) == 1:
        kind = CombinationKind.RUN
        defects += _run_defects(cards)
    else:
        kind = CombinationKind.NONE
        defects.append((SET, RUN))
    if sum(card.joker for card in cards) > 1:
        defects.append((ONE_JOKER,))
    if defects:
        return JudgedCombination(Combination(CombinationKind.NONE, codes), tuple(defects))
    low = ORDER.index(cards[0].rank) + 1 if kind is CombinationKind.RUN else 0
    return JudgedCombination(Combination(kind, codes, low), ())


def _set_defects(cards: Sequence[MeldedCard]) -> list[Defect]:
    natural = [card.suit for card in cards if not card.joker]
    replaced = [card.suit for card in cards if card.joker and card.suit != OPEN]
    defects: list[Defect] = []
    has_open_joker = any(card.suit == OPEN for card in cards)
    if len(cards) > SET_MAX or len(set(natural)) < len(natural):
        defects.append((SET,))
    elif has_open_joker and len(cards) > SIZE_MIN:
        defects.append((SET, JOKER_IS))
    if set(natural) & set(replaced):
        defects.append((JOKER_IS, SET))
    return defects


def _run_defects(cards: Sequence[MeldedCard]) -> list[Defect]:
    if any(card.suit == OPEN for card in cards):
        return [(RUN, SET, JOKER_IS)]
    natural = {card.code for card in cards if not card.joker}
    twice = any(card.joker and card.stands_for in natural for card in cards)
    if twice:
        return [(JOKER_IS, RUN)]
    first = ORDER.index(cards[0].rank)
    ascending = "".join([card.rank for card in cards]) == LADDER[first : first + len(cards)]
    return [] if ascending else [(RUN,)]


@lru_cache(maxsize=1024)
def combination_points(combination: Combination) -> int:
    if combination.kind is CombinationKind.RUN:
        places = range(combination.low, combination.high + 1)
        return sum(min(place, COURT) for place in places) + (combination.high == HIGH_ACE)
    return sum(card_points(parse_card(code).rank) for code in combination.cards)


def card_points(rank: str) -> int:
    return ACE_HIGH if rank == "A" else min(ORDER.index(rank) + 1, COURT)


@lru_cache(maxsize=1024)
def extend(there: Combination, codes: tuple[str, ...], end: str) -> JudgedCombination:
    """Add cards to a combination (`rami.add`). `end` decides for an ace that fits both ends."""
    cards = [parse_card(code) for code in codes]
    defects: list[Defect] = []
    if (there.joker is not None) + sum(card.joker for card in cards) > 1:
        defects.append((ONE_JOKER, ADD))
    grown: Combination | None = None
    if there.kind is CombinationKind.NONE:
        defects.append((ADD,))
    elif any(card.suit == OPEN for card in cards):
        defects.append((SET, ADD))
    else:
        grown = (
            _grown_set(there, cards)
            if there.kind is CombinationKind.SET
            else _grown_run(there, cards, end)
        )
        if grown is None:
            defects.append(_defect_of_addition(there, cards))
    if grown is None or defects:
        pile = Combination(CombinationKind.NONE, (*there.cards, *codes), unsure=there.unsure)
        return JudgedCombination(pile, tuple(defects))
    return JudgedCombination(grown, ())


@lru_cache(maxsize=4096)
def addable_cards(there: Combination) -> tuple[str, ...]:
    """Return the codes of single cards that can be added, jokers as the card they represent.

    Cached: a combination is unchanged over many turns, and every list of choices needs it.
    """
    shared = 1 if there.kind is CombinationKind.RUN else 0  # index in a code: its suit, or rank
    alike = (card for card in _CARDS if card[shared] == there.cards[0][shared])
    codes = (card + star for card in alike for star in ("", "*"))
    return tuple(code for code in codes if not extend(there, (code,), "high").defects)


@lru_cache(maxsize=4096)
def cards_that_win_joker(there: Combination) -> tuple[str, ...]:
    """Return the cards that can replace the joker of a combination. Cached."""
    joker = there.joker
    if joker is None:
        return ()
    return tuple(card for card in _CARDS if not win_joker(there, joker, card).defects)


def _defect_of_addition(there: Combination, cards: Iterable[MeldedCard]) -> Defect:
    shape = SET if there.kind is CombinationKind.SET else RUN
    joker = there.joker
    held = {parse_card(code).stands_for for code in there.cards}
    for card in cards:
        if (card.joker and card.stands_for in held) or (joker and card.code == joker.stands_for):
            return (JOKER_IS, ADD, shape)
    return (ADD, shape)


def _grown_set(there: Combination, cards: Sequence[MeldedCard]) -> Combination | None:
    codes = (*there.cards, *(card.code for card in cards))
    suits = [code[1] for code in codes]
    if len(codes) > SET_MAX or len(set(suits)) < len(suits):
        return None
    if len({code[0] for code in codes}) > 1:
        return None
    if len(codes) < SET_MAX:
        return replace(there, cards=codes)
    left = next((suit for suit in SUITS if suit not in suits), OPEN)
    return replace(
        there,
        cards=tuple(code.replace(OPEN, left) for code in codes),
        unsure=tuple((code.replace(OPEN, left), place) for code, place in there.unsure),
    )


def _grown_run(there: Combination, cards: Sequence[MeldedCard], end: str) -> Combination | None:
    """Return the run with cards added, an ace at `end` if it fits at both; None: no run."""
    suit = there.cards[0][1]
    placed = dict(enumerate(there.cards, start=there.low))
    aces = [card for card in cards if card.rank == "A"]
    for card in cards:
        position = ORDER.index(card.rank) + 1
        if card.suit != suit:
            return None
        if card.rank == "A":
            continue
        if position in placed:
            return None
        placed[position] = card.code
    ace_places = [
        place
        for place, beside in ((LOW_ACE, LOW_ACE + 1), (HIGH_ACE, HIGH_ACE - 1))
        if place not in placed and beside in placed
    ]
    if len(aces) > len(ace_places) or (len(aces) > 1 and aces[0].joker != aces[1].joker):
        return None
    if len(aces) == 1 and len(ace_places) > 1:
        ace_places = [LOW_ACE if end == "low" else HIGH_ACE]
    placed |= {place: ace.code for place, ace in zip(ace_places, aces, strict=False)}
    low, high = min(placed), max(placed)
    if high - low + 1 != len(placed) or _ace_twice(placed):
        return None
    return replace(there, cards=tuple(placed[at] for at in range(low, high + 1)), low=low)


def _ace_twice(placed: dict[int, str]) -> bool:
    low, high = placed.get(LOW_ACE), placed.get(HIGH_ACE)
    return low is not None and high is not None and parse_card(low).joker != parse_card(high).joker


def win_joker(there: Combination, joker: MeldedCard, card: str) -> JudgedCombination:
    """Replace a joker of a combination by `card` (`rami.swap`)."""
    if joker.suit == OPEN:
        taken = {code[1] for code in there.cards}
        fits = card[0] == joker.rank and card[1] not in taken
    else:
        fits = card == joker.stands_for
    at = there.cards.index(joker.code)
    cards = (*there.cards[:at], card, *there.cards[at + 1 :])
    unsure = tuple(pair for pair in there.unsure if pair[0] != joker.code)
    if there.kind is CombinationKind.NONE or not fits:
        return JudgedCombination(
            Combination(CombinationKind.NONE, cards, unsure=unsure), ((SWAP,),)
        )
    return JudgedCombination(replace(there, cards=cards, unsure=unsure), ())
