"""The dependencies of handlers: the caller, ids in the path, and parts of the service."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from litestar import Request, Response
from litestar.datastructures import Cookie, State
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect
from msgspec import Struct

from service.access.principal import Principal
from service.club.evenings import Evenings
from service.club.exports import Exports
from service.club.people import People
from service.club.score_history import ScoreHistory
from service.club.temporary_files import TemporaryFiles
from service.feed.sequencer import Sequencer
from service.play.commands import GameCommands
from service.play.queries import GameQueries
from service.store.access.grants import Grants
from service.store.access.members import Members
from service.store.club.players import Players
from service.store.club.quota import Quota
from service.store.club.seasons import Seasons
from service.store.club.titles import Titles
from service.store.feed.positions import Feed
from service.store.read_models.descriptions import Descriptions
from service.transfer.backups import Backups
from service.transfer.everything import Everything
from service.transfer.game_imports import GameImports
from service.transfer.import_runs import ImportRuns
from service.transfer.portable_records import Records
from service.transfer.recognition import Recognition
from service.transfer.upload_reader import UploadReader


class Table(Struct, frozen=True, eq=False):
    """The services of a tap, in one dependency: Litestar resolves several in a task each."""

    games: GameQueries
    commands: GameCommands
    grants: Grants
    new_id: Callable[[], UUID]


PageRequest: TypeAlias = Request[Principal, str, State]
Id: TypeAlias = FromPath[UUID]
Number: TypeAlias = FromPath[int]
Word: TypeAlias = FromPath[str]
Asked: TypeAlias = FromQuery[str]
MaybeSeat: TypeAlias = FromQuery[int | None]
MaybeAsked: TypeAlias = FromQuery[str | None]
Answer: TypeAlias = Response[Any]
TheFeed: TypeAlias = NamedDependency[Feed]
TheSequencer: TypeAlias = NamedDependency[Sequencer]
TheGames: TypeAlias = NamedDependency[GameQueries]
TheTable: TypeAlias = NamedDependency[Table]
TheCommands: TypeAlias = NamedDependency[GameCommands]
TheHistory: TypeAlias = NamedDependency[ScoreHistory]
TheExports: TypeAlias = NamedDependency[Exports]
TheRecords: TypeAlias = NamedDependency[Records]
TheRecognition: TypeAlias = NamedDependency[Recognition]
TheGameImports: TypeAlias = NamedDependency[GameImports]
TheImportRuns: TypeAlias = NamedDependency[ImportRuns]
TheUploads: TypeAlias = NamedDependency[TemporaryFiles]
TheUploadReader: TypeAlias = NamedDependency[UploadReader]
TheQuota: TypeAlias = NamedDependency[Quota]
TheEverything: TypeAlias = NamedDependency[Everything]
TheBackups: TypeAlias = NamedDependency[Backups]
TheDescriptions: TypeAlias = NamedDependency[Descriptions]
TheSeasons: TypeAlias = NamedDependency[Seasons]
TheTitles: TypeAlias = NamedDependency[Titles]
TheEvenings: TypeAlias = NamedDependency[Evenings]
ThePeople: TypeAlias = NamedDependency[People]
ThePlayers: TypeAlias = NamedDependency[Players]
TheGrants: TypeAlias = NamedDependency[Grants]
TheMembers: TypeAlias = NamedDependency[Members]
Now: TypeAlias = NamedDependency[Callable[[], datetime]]
NewId: TypeAlias = NamedDependency[Callable[[], UUID]]
NewToken: TypeAlias = NamedDependency[Callable[[], str]]
NewSecret: TypeAlias = NamedDependency[Callable[[], bytes]]


def see_other(path: str, *cookies: Cookie) -> Redirect:
    """Redirect after a form, so that a reload does not submit it again (RFC 9110 §15.4.4)."""
    return Redirect(path, status_code=303, cookies=list(cookies))
