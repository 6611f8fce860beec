"""Reads plays of other programs: a BG Stats export (JSON), plays of BoardGameGeek's XML API 2.

Each play becomes the record of a game by result, or a problem. Documents with a DTD are refused, so
that no entity is ever expanded.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from uuid import UUID, uuid5
from xml.parsers import expat

import msgspec
from msgspec import Struct, field, structs

from domain.games import TITLED
from schemas.catalogue import SHAPES, shapes
from schemas.days import timestamp_of_day
from schemas.entries import Entry, Finish, Note, SetAside
from schemas.names import normalized_name, read_name, read_place
from schemas.record import PortableRecord
from schemas.strict_json import Malformed, decode_strictly
from service.language.glossary import glossary
from service.transfer.games_from_points import (
    PointsRound,
    default_options,
    finish_with,
    game_from_points,
    whole_number,
)
from service.transfer.upload_problems import sentence
from service.transfer.uploads import assess_record

# A play that was logged as several becomes so many games at most.
QUANTITY_MAX = 100
_NOTE_LENGTH_MAX = 2_000
_TEAMS = range(2, 5)
_ORIGINS = UUID("5f0b8a52-6d0c-5c55-8a1f-3d8a6a1d9b40")
_PLAYS_JSON = re.compile(rb'"plays"\s*:\s*\[')
_BOM = b"\xef\xbb\xbf"
_HEAD_BYTES = 4_000
_SUM = re.compile(r"[+-]?\d{1,9}(?:[+-]\d{1,9})+")


class UnreadablePlays(Exception):  # noqa: N818 -- named by its fact, as in service.errors
    """The document is not a list of plays."""


class BgStatsName(Struct, frozen=True, rename="camel", kw_only=True):
    """A player or place of a BG Stats export."""

    id: int
    name: str | None = None
    is_anonymous: bool | None = None


class BgStatsGame(Struct, frozen=True, rename="camel", kw_only=True):
    """A game of a BG Stats export."""

    id: int
    name: str | None = None
    highest_wins: bool | None = None


class BgStatsScore(Struct, frozen=True, rename="camel", kw_only=True):
    """The score of a player; a sum such as `10+5` is allowed."""

    player_ref_id: int
    score: str | float | None = None
    winner: bool | None = None
    seat_order: int | None = None
    role: str | None = None
    team: str | None = None


class BgStatsExpansion(Struct, frozen=True, rename="camel", kw_only=True):
    """An expansion that a play used."""

    game_ref_id: int | None = None


class BgStatsPlay(Struct, frozen=True, rename="camel", kw_only=True):
    """A play. `playDate`: local time, `2026-03-14 20:15:00`; `ignored`: it counts nowhere."""

    game_ref_id: int
    uuid: str | None = None
    play_date: str | None = None
    play_date_ymd: int | None = None
    duration_min: float | None = None
    location_ref_id: int | None = None
    board: str | None = None
    comments: str | None = None
    ignored: bool | None = None
    player_scores: tuple[BgStatsScore, ...] = ()
    expansion_plays: tuple[BgStatsExpansion, ...] | None = None


class BgStatsExport(Struct, frozen=True, rename="camel", kw_only=True):
    """An export of BG Stats. Other fields are ignored."""

    games: tuple[BgStatsGame, ...]
    players: tuple[BgStatsName, ...]
    plays: tuple[BgStatsPlay, ...]
    locations: tuple[BgStatsName, ...] = ()


class _Seat(Struct, kw_only=True):
    name: str | None
    score: str
    won: bool
    team: str = ""
    role: str = ""


class _Play(Struct, kw_only=True):
    """A play of either program. `origin`: its id there, or "". `lowest`: the lowest score wins.

    `unread_day`: a day as written that does not exist.
    """

    origin: str
    title: str = ""
    lowest: bool | None = None
    day: date | None = None
    unread_day: str = ""
    clock: datetime | None = None
    place: str = ""
    remarks: list[str] = field(default_factory=list[str])
    counted: bool = True
    quantity: int = 1
    seats: list[_Seat] = field(default_factory=list[_Seat])


class PlayedGame(Struct, frozen=True, kw_only=True):
    """A play as a record, or the problem that prevents it. `origin`: its identity."""

    origin: UUID
    record: PortableRecord | None
    problem: str = ""


def is_plays(data: bytes) -> bool:
    """Return whether a file looks like plays of BG Stats or BoardGameGeek."""
    head = _head(data)
    if head.startswith(b"<"):
        return b"<plays" in head
    return head.startswith(b"{") and _PLAYS_JSON.search(data) is not None


def _head(data: bytes) -> bytes:
    return data[:_HEAD_BYTES].removeprefix(_BOM).lstrip()


def read_plays(
    data: bytes, lang: str, zone: tzinfo | None, latest: datetime
) -> Iterator[PlayedGame]:
    """Yield the games of a document; times are in `zone`, at `latest` at the latest.

    Raises: UnreadablePlays
    """
    plays = _read_xml(data, lang) if _head(data).startswith(b"<") else _read_json(data, lang)
    directions = _directions(plays)
    alike: Counter[str] = Counter()
    for play in plays:
        identity = play.origin
        if not identity:
            content = repr(play)
            identity = f"{content}\0{alike[content]}"
            alike[content] += 1
        if play.lowest is None:
            play.lowest = directions.get(normalized_name(play.title), False)
        for number in range(min(play.quantity, QUANTITY_MAX)):
            origin = uuid5(_ORIGINS, f"{identity}\0{number}")
            began = _began(play, zone)
            if began is not None and began > latest + timedelta(days=1):
                problem = sentence("play-future", lang).format(day=began.date().isoformat())
                yield PlayedGame(origin=origin, record=None, problem=problem)
                continue
            record = _record(play, lang, began)
            if isinstance(record, str):
                yield PlayedGame(origin=origin, record=None, problem=record)
            else:
                yield PlayedGame(origin=origin, record=record)


def _read_json(data: bytes, lang: str) -> list[_Play]:
    try:
        export = decode_strictly(data.removeprefix(_BOM), BgStatsExport)
    except msgspec.DecodeError:
        raise UnreadablePlays from None
    games = {game.id: game for game in export.games}
    players = {player.id: player for player in export.players}
    places = {location.id: location.name or "" for location in export.locations}
    return [_bg_stats_play(play, games, players, places, lang) for play in export.plays]


def _bg_stats_play(
    exported: BgStatsPlay,
    games: dict[int, BgStatsGame],
    players: dict[int, BgStatsName],
    places: dict[int, str],
    lang: str,
) -> _Play:
    game = games.get(exported.game_ref_id)
    expansions = [
        games.get(expansion.game_ref_id or 0) for expansion in exported.expansion_plays or ()
    ]
    minutes = round(exported.duration_min) if exported.duration_min else 0
    remarks = [
        exported.comments or "",
        exported.board or "",
        *(game.name or "" for game in expansions if game is not None),
        sentence("play-minutes", lang).format(minutes=minutes) if minutes > 0 else "",
    ]
    play = _Play(
        origin=f"bgstats\0{exported.uuid}" if exported.uuid else "",
        title=(game.name if game else None) or "",
        lowest=None if game is None or game.highest_wins is None else not game.highest_wins,
        place=places.get(exported.location_ref_id or 0, ""),
        remarks=remarks,
        counted=not exported.ignored,
    )
    _set_time(play, exported.play_date or "", exported.play_date_ymd)
    for score in sorted(exported.player_scores, key=lambda score: score.seat_order or 0):
        player = players.get(score.player_ref_id)
        named = player is not None and not player.is_anonymous
        number = score.score
        if isinstance(number, float) and number.is_integer():
            number = int(number)
        play.seats.append(
            _Seat(
                name=player.name if player and named else None,
                score="" if number is None else str(number).strip(),
                won=bool(score.winner),
                team=score.team or "",
                role=score.role or "",
            )
        )
    return play


def _set_time(play: _Play, text: str, ymd: int | None) -> None:
    """Read the time of a play; zeros mean that its day is not known."""
    try:
        play.clock = datetime.fromisoformat(text.strip())
        play.clock = play.clock.replace(tzinfo=None)
        play.day = play.clock.date()
        if ":" not in text:
            play.clock = None
    except ValueError:
        play.clock = None
        play.unread_day = text.strip() if text.strip("0-/.: ") else ""
    try:
        day = datetime.strptime(str(ymd), "%Y%m%d").date() if ymd else play.day  # noqa: DTZ007
    except ValueError:
        play.unread_day = play.unread_day or str(ymd)
        return
    if day != play.day:
        play.day, play.clock = day, None


class _XmlPlays:
    """Collects the plays of a document, whose fields are attributes."""

    def __init__(self, lang: str) -> None:
        self._lang = lang
        self.plays: list[_Play] = []
        self._comment: list[str] | None = None

    def start(self, name: str, has: dict[str, str]) -> None:
        if name == "play":
            quantity = has.get("quantity", "")
            left_out = {has.get("incomplete"), has.get("nowinstats")}
            play = _Play(
                origin=f"bgg\0{has['id']}" if has.get("id") else "",
                place=has.get("location", ""),
                counted="1" not in left_out,
                quantity=max(int(quantity), 1) if quantity.isascii() and quantity.isdigit() else 1,
            )
            _set_time(play, has.get("date", ""), None)
            play.clock = None
            if has.get("length", "").strip("0"):
                play.remarks.append(
                    sentence("play-minutes", self._lang).format(minutes=has["length"])
                )
            self.plays.append(play)
        elif not self.plays:
            return
        elif name == "item":
            self.plays[-1].title = has.get("name", "")
        elif name == "player":
            self.plays[-1].seats.append(
                _Seat(
                    name=has.get("name") or has.get("username"),
                    score=has.get("score", "").strip(),
                    won=has.get("win") == "1",
                    role=has.get("color", ""),
                )
            )
        elif name == "comments":
            self._comment = []

    def text(self, text: str) -> None:
        if self._comment is not None:
            self._comment.append(text)

    def end(self, name: str) -> None:
        if name == "comments" and self._comment is not None:
            self.plays[-1].remarks.insert(0, "".join(self._comment))
            self._comment = None
        elif name == "play" and self.plays:
            _keep_written_scores(self.plays[-1].seats)


def _keep_written_scores(seats: Sequence[_Seat]) -> None:
    """Turn the scores of a play into remarks if one is no whole number, such as "49-46"."""
    if all(whole_number(seat.score) is not None for seat in seats if seat.score):
        return
    for seat in seats:
        seat.role = ", ".join(filter(None, (seat.role, seat.score)))
        seat.score = ""


def _refuse_doctype(*_: object) -> None:
    raise UnreadablePlays


def _read_xml(data: bytes, lang: str) -> list[_Play]:
    plays = _XmlPlays(lang)
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.StartElementHandler = plays.start
    parser.EndElementHandler = plays.end
    parser.CharacterDataHandler = plays.text
    try:
        parser.Parse(data, True)  # noqa: FBT003 -- its own signature
    except (expat.ExpatError, ValueError):
        raise UnreadablePlays from None
    return plays.plays


def _began(play: _Play, zone: tzinfo | None) -> datetime | None:
    if play.day is None:
        return None
    if play.clock is None:
        return timestamp_of_day(play.day)
    try:
        return play.clock.replace(tzinfo=zone) if zone else play.clock.astimezone()
    except (OverflowError, ValueError, OSError):  # in the first or last days of all
        return play.clock.replace(tzinfo=UTC)


def _directions(plays: Sequence[_Play]) -> dict[str, bool]:
    """Return per title whether the lowest score wins, as most of its plays show."""
    votes: Counter[str] = Counter()
    for play in plays:
        points = [number for seat in play.seats if (number := _score(seat)) is not None]
        best = [number for seat in play.seats if seat.won and (number := _score(seat)) is not None]
        if best and min(points) < max(points):
            if set(best) == {min(points)}:
                votes[normalized_name(play.title)] += 1
            elif set(best) == {max(points)}:
                votes[normalized_name(play.title)] -= 1
    return {title: balance > 0 for title, balance in votes.items()}


def _score(seat: _Seat) -> int | None:
    text = seat.score.replace("\u2212", "-").replace(" ", "")
    if _SUM.fullmatch(text):
        return sum(int(part) for part in re.findall(r"[+-]?\d+", text))
    return whole_number(text)


def _record(play: _Play, lang: str, began: datetime | None) -> PortableRecord | str:
    """Return a play as a record, or a sentence about the first value that is not readable."""
    title = read_name(play.title)
    if title is None:
        return sentence("play-title", lang).format(found=play.title[:60])
    problem = _problem(play, lang)
    if problem is not None:
        return problem
    names = _names(play, lang)
    ruleset = _ruleset(title, len(names))
    possible = [
        judged
        for log, options in _candidates(play, ruleset, lang)
        if (judged := _judged(play, ruleset, options, log, names)) is not None
    ]
    if not possible:
        seats = shapes(ruleset).seats
        return sentence("play-seats", lang).format(most=seats[-1], found=len(names))
    won = {seat for seat, player in enumerate(play.seats) if player.won}
    agreeing = [record for record, first in possible if first == won or not won]
    record = agreeing[0] if agreeing else possible[0][0]
    place = read_place(play.place)
    remarks = [*play.remarks, *_roles(play, names), *([] if place else [play.place])]
    everybody_lost = not won and not any(seat.score for seat in play.seats)
    end: list[Entry] = [Finish(reason=sentence("play-ended", lang))]
    if ruleset == TITLED and (everybody_lost or not agreeing):
        end = [finish_with(won, sentence("play-ended", lang))]
    elif not agreeing:
        winners = ", ".join(names[seat] for seat in sorted(won))
        remarks.append(sentence("play-winner", lang).format(names=winners))
    elif everybody_lost:
        remarks.append(sentence("play-lost", lang))
    if not play.counted:
        end.append(SetAside(reason=sentence("play-ignored", lang)))
    return structs.replace(
        record,
        log=(*record.log, *_notes(remarks), *end),
        date=began,
        title=title if ruleset == TITLED else None,
        place=place,
    )


def _ruleset(title: str, seats: int) -> str:
    for ruleset, name in glossary().games.items():
        names = {normalized_name(spelling) for spelling in (name.en, name.fr, name.de)}
        if ruleset in SHAPES and ruleset != TITLED and normalized_name(title) in names:
            return ruleset if seats in shapes(ruleset).seats else TITLED
    return TITLED


def _problem(play: _Play, lang: str) -> str | None:
    if play.unread_day:
        return sentence("play-day", lang).format(found=play.unread_day[:60])
    if not play.seats:
        return sentence("play-players", lang)
    for seat in play.seats:
        if seat.name and seat.name.strip() and read_name(seat.name) is None:
            return sentence("play-name", lang).format(found=seat.name[:60])
        if seat.score and _score(seat) is None:
            return sentence("play-number", lang).format(found=seat.score[:60])
    return None


def _candidates(play: _Play, ruleset: str, lang: str) -> Iterator[tuple[tuple[Entry, ...], Struct]]:
    """Yield logs and options that may give the result, the likeliest first."""
    scores = [_score(seat) for seat in play.seats]
    wins: list[int | None] = [int(seat.won) for seat in play.seats]
    has_points = any(scores) or (None not in scores and not any(wins))
    if ruleset == TITLED:
        of = shapes(TITLED)
        ways = ("lowest", "highest") if play.lowest else ("highest", "lowest")
        points = scores if has_points else wins
        for way in ways if has_points else ("highest",):
            raw = msgspec.json.encode({"wins": way, "teams": _teams(play, points)})
            options = of.decode_options(raw)
            log = of.decode_submitted(msgspec.json.encode([{"type": "result", "points": points}]))
            if not isinstance(options, Malformed) and not isinstance(log, Malformed):
                yield log, options
        return
    losses: list[int | None] = [int(not seat.won) for seat in play.seats]
    for points in (scores,) if has_points else (wins, losses):
        round_ = PointsRound(
            points=tuple(number or 0 for number in points), reason=sentence("play-score", lang)
        )
        options = default_options(ruleset)
        nobody = [None] * len(points)
        yield game_from_points(ruleset, options, nobody, [round_], None, None).log, options


def _judged(
    play: _Play, ruleset: str, options: Struct, log: tuple[Entry, ...], names: Sequence[str]
) -> tuple[PortableRecord, set[int]] | None:
    """Return the record and the seats at the first place; None if the rules refuse it."""
    settled = shapes(ruleset).complete_options(options, len(play.seats))
    if isinstance(settled, Malformed):
        return None
    record = PortableRecord(
        ruleset=ruleset,
        rules_version=shapes(ruleset).rules_version,
        options=settled,
        seats=len(names),
        log=log,
        players=tuple(names),
    )
    assessed = assess_record(record)
    if assessed.faults or assessed.outcome is None:
        return None
    places = assessed.outcome.summary.places
    return record, {seat for seat, place in enumerate(places) if place == 1}


def _teams(play: _Play, points: Sequence[int | None]) -> list[list[int]] | None:
    """Return the teams whose players have the same points and won or lost together.

    None if a player has no team.
    """
    teams: dict[str, list[int]] = {}
    for seat, player in enumerate(play.seats):
        teams.setdefault(normalized_name(player.team.strip()), []).append(seat)
    unequal = any(
        points[seat] != points[team[0]] or play.seats[seat].won != play.seats[team[0]].won
        for team in teams.values()
        for seat in team
    )
    if "" in teams or len(teams) not in _TEAMS or unequal:
        return None
    return [*teams.values()]


def _names(play: _Play, lang: str) -> list[str]:
    """Return unique names: guests, and a person with two seats, are numbered."""
    names: list[str] = []
    used: set[str] = set()
    for seat in play.seats:
        name = (read_name(seat.name) if seat.name else None) or sentence("play-guest", lang)
        number, free = 1, name
        while normalized_name(free) in used:
            number += 1
            free = f"{name[:90]} {number}"
        used.add(normalized_name(free))
        names.append(free)
    return names


def _roles(play: _Play, names: Sequence[str]) -> list[str]:
    return [
        f"{name}: {', '.join(filter(None, (seat.team.strip(), seat.role.strip())))}"
        for name, seat in zip(names, play.seats, strict=True)
        if seat.team.strip() or seat.role.strip()
    ]


def _notes(remarks: Sequence[str]) -> list[Note]:
    text = "\n".join(
        "".join(sign for sign in remark if sign.isprintable() or sign == "\n").strip()
        for remark in remarks
        if remark.strip()
    )
    return [
        Note(text=text[first : first + _NOTE_LENGTH_MAX])
        for first in range(0, len(text), _NOTE_LENGTH_MAX)
    ]
