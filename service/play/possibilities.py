"""The possible unseen cards, as API and pages show them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from domain.games import GAMES
from domain.inference import Holding, Possible, possible
from domain.table.hidden import COMMON_KINDS
from domain.table.viewpoint import mask_game
from schemas.entries import Seat
from service.play.sight import hidden_from
from service.play.snapshots import GameSnapshot
from service.settings import ViewersKnow

Eyes = Seat | Literal["recorder", "everybody"]
LOCATION_KINDS = (*COMMON_KINDS, *(kind for game in GAMES.values() for kind in game.locations))
if TYPE_CHECKING:
    LocationKind = str
else:  # the API's document lists them
    LocationKind = Literal[LOCATION_KINDS]


class UnseenView(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    count: int
    cards: tuple[str, ...]


class LocationView(
    Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """A hand, slot (from 0) or pile with `size` cards.

    `known`: cards seen or proved to be there. `unseen`: the possible others.
    """

    kind: LocationKind
    size: int
    known: tuple[str, ...]
    unseen: tuple[UnseenView, ...]
    seat: Seat | None = None
    slot: int | None = None


class ShareView(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The share of deals in which a card is at the location with this index: "1/3" or "1"."""

    location: int
    share: str


class WhereaboutsView(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The possible locations of an unseen card; equal cards are listed separately."""

    card: str
    at: tuple[ShareView, ...]


class PossibleView(
    Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """What the record proves at `version`.

    `deals`: the number of possible deals, in decimal; `deals_min`, a lower bound, replaces it if
    counting takes too long. A deal assigns each unseen card to a location; `cards` lists these, if
    the deals were counted. `exact` false: some listed possibilities may be impossible. Between
    deals nothing is hidden, and `locations` is empty.
    """

    version: int
    exact: bool
    locations: tuple[LocationView, ...]
    deals: str | None = None
    deals_min: str | None = None
    cards: tuple[WhereaboutsView, ...] = ()


def possibilities(snapshot: GameSnapshot, eyes: Eyes = "recorder") -> PossibleView:
    """Return what is known, from the full record or from one perspective."""
    history = snapshot.loaded.history
    manifest = GAMES[snapshot.ruleset]
    game = history.game
    if eyes != "recorder":
        seat = None if eyes == "everybody" else eyes
        game = mask_game(manifest, history, seat)
    hidden = manifest.hidden(game)
    if hidden is None:
        return PossibleView(version=snapshot.version, exact=True, locations=(), deals="1")
    return _view(snapshot.version, possible(hidden))


def hidden_from_viewers(now: GameSnapshot, version: int, until: ViewersKnow) -> bool:
    """Return whether inferred cards at a version are still hidden from viewers."""
    first = hidden_from(now.loaded.history, until)
    return first is not None and (until != "deal" or version >= first)


def _view(version: int, possible: Possible) -> PossibleView:
    deals = str(possible.deals)
    return PossibleView(
        version=version,
        exact=possible.exact,
        deals=deals if possible.is_exact_count else None,
        deals_min=None if possible.is_exact_count else deals,
        locations=_locations(possible.holdings),
        cards=tuple(
            WhereaboutsView(
                card=card.card,
                at=tuple(
                    ShareView(location=share.location, share=str(share.share)) for share in card.at
                ),
            )
            for card in possible.cards
        ),
    )


def _locations(holdings: Sequence[Holding]) -> tuple[LocationView, ...]:
    return tuple(
        LocationView(
            kind=holding.location.kind,
            seat=holding.location.seat,
            slot=holding.location.slot,
            size=holding.size,
            known=holding.known,
            unseen=tuple(UnseenView(count=some.count, cards=some.cards) for some in holding.unseen),
        )
        for holding in holdings
    )
