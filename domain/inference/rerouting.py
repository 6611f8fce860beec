"""Evidence that does not fit the world kept, read into the flows: what is known on other routes.

Several cards seen at once are read together: one search of routes answers for all of them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from domain.inference.evidence import Evidence, Narrowed, Seen, Summed
from domain.inference.flow import Flow
from domain.inference.flow_totals import world_that_makes
from domain.inference.flows import Either
from domain.inference.worlds import TokenPool, World, seen

KINDS = (Narrowed, Seen, Summed)  # what is read here, in this order: the cards seen are the last


class Rerouted(NamedTuple):
    """Each piece with a world before it, and one after all; `refuted`: no deal fits them.

    Neither world nor refuted: that is not known.
    """

    steps: Sequence[tuple[Evidence, World]] = ()
    world: World | None = None
    refuted: bool = False


def readable(pieces: Sequence[Evidence]) -> bool:
    """Tell whether pieces are of kinds that are read here, and their order does not matter."""
    counted = [isinstance(piece, Summed) for piece in pieces]
    if counted != sorted(counted) or not all(isinstance(piece, KINDS) for piece in pieces):
        return False
    moved = {at for one in pieces if isinstance(one, Seen) for at in (one.source, one.target)}
    return all(one.place not in moved for one in pieces if isinstance(one, Narrowed))


def rerouted(flows: Either | None, before: World, pieces: Sequence[Evidence]) -> Rerouted:
    """Return a world of other routes in which readable pieces fit; `flows` are read on.

    `before`: a world that fits the evidence before them. None: routes do not tell.
    """
    if flows is None:
        return Rerouted()
    refuted = True
    ordered = sorted(pieces, key=lambda piece: KINDS.index(type(piece)))
    for flow in flows.every():
        fits = _read_all(flow, ordered)
        if fits:
            likes = _likes(before, ordered)
            made = world_that_makes(flow, likes[-1])
            if made.world is not None:
                return Rerouted(_steps(flow, ordered, likes, made.world), made.world)
            fits = False if made.refuted else None
        refuted = refuted and fits is False
    return Rerouted(refuted=refuted)


def _read_all(flow: Flow, pieces: Sequence[Evidence]) -> bool | None:
    for piece in pieces:
        read = flow.read(piece)
        if not read:
            return read
    return True


def _likes(before: World, pieces: Sequence[Evidence]) -> list[World]:
    likes = [before]
    for piece in pieces:
        like = likes[-1]
        if isinstance(piece, Summed):
            like = piece.after(like)[0]
        elif isinstance(piece, Seen):
            like = seen(like, piece.source, piece.copies, piece.target)
        likes.append(like)
    return likes


def _steps(
    flow: Flow, pieces: Sequence[Evidence], likes: Sequence[World], world: World
) -> list[tuple[Evidence, World]]:
    """Return each piece with a world before it; `world` follows all of them.

    Before one piece alone all that is open stays open, else the cards seen later lie there.
    """
    steps: list[tuple[Evidence, World]] = []
    for at in range(len(pieces) - 1, -1, -1):
        piece, like = pieces[at], likes[at]
        face = like.unseen & ~likes[at + 1].unseen
        alone = len(pieces) == 1
        if isinstance(piece, Seen) and face:
            lies = TokenPool(piece.source, face, face)
            world = (
                flow.world(like, [piece.source])
                if alone
                else like._replace(pools=(*world.pools, lies))
            )
        else:
            world = like if alone else like._replace(pools=world.pools)
        steps.append((piece, world))
    return steps[::-1]
