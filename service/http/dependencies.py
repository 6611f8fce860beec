"""What handlers are handed: ids from the path, and the parts of the service by name."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from litestar import Response
from litestar.di import NamedDependency
from litestar.params import FromPath

from service.club.exports import Exports
from service.club.people import People
from service.club.score_history import ScoreHistory
from service.play.games import Games
from service.store.links import Links
from service.store.players import Players
from service.transfer.portable_records import Records

Id: TypeAlias = FromPath[UUID]
TheGames: TypeAlias = NamedDependency[Games]
TheHistory: TypeAlias = NamedDependency[ScoreHistory]
TheExports: TypeAlias = NamedDependency[Exports]
TheRecords: TypeAlias = NamedDependency[Records]
ThePeople: TypeAlias = NamedDependency[People]
ThePlayers: TypeAlias = NamedDependency[Players]
TheLinks: TypeAlias = NamedDependency[Links]
Now: TypeAlias = NamedDependency[Callable[[], datetime]]
NewId: TypeAlias = NamedDependency[Callable[[], UUID]]
NewToken: TypeAlias = NamedDependency[Callable[[], str]]
Answer: TypeAlias = Response[Any]
