"""What an optional feature adds to the core; `app.EXTENSIONS` lists the installed ones."""

from collections.abc import Awaitable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import ClassVar

from litestar.handlers import HTTPRouteHandler

from service.http.feed.asyncapi import Channel
from service.tenancy.club_services import ClubServices, SharedServices
from service.tenancy.clubs import Clubs
from service.transfer.everything import ExportPart


class Extension:
    """A feature in one process. Its folder holds its templates and translations, too.

    `tags`: of the API's document, described; `api`: handlers by tag, guarded as all of `/api`;
    `pages`: for owners, unless a page sets `access`; `channels`: what it sends, for AsyncAPI;
    `table_source`: the module that reads tables in uploads, see `TableSource`; its template
    `import_table_….html` shows them. `dependencies`: names of `ClubServices.extensions` that its
    handlers take.
    """

    tags: ClassVar[Mapping[str, str]] = {}
    api: ClassVar[Mapping[str, Sequence[HTTPRouteHandler]]] = {}
    pages: ClassVar[Sequence[HTTPRouteHandler]] = ()
    channels: ClassVar[Sequence[Channel]] = ()
    dependencies: ClassVar[Sequence[str]] = ()
    export_part: ExportPart | None = None
    table_source: str | None = None

    def __init__(self, shared: SharedServices) -> None:
        self.shared = shared

    def open_club(self, club: ClubServices, ending: AsyncExitStack) -> None:
        """Add services to `club.extensions`, and start background tasks that end with the club."""

    def jobs(self, clubs: Clubs) -> Iterable[Awaitable[None]]:
        """Return background tasks of the process, which run until cancelled."""
        del clubs
        return ()
