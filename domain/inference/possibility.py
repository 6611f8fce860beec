"""Read model of what a record proves: where each unseen card can be, and the number of deals."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from msgspec import Struct

from domain.inference.counting import DealCount, KindShares, count_deals
from domain.inference.knowledge import Knowledge
from domain.inference.possible_cards import PossibleCards
from domain.inference.worlds import Place, World, possible_faces
from domain.table.cards import Cards, Pack, bit_numbers, union
from domain.table.hidden import Hidden, Location


class Unknowns(Struct, frozen=True):
    count: int
    cards: tuple[str, ...]


class Holding(Struct, frozen=True):
    location: Location
    size: int
    known: tuple[str, ...]
    unseen: tuple[Unknowns, ...]


class Share(Struct, frozen=True):
    """The share of the deals that fit in which a card is at the location with this index."""

    location: int
    share: Fraction


class Whereabouts(Struct, frozen=True):
    """The locations where an unseen card can be; one entry per card, equal cards included."""

    card: str
    at: tuple[Share, ...]


class Possible(Struct, frozen=True):
    """What the record proves; `deals` is the exact number if `is_exact_count`, else a lower bound.

    `cards` is empty where the deals were not counted. `exact`: every search was complete; otherwise
    cards may be listed that no deal allows.
    """

    deals: int
    is_exact_count: bool
    exact: bool
    holdings: tuple[Holding, ...]
    cards: tuple[Whereabouts, ...]


class Unknown(NamedTuple):
    number: int
    cards: Cards


class CandidateFaces(NamedTuple):
    """The candidates of each group of places; unless `exact`, some may be impossible."""

    at: list[list[Unknown]]
    exact: bool


def possible(hidden: Hidden) -> Possible:
    """Return what is known of every location, and the number of deals that fit."""
    knowledge, pack = hidden.knowledge, hidden.pack
    locations = _all_locations(hidden)
    count = count_deals(knowledge)
    sites = [location.places for location in locations]
    whereabouts = [(kind.cards, _shares(sites, kind)) for kind in count.kinds]
    proved = [0 for _ in sites]
    for cards, at in whereabouts:
        if len(at) == 1:
            proved[at[0].location] |= cards
    unknown, exact = possible_at(knowledge, pack, sites, count)
    holdings = tuple(
        _holding(hidden, location, sure, here)
        for location, sure, here in zip(locations, proved, unknown, strict=True)
    )
    lies = {card: at for cards, at in whereabouts for card in bit_numbers(cards)}
    named = tuple(Whereabouts(pack.codes[card], lies[card]) for card in sorted(lies))
    return Possible(count.deals, count.is_exact, exact, holdings, named)


def _holding(
    hidden: Hidden, location: Location, proved: Cards, unknown: Sequence[Unknown]
) -> Holding:
    seen = union(hidden.knowledge.known_at(place) for place in location.places)
    named = hidden.pack.named
    return Holding(
        location,
        seen.bit_count() + sum(some.number for some in unknown),
        named(seen | proved),
        tuple(Unknowns(some.number, tuple(dict.fromkeys(named(some.cards)))) for some in unknown),
    )


def _all_locations(hidden: Hidden) -> tuple[Location, ...]:
    named = {place for location in hidden.locations for place in location.places}
    others = tuple(
        dict.fromkeys(
            pool.place for pool in hidden.knowledge.world.pools if pool.place not in named
        )
    )
    return (*hidden.locations, Location("shown", others)) if others else hidden.locations


def _shares(sites: Sequence[Sequence[Place]], kind: KindShares) -> tuple[Share, ...]:
    shares: list[Share] = []
    for at, site in enumerate(sites):
        here = [kind.shares[place] for place in site if place in kind.shares]
        if here:
            shares.append(Share(at, sum(here, Fraction())))
    return tuple(shares)


def possible_at(
    knowledge: Knowledge, pack: Pack, sites: Sequence[Sequence[Place]], count: DealCount
) -> CandidateFaces:
    """Return, for each group of places, the candidates of its unseen cards.

    `count` is the count of the same knowledge: where it is whole it answers everything, else only
    the remaining cards are searched.
    """
    world = knowledge.world
    if knowledge.forked or knowledge.relaxed or world.totals:
        search = None if count.is_exact else PossibleCards(knowledge)
        at = [_faces_at(site, world, pack, count.cards_found, search) for site in sites]
        is_search_complete = search is None or not search.has_unproved
        return CandidateFaces(at, exact=is_search_complete and not knowledge.relaxed)
    groups: dict[tuple[Place, Cards], Cards] = {}
    for place, candidates, assignment in world.pools:
        key = place, candidates & world.unseen
        groups[key] = groups.get(key, 0) | assignment
    components = possible_faces([candidates for _, candidates in groups], [*groups.values()])
    unknowns: list[list[Unknown]] = []
    for site in sites:
        counts: dict[Cards, int] = {}
        for ((place, candidates), held), faces in zip(groups.items(), components, strict=True):
            if place in site:
                can_lie_here = candidates & faces
                counts[can_lie_here] = counts.get(can_lie_here, 0) + held.bit_count()
        unknowns.append([Unknown(number, cards) for cards, number in counts.items()])
    return CandidateFaces(unknowns, exact=True)


def _faces_at(
    site: Sequence[Place],
    world: World,
    pack: Pack,
    counted: Mapping[Place, Cards],
    search: PossibleCards | None,
) -> list[Unknown]:
    """Return the candidates of a group's unseen cards where no single matching has them all.

    A card is one if a counted deal has it there (`counted`), or else if a search proves that a copy
    of it can leave one of the places (`search`; None: the count is exact).
    """
    pools = [pool for pool in world.pools if pool.place in site]
    count = sum(pool.assignment.bit_count() for pool in pools)
    if not count:
        return []
    places = [*dict.fromkeys(pool.place for pool in pools)]
    counted_here = union(counted.get(place, 0) for place in places)
    candidates = counted_here
    for copies in pack.copies.values():
        unseen = copies & world.unseen
        can_lie_here = bool(unseen & counted_here)
        if unseen and not can_lie_here and search is not None:
            can_lie_here = any(search.can_leave(place, copies) for place in places)
        if can_lie_here:
            candidates |= unseen  # with the equal cards, which can lie wherever one of them can
    return [Unknown(count, candidates)]
