"""Which cards can be seen where, many asked at once: each answered just as it would be judged.

Where all that passed unseen is a flow (`domain.inference.flow`) it answers, and where every world
that fits is listed, they do. Else one deal that fits answers for every card that can be seen in it:
a deal that was looked for to answer for one card is kept (a *witness*), and answers for others;
what none of them tells is judged by itself. Of cards that nothing told apart since the first doubt
one answers for all.

All of it together takes no more than some effort (`ROUTES_ASKED` and those beside it). Where that
is spent, or was too little, the answer is yes and `doubted`: a judge may find out that it is no.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from functools import cached_property

from domain.inference.evidence import Seen
from domain.inference.flows import Either
from domain.inference.knowledge import Knowledge
from domain.inference.routes import ROUTES_FIRST, ROUTES_MAX
from domain.inference.search import Ways, follow
from domain.inference.worlds import Place, World
from domain.table.cards import Cards, places

# Routes taken in all before more is made of none than of the easiest; and searches of worlds.
ROUTES_ASKED, SEARCHES_ASKED = 3_000, 4
FOLLOWED_ASKED = 4_000  # pieces followed from listed worlds
SOUGHT_FIRST = 10  # cards sought by routes before the relaxed world is made to refute others
_ANY = 2**31 - 1  # a version later than all: what is asked is never learnt


class PossibleCards:
    """What was asked of some knowledge, and the deals found that answer it."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._known = knowledge
        self._witnesses: list[World] = []
        self._lies: list[dict[Place, Cards]] = []  # per witness: the cards at each place
        self._may_lie: dict[Place, Cards] = {}  # cards that can be there in some witness
        self._bear_witness(knowledge.world)
        plain = not knowledge.forked and not knowledge.world.totals
        # The world there is tells all of it then, and no other is looked for.
        self._can = self._may_lie if plain else None
        self._answers: dict[Hashable, bool] = {}
        self._like: dict[Cards, Hashable] = {}
        self._doubted: set[Hashable] = set()
        self._plainly: dict[Place, Cards] = {}  # cards that were found there without a search
        self._searches = self._sought = 0

    # What takes long to make is made when the first question needs it.

    @cached_property
    def _ways(self) -> Ways | None:
        known = self._known
        return known.ways() if known.forked and not known.relaxed else None

    @cached_property
    def _flows(self) -> Either | None:
        return None if self._ways is None else self._known.as_flows()

    @cached_property
    def _every(self) -> "_Every | None":
        listed = self._ways is not None and self._flows is None
        every = self._known.every_world() if listed else None
        return None if every is None else _Every(every)

    def can_leave(self, source: Place, copies: Cards) -> bool:
        """Tell whether `Knowledge.learn` would let one of `copies` be seen to leave a place."""
        if self._can is not None:
            return bool(copies & self._can.get(source, 0))
        if copies & self._may_lie.get(source, 0):
            return True
        asked = (self._place_like(source), self._alike(copies))
        if asked not in self._answers:
            self._answers[asked] = self._fits(Seen(source, copies, source, _ANY))
        return self._answers[asked]

    def that_can_leave(self, source: Place, cards: Cards) -> Cards:
        """Return those of `cards`, of which no two are equal, that `can_leave` a place."""
        if self._can is not None:
            return cards & self._can.get(source, 0)
        found = 0
        for lies in self._lies:
            found |= cards & lies.get(source, 0)
        for place in places(cards & ~found):
            if self.can_leave(source, 1 << place):
                found |= 1 << place
        return found

    def doubted(self, source: Place, *cards: Cards) -> bool:
        """Tell whether `can_leave`, or `can_all_leave`, said yes because none was found in time."""
        if not self._doubted:
            return False
        if any((source, self._alike(copies)) in self._doubted for copies in cards):
            return True
        return self._together(source, cards) in self._doubted

    @property
    def doubts(self) -> bool:
        """Whether anything was answered without a proof."""
        return bool(self._doubted)

    def _together(self, source: Place, cards: Sequence[Cards]) -> Hashable:
        return source, frozenset(Counter(map(self._alike, cards)).items())

    def can_all_leave(self, source: Place, cards: Sequence[Cards]) -> bool:
        """Tell whether `learn_all` would let unlike cards be seen to leave a place, all of them."""
        for lies in self._lies:
            there = lies.get(source, 0)
            if all(copies & there for copies in cards):
                return True
        if self._can is not None and _exchangeable(self._known.world, source, cards):
            return True
        if not all(self.can_leave(source, copies) for copies in cards):
            return False
        asked = self._together(source, cards)
        if asked not in self._answers:
            pieces = [Seen(source, copies, source, _ANY) for copies in cards]
            fits = self._fit_all(pieces)
            self._answers[asked] = fits is not False
            if fits is None:
                self._doubted.add(asked)
        return self._answers[asked]

    def _alike(self, copies: Cards) -> Hashable:
        if copies not in self._like:
            ways, world = self._ways, self._known.world
            self._like[copies] = _described(world, copies) if ways is None else ways.alike(copies)
        return self._like[copies]

    def _place_like(self, place: Place) -> Hashable:
        world = self._known.world
        if self._ways is not None or world.known.get(place):
            return place
        pools = [
            (candidates & world.unseen, assignment.bit_count())
            for at, candidates, assignment in world.pools
            if at == place
        ]
        return (), tuple(sorted(pools)), tuple(place in total.places for total in world.totals)

    def _fits(self, piece: Seen) -> bool:
        if self._every is not None:
            fits = self._every.fits((piece,))
            return self._doubt(piece) if fits is None else fits
        relaxed, source = self._known.relaxed, piece.source
        told = not relaxed and not self._known.world.totals  # `_may_lie` tells all of them then
        if not told and any(follow(piece, one, relaxed=relaxed) for one in self._witnesses):
            return True
        if self._ways is None:  # there is no other way
            return False
        if self._flows is not None:
            if source not in self._plainly and not self._known.world.totals:
                self._plainly[source] = self._flows.plainly_at(source)
            if piece.copies & self._plainly.get(source, 0):
                return True
            routed = self._routed(self._flows, piece)
            if routed is not None:
                return routed
        if self._searches >= SEARCHES_ASKED:
            return self._doubt(piece)
        self._searches += 1
        learnt = self._known.learn(piece, self._ways)
        if learnt is None:
            return False
        witness = learnt.before_last()
        if witness is not None:
            self._bear_witness(witness)
        return True

    def _routed(self, flows: Either, piece: Seen) -> bool | None:
        counted = bool(self._known.world.totals)
        self._sought += 1
        if self._sought > SOUGHT_FIRST and self._refuted(piece):
            return False
        for most in (ROUTES_FIRST, ROUTES_MAX):
            found = flows.can_leave(piece.source, piece.copies, most)
            if found is False or (found and not counted):
                return found
            if self._refuted(piece):
                return False
            if flows.taken > ROUTES_ASKED:
                break
        return None if counted else self._doubt(piece)

    def _refuted(self, piece: Seen) -> bool:
        whole = None if self._ways is None else self._ways.whole
        return whole is not None and whole.refutes(piece)

    def _doubt(self, piece: Seen) -> bool:
        self._doubted.add((piece.source, self._alike(piece.copies)))
        return True

    def _bear_witness(self, world: World) -> None:
        self._witnesses.append(world)
        if not world.totals:
            self._lies.append(_lying(world))
            for place, cards in _can_lie(world).items():
                self._may_lie[place] = self._may_lie.get(place, 0) | cards

    def _fit_all(self, pieces: Sequence[Seen]) -> bool | None:
        if self._every is not None:
            return self._every.fits(pieces)
        if any(self._shown_in(world, pieces) for world in self._witnesses):
            return True
        if self._flows is not None and not self._known.world.totals:
            return self._flows.can_all_leave(pieces[0].source, [one.copies for one in pieces])
        if self._searches >= SEARCHES_ASKED:
            return None
        self._searches += self._ways is not None
        return self._known.learn_all(pieces) is not None

    def _shown_in(self, world: World, pieces: Sequence[Seen]) -> bool:
        for piece in pieces:
            after = follow(piece, world, relaxed=self._known.relaxed)
            if not after:
                return False
            world = after[0]
        return True


class _Every:
    """Every world that fits, asked whether cards can be seen in one of them."""

    def __init__(self, worlds: Sequence[World]) -> None:
        self._worlds = worlds
        self._left = FOLLOWED_ASKED
        self._may = _may_lie(worlds)
        self._lies: dict[Place, Cards] = {}  # the cards at each place in some deal that fits
        for world in worlds:
            if not world.totals:
                for place, cards in _lying(world).items():
                    self._lies[place] = self._lies.get(place, 0) | cards

    def fits(self, pieces: Sequence[Seen]) -> bool | None:
        """Tell whether all of some cards can be seen, one after another; None: no time is left."""
        if len(pieces) == 1 and pieces[0].copies & self._lies.get(pieces[0].source, 0):
            return True
        if not all(piece.copies & self._may.get(piece.source, 0) for piece in pieces):
            return False
        for world in self._worlds:
            if self._left <= 0:
                return None
            if self._can_follow(world, pieces):
                return True
        return False

    def _can_follow(self, world: World, pieces: Sequence[Seen]) -> bool:
        if not pieces:
            return True
        if not _may_follow(world, pieces):
            return False
        self._left -= 1
        first, *rest = pieces
        return any(self._can_follow(after, rest) for after in follow(first, world))


def _may_follow(world: World, pieces: Sequence[Seen]) -> bool:
    source = pieces[0].source
    known = world.known.get(source, 0)
    wanted = [piece.copies & world.unseen for piece in pieces if not piece.copies & known]
    pools = [
        (candidates, assignment) for place, candidates, assignment in world.pools if place == source
    ]
    for copies in wanted:
        if not any(candidates & copies for candidates, _ in pools):
            return False
    union = 0
    for copies in wanted:
        union |= copies
    return len(wanted) <= sum(
        assignment.bit_count() for candidates, assignment in pools if candidates & union
    )


def _described(world: World, copies: Cards) -> Hashable:
    """Describe a card by the tokens that may be it and by its worth: what is like it may be there.

    Equal cards that are known somewhere are described by that place.
    """
    known = [(place, cards) for place, cards in world.known.items() if cards & copies]
    found: list[tuple[int, ...]] = []
    for face in places(copies & world.unseen):
        lies = [at for at, pool in enumerate(world.pools) if pool.candidates >> face & 1]
        found.append((*lies, -1, *(total.values[face] for total in world.totals)))
    return tuple(sorted(found)), tuple(place for place, _ in known)


def _lying(world: World) -> dict[Place, Cards]:
    found = dict(world.known)
    for place, _, assignment in world.pools:
        found[place] = found.get(place, 0) | assignment
    return found


def _may_lie(worlds: Sequence[World]) -> dict[Place, Cards]:
    found: dict[Place, Cards] = {}
    for world in worlds:
        for place, candidates, _ in world.pools:
            found[place] = found.get(place, 0) | candidates & world.unseen
        for place, cards in world.known.items():
            found[place] = found.get(place, 0) | cards
    return found


def _can_lie(world: World) -> dict[Place, Cards]:
    """Return the cards that can be at each place, whatever the totals; exact (Dulmage, Mendelsohn).

    A face can lie in a pool that may have it if faces can go round from that pool to its holder.
    Pools that may have the same faces can give each other theirs, so that they are one here.
    """
    found = dict(world.known)
    held: dict[Cards, Cards] = {}  # by what pools may have: what they have
    for _, candidates, assignment in world.pools:
        held[candidates] = held.get(candidates, 0) | assignment
    ways = dict.fromkeys(held, 0)  # those that faces can come to from it, a bit each
    for at, taker in enumerate(held):
        for giver, faces in held.items():
            if faces & taker:
                ways[giver] |= 1 << at
    for at, through in enumerate(held):
        for giver, others in ways.items():
            if others >> at & 1:
                ways[giver] = others | ways[through]
    able = {
        taker: sum(faces & taker for at, faces in enumerate(held.values()) if ways[taker] >> at & 1)
        for taker in held
    }
    for place, candidates, assignment in world.pools:
        if assignment:
            found[place] = found.get(place, 0) | able[candidates]
    return found


def _exchangeable(world: World, place: Place, cards: Sequence[Cards]) -> bool:
    """Tell whether one of each of some sets of cards can be at a place by simple exchanges.

    False proves nothing.
    """
    known = world.known.get(place, 0)
    wanted = 0
    for copies in cards:
        if not copies & known:
            here = copies & world.unseen
            if not here:
                return False
            wanted |= here & -here
    for at, candidates, assignment in world.pools:
        if (
            at == place
            and not wanted & ~candidates
            and wanted.bit_count() <= assignment.bit_count()
        ):
            return all(
                not assignment & ~pool.candidates
                for pool in world.pools
                if pool.assignment & wanted
            )
    return False
