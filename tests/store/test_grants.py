import asyncio
from datetime import timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

import pytest
from msgspec import structs
from psycopg import errors

from service.errors import NotFound
from service.store.access.grants import GrantRole, Grants, NewGrant, ResolvedGrant
from service.store.connection.pool import Pool, connection
from tests.store.samples import SampleTable

HASH = sha256(b"a secret").digest()
OTHER_HASH = sha256(b"another").digest()
READABLE = "a token"


def link(role: GrantRole, game_id: UUID, secret_hash: bytes = HASH) -> NewGrant:
    return NewGrant(id=uuid4(), kind="link", secret_hash=secret_hash, role=role, games=[game_id])


def public(game_id: UUID, until: int | None = None, secret_hash: bytes = HASH) -> NewGrant:
    sites = ["https://a.example"]
    new = link("public", game_id, secret_hash)
    return structs.replace(new, secret=READABLE, until=until, sites=sites)


def token(*games: UUID, lasts: timedelta | None = None) -> NewGrant:
    return NewGrant(
        id=uuid4(),
        kind="token",
        secret_hash=HASH,
        name="a",
        role="scorer",
        games=games,
        lasts=lasts,
    )


def session(secret_hash: bytes, *opened: bytes) -> NewGrant:
    return NewGrant(id=uuid4(), kind="session", secret_hash=secret_hash, opened=opened)


async def opened(grants: Grants, secret_hash: bytes = HASH) -> ResolvedGrant:
    (found,) = [
        one for one in await grants.resolve([secret_hash]) if one.secret_hash != secret_hash
    ]
    return found


async def own(grants: Grants) -> ResolvedGrant:
    (found,) = await grants.resolve([HASH])
    return found


async def test_a_links_token_finds_it(grants: Grants, table: SampleTable) -> None:
    made = await grants.create(link("scorer", await table.start_game()))
    assert await grants.link(HASH) == made
    assert (await own(grants)).holder_id == made.id


async def test_a_token_nobody_gave_out_finds_nothing(grants: Grants) -> None:
    assert await grants.link(HASH) is None
    assert (await own(grants)).kind is None


async def test_a_public_links_token_finds_it_and_lets_nobody_in(
    grants: Grants, table: SampleTable
) -> None:
    made = await grants.create(public(await table.start_game(), until=1))
    assert await grants.link(HASH, public=True) == made
    assert (made.until, made.sites, made.secret) == (1, ["https://a.example"], READABLE)
    assert await grants.link(HASH) is None
    await grants.open_session(session(OTHER_HASH, HASH))
    found = await grants.resolve([HASH, OTHER_HASH])
    assert {one.kind for one in found} == {None}


async def test_the_first_revocation_counts(grants: Grants, table: SampleTable) -> None:
    made = await grants.create(link("viewer", await table.start_game()))
    assert await grants.revoke("link", made.id)
    first = await grants.link(HASH)
    assert first is not None
    assert not first.opens
    assert await grants.revoke("link", made.id, made.game_id)
    assert await grants.link(HASH) == first


async def test_a_games_links_are_listed_with_the_revoked(
    grants: Grants, table: SampleTable
) -> None:
    game_id = await table.start_game()
    first = await grants.create(link("viewer", game_id))
    second = await grants.create(public(game_id, secret_hash=OTHER_HASH))
    await grants.revoke("link", first.id)
    listed = await grants.links(game_id)
    assert [one.id for one in listed] == [first.id, second.id]
    assert [one.opens for one in listed] == [False, True]


async def test_there_is_no_grant_for_a_game_nobody_started(
    grants: Grants, table: SampleTable
) -> None:
    for new in (link("viewer", uuid4()), token(await table.start_game(), uuid4())):
        with pytest.raises(NotFound):
            await grants.create(new)
    with pytest.raises(NotFound):
        await grants.create(public(await table.start_game(), until=1_000))
    assert await grants.tokens() == []


async def test_what_is_no_link_of_the_game_is_not_revoked(
    grants: Grants, table: SampleTable
) -> None:
    made = await grants.create(link("viewer", await table.start_game()))
    assert not await grants.revoke("link", made.id, await table.start_game())
    assert not await grants.revoke("token", made.id)
    assert not await grants.revoke("link", uuid4())
    assert made.opens


async def test_a_programs_token_opens_its_games(grants: Grants, table: SampleTable) -> None:
    new = token(await table.start_game(), await table.start_game())
    await grants.create(new)
    found = await own(grants)
    assert (found.kind, found.holder_id, found.role) == ("token", new.id, "scorer")
    assert found.games == list(new.games)
    assert not found.ended
    (listed,) = await grants.tokens()
    assert [one["names"] for one in listed.limited_to] == [["Ann", "Bob"], ["Ann", "Bob"]]


async def test_a_token_is_seen_and_revoked(grants: Grants) -> None:
    new = token(lasts=timedelta(days=1))
    await grants.create(new)
    (listed,) = await grants.tokens()
    assert (listed.seen_at, listed.ended) == (None, False)
    await grants.record_use(new.id)
    (listed,) = await grants.tokens()
    assert listed.seen_at is not None
    assert (await own(grants)).seen_at == listed.seen_at
    await grants.revoke("token", new.id)
    assert await grants.tokens() == []
    assert (await own(grants)).ended


async def test_a_token_ends(grants: Grants) -> None:
    await grants.create(token(lasts=timedelta(0)))
    (listed,) = await grants.tokens()
    assert listed.ended
    assert (await own(grants)).ended


async def test_a_token_opens_nothing_in_a_session(grants: Grants) -> None:
    await grants.create(token())
    await grants.open_session(session(OTHER_HASH, HASH))
    found = await opened(grants, OTHER_HASH)
    assert (found.secret_hash, found.kind) == (HASH, None)


async def test_a_grant_is_nothing_in_another_club(grants: Grants, pool: Pool) -> None:
    await grants.create(token())
    assert (await own(Grants(pool, uuid4()))).kind is None


async def test_before_the_first_start_there_is_no_key(grants: Grants) -> None:
    assert await grants.owner_key_hash() is None


async def test_of_many_first_keys_of_the_owner_one_counts(grants: Grants) -> None:
    hashes = [sha256(bytes([n])).digest() for n in range(16)]
    claimed = await asyncio.gather(*map(grants.claim_owner_key, hashes))
    assert sum(claimed) == 1
    assert await grants.owner_key_hash() == hashes[claimed.index(True)]
    assert not await grants.claim_owner_key(HASH)


async def test_an_owners_key_is_replaced_by_one_of_those_who_do_so_at_once(grants: Grants) -> None:
    await grants.claim_owner_key(HASH)
    hashes = [sha256(bytes([n])).digest() for n in range(8)]
    await asyncio.gather(*map(grants.replace_owner_key, hashes))
    assert await grants.owner_key_hash() in hashes
    assert (await own(grants)).ended


@pytest.mark.parametrize(
    "change",
    [
        {"role": "reader"},
        {"games": []},
        {"role": "viewer", "secret": "readable"},
        {"kind": "token", "role": "owner"},
        {"kind": "token", "role": "viewer"},
        {"kind": "session", "role": None},
        {"kind": "invitation", "role": None, "games": []},
        {"kind": "owner_key", "role": "scorer", "games": []},
        {"kind": "password"},
        {"secret_hash": b"short"},
    ],
    ids=str,
)
async def test_a_grant_is_what_its_kind_can_be(
    pool: Pool, club_id: UUID, table: SampleTable, change: dict[str, Any]
) -> None:
    facts = {"kind": "link", "role": "scorer", "games": [await table.start_game()]} | change
    facts = {"id": uuid4(), "secret_hash": HASH, "secret": None} | facts
    async with connection(pool, club_id) as conn:
        with pytest.raises(errors.CheckViolation):
            await conn.execute(
                "INSERT INTO carnet.access_grant"
                " (club_id, grant_id, kind, secret_hash, secret, role, games) VALUES"
                " (%(club)s, %(id)s, %(kind)s, %(secret_hash)s, %(secret)s, %(role)s,"
                " %(games)s::uuid[])",
                {"club": club_id, **facts},
            )
