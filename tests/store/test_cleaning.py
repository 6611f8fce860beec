from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from service.store.club.clubs import DAYS, remove_ended
from service.store.connection.pool import Pool

LONG_AGO, OF_LATE = timedelta(days=DAYS + 1), timedelta(days=DAYS - 1)

Owner = psycopg.Connection[tuple[Any, ...]]


def session(conn: Owner, club_id: UUID, seen: timedelta, ended: timedelta | None) -> UUID:
    session_id = uuid4()
    conn.execute(
        """
        INSERT INTO carnet.access_grant
            (club_id, grant_id, kind, secret_hash, opened, seen_at, revoked_at)
        VALUES (%s, %s, 'session', sha256(%s), ARRAY[sha256('key')], now() - %s::interval,
                now() - %s::interval)
        """,
        [club_id, session_id, session_id.bytes, seen, ended],
    )
    return session_id


def invitation(conn: Owner, club_id: UUID, expired: timedelta, used: timedelta | None) -> UUID:
    member_id = uuid4()
    conn.execute(
        """
        INSERT INTO carnet.access_grant
            (club_id, grant_id, kind, secret_hash, member_id, expires_at, used_at)
        VALUES (%s, %s, 'invitation', sha256(%s), %s, now() - %s::interval, now() - %s::interval)
        """,
        [club_id, member_id, member_id.bytes, member_id, expired, used],
    )
    return member_id


@pytest.fixture
def other_club() -> UUID:
    return uuid4()


async def test_what_ended_long_ago_is_removed_and_nothing_else(
    pool: Pool, database_url: str, club_id: UUID, other_club: UUID
) -> None:
    with psycopg.connect(database_url, autocommit=True) as conn:
        session(conn, club_id, LONG_AGO, None)
        session(conn, club_id, LONG_AGO, LONG_AGO)
        used = session(conn, club_id, OF_LATE, None)
        ended = session(conn, club_id, OF_LATE, OF_LATE)
        elsewhere = session(conn, other_club, LONG_AGO, None)
        invitation(conn, club_id, LONG_AGO, None)
        unused = invitation(conn, club_id, OF_LATE, None)
        taken = invitation(conn, club_id, LONG_AGO, LONG_AGO)
        assert await remove_ended(pool, club_id) == 3
        assert await remove_ended(pool, club_id) == 0
        rows = conn.execute(
            "SELECT grant_id FROM carnet.access_grant WHERE club_id = ANY (%s)",
            [[club_id, other_club]],
        )
        assert {row[0] for row in rows} == {used, ended, elsewhere, unused, taken}


async def test_nobody_asks_for_less_than_a_month(
    pool: Pool, database_url: str, club_id: UUID
) -> None:
    with psycopg.connect(database_url, autocommit=True) as conn:
        session(conn, club_id, timedelta(days=29), timedelta(days=29))
    assert await remove_ended(pool, club_id, 0) == 0
