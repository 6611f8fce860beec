"""Rows of the six tables before `access_grant` open after the migration what they opened before."""

from collections.abc import AsyncGenerator
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from service.access.secrets import token_hash
from service.store.access.grants import Changes, Grants
from service.store.access.members import Members
from service.store.connection.pool import Pool, open_pool
from service.store.server.migrate import migrate, packaged
from tests.postgres import Cluster
from tests.store.test_schema import described

BEFORE = Path(__file__).with_name("before_grants.sql")
(MIGRATION,) = [one for one in packaged().migrations if one.name.endswith("001_access_grant.sql")]


def numbered(number: int) -> UUID:
    return UUID(f"00000000-0000-4000-8000-{number:012d}")


CLUB, GAME, SCORER, VIEWER, REVOKED, PUBLIC, TOKEN, MEMBER, BROWSER = map(numbered, range(1, 10))


@pytest.fixture
async def migrated(cluster: Cluster) -> AsyncGenerator[Pool]:
    with cluster.database() as url:
        await migrate(url)
        new = described(url)
        with psycopg.connect(url) as conn:
            conn.execute("DROP TABLE carnet.access_grant")
            conn.execute("DROP FUNCTION carnet.remove_ended")
            conn.execute(BEFORE.read_bytes())
            conn.execute(MIGRATION.sql)
            assert conn.execute(MIGRATION.sql).statusmessage == "DO"
        assert described(url) == new
        async with open_pool(url, None, 1, 2) as pool:
            yield pool


async def test_every_grant_opens_what_it_opened(migrated: Pool) -> None:
    grants, members = Grants(migrated, CLUB), Members(migrated, CLUB, Changes())
    names = ("scorer", "viewer", "revoked", "public", "token", "key", "used")
    hashes = {token_hash(name): name for name in names}
    found = {hashes[one.asked]: one for one in await grants.opened([*hashes])}
    opens = {name: one.role for name, one in found.items() if one.kind and not one.ended}
    assert opens == {"scorer": "scorer", "token": "reader", "key": "owner"}
    assert (found["scorer"].holder_id, found["scorer"].games) == (SCORER, [GAME])
    assert (found["token"].holder_id, found["token"].games) == (TOKEN, [GAME])
    assert await grants.owner_key_hash() == token_hash("key")

    opened = await grants.opened([token_hash("browser")])
    held = {(one.role, one.holder_id) for one in opened if one.session_id == BROWSER}
    assert {("scorer", MEMBER), ("scorer", SCORER)} < held
    assert "owner" in {role for role, _ in held}

    (invited,) = await members.all()
    assert (invited.member_id, invited.joined) == (MEMBER, True)
    assert await members.invited(token_hash("unused")) is not None
    assert await members.invited(token_hash("used")) is None


async def test_lists_name_them_as_before(migrated: Pool) -> None:
    grants = Grants(migrated, CLUB)
    links = {one.id: one for one in await grants.links(GAME)}
    assert {one: link.opens for one, link in links.items()} == {
        SCORER: True,
        VIEWER: False,
        REVOKED: False,
        PUBLIC: True,
    }
    assert links[SCORER].name == "Grandma's tablet"
    shown = await grants.link(token_hash("public"), public=True)
    assert shown is not None
    assert (shown.until, shown.sites, shown.secret) == (1, ["https://a.example"], "public")
    (token,) = await grants.tokens()
    assert (token.id, token.name) == (TOKEN, "A display")
    (session,) = await grants.sessions()
    assert (session.id, session.name, session.owner) == (BROWSER, "Kitchen", True)
    assert (session.members, session.linked) == ([MEMBER], 1)
