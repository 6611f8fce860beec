"""Filters of games, parsed from query parameters."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Annotated, Literal, TypeAlias, TypeVar
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from schemas.catalogue import SHAPES
from schemas.days import in_zone
from schemas.entries import Instant
from schemas.strict_json import Malformed, read_fault
from service.store.read_models.listing import Bound, GameFilter
from service.store.records import SetAside

T = TypeVar("T", bound=Struct)

# A comma-separated parameter.
FilterText = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"\A[^\x00]*\Z")] | UnsetType
_UUID = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
RulesetName: TypeAlias = Annotated[
    str, Meta(extra_json_schema={"pattern": f"^({'|'.join(SHAPES)})$"})
]
RulesetAsked: TypeAlias = Annotated[
    RulesetName | UnsetType,
    Meta(description="Only games of the ruleset with this `id`. Left out: of any."),
]
TitleAsked: TypeAlias = Annotated[
    Annotated[str, Meta(extra_json_schema={"pattern": f"^({'|'.join(SHAPES)}|{_UUID})$"})]
    | UnsetType,
    Meta(
        description="Only games of this title: its `id`, or the `id` of a ruleset, which is its own"
        " title.",
    ),
]
_When: TypeAlias = Annotated[
    str, Meta(extra_json_schema={"anyOf": [{"format": "date"}, {"format": "date-time"}]})
]
PLAYERS_MAX = 20
_UUIDS = f"({_UUID}(,{_UUID}){{0,{PLAYERS_MAX - 1}}})"
PlayersAsked: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": f"^{_UUIDS}$"})]
StartedFrom: TypeAlias = Annotated[
    _When | UnsetType,
    Meta(
        description="Only games that were started then or later: a day in UTC (`2024-05-09`) or a"
        " moment with its time zone (`2024-05-09T20:37:00Z`). Left out: from the first on."
    ),
]
StartedTo: TypeAlias = Annotated[
    _When | UnsetType,
    Meta(
        description="Only games that were started by then: a day in UTC, itself included, or before"
        " a moment with its time zone. Left out: up to the last."
    ),
]
SeasonAsked: TypeAlias = Annotated[
    UUID | UnsetType,
    Meta(description="The `id` of a season: only games that were started in its days, in UTC."),
]
SetAsideAsked: TypeAlias = Annotated[
    SetAside,
    Meta(
        description="Games that are set aside: left out (`exclude`, unless given), told with the"
        " others (`include`), or the only ones told (`only`)."
    ),
]
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_LAST = datetime.max.replace(tzinfo=UTC)
_MOMENT = "a day (2024-05-09) or a moment with its time zone (2024-05-09T20:37:00Z)"


class FilterQuery(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    rename={"started_from": "from", "started_to": "to"},
):
    """Filter of games; all parameters must match."""

    player: Annotated[
        PlayersAsked | UnsetType,
        Meta(
            extra_json_schema={"pattern": f"^{_UUIDS}?$"},
            description=f"Only games that all of these people played: up to {PLAYERS_MAX} ids, by"
            " commas, or the parameter several times.",
        ),
    ] = UNSET
    ruleset: RulesetAsked = UNSET
    title: TitleAsked = UNSET
    status: Annotated[
        Literal["open", "finished"] | UnsetType,
        Meta(description="Only games that are `open`, or that are `finished`. Left out: both."),
    ] = UNSET
    started_from: StartedFrom = UNSET
    started_to: StartedTo = UNSET
    set_aside: SetAsideAsked = "exclude"
    season: SeasonAsked = UNSET
    place: Annotated[
        FilterText,
        Meta(description="Only games played there: the whole name of a place, in any case."),
    ] = UNSET
    tag: Annotated[
        FilterText, Meta(description="Only games with this tag: the whole of one, in any case.")
    ] = UNSET
    text: Annotated[
        FilterText,
        Meta(
            description="Only games of which this is told somewhere: part of a place, a tag, a"
            " player's name or a note, in any case."
        ),
    ] = UNSET


def read_parameters(given: Mapping[str, str], shape: type[T]) -> T | Malformed:
    try:
        return msgspec.convert(given, shape, strict=False)
    except msgspec.ValidationError as fault:
        found = read_fault(fault, msgspec.json.encode(given), shape)
        return Malformed(path=f"$.query{found.path[1:]}", expected=found.expected)


def game_filter(query: FilterQuery) -> GameFilter | Malformed:
    begin = read_period_bound("from", query.started_from)
    if isinstance(begin, Malformed):
        return begin
    end = read_period_bound("to", query.started_to, ends=True)
    if isinstance(end, Malformed):
        return end
    titled = read_title(query.ruleset, query.title)
    if isinstance(titled, Malformed):
        return titled
    players = read_players(query.player)
    if isinstance(players, Malformed):
        return players
    return GameFilter(
        player=players[0] if players else None,
        others=players[1:],
        ruleset=titled.ruleset,
        title=titled.title,
        status=None if query.status is UNSET else query.status,
        started_from=begin,
        started_before=end,
        set_aside=query.set_aside,
        place=query.place or None,
        tag=query.tag or None,
        text=query.text or None,
    )


def read_players(text: str | UnsetType) -> tuple[UUID, ...] | Malformed:
    """Parse ids of players, separated by commas."""
    try:
        players = tuple(
            dict.fromkeys(UUID(part.strip()) for part in (text or "").split(",") if part)
        )
    except ValueError:
        players = ()
    if bool(text) != bool(players) or len(players) > PLAYERS_MAX:
        return Malformed(path="$.query.player", expected=f"up to {PLAYERS_MAX} ids of players")
    return players


class TitleFilter(Struct, frozen=True):
    """The ruleset and the title that a list is of, None: of any."""

    ruleset: str | None = None
    title: UUID | None = None


def read_title(ruleset: str | UnsetType, title: str | UnsetType) -> TitleFilter | Malformed:
    """Parse the filters of ruleset and title; a ruleset may be given as a title, too."""
    if ruleset is not UNSET and ruleset not in SHAPES:
        return Malformed(path="$.query.ruleset", expected=f"one of {', '.join(SHAPES)}")
    of = ruleset or None
    if title is UNSET:
        return TitleFilter(of)
    if title in SHAPES:
        # Games of another ruleset have other titles: nothing fits both.
        return TitleFilter(title, None if of in {None, title} else UUID(int=0))
    try:
        return TitleFilter(of, UUID(title))
    except ValueError:
        known = "the id of a title or of a ruleset"
        return Malformed(path="$.query.title", expected=known)


def read_period_bound(
    name: str, text: str | UnsetType, *, ends: bool = False
) -> Bound | Malformed | None:
    """Parse a parameter of the API; its days are in UTC."""
    if text is UNSET:
        return None
    expected = Malformed(path=f"$.query.{name}", expected=_MOMENT)
    return parse_bound(text, UTC, ends=ends) or expected


def parse_bound(text: str, zone: tzinfo | None, *, ends: bool) -> Bound | None:
    """Parse a moment, or a day in `zone` that begins, or `ends`, a period; None: invalid."""
    # An unescaped plus sign is decoded as a space.
    text = text.strip().replace(" ", "+")
    try:
        if _DAY.fullmatch(text):
            return day_bound(msgspec.convert(text, date), zone, ends=ends)
        moment = msgspec.convert(text, Instant)
    except msgspec.ValidationError:
        return None
    return Bound(at=in_zone(moment, UTC), day=moment.replace(tzinfo=UTC))


def day_bound(day: date, zone: tzinfo | None, *, ends: bool = False) -> Bound:
    """Return when a day begins or `ends` in a zone (None: the machine's)."""
    if ends and day == date.max:
        return Bound(at=_LAST, day=_LAST)
    midnight = datetime.combine(day + timedelta(days=ends), time.min)
    at = in_zone(midnight.replace(tzinfo=zone), UTC)
    return Bound(at=at, day=midnight.replace(tzinfo=UTC))
