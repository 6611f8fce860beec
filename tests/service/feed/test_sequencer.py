from datetime import UTC, datetime
from uuid import uuid4

import psycopg
from prometheus_client import CollectorRegistry

from service.feed.sequencer import FeedMetrics, Sequencer
from service.store.club.players import Players
from service.store.connection.pool import Pool
from service.store.feed.positions import Feed
from service.store.log.events import EventStore
from tests.store.samples import SampleTable


async def test_a_feed_that_became_shorter_is_known_as_it_is(pool: Pool, database_url: str) -> None:
    club = uuid4()
    sequencer = Sequencer(
        Feed(pool, club), FeedMetrics(CollectorRegistry()), lambda: datetime.now(UTC)
    )
    await (await SampleTable.with_players(EventStore(pool, club), Players(pool, club))).start_game()
    await sequencer.extend_feed()
    assert await sequencer.wait_beyond(0, 0.0)
    with psycopg.connect(database_url) as conn:
        conn.execute("SET session_replication_role = replica")
        conn.execute("DELETE FROM carnet.feed WHERE club_id = %s", [club])
        conn.execute("DELETE FROM carnet.feed_mark WHERE club_id = %s", [club])
        conn.execute("DELETE FROM carnet.entry WHERE club_id = %s", [club])
    await sequencer.extend_feed()
    assert not await sequencer.wait_beyond(0, 0.0)
