"""The game filter of list pages, parsed from query parameters."""

from calendar import monthrange
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta, timezone
from typing import Literal, cast, get_args
from urllib.parse import urlencode
from uuid import UUID
from zoneinfo import ZoneInfo

from msgspec import Struct

from schemas.catalogue import SHAPES
from schemas.days import in_zone
from service.club.game_filters import PLAYERS_MAX, parse_bound
from service.errors import MalformedCursor
from service.store.read_models.listing import Bound, GameCursor, GameFilter
from service.store.records import Season, SetAside, Status
from service.web.format.render import uuid_of

Parameter = Literal[
    "player", "ruleset", "status", "set_aside", "place", "tag", "text", "from", "to", "cursor"
]
FILTERS: tuple[Parameter, ...] = (
    *("player", "ruleset", "status", "set_aside", "place", "tag", "text"),
    *("from", "to"),
)


class ParsedFilter(Struct, frozen=True, kw_only=True):
    """A parsed filter with the parameters it came from.

    `typed`: the non-empty parameters; `wrong`: names of the invalid ones, and `order` if the
    interval ends before it begins; `which`: the filter for the store; `after`: the page's cursor.
    """

    typed: dict[str, str]
    wrong: tuple[str, ...]
    which: GameFilter
    after: GameCursor | None

    @property
    def filters(self) -> bool:
        """Whether a parameter restricts the list, valid or not."""
        return any(name in self.typed for name in FILTERS)

    def query(self, **changes: str) -> str:
        chosen = {name: self.typed[name] for name in FILTERS if name in self.typed}
        return urlencode({name: value for name, value in (chosen | changes).items() if value})

    def export_parameters(self) -> dict[str, str]:
        """Return the filter as parameters with absolute times, for any time zone."""
        limits = {"from": self.which.started_from, "to": self.which.started_before}
        moments = {name: _iso(bound) for name, bound in limits.items() if bound is not None}
        same = {name: self.typed[name] for name in FILTERS[:-2] if name in self.typed}
        return same | moments


class Period(Struct, frozen=True, kw_only=True):
    """A period from the first to the last day, in ISO format; "" means no limit.

    `name` is a season's name, "" for calendar years.
    """

    begins: str = ""
    ends: str = ""
    name: str = ""


class InvalidSeason(Struct, frozen=True, kw_only=True):
    """The submitted values, the season they belong to (None: a new one), and the invalid field."""

    wrong: str
    season: UUID | None
    name: str
    first: str
    last: str


def parse_filter(parameters: Mapping[str, str], zone: ZoneInfo | None) -> ParsedFilter:
    """Parse a filter from query parameters; `zone` None is the server's time zone."""
    typed = {name: value.strip() for name, value in parameters.items() if value.strip()}
    wrong: list[str] = []
    players = _players(typed, wrong)
    ruleset = typed.get("ruleset")
    title = None if ruleset in {*SHAPES, None} else uuid_of(ruleset or "")
    if ruleset not in {*SHAPES, None}:
        wrong += [] if title else ["ruleset"]
        ruleset = None
    status = cast("Status | None", typed.get("status"))
    if status not in {*get_args(Status), None}:
        wrong.append("status")
        status = None
    set_aside = cast("SetAside", typed.get("set_aside", "exclude"))
    if set_aside not in get_args(SetAside):
        wrong.append("set_aside")
        set_aside = "exclude"
    begins, ends = (_bound(typed, name, zone, wrong) for name in ("from", "to"))
    if begins and ends and begins.at >= ends.at:
        wrong.append("order")
    after = _cursor(typed, wrong)
    which = GameFilter(
        player=players[0] if players else None,
        others=players[1:],
        ruleset=ruleset,
        title=title,
        status=status,
        started_from=begins,
        started_before=ends,
        set_aside=set_aside,
        place=typed.get("place"),
        tag=typed.get("tag"),
        text=typed.get("text"),
    )
    return ParsedFilter(typed=typed, wrong=tuple(wrong), which=which, after=after)


def merge_parameters(asked: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return query parameters as a dict, with repeated `player` values joined by commas."""
    pairs = list(asked)
    players = (value.strip() for name, value in pairs if name == "player")
    return dict(pairs) | {"player": ",".join(filter(None, players))}


def season_periods(seasons: Iterable[Season]) -> list[Period]:
    return [
        Period(begins=one.first_day.isoformat(), ends=one.last_day.isoformat(), name=one.name)
        for one in seasons
    ]


def calendar_periods(now: datetime, zone: ZoneInfo | None) -> dict[str, Period]:
    """Return this month, this year, last year and all time in the reader's time zone."""
    today = now.astimezone(zone).date()
    year, days = today.year, monthrange(today.year, today.month)[1]
    return {
        "this month": Period(begins=f"{today:%Y-%m}-01", ends=f"{today:%Y-%m}-{days}"),
        "this year": Period(begins=f"{year}-01-01", ends=f"{year}-12-31"),
        "last year": Period(begins=f"{year - 1}-01-01", ends=f"{year - 1}-12-31"),
        "all": Period(),
    }


def refused_season(asked: Mapping[str, str]) -> InvalidSeason | None:
    """Read what a form of seasons was sent with, from the query parameters of its page."""
    wrong = asked.get("wrong", "")
    if wrong not in {"name", "days", "order"}:
        return None
    return InvalidSeason(
        wrong=wrong,
        season=uuid_of(asked.get("season", "")),
        name=asked.get("name", ""),
        first=asked.get("first", ""),
        last=asked.get("last", ""),
    )


def _players(typed: dict[str, str], wrong: list[str]) -> tuple[UUID, ...]:
    given = typed.get("player", "").strip(",")
    ids = [uuid_of(one.strip()) for one in given.split(",")] if given else []
    if None in ids or len(ids) > PLAYERS_MAX:
        wrong.append("player")
        return ()
    players = tuple(dict.fromkeys(one for one in ids if one is not None))
    if players:
        typed["player"] = ",".join(map(str, players))
    return players


def _bound(
    typed: Mapping[str, str], name: str, zone: ZoneInfo | None, wrong: list[str]
) -> Bound | None:
    if name not in typed:
        return None
    bound = parse_bound(typed[name], zone, ends=name == "to")
    if bound is None:
        wrong.append(name)
    return bound


def _iso(bound: Bound) -> str:
    offset = timezone(timedelta(minutes=round((bound.day - bound.at) / timedelta(minutes=1))))
    return in_zone(bound.at, offset).isoformat()


def _cursor(typed: Mapping[str, str], wrong: list[str]) -> GameCursor | None:
    try:
        return GameCursor.parse(typed["cursor"]) if "cursor" in typed else None
    except MalformedCursor:
        wrong.append("cursor")
        return None
