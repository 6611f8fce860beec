"""Entries that a refusal can contradict, the likeliest first; domain/table/citation.py tests them.

The order depends on versions and on the cards of each entry, never on the order of a list, on suits
or on seats.
"""

from collections.abc import Iterator, Sequence

from domain.inference.evidence import (
    AllMoved,
    Evidence,
    Held,
    Narrowed,
    RuledOut,
    Seen,
    Summed,
    Swapped,
)
from domain.inference.knowledge import Knowledge
from domain.inference.worlds import Place
from domain.table.cards import Cards, bit_numbers

_CONCLUDED, _LIES_THERE, _NAMED, _SUMMED, _ANY = range(5)


def suspects(knowledge: Knowledge, shown: Sequence[Evidence], version: int) -> tuple[int, ...]:
    """Return the versions of all entries that the entry `version` can contradict.

    `shown` is its evidence, and that of other entries judged together with it. The order: entries
    with a conclusion about its cards; those that named cards now known at the places it names, the
    most cards first; those that named its cards; totals; all others.
    """
    trail = [*knowledge.evidence(), *(piece for piece in shown if piece.version != version)]
    newest = {piece.version: place for place, piece in enumerate(trail)}
    own = [piece for piece in shown if piece.version == version]
    found: dict[int, tuple[int, int]] = {}
    for kind, suspect in _suspected(knowledge, trail, own):
        before, times = found.get(suspect, (kind, 0))
        if kind <= before:
            found[suspect] = (kind, times + 1 if kind == before else 1)
    return tuple(
        sorted(found, key=lambda one: (found[one][0], -found[one][1], -newest.get(one, 0)))
    )


def named_at(trail: Sequence[Evidence], place: Place, copies: Cards) -> Seen | None:
    """Return the piece that last named one of `copies` that is known to be at `place`."""
    tracked = {place}
    for piece in reversed(trail):
        match piece:
            case Seen() if piece.copies & copies and piece.target in tracked:
                return piece
            case AllMoved() if piece.target in tracked:
                tracked.add(piece.source)
            case Swapped() if len(tracked & {piece.one, piece.other}) == 1:
                tracked ^= {piece.one, piece.other}
    return None


def _suspected(
    knowledge: Knowledge, trail: Sequence[Evidence], own: Sequence[Evidence]
) -> Iterator[tuple[int, int]]:
    named: dict[Place, Cards] = {}
    for piece in own:
        if isinstance(piece, Seen | Held | Narrowed):
            source = piece.source if isinstance(piece, Seen) else piece.place
            named[source] = named.get(source, 0) | _faces(piece)
    denied = [piece for piece in own if isinstance(piece, RuledOut)]
    for place, cards in named.items():
        yield from _lying(trail, place, knowledge.known_at(place) & ~cards)
    for piece in own:
        for place in piece.places if isinstance(piece, Summed) else ():
            yield from _lying(trail, place, knowledge.known_at(place))
    for piece in denied:
        yield from _lying(trail, piece.place, knowledge.known_at(piece.place) & piece.cards)
    every = 0
    for cards in named.values():
        every |= cards
    for piece in trail:
        match piece:
            case RuledOut() if piece.cards & named.get(piece.place, 0):
                yield _CONCLUDED, piece.version
            case Narrowed() if not piece.cards & named.get(piece.place, piece.cards):
                yield _LIES_THERE, piece.version
            case Seen() | Held() | Narrowed() if _faces(piece) & every:
                yield _NAMED, piece.version
            case Summed():
                yield _SUMMED, piece.version
            case Seen() | Held() | Narrowed() | RuledOut():
                yield _ANY, piece.version
            case _:
                pass


def _faces(piece: Seen | Held | Narrowed) -> Cards:
    return piece.copies if isinstance(piece, Seen) else piece.cards


def _lying(trail: Sequence[Evidence], place: Place, cards: Cards) -> Iterator[tuple[int, int]]:
    for card in bit_numbers(cards):
        naming = named_at(trail, place, 1 << card)
        if naming is not None:
            yield _LIES_THERE, naming.version
