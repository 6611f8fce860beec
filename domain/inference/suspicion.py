"""Entries that a refusal can contradict, the likeliest first; domain/table/citation.py tests them.

The order depends on versions and on the cards of each entry, never on the order of a list, on suits
or on seats.
"""

from collections import Counter
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
from domain.table.cards import Cards, bit_numbers, union

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
    strongest: dict[int, int] = {}
    times: Counter[tuple[int, int]] = Counter()
    for kind, suspect in _suspected(knowledge, trail, own):
        strongest[suspect] = min(kind, strongest.get(suspect, kind))
        times[suspect, kind] += 1

    def rank(suspect: int) -> tuple[int, int, int]:
        kind = strongest[suspect]
        return kind, -times[suspect, kind], -newest.get(suspect, 0)

    return tuple(sorted(strongest, key=rank))


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
    """Yield the kind and version of each entry under suspicion, an entry perhaps several times."""
    named: dict[Place, Cards] = {}
    for piece in own:
        if isinstance(piece, Seen | Held | Narrowed):
            source = piece.source if isinstance(piece, Seen) else piece.place
            named[source] = named.get(source, 0) | _faces(piece)
    for place, cards in named.items():
        yield from _lying(trail, place, knowledge.known_at(place) & ~cards)
    for piece in own:
        if isinstance(piece, Summed):
            for place in piece.places:
                yield from _lying(trail, place, knowledge.known_at(place))
    for piece in own:
        if isinstance(piece, RuledOut):
            yield from _lying(trail, piece.place, knowledge.known_at(piece.place) & piece.cards)
    all_named = union(named.values())
    for piece in trail:
        match piece:
            case RuledOut() if piece.cards & named.get(piece.place, 0):
                yield _CONCLUDED, piece.version
            case Narrowed() if not piece.cards & named.get(piece.place, piece.cards):
                yield _LIES_THERE, piece.version
            case Seen() | Held() | Narrowed() if _faces(piece) & all_named:
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
