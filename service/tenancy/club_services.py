"""The services of one club, injected into its handlers."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any, cast
from uuid import UUID

from litestar.connection import ASGIConnection
from msgspec import Struct
from prometheus_client import CollectorRegistry

from service.access.admission import club_of
from service.access.identities import Identities, IdentityCache, LastSeen
from service.access.throttle import FailedLogins, Throttle
from service.access.watch import Watch
from service.club.evenings import Evenings
from service.club.exports import Exports
from service.club.people import People
from service.club.score_history import ScoreHistory
from service.club.temporary_files import TemporaryFiles
from service.errors import NotFound
from service.feed.coordination import Coordination, NoticeKind
from service.feed.sequencer import Sequencer
from service.metrics import WorkMetrics
from service.play.commands import GameCommands
from service.play.queries import GameQueries
from service.play.runtime import new_runtime
from service.play.signals import Signals
from service.settings import Settings
from service.store.access.grants import GrantChanges, Grants
from service.store.access.members import Members
from service.store.club.players import Players
from service.store.club.quota import Quota
from service.store.club.seasons import Seasons
from service.store.club.titles import Titles
from service.store.connection.pool import Pool
from service.store.feed.positions import Feed
from service.store.log.events import EventStore
from service.store.log.known_games import KnownGames
from service.store.read_models.descriptions import Descriptions
from service.store.read_models.projections import GameIndex
from service.transfer.backups import Backups
from service.transfer.everything import Everything
from service.transfer.game_imports import GameImports
from service.transfer.import_runs import ImportRuns
from service.transfer.portable_records import Records
from service.transfer.recognition import Recognition
from service.transfer.upload_reader import UploadReader


class SharedServices(Struct, frozen=True, kw_only=True):
    settings: Settings
    registry: CollectorRegistry
    pool: Pool
    seconds: Callable[[], float]
    now: Callable[[], datetime]
    new_id: Callable[[], UUID]
    new_salt: Callable[[], bytes]
    new_seed: Callable[[], bytes]
    new_token: Callable[[UUID], str]
    failed_logins: FailedLogins
    writes: Throttle
    measured: WorkMetrics
    coordination: Coordination
    upload_reader: UploadReader


class ClubTasks(Struct, frozen=True, kw_only=True):
    """Background tasks of a club, started before its services and stopped after them.

    `given_key`: the hash of the owner's key from the settings; None: the stored one counts.
    `first`: it is the first club; `sample_of`: the club whose sample games it has; `subscribe`: for
    messages of other processes.
    """

    first: bool
    sample_of: UUID | None
    subscribe: Callable[[NoticeKind, Callable[[str], None]], None]
    given_key: bytes | None
    sequencer: Sequencer
    exported: TemporaryFiles
    uploads: TemporaryFiles
    backups: Backups


class ClubServices(Struct, frozen=True, kw_only=True, eq=False):
    club_id: UUID
    sample_of: UUID | None
    new_token: Callable[[], str]
    quota: Quota
    identities: Identities
    seen: LastSeen
    watch: Watch
    feed: Feed
    sequencer: Sequencer
    games: GameQueries
    commands: GameCommands
    history: ScoreHistory
    exports: Exports
    records: Records
    recognition: Recognition
    imports: GameImports
    import_runs: ImportRuns
    uploads: TemporaryFiles
    upload_reader: UploadReader
    everything: Everything
    backups: Backups
    people: People
    evenings: Evenings
    players: Players
    descriptions: Descriptions
    seasons: Seasons
    titles: Titles
    grants: Grants
    members: Members
    extensions: dict[str, Any]

    async def has_game(self, game_id: UUID) -> bool:
        with suppress(NotFound):
            return bool(await self.games.version(game_id))
        return False

    @property
    def busy(self) -> bool:
        return self.watch.busy or self.sequencer.followed or self.import_runs.busy


def make_services(shared: SharedServices, club_id: UUID, tasks: ClubTasks) -> ClubServices:
    pool, new_id = shared.pool, shared.new_id
    quota = _quota(shared, club_id, tasks)
    index, players = GameIndex(pool, club_id), Players(pool, club_id, quota)
    store = EventStore(pool, club_id, tasks.sequencer.wake, quota)
    process = new_runtime(store, shared.measured, _signals(shared, tasks))
    records = Records(store, index, players, new_id, shared.new_salt, shared.upload_reader)
    history, seasons = ScoreHistory(index, players, store), Seasons(pool, club_id)
    titles = Titles(pool, club_id)
    feed, games = Feed(pool, club_id), GameQueries(index, process, shared.now)
    descriptions = Descriptions(pool, club_id)
    imports = GameImports(records, players, KnownGames(pool, club_id), descriptions)
    return ClubServices(
        club_id=club_id,
        sample_of=tasks.sample_of,
        new_token=partial(shared.new_token, club_id),
        quota=quota,
        feed=feed,
        sequencer=tasks.sequencer,
        games=games,
        commands=GameCommands(store, players, process, new_id, shared.new_salt, shared.measured),
        history=history,
        exports=_exports(shared, club_id, tasks, history, seasons),
        records=records,
        recognition=Recognition(store, KnownGames(pool, club_id)),
        imports=imports,
        import_runs=ImportRuns(tasks.uploads, imports, shared.upload_reader),
        uploads=tasks.uploads,
        upload_reader=shared.upload_reader,
        everything=tasks.backups.everything,
        backups=tasks.backups,
        people=People(index),
        evenings=Evenings(index),
        players=players,
        descriptions=descriptions,
        seasons=seasons,
        titles=titles,
        extensions={},
        **_access(shared, club_id, tasks),
    )


def _quota(shared: SharedServices, club_id: UUID, tasks: ClubTasks) -> Quota:
    quota = Quota(shared.pool, club_id, shared.seconds, shared.now)
    tasks.subscribe("limits", _of(club_id, quota.invalidate))
    return quota


def _exports(
    shared: SharedServices, club_id: UUID, tasks: ClubTasks, history: ScoreHistory, seasons: Seasons
) -> Exports:
    tasks.subscribe("forgotten", _of(club_id, tasks.exported.drop))
    forgotten = partial(shared.coordination.publish, "forgotten", str(club_id))
    return Exports(history, seasons, tasks.exported, shared.seconds, forgotten)


def _signals(shared: SharedServices, tasks: ClubTasks) -> Signals:
    signals = Signals(lambda game_id: shared.coordination.publish("game", str(game_id)))

    def on_remote_entry(game_id: str) -> None:
        signals.wake(UUID(game_id))
        tasks.sequencer.wake_for_followers()

    tasks.subscribe("game", on_remote_entry)
    return signals


def _of(club_id: UUID, callback: Callable[[], None]) -> Callable[[str], None]:
    def call_if_concerned(about: str) -> None:
        if about in {"", str(club_id)}:
            callback()

    return call_if_concerned


def _access(shared: SharedServices, club_id: UUID, tasks: ClubTasks) -> dict[str, Any]:
    pool, coordination = shared.pool, shared.coordination
    changes = GrantChanges(partial(coordination.publish, "access", str(club_id)))
    tasks.subscribe("access", _of(club_id, changes.count_remote))
    grants = Grants(pool, club_id, changes)
    identities = Identities(
        club_id,
        tasks.given_key,
        grants,
        IdentityCache(changes, shared.seconds),
        shared.failed_logins,
        shared.writes,
        first=tasks.first,
    )
    return {
        "identities": identities,
        "seen": LastSeen(grants, shared.now),
        "watch": Watch(identities),
        "grants": grants,
        "members": Members(pool, club_id, changes),
    }


def services_of(connection: ASGIConnection[Any, Any, Any, Any]) -> ClubServices:
    return cast("ClubServices", club_of(connection))
