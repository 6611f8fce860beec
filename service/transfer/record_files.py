"""Opens and judges uploads: records, archives, history exports, plays, tables of scores."""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Literal, Protocol, cast
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Raw, Struct, structs, to_builtins

from domain import notation
from schemas.catalogue import SHAPES, shapes
from schemas.entries import Note, SetAside
from schemas.history import FORMAT, HistoryFile, PastGame
from schemas.names import read_name, read_place
from schemas.record import PortableRecord, encode_record
from schemas.strict_json import FAULTS, Malformed, read_fault
from service.club.describing import read_description
from service.language.sentence import LANGUAGES
from service.language.texts import texts
from service.transfer.archives import BadArchive, unpack
from service.transfer.error_excerpts import Excerpt, ExcerptFinder
from service.transfer.games_from_points import (
    PointsRound,
    game_from_points,
    parse_options,
    with_winners,
)
from service.transfer.plays import UnreadablePlays, is_plays, read_plays
from service.transfer.upload_problems import Judgement, ProblemView, describe, sentence
from service.transfer.uploads import BYTES_MAX, Assessed, Format, Traits, assess, traits_of

GAMES_MAX = 5_000
BATCH_BYTES_MAX = 16 * BYTES_MAX
ZIP_BEGINNING = b"PK\x03\x04"
_SUFFIXES = (".carnet", ".json", ".txt", ".xml", ".bgsplay")
_HEAD = 400
_SEPARATORS = re.compile(rb"[,;\t]")
_FAULTS_MAX = 200
_REMARKS_MAX = 5
_REMARK_SHOWN_MAX = 200

Wrong = Literal[
    "record",
    "empty",
    "nameless",
    "large",
    "packed",
    "other",
    "history",
    "sheet",
    "entries",
    "plays",
    "pdf",
    "utf-16",
    "binary",
    "encoding",
]
_BEGINNINGS: tuple[tuple[bytes, Wrong], ...] = (
    (b"\xd0\xcf\x11\xe0", "packed"),  # XLS
    (b"\x1f\x8b", "packed"),
    (b"%PDF", "pdf"),
    (BOM_UTF16_LE, "utf-16"),  # Windows calls it Unicode
    (BOM_UTF16_BE, "utf-16"),
)


class NamedFile(Struct, frozen=True, kw_only=True):
    """An uploaded file: its original name, and its temporary path."""

    name: str
    path: str


class RecordFault(Struct, frozen=True, kw_only=True):
    """A problem of a record. `place`: where it is in the text; `entry`: the refused one."""

    view: ProblemView
    place: Excerpt | None
    entry: dict[str, Any] | None


class OpenedFile(Struct, frozen=True, kw_only=True):
    """A game of an upload, or an unreadable file.

    `begin` and `end`: its slice of the bytes of all records. `problem`: the fault of a file that
    cannot be read; of a record with faults, `problems` counts them, `message` is the first, and
    `faults` are as many as an upload shows, of `ruleset` and `players`. `origin`: its id in the
    exporting program; `played`: a play of another program, or a game of a table, whose `row` it is.
    `began_at`: of that game, which keeps the order of a day's games, as no record does.
    `tags`: of a history. `winners`: seats; `remarks`: the first of them. `twin`: the index of the
    same game in this upload; `kept`: the stored game it equals.
    """

    name: str
    begin: int = 0
    end: int = 0
    problem: Wrong | None = None
    problems: int = 0
    message: str = ""
    faults: tuple[RecordFault, ...] = ()
    ruleset: str = ""
    players: tuple[str | None, ...] = ()
    traits: Traits | None = None
    origin: UUID | None = None
    played: bool = False
    row: int | None = None
    began_at: datetime | None = None
    winners: tuple[int, ...] = ()
    remarks: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    rounds: int = 0
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


class TitleChoice(Struct, frozen=True):
    """A title of the club, of which games of a table may be."""

    id: str
    name: str
    wins: Literal["highest", "lowest"]


class TableReading(Struct, frozen=True, kw_only=True):
    """How tables are read. `sources`: modules of extensions, each a `TableSource`.

    `answers`: what the reader said about each table, by its number in the upload.
    """

    sources: tuple[str, ...] = ()
    titles: tuple[TitleChoice, ...] = ()
    answers: Mapping[str, Mapping[str, str]] = {}


class TableGame(Struct, frozen=True, kw_only=True):
    """A game of a table. `row`: its first row; `origin`: the same in a later upload."""

    row: int
    origin: UUID
    record: PortableRecord
    tags: tuple[str, ...] = ()


class OpenedTable(Struct, frozen=True, kw_only=True):
    """A table as it is read; `view`: what the template of its source shows."""

    name: str
    view: dict[str, Any]


class TableSource(Protocol):
    """A module that reads files of tables."""

    def is_table(self, name: str, data: bytes) -> bool:
        """Return whether a file is a table, by its content; a pasted text has no name."""
        ...

    def open_table(
        self,
        file: tuple[str, bytes],
        answers: Mapping[str, str],
        words: BatchWords,
        titles: Sequence[TitleChoice],
        now: datetime,
    ) -> tuple[OpenedTable, Sequence[TableGame]]: ...


class OpenedUpload(Struct, frozen=True, kw_only=True):
    pieces: tuple[OpenedFile, ...]
    tables: tuple[OpenedTable, ...]


class TooMany(Exception):  # noqa: N818 -- named by its fact, as in service.errors
    """The upload has too many or too long games."""


class _HistoryOfGames(HistoryFile, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A history whose games are decoded one by one, so that one of them refuses no other."""

    games: tuple[Raw, ...]  # type: ignore[assignment] # each a PastGame


class _SheetFile(Struct):
    """The fields by which a score sheet (`GET …/sheet.json`) is recognised."""

    version: int
    players: list[Raw]
    sheet: dict[str, Raw]


class _OpenedRecord(Struct, frozen=True):
    """An opened file with its encoded record, which is empty if the file is invalid."""

    file: OpenedFile
    data: bytes = b""


def open_files(
    files: Sequence[NamedFile],
    out: Path,
    words: BatchWords,
    now: datetime,
    tables: TableReading = TableReading(),  # noqa: B008 -- immutable
) -> OpenedUpload:
    """Open and judge files; write their records to `out`, one after another. Raises: TooMany."""
    opener = _Opener(words, now, tables)
    pieces: list[OpenedFile] = []
    first: dict[str, int] = {}
    size = 0
    with out.open("wb") as stream:
        for opened in opener.open_all(files):
            if len(pieces) >= GAMES_MAX or size + len(opened.data) > BATCH_BYTES_MAX:
                raise TooMany
            file = opened.file
            if file.problem is None:
                file = opener.judge(file, opened.data)
            if file.traits is not None:
                twin = first.setdefault(file.key, len(pieces))
                file = structs.replace(
                    file,
                    begin=size,
                    end=size + stream.write(opened.data),
                    twin=twin if twin != len(pieces) else None,
                )
                size = file.end
            pieces.append(file)
    return OpenedUpload(pieces=tuple(pieces), tables=tuple(opener.tables))


class _Opener:
    """Opens files by their content. `tables`: those found so far."""

    def __init__(self, words: BatchWords, now: datetime, reading: TableReading) -> None:
        self._words = words
        self._now = now
        self._reading = reading
        self._sources = [cast("TableSource", import_module(name)) for name in reading.sources]
        self._faults = 0
        self.tables: list[OpenedTable] = []

    def open_all(self, files: Iterable[NamedFile]) -> Iterator[_OpenedRecord]:
        for file in files:
            path = Path(file.path)
            if path.stat().st_size > BATCH_BYTES_MAX:
                raise TooMany
            yield from self._open(file.name, path.read_bytes())

    def judge(self, file: OpenedFile, data: bytes) -> OpenedFile:
        assessed = assess(data, self._now, _form(file))
        if assessed.faults:
            return self._with_faults(file, assessed, data)
        traits, outcome = traits_of(assessed), assessed.outcome
        if traits is None or outcome is None:
            return structs.replace(file, problem="empty")
        if file.began_at is not None:
            traits = structs.replace(traits, began_at=file.began_at)
        summary = outcome.summary
        notes = (
            entry.text[:_REMARK_SHOWN_MAX] for entry in outcome.entries if isinstance(entry, Note)
        )
        return structs.replace(
            file,
            traits=traits,
            winners=tuple(
                seat
                for seat, place in enumerate(summary.places or ())
                if place == 1 and summary.status == "finished"
            ),
            remarks=tuple(islice(notes, _REMARKS_MAX)),
            rounds=len(outcome.deals),
        )

    def _with_faults(self, file: OpenedFile, assessed: Assessed, data: bytes) -> OpenedFile:
        record = assessed.record
        names = (record.players or (None,) * record.seats) if record else ()
        finder = ExcerptFinder(data.removeprefix(BOM_UTF8).decode("utf-8", "replace"))
        shown = assessed.faults[: max(_FAULTS_MAX - self._faults, 0)]
        self._faults += len(shown)
        faults: list[RecordFault] = []
        for fault in shown:
            view = describe(fault, self._words.lang, names)
            refused = fault.entry if isinstance(fault, Judgement) and view.rule else None
            entry = None if refused is None else to_builtins(refused)
            faults.append(RecordFault(view=view, place=finder.mark(view), entry=entry))
        return structs.replace(
            file,
            problem="record",
            problems=len(assessed.faults),
            message=describe(assessed.faults[0], self._words.lang, names).message,
            faults=tuple(faults),
            ruleset=record.ruleset if record else "",
            players=tuple(names),
        )

    def _open(self, name: str, data: bytes, *, packed: bool = False) -> Iterator[_OpenedRecord]:
        source = next((source for source in self._sources if source.is_table(name, data)), None)
        if is_history(data[:_HEAD]):
            yield from _history(name, data, self._words)
        elif other := _other_file(data):
            yield _OpenedRecord(OpenedFile(name=name, problem=other))
        elif is_plays(data):
            yield from _plays(name, data, self._words, self._now)
        elif source is not None:
            yield from self._table(source, name, data)
        elif name.casefold().endswith(".jsonl") and b'"ruleset"' in data.partition(b"\n")[0]:
            for number, line in enumerate(filter(bytes.strip, data.splitlines()), 1):
                yield _OpenedRecord(
                    OpenedFile(name=f"{name}: {number}", problem=_wrong(line)), line
                )
        elif data.startswith(ZIP_BEGINNING) and not packed:
            yield from self._archive(name, data)
        else:
            yield _OpenedRecord(OpenedFile(name=name, problem=_wrong(data)), data)

    def _table(self, source: TableSource, name: str, data: bytes) -> Iterator[_OpenedRecord]:
        reading = self._reading
        answers = reading.answers.get(str(len(self.tables)), {})
        table, games = source.open_table(
            (name, data), answers, self._words, reading.titles, self._now
        )
        self.tables.append(table)
        for game in games:
            file = OpenedFile(
                name=name,
                origin=game.origin,
                played=True,
                row=game.row,
                began_at=game.record.date,
                tags=game.tags,
            )
            yield _OpenedRecord(file, encode_record(game.record, notation.digest(game.record)))

    def _archive(self, name: str, data: bytes) -> Iterator[_OpenedRecord]:
        try:
            for inside, content in unpack(data):
                place = f"{name}: {inside}"
                if inside.startswith("__MACOSX/") or inside.rpartition("/")[2].startswith("."):
                    continue
                known = inside.casefold().endswith(_SUFFIXES)
                if known or any(source.is_table(inside, content) for source in self._sources):
                    yield from self._open(place, content, packed=True)
                else:
                    yield _OpenedRecord(OpenedFile(name=place, problem="other"))
        except BadArchive as fault:
            wrong: Wrong = "large" if fault.large else "packed"
            yield _OpenedRecord(OpenedFile(name=name, problem=wrong))


def _form(file: OpenedFile) -> Format | None:
    if file.origin is not None:
        return "json"
    suffix = file.name.casefold().rpartition(".")[2]
    return "json" if suffix == "json" else "text" if suffix == "carnet" else None


def _wrong(data: bytes) -> Wrong | None:
    """Return why a file is no record, by its first bytes and its size."""
    if not data.removeprefix(BOM_UTF8).strip():
        return "empty"
    for beginning, wrong in _BEGINNINGS:
        if data.startswith(beginning):
            return wrong
    if len(data) > BYTES_MAX:
        return "large"
    if b"\0" in data:
        return "binary"
    try:
        data.decode()
    except UnicodeDecodeError:
        return "encoding"
    return None


def is_history(head: bytes) -> bool:
    """Return whether a file begins like a history export of Carnet."""
    return f'"{FORMAT}"'.encode() in head


def _other_file(data: bytes) -> Wrong | None:
    """Return which file of Carnet it is that contains no whole game; None: another file."""
    if data.startswith(b'{"version":'):
        with suppress(*FAULTS):
            msgspec.json.decode(data, type=_SheetFile)
            return "sheet"
    head = data[:_HEAD].removeprefix(BOM_UTF8).splitlines()[:1]
    cells = {cell.strip(b' "') for line in head for cell in _SEPARATORS.split(line)}
    return "entries" if any(cells >= heads for heads in _entries_heads()) else None


@cache
def _entries_heads() -> tuple[frozenset[bytes], ...]:
    words = texts().word
    return tuple(
        frozenset(words(word, lang).encode() for word in ("version", "type", "player", "entry"))
        for lang in LANGUAGES
    )


def _history(name: str, data: bytes, words: BatchWords) -> Iterator[_OpenedRecord]:
    try:
        history = msgspec.json.decode(data, type=_HistoryOfGames)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        yield _OpenedRecord(OpenedFile(name=name, problem="history"))
        return
    for number, raw in enumerate(history.games, 1):
        place = f"{name}: {number}"
        try:
            game = msgspec.json.decode(raw, type=PastGame)
            origin = UUID(game.id)
        except FAULTS as fault:
            yield _malformed_file(place, read_fault(fault, bytes(raw), PastGame), words)
        except ValueError:
            yield _malformed_file(place, Malformed(path="$.id", expected="a UUID"), words)
        else:
            yield _past(place, origin, game, words)


def _past(name: str, origin: UUID, game: PastGame, words: BatchWords) -> _OpenedRecord:
    """Return the record of a game of an exported history: its deals, and what was beside them."""
    if game.ruleset not in SHAPES:
        expected = f"one of {', '.join(SHAPES)}"
        return _malformed_file(name, Malformed(path="$.ruleset", expected=expected), words)
    options = parse_options(game.ruleset, bytes(game.options), len(game.players))
    if isinstance(options, Malformed):
        return _malformed_file(name, options, words)
    description = read_description("", game.tags)
    if isinstance(description, Malformed):
        return _malformed_file(name, description, words)
    seats = len(game.players)
    if any(len(points) != seats for points in (game.totals, *(deal.points for deal in game.deals))):
        wrong = Malformed(path="$.totals", expected=f"{seats} players")
        return _malformed_file(name, wrong, words)
    rounds = [
        PointsRound(points=deal.points, reason=words.deal.format(number=deal.deal))
        for deal in game.deals
        # Those who left played alone.
        if any(won is not None for won in deal.points)
    ]
    dealt = [sum(each.points[seat] or 0 for each in rounds) for seat in range(seats)]
    unequal = any(sum(filter(None, each.points)) for each in rounds)
    if unequal and getattr(options, "zero_sum", False):
        # The points of those who left are missing.
        options = structs.replace(options, zero_sum=False)
    beside = tuple(total - points for total, points in zip(game.totals, dealt, strict=True))
    rounds.append(PointsRound(points=beside, reason=words.beside, beside=True))
    names = [player.name for player in game.players]
    ended = words.ended if game.status == "finished" else None
    began = None if game.times == "none" else game.started_at
    record = game_from_points(game.ruleset, options, names, rounds, began, ended)
    if game.status == "finished":
        winners = [seat for seat, place in enumerate(game.places) if place == 1]
        record = with_winners(record, winners) or record
    if game.set_aside:
        record = structs.replace(record, log=(*record.log, SetAside(reason=words.ended)))
    titled = shapes(game.ruleset).titled
    title = read_name(game.title_name) if titled and game.title_name else None
    record = structs.replace(record, title=title, place=read_place(game.place))
    data = encode_record(record, notation.digest(record))
    return _OpenedRecord(OpenedFile(name=name, origin=origin, tags=description.tags), data)


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
