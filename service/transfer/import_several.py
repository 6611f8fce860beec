"""Several games that somebody brings at once: unpacked, judged, recognised, and kept one by one."""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from typing import Literal
from uuid import UUID, uuid5

import msgspec
from msgspec import Struct, structs

from domain import notation
from schemas.catalogue import SHAPES
from schemas.history import FORMAT, HistoryFile, PastGame
from schemas.malformed import Malformed
from schemas.record import encode_record
from service.errors import KeyReused
from service.transfer.archives import BadArchive, names_in, unpacked
from service.transfer.games_from_points import PointsRound, game_from_points, settled_options
from service.transfer.portable_records import Records, TakenRecord
from service.transfer.recognition import Recognition, Traits, traits_of
from service.transfer.upload_problems import told
from service.transfer.uploads import BYTES_MAX, assess

GAMES_MAX = 1_000
BATCH_BYTES_MAX = 16 * BYTES_MAX
_ZIP = b"PK\x03\x04"
_SUFFIXES = (".carnet", ".json", ".txt")
_HEAD = 400
_BATCH = UUID("3d7f3c0e-5d0b-5d0e-9a55-1b1d5f6a7c11")


Wrong = Literal["record", "nameless", "large", "packed", "other", "history"]


class OpenedFile(Struct, frozen=True, kw_only=True):
    """A game that was brought, or a file that is none.

    `problem`: what is wrong, None where nothing is; of a record that can be read but not kept
    `problems` is their number, and `message` tells the first one. `origin`: its id where it comes
    from; `twin`: the place, from 0, of the same game among those brought; `kept`: the game it is.
    """

    name: str
    data: bytes = b""
    problem: Wrong | None = None
    problems: int = 0
    message: str = ""
    traits: Traits | None = None
    origin: UUID | None = None
    twin: int | None = None
    kept: UUID | None = None

    @property
    def key(self) -> str:
        """What makes it the same game when it is brought again."""
        if self.traits is None:
            return ""
        names = "\0".join(name or "" for name in self.traits.players)
        return f"{self.origin}\0{self.traits.hash}\0{self.traits.began_at}\0{names}"


class Batch(Struct, frozen=True, kw_only=True):
    """What was brought together."""

    pieces: tuple[OpenedFile, ...]


class TooMany(Exception):  # noqa: N818 -- named by its fact, as in service.errors
    """More games, or longer ones, than are taken at once."""


class BatchWords(Struct, frozen=True, kw_only=True):
    """What is written as the reason of points: `deal` with a place for its number.

    `lang`: in which problems are told.
    """

    lang: str
    deal: str
    beside: str
    ended: str


def opened(files: Iterable[tuple[str, bytes]], words: BatchWords) -> list[OpenedFile]:
    """Open files: records, archives of them, histories; what is none is told by its name.

    Raises: TooMany
    """
    found: list[OpenedFile] = []
    size = 0
    for name, data in files:
        for piece in _opened(name, data, words):
            size += len(piece.data)
            found.append(piece)
            if len(found) > GAMES_MAX or size > BATCH_BYTES_MAX:
                raise TooMany
    return found


def _opened(name: str, data: bytes, words: BatchWords) -> Iterable[OpenedFile]:
    if data.startswith(_ZIP):
        yield from _archive(name, data, words)
    elif is_history(data):
        yield from _history(name, data, words)
    elif len(data) > BYTES_MAX:
        yield OpenedFile(name=name, problem="large")
    else:
        yield OpenedFile(name=name, data=data)


def _archive(name: str, data: bytes, words: BatchWords) -> Iterable[OpenedFile]:
    try:
        for inside, content in unpacked(data):
            place = f"{name}: {inside}"
            if inside.startswith("__MACOSX/") or inside.rpartition("/")[2].startswith("."):
                continue
            if not inside.casefold().endswith(_SUFFIXES):
                yield OpenedFile(name=place, problem="other")
            elif is_history(content):
                yield from _history(place, content, words)
            elif len(content) > BYTES_MAX:
                yield OpenedFile(name=place, problem="large")
            else:
                yield OpenedFile(name=place, data=content)
    except BadArchive as fault:
        yield OpenedFile(name=name, problem="large" if fault.large else "packed")


def is_history(data: bytes) -> bool:
    """Tell whether a file is a history as Carnet exports it, by its beginning."""
    return f'"{FORMAT}"'.encode() in data[:_HEAD]


def is_workbook(data: bytes) -> bool:
    """Tell whether an archive is a workbook."""
    try:
        return "[Content_Types].xml" in names_in(data)
    except BadArchive:
        return False


def _history(name: str, data: bytes, words: BatchWords) -> Iterable[OpenedFile]:
    try:
        history = msgspec.json.decode(data, type=HistoryFile)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        yield OpenedFile(name=name, problem="history")
        return
    for number, game in enumerate(history.games, 1):
        yield _past(f"{name}: {number}", game, words)


def _past(name: str, game: PastGame, words: BatchWords) -> OpenedFile:
    if game.ruleset not in SHAPES:
        expected = f"one of {', '.join(SHAPES)}"
        return _malformed(name, Malformed(path="$.ruleset", expected=expected), words)
    options = settled_options(game.ruleset, bytes(game.options), len(game.players))
    if isinstance(options, Malformed):
        return _malformed(name, options, words)
    seats = len(game.players)
    if any(len(points) != seats for points in (game.totals, *(one.points for one in game.deals))):
        wrong = Malformed(path="$.totals", expected=f"{seats} players")
        return _malformed(name, wrong, words)
    rounds = [
        PointsRound(points=one.points, reason=words.deal.format(number=one.deal))
        for one in game.deals
    ]
    summed = [sum(points) for points in zip(*(one.points for one in rounds), strict=True)]
    summed = summed or [0] * seats
    beside = tuple(total - one for total, one in zip(game.totals, summed, strict=True))
    rounds.append(PointsRound(points=beside, reason=words.beside))
    names = [one.name for one in game.players]
    ended = words.ended if game.status == "finished" else None
    record = game_from_points(game.ruleset, options, names, rounds, game.started_at, ended)
    data = encode_record(record, notation.digest(record))
    return OpenedFile(name=name, data=data, origin=UUID(game.id))


def _malformed(name: str, fault: Malformed, words: BatchWords) -> OpenedFile:
    message = told(fault, words.lang).message
    return OpenedFile(name=name, problem="record", problems=1, message=message)


def judged(pieces: Sequence[OpenedFile], lang: str) -> Batch:
    """Judge every game; find those that are there twice."""
    found: list[OpenedFile] = []
    first: dict[str, int] = {}
    for at, piece in enumerate(pieces):
        one = piece if piece.problem is not None else _judged(piece, lang)
        if one.traits is not None:
            twin = first.setdefault(one.key, at)
            one = structs.replace(one, twin=twin if twin != at else None)
        found.append(one)
    return Batch(pieces=tuple(found))


def _judged(piece: OpenedFile, lang: str) -> OpenedFile:
    assessed = assess(piece.data)
    if assessed.faults:
        message = told(assessed.faults[0], lang).message
        number = len(assessed.faults)
        return structs.replace(piece, problem="record", problems=number, message=message, data=b"")
    return structs.replace(piece, traits=traits_of(assessed))


async def recognised(recognition: Recognition, batch: Batch) -> list[UUID | None]:
    """Return, for each game that was brought, the one that it is here."""
    asked = [(at, one.traits) for at, one in enumerate(batch.pieces) if one.traits is not None]
    here = await recognition.here([traits for _, traits in asked])
    found: list[UUID | None] = [None] * len(batch.pieces)
    for (at, _), games in zip(asked, here, strict=True):
        found[at] = games[0].game_id if games else None
    ids = [
        one
        for piece in batch.pieces
        for one in (piece.origin, _game_of(piece))
        if one is not None and piece.traits is not None
    ]
    held = await recognition.held(ids)
    for at, piece in enumerate(batch.pieces):
        if piece.traits is not None and found[at] is None:
            known = [one for one in (piece.origin, _game_of(piece)) if one in held]
            found[at] = known[0] if known else None
    return found


def _game_of(piece: OpenedFile) -> UUID:
    return Records.game_of(uuid5(_BATCH, piece.key))


class Wanted(Struct, frozen=True, kw_only=True):
    """Which games are to be kept, by their places; `again`: although they are here or doubled."""

    once: Collection[int | None]
    again: Collection[int | None]


async def keep(records: Records, batch: Batch, wanted: Wanted, by: UUID | None, name: str) -> Batch:
    """Keep the games that are wanted; `name`: what makes this batch another one."""
    pieces = list(batch.pieces)
    for at, piece in enumerate(pieces):
        if (
            piece.traits is None
            or piece.kept is not None
            or (at not in wanted.once and at not in wanted.again)
        ):
            continue
        command = uuid5(_BATCH, f"{name}\0{at}" if at in wanted.again else piece.key)
        pieces[at] = await _kept(records, piece, by, command)
    return Batch(pieces=tuple(pieces))


async def _kept(records: Records, piece: OpenedFile, by: UUID | None, command: UUID) -> OpenedFile:
    assessed = await records.assess(piece.data)
    try:
        taken = await records.take(assessed, by, command)
    except KeyReused:
        # It is here since before, with others' names: they were changed.
        return structs.replace(piece, kept=Records.game_of(command))
    if isinstance(taken, TakenRecord):
        return structs.replace(piece, kept=taken.game_id)
    return structs.replace(piece, problem="nameless")


async def looked_at(files: Iterable[tuple[str, bytes]], words: BatchWords) -> Batch:
    """Open and judge files.

    Raises: TooMany
    """
    return await asyncio.to_thread(lambda: judged(opened(files, words), words.lang))
