from typing import Literal
from uuid import UUID, uuid4

import pytest

from service.access.identities import CACHE_SECONDS, Identities, IdentityCache
from service.access.principal import Principal, Right, combine
from service.access.secrets import club_name, prefix_club, token_hash
from service.access.throttle import FailedLoginRates, FailedLogins, Rate, Throttle
from service.store.access.grants import GrantChanges, Grants, NewGrant, Replaced
from service.store.club.players import Players
from service.store.connection.pool import Pool
from service.store.log.events import EventStore
from tests.store.samples import SampleTable


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Process:
    def __init__(self, pool: Pool, club_id: UUID, clock: Clock, given: bytes | None = None) -> None:
        changes = GrantChanges()
        throttle = Throttle(Rate(burst=10, per_second=1), clock)
        known = IdentityCache(changes, clock)
        self.grants = Grants(pool, club_id, changes)
        self.identities = Identities(
            club_id, given, self.grants, known, FailedLogins(FailedLoginRates(), clock), throttle
        )

    async def opens(self, secret: str, key: str, replaced: Replaced | None = None) -> UUID:
        session_id, opened = uuid4(), [token_hash(key)]
        await self.grants.open_session(
            NewGrant(id=session_id, kind="session", secret_hash=token_hash(secret), opened=opened),
            replaced,
        )
        return session_id


def link(role: Literal["scorer", "viewer"], game_id: UUID, token: str) -> NewGrant:
    return NewGrant(
        id=uuid4(), kind="link", secret_hash=token_hash(token), role=role, games=[game_id]
    )


@pytest.fixture
def club_id() -> UUID:
    return uuid4()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def process(pool: Pool, club_id: UUID, clock: Clock) -> Process:
    return Process(pool, club_id, clock)


@pytest.fixture
def elsewhere(pool: Pool, club_id: UUID, clock: Clock) -> Process:
    return Process(pool, club_id, clock)


@pytest.fixture
async def game_id(pool: Pool, club_id: UUID) -> UUID:
    return await (
        await SampleTable.with_players(EventStore(pool, club_id), Players(pool, club_id))
    ).start_game()


@pytest.fixture
def token(club_id: UUID) -> str:
    return prefix_club(club_id, "a-token")


@pytest.fixture
async def link_id(process: Process, game_id: UUID, token: str) -> UUID:
    return (await process.grants.create(link("scorer", game_id, token))).id


async def test_an_owner_whose_key_was_replaced_is_the_owner_no_longer(
    club_id: UUID, game_id: UUID, clock: Clock, process: Process
) -> None:
    lost = prefix_club(club_id, "lost")
    await process.grants.claim_owner_key(token_hash(lost))
    owner = await process.identities.identify(lost, "a phone")
    assert owner is not None
    assert owner.owner
    assert await process.identities.still(owner, game_id)

    await process.grants.replace_owner_key(token_hash("new"))
    clock.now += CACHE_SECONDS

    assert await process.identities.identify(lost, "a phone") is None
    assert not await process.identities.still(owner, game_id)


async def test_a_session_opened_by_a_key_that_was_replaced_opens_nothing(
    club_id: UUID, clock: Clock, process: Process
) -> None:
    await process.grants.claim_owner_key(token_hash("lost"))
    secret = prefix_club(club_id, "a-browser")
    await process.opens(secret, "lost")
    session = await process.identities.of_session(secret)
    assert session is not None
    assert session.owner

    await process.grants.replace_owner_key(token_hash("new"))
    clock.now += CACHE_SECONDS

    session = await process.identities.of_session(secret)
    assert session is not None
    assert session.rights == ()


async def test_the_key_in_the_settings_counts_and_the_stored_one_does_not(
    pool: Pool, club_id: UUID, clock: Clock
) -> None:
    stored = prefix_club(club_id, "stored")
    await Grants(pool, club_id).claim_owner_key(token_hash(stored))
    process = Process(pool, club_id, clock, token_hash("given.by-somebody"))
    found = await process.identities.identify("given.by-somebody", "a phone")
    assert found is not None
    assert found.owner
    assert await process.identities.identify(stored, "a phone") is None


async def test_a_link_revoked_here_opens_nothing_at_once(
    process: Process, link_id: UUID, token: str
) -> None:
    assert await process.identities.identify(token, "a phone") is not None
    await process.grants.revoke("link", link_id)
    assert await process.identities.identify(token, "a phone") is None


async def test_a_link_revoked_elsewhere_opens_nothing_a_second_later(
    process: Process, elsewhere: Process, link_id: UUID, token: str, clock: Clock
) -> None:
    assert await process.identities.identify(token, "a phone") is not None
    await elsewhere.grants.revoke("link", link_id)
    assert await process.identities.identify(token, "a phone") is not None
    clock.now += CACHE_SECONDS
    assert await process.identities.identify(token, "a phone") is None


@pytest.mark.usefixtures("link_id")
async def test_a_session_ended_elsewhere_is_none_a_second_later(
    process: Process, elsewhere: Process, token: str, clock: Clock, club_id: UUID
) -> None:
    secret = prefix_club(club_id, "a-browser")
    session_id = await process.opens(secret, token)
    assert await process.identities.of_session(secret) is not None
    await elsewhere.grants.revoke("session", session_id)
    clock.now += CACHE_SECONDS
    assert await process.identities.of_session(secret) is None


async def test_a_session_that_was_ended_meanwhile_hands_nothing_on(
    process: Process, link_id: UUID, token: str, club_id: UUID
) -> None:
    del link_id
    secret = prefix_club(club_id, "a-browser")
    first = await process.opens("before", token)
    await process.grants.revoke("session", first)
    before = Replaced(session_id=first, carried=[token_hash(token)])
    await process.opens(secret, "nobody's", before)
    session = await process.identities.of_session(secret)
    assert session is not None
    assert session.rights == ()


async def test_what_is_opened_in_a_session_adds_up(
    process: Process, link_id: UUID, token: str, club_id: UUID, game_id: UUID, pool: Pool
) -> None:
    watching = prefix_club(club_id, "to-watch")
    other = await (
        await SampleTable.with_players(EventStore(pool, club_id), Players(pool, club_id))
    ).start_game()
    await process.grants.create(link("viewer", other, watching))
    secret = prefix_club(club_id, "a-browser")
    first = await process.opens("before", watching)
    before = Replaced(session_id=first, carried=[token_hash(watching)])
    await process.opens(secret, token, before)

    session = await process.identities.of_session(secret)

    assert session is not None
    assert (session.may_read(other), session.may_write(other)) == (True, False)
    assert session.may_write(game_id)
    assert session.recorded_as(game_id) == link_id
    assert session.club is None


@pytest.mark.usefixtures("link_id")
async def test_a_links_token_is_no_session(process: Process, token: str) -> None:
    assert await process.identities.of_session(token) is None


async def test_a_secret_of_another_club_is_nobodys(
    process: Process, game_id: UUID, club_id: UUID
) -> None:
    foreign = prefix_club(uuid4(), "a-token")
    await process.grants.create(link("viewer", game_id, foreign))
    assert len(club_name(club_id)) == 22
    assert await process.identities.identify(foreign, "a phone") is None


TOKEN = bytes(32)
SOMEBODY = combine(TOKEN, [Right(role="owner", token_hash=TOKEN)])


class Questions:
    def __init__(self, changes: GrantChanges, found: Principal | None = SOMEBODY) -> None:
        self.now = 0.0
        self.count = 0
        self.found = found
        self.known = IdentityCache(changes, lambda: self.now)

    async def resolve(self) -> Principal | None:
        return await self.known.resolve(TOKEN, self._look)

    async def _look(self) -> Principal | None:
        self.count += 1
        return self.found


async def test_whoever_was_here_a_moment_ago_is_looked_up_once() -> None:
    questions = Questions(GrantChanges())
    assert [await questions.resolve() for _ in range(3)] == [SOMEBODY] * 3
    assert questions.count == 1
    questions.now = CACHE_SECONDS
    await questions.resolve()
    assert questions.count == 2


async def test_a_change_of_this_process_counts_at_once() -> None:
    changes = GrantChanges()
    questions = Questions(changes)
    await questions.resolve()
    with changes.changing():
        await questions.resolve()
    await questions.resolve()
    assert questions.count == 3


async def test_who_was_looked_up_while_something_changed_is_not_kept() -> None:
    changes = GrantChanges()
    known = IdentityCache(changes, lambda: 0.0)
    count = 0

    async def load() -> Principal | None:
        nonlocal count
        count += 1
        with changes.changing():
            return SOMEBODY

    for _ in range(2):
        await known.resolve(TOKEN, load)
    assert count == 2


async def test_who_may_do_nothing_is_asked_for_again() -> None:
    for nobody in (None, combine(TOKEN, [])):
        questions = Questions(GrantChanges(), nobody)
        for _ in range(2):
            assert await questions.resolve() == nobody
        assert questions.count == 2
