"""Search for the one earlier entry without which a refused entry would be legal.

To test an entry, the search replaces it by one that proves nothing about cards (unsure, and a deal
without hands), judges the entries after it again, and then the refused entry. A refusal lists the
candidates as `suspects`, the likeliest first.
"""

from collections.abc import Sequence
from typing import Any, cast

from msgspec import UNSET
from msgspec.structs import replace

from domain.table import judgement
from domain.table.cards import RANKS
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game
from schemas.cards import JOKER
from schemas.entries import Entry

# About 50 ms per refusal: entries judged, each of which counts for more if it needs a search.
WORK_MAX = 1_000
NODES_VISITED = 200  # take as long as judging one entry
_TRIED_SINGLY_MAX = 4  # limit of the cards of a cited entry in a sentence
_TRIED_SINGLY_FIRST = 3  # the likeliest are tried alone, before the others are ruled out in groups
EntryInDeal = tuple[int, Entry, Game]  # version, entry, and the game before it


class SearchLimitReached(Exception):  # noqa: N818
    pass


class Search:
    """Search among the entries of one deal; `deal` lists those before the refused entry."""

    def __init__(self, deal: Sequence[EntryInDeal], refused: Entry, number: int) -> None:
        self._deal = deal
        self._places = {number: place for place, (number, _, _) in enumerate(deal)}
        self._refused = refused
        self._number = number
        self._left: float = WORK_MAX

    def first(self, suspects: Sequence[int]) -> int | None:
        """Return the first suspect that alone makes the entry illegal.

        Raises:
            SearchLimitReached: the search limit was reached.
        """
        known = [suspect for suspect in suspects if suspect in self._places]
        for suspect in known[:_TRIED_SINGLY_FIRST]:
            if self._is_legal_without({suspect}):
                return suspect
        return self._first_in_halves(known[_TRIED_SINGLY_FIRST:])

    def _first_in_halves(self, suspects: Sequence[int]) -> int | None:
        """Return the first suspect whose proof must go for the entry to be legal."""
        if not suspects or not self._is_legal_without(set(suspects)):
            return None
        if len(suspects) == 1:
            return suspects[0]
        half = len(suspects) // 2
        suspect = self._first_in_halves(suspects[:half])
        return self._first_in_halves(suspects[half:]) if suspect is None else suspect

    def _is_legal_without(self, left_out: set[int]) -> bool:
        first = min(self._places[place] for place in left_out)
        game = self._deal[first][2]
        for number, entry, _ in self._deal[first:]:
            judged = self._judge(
                game, without_proof(entry) if number in left_out else entry, number
            )
            if isinstance(judged, Refusal):
                return False
            game = judged
        return not isinstance(self._judge(game, self._refused, self._number), Refusal)

    def _judge(self, game: Game, entry: Entry, number: int) -> Game | Refusal:
        if self._left < 0:
            raise SearchLimitReached
        before = _visited(game)
        judged = judgement.judge(game, entry, number)
        self._left -= 1 + (_visited(game) - before) / NODES_VISITED
        return judged


def _visited(game: Game) -> int:
    knowledge = game.deal and game.deal.knowledge
    return knowledge.caches.effort.visited if knowledge else 0


def without_proof(entry: Entry) -> Entry:
    given = getattr(entry, "hands", UNSET) is not UNSET
    without: Any = {"unsure": True, **({"hands": UNSET} if given else {})}
    return replace(entry, **without)


def add_facts(deal: Sequence[EntryInDeal], refusal: Refusal) -> Refusal:
    """Add facts of the contradicting entry to a refusal: type, seat, cards, points, moment."""
    place = next((at for at, move in enumerate(deal) if move[0] == refusal.contradicts), None)
    if place is None:
        return refusal
    _, entry, before = deal[place]
    facts: dict[str, Fact] = {"cited": str(entry.__struct_config__.tag)}
    seat: object = getattr(entry, "seat", None)
    if isinstance(seat, int):
        own = refusal.facts.get("seat", seat) == seat
        facts |= {"by": seat, "whose": "own" if own else "other"}
        begun = [move for _, move, _ in deal[: place + 1] if _begins(before, move, seat)]
        facts |= {"turn_number": len(begun)} if begun else {}
    facts |= _hand_facts(entry, refusal)
    cards = _cards_in(entry)
    if len(cards) > _TRIED_SINGLY_MAX and refusal.facts.get("card") in cards:
        cards = [str(refusal.facts["card"])]
    if 0 < len(cards) <= _TRIED_SINGLY_MAX:
        facts["showed"] = " ".join(cards)
    points: object = getattr(entry, "points", None)
    if isinstance(points, int):
        facts["told"] = points
    if before.deal is not None:
        facts |= before.rules.moment_facts(before)
    return replace(refusal, facts={**facts, **refusal.facts})


def _begins(game: Game, entry: Entry, seat: int) -> bool:
    return isinstance(entry, game.rules.turn_begins) and getattr(entry, "seat", None) == seat


def _hand_facts(entry: Entry, refusal: Refusal) -> dict[str, Fact]:
    """Return the seat whose hand, noted at the deal, is likeliest to be the reason."""
    named: object = getattr(entry, "hands", UNSET)
    hands = cast("tuple[object, ...]", named) if isinstance(named, tuple) else ()
    noted = [seat for seat, hand in enumerate(hands) if hand]
    card, own = refusal.facts.get("card"), refusal.facts.get("seat")
    for seat in sorted(noted, key=lambda seat: seat != refusal.facts.get("holder")):
        if card in _flat(hands[seat]):
            return {"dealt_to": seat, "dealt": "card"}
    if own in noted or len(noted) == 1:
        return {"dealt_to": int(own) if own in noted else noted[0], "dealt": "hand"}
    return {"dealt": "several"} if noted else {}


def _cards_in(entry: Entry) -> list[str]:
    if getattr(entry, "hands", UNSET) is not UNSET:
        return []
    # `beat` has the beating card in `with_` and the beaten card in `card`.
    for name in ("with_", *entry.__struct_fields__):
        cards = [
            card
            for card in _flat(getattr(entry, name, UNSET))
            if (len(card) in {2, 3} and card[0] in f"{RANKS}{JOKER[0]}")
        ]
        if cards:
            return cards
    return []


def _flat(value: object) -> list[str]:
    if isinstance(value, tuple):
        return [leaf for part in cast("tuple[object, ...]", value) for leaf in _flat(part)]
    return [value] if isinstance(value, str) else []


def find_contradicted(
    deal: Sequence[EntryInDeal], refused: Entry, number: int, refusal: Refusal
) -> Refusal:
    """Return a refusal with the one earlier entry it contradicts, if there is exactly one.

    If the search stopped early, the fact `search` is "given up".
    """
    if not refusal.suspects:
        return refusal
    refusal, suspects = replace(refusal, suspects=()), refusal.suspects
    try:
        suspect = Search(deal, refused, number).first(suspects)
    except SearchLimitReached:
        return replace(refusal, facts={**refusal.facts, "search": "given up"})
    return replace(refusal, contradicts=suspect)
