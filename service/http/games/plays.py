"""Import of plays that another program exported: BG Stats (JSON), BoardGameGeek (XML)."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeAlias
from uuid import UUID

import msgspec
from litestar.di import NamedDependency, Provide
from msgspec import Struct

from schemas.names import normalized_name, read_name
from schemas.strict_json import decode_strictly
from service.dependencies import (
    TheGameImports,
    ThePlayers,
    TheRecognition,
    TheTitles,
    TheUploadReader,
    TheUploads,
)
from service.errors import NamesAlike
from service.http.inputs import malformed
from service.play.views import PlayerView
from service.store.club.name_book import Choices, NameBook
from service.transfer.batches import Batch, Selection, existing_games, import_selected
from service.transfer.name_matching import NameMatch, match_names
from service.transfer.record_files import BatchWords, NamedFile
from service.transfer.upload_jobs import BatchJob
from service.transfer.uploads import Traits

PLAYS_BYTES_MAX = 16 * 1024 * 1024


class PlayView(Struct, frozen=True, kw_only=True):
    """A play. `title`: the name of a title, or a ruleset; `here`: the stored game that it is.

    With a `problem` the other fields are empty, and it is not imported.
    """

    title: str | None
    date: datetime | None
    players: tuple[str | None, ...]
    totals: tuple[int, ...]
    here: UUID | None
    problem: str | None


class PersonMatch(Struct, frozen=True, kw_only=True):
    """A name in the plays. `known`: people of this name; if none, one of `like` may be meant.

    `others`: new names in the plays that may be other spellings of this one.
    """

    name: str
    known: tuple[PlayerView, ...]
    like: tuple[PlayerView, ...]
    others: tuple[str, ...]


class PlaysView(Struct, frozen=True, kw_only=True):
    """The preview of plays. `new_titles`: the names of titles that would be added."""

    plays: tuple[PlayView, ...]
    people: tuple[PersonMatch, ...]
    new_titles: tuple[str, ...]


class ImportedPlaysView(Struct, frozen=True, kw_only=True):
    """The games of imported plays, of those that existed, and why others were left out."""

    games: tuple[UUID, ...]
    here: tuple[UUID, ...]
    problems: tuple[str, ...]


class PlaysImport:
    """The plays of one request."""

    def __init__(
        self,
        recognition: TheRecognition,
        imports: TheGameImports,
        upload_reader: TheUploadReader,
        uploads: TheUploads,
        players: ThePlayers,
        titles: TheTitles,
    ) -> None:
        self._recognition = recognition
        self._imports = imports
        self._reader = upload_reader
        self._uploads = uploads
        self._players = players
        self._titles = titles

    async def preview(self, data: bytes, lang: str) -> PlaysView:
        with self._uploads.draft() as records:
            batch = await self._read(data, lang, records.path)
            existing = await existing_games(self._recognition, batch)
        book = await self._players.names()
        plays = [
            _play_view(piece.traits, here, piece.message or None)
            for piece, here in zip(batch.pieces, existing, strict=True)
        ]
        known = {normalized_name(title.name or "") for title in await self._titles.all()}
        named = [piece.traits.title for piece in batch.pieces if piece.traits]
        titles = {normalized_name(title): title for title in named if title}
        return PlaysView(
            plays=tuple(plays),
            people=tuple(map(_match, match_names([play.players for play in plays], book))),
            new_titles=tuple(name for key, name in titles.items() if key not in known),
        )

    async def store(
        self,
        data: bytes,
        lang: str,
        people: str,
        by: UUID | None,
        again: str | None,
        *,
        new_names: bool,
    ) -> ImportedPlaysView:
        """Import the plays that can be.

        `people`: the person meant by each name, as JSON; `again`: store those that exist as copies
        under this name.

        Raises: MalformedInput, NamesAlike
        """
        book = await self._players.names()
        choices = _read_choices(people, book)
        with self._uploads.draft() as records:
            batch = await self._read(data, lang, records.path)
            existing = await existing_games(self._recognition, batch)
            new = [
                number
                for number, piece in enumerate(batch.pieces)
                if again is not None or (existing[number] is None and piece.twin is None)
            ]
            if not new_names:
                _ask_about_names(batch, new, book, choices)
            selection = Selection(
                once=() if again else new, again=new if again else (), choices=choices
            )
            stored = await import_selected(
                self._imports,
                self._reader,
                batch,
                records.path,
                selection,
                by,
                again or "",
                lambda _done, _of: None,
            )
        games = [piece.kept for piece in stored.pieces if piece.kept is not None]
        here = [] if again else [game for game in existing if game is not None]
        problems = [f"{piece.name} {piece.message}" for piece in stored.pieces if piece.problem]
        return ImportedPlaysView(games=tuple(games), here=tuple(here), problems=tuple(problems))

    async def _read(self, data: bytes, lang: str, records: Path) -> Batch:
        with self._uploads.draft() as draft:
            draft.out.write(data)
            draft.out.flush()
            job = BatchJob(
                files=(NamedFile(name="", path=str(draft.path)),),
                out=str(records),
                words=BatchWords(lang=lang, deal="", beside="", ended=""),
                now=self._reader.now(),
            )
            opened = await self._reader.run_single(job)
        if opened == "many":
            raise malformed("$.plays", "5,000 plays at most")
        if any(piece.problem == "plays" for piece in opened.pieces):
            raise malformed("$", "plays as BG Stats or BoardGameGeek export them")
        return Batch(pieces=opened.pieces, records="")


def _read_choices(text: str, book: NameBook) -> dict[str, UUID | str]:
    try:
        chosen = decode_strictly(text, dict[str, str])
    except msgspec.DecodeError:
        chosen = {"": ""}
    choices: dict[str, UUID | str] = {}
    for name, meant in chosen.items():
        try:
            choices[normalized_name(name)] = UUID(meant)
        except ValueError:
            choices[normalized_name(name)] = meant
    for choice in choices.values():
        known = book.person(choice) if isinstance(choice, UUID) else read_name(choice)
        if known is None:
            expected = "ids of players, or other names, by name, as a JSON object"
            raise malformed("$.query.people", expected)
    return choices


def _ask_about_names(
    batch: Batch, numbers: Sequence[int], book: NameBook, choices: Choices
) -> None:
    tables = [traits.players for number in numbers if (traits := batch.pieces[number].traits)]
    for match in match_names(tables, book):
        others = [name for name in match.others if normalized_name(name) not in choices]
        if normalized_name(match.name) in choices or match.known or not (match.like or others):
            continue
        seat = next(
            seat
            for table in tables
            for seat, name in enumerate(table)
            if normalized_name(name or "") == normalized_name(match.name)
        )
        raise NamesAlike(seat, match.name, _match(match).like, others)


def _play_view(traits: Traits | None, here: UUID | None, problem: str | None) -> PlayView:
    if traits is None:
        return PlayView(title=None, date=None, players=(), totals=(), here=here, problem=problem)
    return PlayView(
        title=traits.title or traits.ruleset,
        date=traits.began_at,
        players=traits.players,
        totals=traits.totals,
        here=here,
        problem=problem,
    )


def _match(match: NameMatch) -> PersonMatch:
    known, like = (
        tuple(PlayerView(id=person.player_id, name=person.name) for person in people)
        for people in (match.known, () if match.known else match.like)
    )
    return PersonMatch(name=match.name, known=known, like=like, others=match.others)


ThePlaysImport: TypeAlias = NamedDependency[PlaysImport]
PLAYS_IMPORT = {"plays": Provide(PlaysImport, sync_to_thread=False)}
