"""Where each unseen card can be, and how many deals fit, for people to read."""

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from domain.inference.counting import EqualCards, counted
from domain.inference.possible_faces import Unknown, possible_at
from domain.inference.worlds import Place
from domain.table.cards import Cards, places
from domain.table.hidden import Hidden, Location


class Unknowns(Struct, frozen=True):
    """So many unseen cards, each of which can be one of `cards`; equal cards are named once."""

    count: int
    cards: tuple[str, ...]


class Holding(Struct, frozen=True):
    """What lies at a location: cards surely there, seen or proved; and what the unseen can be."""

    location: Location
    size: int
    known: tuple[str, ...]
    unseen: tuple[Unknowns, ...]


class Share(Struct, frozen=True):
    """The part of the deals that fit in which a card lies at the location with this index."""

    location: int
    share: Fraction


class Whereabouts(Struct, frozen=True):
    """Where an unseen card can be; of equal cards each is told."""

    card: str
    at: tuple[Share, ...]


class Possible(Struct, frozen=True):
    """What the record proves. `whole`: `deals` is their number, else they are at least so many.

    `cards` is empty where the deals were not counted. `exact`: knowledge, and
    each card asked about, was searched to its end; where it was not, cards may be listed that no
    deal allows.
    """

    deals: int
    whole: bool
    exact: bool
    holdings: tuple[Holding, ...]
    cards: tuple[Whereabouts, ...]


def possible(hidden: Hidden) -> Possible:
    """Work out what is known of every location, and how many deals fit."""
    knowledge, pack = hidden.knowledge, hidden.pack
    locations = _all_locations(hidden)
    count = counted(knowledge)
    sites = [one.places for one in locations]
    whereabouts = [(kind.cards, _at(sites, kind)) for kind in count.kinds]
    proved = [0 for _ in sites]
    for cards, at in whereabouts:
        if len(at) == 1:
            proved[at[0].location] |= cards
    unknown, exact = possible_at(knowledge, pack, sites, count)
    holdings = tuple(
        _holding(hidden, location, sure, here)
        for location, sure, here in zip(locations, proved, unknown, strict=True)
    )
    lies = {card: at for cards, at in whereabouts for card in places(cards)}
    named = tuple(Whereabouts(pack.codes[card], lies[card]) for card in sorted(lies))
    return Possible(count.deals, count.whole, exact, holdings, named)


def _holding(
    hidden: Hidden, location: Location, proved: Cards, unknown: Sequence[Unknown]
) -> Holding:
    seen = 0
    for place in location.places:
        seen |= hidden.knowledge.known_at(place)
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


def _at(sites: Sequence[Sequence[Place]], kind: EqualCards) -> tuple[Share, ...]:
    found: list[Share] = []
    for at, site in enumerate(sites):
        here = [kind.shares[place] for place in site if place in kind.shares]
        if here:
            found.append(Share(at, sum(here, Fraction())))
    return tuple(found)
