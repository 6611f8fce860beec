"""What the record proves of unseen cards at a moment, as the API and the pages tell it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from domain.games import GAMES
from domain.inference import Holding, Possible, possible
from domain.table.hidden import COMMON_KINDS
from domain.table.viewpoint import seen_by
from schemas.entries import Seat
from service.play.moments import Moment
from service.play.sight import hidden_from
from service.settings import ViewersKnow

Eyes = Seat | Literal["recorder", "everybody"]
LOCATION_KINDS = (*COMMON_KINDS, *(kind for game in GAMES.values() for kind in game.locations))
if TYPE_CHECKING:
    LocationKind = str
else:  # the API's document lists them
    LocationKind = Literal[LOCATION_KINDS]


class UnseenView(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """So many unseen cards, each of which can be one of `cards`; equal cards are named once."""

    count: int
    cards: tuple[str, ...]


class LocationView(
    Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """What lies in a hand, a slot (from 0) or a pile: `size` cards in all.

    `known`: cards that surely lie there, seen or proved. `unseen`: what those nobody has seen can
    be.
    """

    kind: LocationKind
    size: int
    known: tuple[str, ...]
    unseen: tuple[UnseenView, ...]
    seat: Seat | None = None
    slot: int | None = None


class ShareView(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """In which part of the deals a card lies at the location with this index, as "1/3" or "1"."""

    location: int
    share: str


class WhereaboutsView(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where an unseen card can lie; of equal cards each is told."""

    card: str
    at: tuple[ShareView, ...]


class PossibleView(
    Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """What the record proves at `version`.

    `deals`: how many deals fit, in decimal; where counting them all would take too long, there is
    `deals_min` instead: at least so many. A deal says where each unseen card lies. `cards` tells
    where each unseen card can lie, if the deals were counted. `exact` false: more may be listed as
    possible than is. Between deals nothing is hidden, and no location is told.
    """

    version: int
    exact: bool
    locations: tuple[LocationView, ...]
    deals: str | None = None
    deals_min: str | None = None
    cards: tuple[WhereaboutsView, ...] = ()


def possibilities(moment: Moment, eyes: Eyes = "recorder") -> PossibleView:
    """Tell what could be known at a moment, by the whole record or by what somebody saw of it."""
    history = moment.folded.history
    manifest = GAMES[moment.ruleset]
    game = history.game
    if eyes != "recorder":
        seat = None if eyes == "everybody" else eyes
        game = seen_by(manifest, history.opening, history.steps(), seat)
    hidden = manifest.hidden(game)
    if hidden is None:
        return PossibleView(version=moment.version, exact=True, locations=(), deals="1")
    return _view(moment.version, possible(hidden))


def kept_secret(now: Moment, version: int, until: ViewersKnow) -> bool:
    """Tell whether readers are not shown yet what could be known at a version."""
    first = hidden_from(now.folded.history, until)
    return first is not None and (until != "deal" or version >= first)


def _view(version: int, found: Possible) -> PossibleView:
    deals = str(found.deals)
    return PossibleView(
        version=version,
        exact=found.exact,
        deals=deals if found.whole else None,
        deals_min=None if found.whole else deals,
        locations=_locations(found.holdings),
        cards=tuple(
            WhereaboutsView(
                card=one.card,
                at=tuple(
                    ShareView(location=share.location, share=str(share.share)) for share in one.at
                ),
            )
            for one in found.cards
        ),
    )


def _locations(holdings: Sequence[Holding]) -> tuple[LocationView, ...]:
    return tuple(
        LocationView(
            kind=one.location.kind,
            seat=one.location.seat,
            slot=one.location.slot,
            size=one.size,
            known=one.known,
            unseen=tuple(UnseenView(count=some.count, cards=some.cards) for some in one.unseen),
        )
        for one in holdings
    )
