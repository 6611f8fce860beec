"""Which games somebody wants to see, as the address of a page says it."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal, cast, get_args
from urllib.parse import urlencode
from uuid import UUID
from zoneinfo import ZoneInfo

from msgspec import Struct, ValidationError, convert

from schemas.catalogue import SHAPES
from schemas.entries import Instant
from service.club.game_filters import PLAYERS_MAX
from service.errors import MalformedCursor
from service.store.read_models.listing import GameCursor, GameFilter
from service.store.records import Season, SetAside, Status
from service.web.format.render import uuid_of

Parameter = Literal[
    "player", "ruleset", "status", "set_aside", "place", "tag", "text", "from", "to", "cursor"
]
FILTERS: tuple[Parameter, ...] = (
    *("player", "ruleset", "status", "set_aside", "place", "tag", "text"),
    *("from", "to"),
)


class Filtering(Struct, frozen=True, kw_only=True):
    """A filter as asked for, and how it reads.

    `typed`: the parameters as they came; `wrong`: those that cannot be read, and `order` for an
    interval that ends before it begins. `after`: where in the list the page begins.
    """

    typed: dict[str, str]
    wrong: tuple[str, ...]
    which: GameFilter
    after: GameCursor | None

    @property
    def filters(self) -> bool:
        """Whether anything is left out of the list, or should have been."""
        return any(name in self.typed for name in FILTERS)

    def query(self, **changes: str) -> str:
        """Write the filter as a query, with some parameters changed; an empty one is left out."""
        chosen = {name: self.typed[name] for name in FILTERS if name in self.typed}
        return urlencode({name: value for name, value in (chosen | changes).items() if value})

    def exported(self) -> dict[str, str]:
        """Write the filter as parameters that mean the same in every zone."""
        limits = {"from": self.which.started_from, "to": self.which.started_before}
        moments = {name: at.isoformat() for name, at in limits.items() if at is not None}
        same = {name: self.typed[name] for name in FILTERS[:-2] if name in self.typed}
        return same | moments


class Days(Struct, frozen=True, kw_only=True):
    """Some days: from the first to the last, as an address writes them; "" without a limit.

    `name`: what they are called here, "" for days of every calendar.
    """

    begins: str = ""
    ends: str = ""
    name: str = ""


def read_filtering(parameters: Mapping[str, str], zone: ZoneInfo | None) -> Filtering:
    """Read a filter from the parameters of an address. `zone` None: the machine's."""
    typed = {name: value.strip() for name, value in parameters.items() if value.strip()}
    wrong: list[str] = []
    players = _players(typed, wrong)
    ruleset = typed.get("ruleset")
    if ruleset not in {*SHAPES, None}:
        wrong.append("ruleset")
        ruleset = None
    status = cast("Status | None", typed.get("status"))
    if status not in {*get_args(Status), None}:
        wrong.append("status")
        status = None
    aside = cast("SetAside", typed.get("set_aside", "exclude"))
    if aside not in get_args(SetAside):
        wrong.append("set_aside")
        aside = "exclude"
    begins, ends = (_limit(typed, name, zone, wrong) for name in ("from", "to"))
    if begins and ends and begins >= ends:
        wrong.append("order")
    after = _place(typed, wrong)
    which = GameFilter(
        player=players[0] if players else None,
        others=players[1:],
        ruleset=ruleset,
        status=status,
        started_from=begins,
        started_before=ends,
        set_aside=aside,
        place=typed.get("place"),
        tag=typed.get("tag"),
        text=typed.get("text"),
    )
    return Filtering(typed=typed, wrong=tuple(wrong), which=which, after=after)


def parameters_of(asked: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Read the parameters of an address; of several players commas stand between."""
    pairs = list(asked)
    players = (value.strip() for name, value in pairs if name == "player")
    return dict(pairs) | {"player": ",".join(filter(None, players))}


def named(seasons: Iterable[Season]) -> list[Days]:
    """Return the days of seasons."""
    return [
        Days(begins=one.first_day.isoformat(), ends=one.last_day.isoformat(), name=one.name)
        for one in seasons
    ]


def years(now: datetime, zone: ZoneInfo | None) -> dict[str, Days]:
    """Return this year, last year and all time as they are where the reader is."""
    year = now.astimezone(zone).year
    return {
        "this year": Days(begins=f"{year}-01-01", ends=f"{year}-12-31"),
        "last year": Days(begins=f"{year - 1}-01-01", ends=f"{year - 1}-12-31"),
        "all": Days(),
    }


def _players(typed: dict[str, str], wrong: list[str]) -> tuple[UUID, ...]:
    given = typed.get("player", "").strip(",")
    found = [uuid_of(one.strip()) for one in given.split(",")] if given else []
    if None in found or len(found) > PLAYERS_MAX:
        wrong.append("player")
        return ()
    players = tuple(dict.fromkeys(one for one in found if one is not None))
    if players:
        typed["player"] = ",".join(map(str, players))
    return players


def _limit(
    typed: Mapping[str, str], name: str, zone: ZoneInfo | None, wrong: list[str]
) -> datetime | None:
    text = typed.get(name)
    if text is None:
        return None
    try:
        return _midnight(convert(text, date), zone, later=name == "to")
    except (ValidationError, ValueError, OverflowError):
        pass  # No day, or one so early or late that no instant can be told.
    try:
        # A plus sign that nobody escaped arrives as a space.
        return convert(text.replace(" ", "+"), Instant)
    except ValidationError:
        wrong.append(name)
        return None


def _midnight(day: date, zone: ZoneInfo | None, *, later: bool) -> datetime:
    """Return when a day begins in a zone, or the next one.

    Raises: OverflowError, ValueError (there is none)
    """
    return datetime.combine(day + timedelta(days=later), time.min, zone).astimezone(UTC)


def _place(typed: Mapping[str, str], wrong: list[str]) -> GameCursor | None:
    try:
        return GameCursor.parse(typed["cursor"]) if "cursor" in typed else None
    except MalformedCursor:
        wrong.append("cursor")
        return None
