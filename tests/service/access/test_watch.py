import asyncio
from collections.abc import Callable
from uuid import UUID, uuid4

from psycopg import AsyncConnection

from service.access.identities import Identities, IdentityCache
from service.access.principal import Principal, Right
from service.access.secrets import prefix_club, token_hash
from service.access.throttle import FailedLoginRates, FailedLogins, Rate, Throttle
from service.access.watch import Watch
from service.store.access.grants import GrantChanges, Grants, NewGrant
from service.store.club.players import Players
from service.store.connection.clients import set_client
from service.store.connection.pool import Pool
from service.store.log.events import EventStore
from tests.store.samples import SampleTable
from tests.waiting import time_limit

_WAITING = """
    SELECT count(*) FROM pg_sleep(0.01), pg_locks
    WHERE relation = 'carnet.access_grant'::regclass AND NOT granted
"""


def identities(pool: Pool, club_id: UUID, changes: GrantChanges) -> Identities:
    clock: Callable[[], float] = float
    return Identities(
        club_id,
        None,
        Grants(pool, club_id, changes),
        IdentityCache(changes, clock),
        FailedLogins(FailedLoginRates(), clock),
        Throttle(Rate(burst=10, per_second=1), clock),
    )


def without_rights(game_id: UUID) -> Principal:
    right = Right(role="viewer", game_id=game_id, token_hash=b"")
    return Principal(token_hash=b"x" * 32, rights=(right,))


async def until_asked(conn: AsyncConnection) -> None:
    while await (await conn.execute(_WAITING)).fetchone() == (0,):
        pass


async def test_who_comes_while_the_database_is_asked_stays(pool: Pool, database_url: str) -> None:
    club_id, changes = uuid4(), GrantChanges()
    table = await SampleTable.with_players(EventStore(pool, club_id), Players(pool, club_id))
    game_id, token = await table.start_game(), prefix_club(club_id, "a-token")
    await Grants(pool, club_id, changes).create(
        NewGrant(
            id=uuid4(), kind="link", secret_hash=token_hash(token), role="viewer", games=[game_id]
        )
    )
    known = identities(pool, club_id, changes)
    guest = await known.identify(token, "127.0.0.1")
    assert guest is not None
    gone_long_ago = without_rights(game_id)

    watch = Watch(known)
    with watch.connection(gone_long_ago, game_id) as sent_away:
        async with await AsyncConnection.connect(database_url) as conn:
            await conn.execute("LOCK TABLE carnet.access_grant")
            await until_asked(conn)
            with watch.connection(guest, game_id) as stays:
                await conn.rollback()
                await sent_away.wait()
                assert not stays.is_set()


async def test_rights_are_checked_although_the_client_that_came_first_hung_up(pool: Pool) -> None:
    watch, game_id = Watch(identities(pool, uuid4(), GrantChanges())), uuid4()
    came_first = asyncio.Event()

    async def follow_and_hang_up() -> None:
        set_client(lambda: True)
        with watch.connection(without_rights(game_id), game_id):
            came_first.set()
            await asyncio.Event().wait()

    first = asyncio.ensure_future(follow_and_hang_up())
    await came_first.wait()
    with watch.connection(without_rights(game_id), game_id) as sent_away:
        async with asyncio.timeout(time_limit(10)):
            await sent_away.wait()
    first.cancel()
