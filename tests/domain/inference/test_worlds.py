"""Worlds are exact: on small ones each step admits the deals that every deal, moved, ends in.

Worlds are made at random, from fixed seeds. Exact is meant up to which of equal cards was seen.
"""

from collections.abc import Callable, Iterable
from random import Random

import pytest

from domain.inference import worlds
from domain.inference.evidence import (
    AllMoved,
    EvidencePiece,
    Held,
    RuledOut,
    Seen,
    Shuffled,
    Swapped,
    Unseen,
)
from domain.inference.worlds import Place, TokenPool, World
from domain.table.cards import Cards, bit_numbers
from tests.domain.inference import enumeration
from tests.domain.inference.enumeration import Deal

CARDS, PLACES, TABLE = 6, (1, 2, 3), 4
ALL = (1 << CARDS) - 1
# Equal cards: three of one, two of another, and one alone.
COPIES = (0b000111, 0b011000, 0b100000)


def deals_of(world: World) -> set[Deal]:
    known = {card: at for at, cards in world.known.items() for card in bit_numbers(cards)}
    found: set[Deal] = set()
    seen: set[tuple[object, ...]] = set()

    def give(card: int, rooms: tuple[int, ...], deal: Deal) -> None:
        if (card, rooms, deal) in seen:
            return
        seen.add((card, rooms, deal))
        if card == CARDS:
            found.add(deal)
        elif not world.unseen >> card & 1:
            give(card + 1, rooms, (*deal, known[card]))
        else:
            for at, pool in enumerate(world.pools):
                if rooms[at] and pool.candidates >> card & 1:
                    left = (*rooms[:at], rooms[at] - 1, *rooms[at + 1 :])
                    give(card + 1, left, (*deal, pool.place))

    give(0, tuple(pool.assignment.bit_count() for pool in world.pools), ())
    return found


def alike(deals: Iterable[Deal]) -> set[tuple[tuple[Place, ...], ...]]:
    return {
        tuple(tuple(sorted(deal[card] for card in bit_numbers(copies))) for copies in COPIES)
        for deal in deals
    }


def sound(world: World) -> None:
    held = 0
    for pool in world.pools:
        assert pool.assignment
        assert not pool.assignment & held
        assert not pool.assignment & ~pool.candidates
        held |= pool.assignment
    assert held == world.unseen
    known = 0
    for cards in world.known.values():
        assert not cards & known
        known |= cards
    assert known == ALL & ~world.unseen


def a_world(chance: Random, *, equal: bool = True) -> World:
    """Return a random world: some cards known, the others in pools.

    `equal`: a pool that admits a card admits all equal unseen ones.
    """
    cards = [1 << card for card in range(CARDS)]
    chance.shuffle(cards)
    seen = cards[: chance.choice((0, 0, 1, 2, 3))]
    known: dict[Place, Cards] = {}
    for card in seen:
        at = chance.choice((*PLACES, TABLE))
        known[at] = known.get(at, 0) | card
    pools: list[TokenPool] = []
    rest = cards[len(seen) :]
    while rest:
        number = chance.randint(1, min(3, len(rest)))
        held = sum(rest[:number])
        rest = rest[number:]
        candidates = held | chance.getrandbits(CARDS) & chance.getrandbits(CARDS)
        if equal:
            candidates |= sum(copies for copies in COPIES if copies & candidates)
        pools.append(TokenPool(chance.choice(PLACES), candidates, held))
    return World(tuple(pools), known, ALL & ~sum(seen))


def every(number: int = 200, *, equal: bool = True) -> Iterable[tuple[Random, World]]:
    for seed in range(number):
        chance = Random(seed)  # noqa: S311 worlds, not secrets
        world = a_world(chance, equal=equal)
        sound(world)
        yield chance, world


def admit(after: Iterable[World]) -> set[Deal]:
    found: set[Deal] = set()
    for world in after:
        sound(world)
        found |= deals_of(world)
    return found


@pytest.mark.parametrize("equal", [True, False])
def test_see__admits_every_deal_in_which_such_a_card_left(*, equal: bool) -> None:
    for chance, world in every(equal=equal):
        seen = Seen(chance.choice(PLACES), chance.choice(COPIES), chance.choice((2, TABLE)), 1)
        after = seen.successors(world)
        assert alike(admit(after)) == alike(enumeration.after(deals_of(world), seen))


def test_relaxation__of_several_tokens_one_may_have_what_any_may() -> None:
    one, two = TokenPool(1, 0b000111, 0b000101), TokenPool(1, 0b011011, 0b001010)
    other = TokenPool(2, 0b110010, 0b110000)
    world = World((one, two, other), {}, 0b111111)
    [moved] = worlds.move_unseen(world, 1, 3, 1, relaxed=True)
    assert moved.pools == (
        one._replace(assignment=0b000100),
        two._replace(assignment=0b001000),
        other,
        TokenPool(1, 0b011111, 0b000010),
        TokenPool(3, 0b011111, 0b000001),
    )
    [seen] = worlds.move_seen(world, 1, PAIR, TABLE, relaxed=True)
    assert seen.pools == (
        one._replace(assignment=0b000100),
        two._replace(assignment=0b001000),
        other,  # the first copy, which it cannot be, was seen: that leaves most
        TokenPool(1, 0b011111, 0b000010),
    )
    assert (seen.known, seen.unseen) == ({TABLE: 0b000001}, 0b111110)


PAIR = 0b000011  # two equal cards


def sees(*pools: TokenPool, source: Place = 1) -> list[tuple[TokenPool, ...]]:
    unseen = sum(pool.assignment for pool in pools)
    return [
        after.pools for after in worlds.move_seen(World(pools, {}, unseen), source, PAIR, TABLE)
    ]


def test_see__of_pools_where_one_token_is_narrower_that_one_left() -> None:
    narrow, wide = TokenPool(1, 0b001111, 0b000100), TokenPool(1, 0b011111, 0b001001)
    other = TokenPool(2, 0b010011, 0b010010)
    # The token with fewer candidates was moved, in either order.
    assert sees(narrow, wide, other) == [(wide._replace(assignment=0b001100), other)]
    assert sees(wide, narrow, other) == [(wide._replace(assignment=0b001100), other)]


def test_see__of_tokens_that_may_have_other_cards_each_can_have_left() -> None:
    one, two = TokenPool(1, 0b000111, 0b000101), TokenPool(1, 0b011011, 0b011010)
    assert sees(one, two) == [
        (one._replace(assignment=0b000100), two),
        (one, two._replace(assignment=0b011000)),
    ]


def test_see__of_copies_told_apart_by_another_place_the_one_it_cannot_have_left() -> None:
    other, own = TokenPool(2, 0b001101, 0b001100), TokenPool(1, 0b000111, 0b000011)
    assert sees(other, own) == [(other, own._replace(assignment=0b000001))]


def test_seen__a_card_known_nowhere_is_the_lowest_unseen_one() -> None:
    world = World((TokenPool(1, 0b110, 0b110),), {3: 0b001}, 0b110)
    after = worlds.mark_seen(world, 1, 0b111, 2)
    assert (after.known, after.unseen, after.pools) == ({3: 0b001, 2: 0b010}, 0b100, world.pools)


def test_hold__of_a_place_where_nothing_is_known_leaves_the_card_unseen_there() -> None:
    world = World((TokenPool(1, 0b11, 0b10), TokenPool(2, 0b11, 0b01)), {}, 0b11)
    [after] = worlds.fix_card(world, 1, 0b01)
    assert after == World((TokenPool(2, 0b11, 0b10), TokenPool(1, 0b01, 0b01)), {1: 0}, 0b11)
    assert worlds.fix_card(after._replace(known={1: 0b100}), 1, 0b100) == [
        after._replace(known={1: 0b100})
    ]


def test_see__the_copy_that_is_freer_to_lie_stays() -> None:
    own, other = TokenPool(1, 0b000111, 0b000101), TokenPool(2, 0b001110, 0b001010)
    # The second copy may lie at both places: the first, which may not, is the one seen.
    assert sees(own, other) == [(own._replace(assignment=0b000100), other)]
    # Either of two copies may have left, because another place may have either.
    third = TokenPool(3, 0b100001, 0b100000)
    assert len(sees(own, other, third)) == 2


@pytest.mark.parametrize("equal", [True, False])
def test_relaxation__is_one_world_that_admits_at_least_what_follows(*, equal: bool) -> None:
    for chance, world in every(equal=equal):
        source, target = chance.sample(PLACES, 2)
        pieces: tuple[EvidencePiece, ...] = (
            Seen(source, chance.choice(COPIES), target, 1),
            Unseen(source, target, chance.randint(1, 4), 1),
            Held(source, COPIES[2], 1),
        )
        for piece in pieces:
            exact, relaxed = piece.successors(world), piece.relaxation(world)
            assert len(relaxed) <= 1
            assert bool(relaxed) >= bool(exact)
            for one in relaxed:
                sound(one)
            if not isinstance(piece, Held):
                assert alike(admit(relaxed)) >= alike(admit(exact))


def moved(chance: Random) -> EvidencePiece:
    source, target = chance.sample(PLACES, 2)
    return Unseen(source, target, chance.randint(1, 3), 1)


def ruled_out(chance: Random) -> EvidencePiece:
    return RuledOut(chance.choice(PLACES), chance.getrandbits(CARDS), "a.clause", (0, ""), 1)


def held(chance: Random) -> EvidencePiece:
    return Held(chance.choice(PLACES), COPIES[2], 1)


def carry(chance: Random) -> EvidencePiece:
    one, other = chance.sample((*PLACES, TABLE), 2)
    return AllMoved(one, other, 1)


def shuffle(chance: Random) -> EvidencePiece:
    one, other = chance.sample((*PLACES, TABLE), 2)
    return Shuffled(one, other, 1)


def swap(chance: Random) -> EvidencePiece:
    one, other = chance.sample((*PLACES, TABLE), 2)
    return Swapped(one, other, 1)


@pytest.mark.parametrize("piece_of", [moved, ruled_out, held, carry, shuffle, swap])
@pytest.mark.parametrize("equal", [True, False])
def test_after__admits_every_deal_that_fits_moved_and_no_other(
    piece_of: Callable[[Random], EvidencePiece], *, equal: bool
) -> None:
    for chance, world in every(equal=equal):
        piece = piece_of(chance)
        deals = enumeration.after(deals_of(world), piece)
        after = piece.successors(world)
        assert admit(after) == deals, (world, piece)
        if not isinstance(piece, Unseen | Held):
            assert len(after) <= 1


def test_move_unseen__yields_each_sharing_out_once_and_joins_what_is_alike() -> None:
    first, second = TokenPool(1, 0b000111, 0b000011), TokenPool(1, 0b111000, 0b011000)
    there = TokenPool(2, 0b000111, 0b000100)
    rest = TokenPool(3, 0b111000, 0b100000)
    world = World((first, second, there, rest), {}, ALL)
    after = worlds.move_unseen(world, 1, 2, 2)
    shared = [
        sorted((pool.place, pool.candidates, pool.assignment.bit_count()) for pool in one.pools)
        for one in after
    ]
    assert shared == [
        [(1, 0b111000, 2), (2, 0b000111, 3), (3, 0b111000, 1)],
        [
            (1, 0b000111, 1),
            (1, 0b111000, 1),
            (2, 0b000111, 2),
            (2, 0b111000, 1),
            (3, 0b111000, 1),
        ],
        [(1, 0b000111, 2), (2, 0b000111, 1), (2, 0b111000, 2), (3, 0b111000, 1)],
    ]
    assert worlds.move_unseen(world, 1, 2, 5) == []
    assert worlds.move_unseen(world, 1, 2, 5, relaxed=True) == []
