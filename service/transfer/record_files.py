"""Opens and judges files of several games: records, archives, history exports, plays."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct, structs

from domain import notation
from schemas.catalogue import SHAPES, shapes
from schemas.history import FORMAT, HistoryFile, PastGame
from schemas.names import read_name, read_place
from schemas.record import encode_record
from schemas.strict_json import Malformed
from service.transfer.archives import BadArchive, unpack
from service.transfer.games_from_points import PointsRound, game_from_points, parse_options
from service.transfer.plays import UnreadablePlays, is_plays, read_plays
from service.transfer.upload_problems import describe, sentence
from service.transfer.uploads import BYTES_MAX, Traits, assess, traits_of

GAMES_MAX = 1_000
BATCH_BYTES_MAX = 16 * BYTES_MAX
ZIP_BEGINNING = b"PK\x03\x04"
_SUFFIXES = (".carnet", ".json", ".txt", ".xml", ".bgsplay")
_HEAD = 400

Wrong = Literal["record", "empty", "nameless", "large", "packed", "other", "history", "plays"]


class NamedFile(Struct, frozen=True, kw_only=True):
    """An uploaded file: its original name, and its temporary path."""

    name: str
    path: str


class OpenedFile(Struct, frozen=True, kw_only=True):
    """A game of an upload, or an unreadable file.

    `begin` and `end`: its slice of the bytes of all records. `problem`: the fault of a file that
    cannot be read; of a readable record with faults, `problems` counts them and `message` is the
    first. `origin`: its id in the exporting program; `played`: a play of another program. `twin`:
    the index of the same game in this upload; `kept`: the stored game it equals.
    """

    name: str
    begin: int = 0
    end: int = 0
    problem: Wrong | None = None
    problems: int = 0
    message: str = ""
    traits: Traits | None = None
    origin: UUID | None = None
    played: bool = False
    twin: int | None = None
    kept: UUID | None = None

    @property
    def key(self) -> str:
        """Identity of the game, the same in a later upload."""
        if self.traits is None:
            return ""
        if self.played:
            return str(self.origin)
        names = "\0".join(name or "" for name in self.traits.players)
        title = self.traits.title or ""
        return f"{self.origin}\0{self.traits.hash}\0{self.traits.began_at}\0{names}\0{title}"


class BatchWords(Struct, frozen=True, kw_only=True):
    """Texts of the reader, and the zone of local times (None: the machine's)."""

    lang: str
    deal: str
    beside: str
    ended: str
    zone: str | None = None


class TooMany(Exception):  # noqa: N818 -- named by its fact, as in service.errors
    """The upload has too many or too long games."""


class _OpenedRecord(Struct, frozen=True):
    """An opened file with its encoded record, which is empty if the file is invalid."""

    file: OpenedFile
    data: bytes = b""


def open_files(
    files: Sequence[NamedFile], out: Path, words: BatchWords, now: datetime
) -> tuple[OpenedFile, ...]:
    """Open and judge files; write their records to `out`, one after another. Raises: TooMany."""
    found: list[OpenedFile] = []
    first: dict[str, int] = {}
    size = 0
    with out.open("wb") as stream:
        for opened in _all_opened(files, words, now):
            if len(found) >= GAMES_MAX or size + len(opened.data) > BATCH_BYTES_MAX:
                raise TooMany
            one = opened.file
            if one.problem is None:
                one = _judge_file(one, opened.data, words.lang, now)
            if one.traits is not None:
                twin = first.setdefault(one.key, len(found))
                one = structs.replace(
                    one,
                    begin=size,
                    end=size + stream.write(opened.data),
                    twin=twin if twin != len(found) else None,
                )
                size = one.end
            found.append(one)
    return tuple(found)


def _judge_file(file: OpenedFile, data: bytes, lang: str, now: datetime) -> OpenedFile:
    assessed = assess(data, now)
    if assessed.faults:
        message = describe(assessed.faults[0], lang).message
        return structs.replace(
            file, problem="record", problems=len(assessed.faults), message=message
        )
    traits = traits_of(assessed)
    return structs.replace(file, traits=traits, problem=None if traits else "empty")


def _all_opened(
    files: Iterable[NamedFile], words: BatchWords, now: datetime
) -> Iterator[_OpenedRecord]:
    for file in files:
        path = Path(file.path)
        if path.stat().st_size > BATCH_BYTES_MAX:
            raise TooMany
        data = path.read_bytes()
        if data.startswith(ZIP_BEGINNING):
            yield from _archive(file.name, data, words, now)
        else:
            yield from _one(file.name, data, words, now)


def _one(name: str, data: bytes, words: BatchWords, now: datetime) -> Iterator[_OpenedRecord]:
    if is_history(data[:_HEAD]):
        yield from _history(name, data, words)
    elif is_plays(data):
        yield from _plays(name, data, words, now)
    elif len(data) > BYTES_MAX:
        yield _OpenedRecord(OpenedFile(name=name, problem="large"))
    else:
        yield _OpenedRecord(OpenedFile(name=name), data)


def _archive(name: str, data: bytes, words: BatchWords, now: datetime) -> Iterator[_OpenedRecord]:
    try:
        for inside, content in unpack(data):
            place = f"{name}: {inside}"
            if inside.startswith("__MACOSX/") or inside.rpartition("/")[2].startswith("."):
                continue
            if inside.casefold().endswith(_SUFFIXES):
                yield from _one(place, content, words, now)
            else:
                yield _OpenedRecord(OpenedFile(name=place, problem="other"))
    except BadArchive as fault:
        yield _OpenedRecord(OpenedFile(name=name, problem="large" if fault.large else "packed"))


def is_history(head: bytes) -> bool:
    """Return whether a file begins like a history export of Carnet."""
    return f'"{FORMAT}"'.encode() in head


def _history(name: str, data: bytes, words: BatchWords) -> Iterator[_OpenedRecord]:
    try:
        history = msgspec.json.decode(data, type=HistoryFile)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        yield _OpenedRecord(OpenedFile(name=name, problem="history"))
        return
    for number, game in enumerate(history.games, 1):
        yield _past(f"{name}: {number}", game, words)


def _past(name: str, game: PastGame, words: BatchWords) -> _OpenedRecord:
    if game.ruleset not in SHAPES:
        expected = f"one of {', '.join(SHAPES)}"
        return _malformed_file(name, Malformed(path="$.ruleset", expected=expected), words)
    options = parse_options(game.ruleset, bytes(game.options), len(game.players))
    if isinstance(options, Malformed):
        return _malformed_file(name, options, words)
    seats = len(game.players)
    if any(len(points) != seats for points in (game.totals, *(one.points for one in game.deals))):
        wrong = Malformed(path="$.totals", expected=f"{seats} players")
        return _malformed_file(name, wrong, words)
    rounds = [
        PointsRound(points=one.points, reason=words.deal.format(number=one.deal))
        for one in game.deals
    ]
    summed = [sum(points) for points in zip(*(one.points for one in rounds), strict=True)]
    summed = summed or [0] * seats
    beside = tuple(total - one for total, one in zip(game.totals, summed, strict=True))
    rounds.append(PointsRound(points=beside, reason=words.beside, beside=True))
    names = [one.name for one in game.players]
    ended = words.ended if game.status == "finished" else None
    began = None if game.times == "none" else game.started_at
    record = game_from_points(game.ruleset, options, names, rounds, began, ended)
    titled = shapes(game.ruleset).titled
    title = read_name(game.title_name) if titled and game.title_name else None
    record = structs.replace(record, title=title, place=read_place(game.place))
    data = encode_record(record, notation.digest(record))
    return _OpenedRecord(OpenedFile(name=name, origin=UUID(game.id)), data)


def _plays(name: str, data: bytes, words: BatchWords, now: datetime) -> Iterator[_OpenedRecord]:
    zone = ZoneInfo(words.zone) if words.zone else None
    try:
        for number, game in enumerate(read_plays(data, words.lang, zone, now), 1):
            file = OpenedFile(name=f"{name}: {number}", origin=game.origin, played=True)
            if game.record is None:
                yield _OpenedRecord(
                    structs.replace(file, problem="record", problems=1, message=game.problem)
                )
            else:
                yield _OpenedRecord(file, encode_record(game.record, notation.digest(game.record)))
    except UnreadablePlays:
        message = sentence("plays-unreadable", words.lang)
        yield _OpenedRecord(OpenedFile(name=name, problem="plays", problems=1, message=message))


def _malformed_file(name: str, fault: Malformed, words: BatchWords) -> _OpenedRecord:
    message = describe(fault, words.lang).message
    return _OpenedRecord(OpenedFile(name=name, problem="record", problems=1, message=message))
