"""The same evidence judged by enumerating every deal: slow, obvious, the measure of knowledge.

A deal is where each physical card lies. Nothing is inferred: each piece of evidence keeps the deals
it is true of and moves their cards.
"""

from collections.abc import Iterable
from itertools import combinations

from domain.inference.evidence import (
    AllMoved,
    EvidencePiece,
    Held,
    Narrowed,
    RuledOut,
    Seen,
    Shuffled,
    Summed,
    Swapped,
    Unseen,
)
from domain.table.cards import bit_numbers

Deal = tuple[int, ...]  # the place of each physical card


def every_deal(cards: int, place: int) -> set[Deal]:
    """Return the one deal in which all `cards` cards lie at `place`."""
    return {(place,) * cards}


def after(deals: set[Deal], evidence: EvidencePiece) -> set[Deal]:
    readings = evidence.alternatives()
    if len(readings) > 1:
        return {deal for pieces in readings for deal in after_all(deals, pieces)}
    match evidence:
        case Seen(source=source, copies=copies, target=target):
            return {
                _move(deal, (card,), target)
                for deal in deals
                for card in bit_numbers(copies)
                if deal[card] == source
            }
        case Unseen(source=source, target=target, count=count):
            return {
                _move(deal, cards, target)
                for deal in deals
                for cards in combinations([c for c, at in enumerate(deal) if at == source], count)
            }
        case Held(place=place, cards=cards):
            return {
                deal for deal in deals if all(deal[card] == place for card in bit_numbers(cards))
            }
        case RuledOut(place=place, cards=cards):
            gone = tuple(bit_numbers(cards))
            return {deal for deal in deals if not any(deal[card] == place for card in gone)}
        case Narrowed(place=place, cards=cards):
            return {
                deal
                for deal in deals
                if all(cards >> card & 1 for card, at in enumerate(deal) if at == place)
            }
        case Summed():
            return {deal for deal in deals if _comes_to(deal, evidence)}
        case AllMoved(source=source, target=target) | Shuffled(source=source, target=target):
            return {tuple(target if at == source else at for at in deal) for deal in deals}
        case Swapped(one=one, other=other):
            turned = {one: other, other: one}
            return {tuple(turned.get(at, at) for at in deal) for deal in deals}
        case _:
            raise AssertionError(f"no such evidence: {evidence}")


def after_all(deals: set[Deal], story: Iterable[EvidencePiece]) -> set[Deal]:
    for piece in story:
        deals = after(deals, piece)
    return deals


def _comes_to(deal: Deal, told: Summed) -> bool:
    held = (told.values[card] for card, place in enumerate(deal) if place in told.places)
    return sum(held) == told.worth


def _move(deal: Deal, cards: tuple[int, ...], target: int) -> Deal:
    moved = list(deal)
    for card in cards:
        moved[card] = target
    return tuple(moved)


def nothing(*_: object) -> None:
    """Replace a shortcut that finds an answer: it finds none."""


def rules_out_nothing(*_: object) -> bool:
    """Stand in for a shortcut that rules out cards, so that the full search runs."""
    return False


def rules_out_everything(*_: object) -> bool:
    """Stand in for a shortcut that rules out cards, so that it rules out all."""
    return True
