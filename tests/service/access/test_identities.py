"""Who asks: those who were let in and whose key, link or session stops counting."""

from uuid import UUID, uuid4

import pytest

from service.access.failed_logins import FailedLoginRates, FailedLogins
from service.access.identities import Identities
from service.access.known_holders import KNOWN_SECONDS, KnownHolders
from service.access.secrets import club_name, token_hash, with_club
from service.access.throttle import Rate, Throttle
from service.store.access.links import Links
from service.store.access.owner_key import OwnerKey
from service.store.access.secret_holders import Changes, SecretHolders
from service.store.access.sessions import Replaced, Sessions
from service.store.club.players import Players
from service.store.connection.pool import Pool
from service.store.log.events import EventStore
from tests.store.samples import Table


class Clock:
    """Time that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Process:
    """A process of the service, with what it remembers."""

    def __init__(self, pool: Pool, club_id: UUID, clock: Clock, given: bytes | None = None) -> None:
        changes = Changes()
        holders = SecretHolders(pool, club_id, changes)
        throttle = Throttle(Rate(burst=10, per_second=1), clock)
        known = KnownHolders(changes, clock)
        self.links = Links(pool, club_id, changes)
        self.sessions = Sessions(pool, club_id, changes)
        self.identities = Identities(
            club_id, given, holders, known, FailedLogins(FailedLoginRates(), clock), throttle
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
    """Reach the same club from another process."""
    return Process(pool, club_id, clock)


@pytest.fixture
async def game_id(pool: Pool, club_id: UUID) -> UUID:
    return await (await Table.laid(EventStore(pool, club_id), Players(pool, club_id))).started()


@pytest.fixture
def token(club_id: UUID) -> str:
    return with_club(club_id, "a-token")


@pytest.fixture
async def link_id(process: Process, game_id: UUID, token: str) -> UUID:
    made = await process.links.create(uuid4(), game_id, "scorer", token_hash(token))
    return made.link_id


async def test_an_owner_whose_key_was_replaced_is_the_owner_no_longer(
    pool: Pool, club_id: UUID, game_id: UUID, clock: Clock, process: Process
) -> None:
    keys = OwnerKey(pool, club_id)
    lost = with_club(club_id, "lost")
    await keys.claim(token_hash(lost))
    owner = await process.identities.identify(lost, "a phone")
    assert owner is not None
    assert owner.owner
    assert await process.identities.still(owner, game_id)

    await keys.replace(token_hash("new"))
    clock.now += KNOWN_SECONDS

    assert await process.identities.identify(lost, "a phone") is None
    assert not await process.identities.still(owner, game_id)


async def test_a_session_opened_by_a_key_that_was_replaced_opens_nothing(
    pool: Pool, club_id: UUID, clock: Clock, process: Process
) -> None:
    keys = OwnerKey(pool, club_id)
    await keys.claim(token_hash("lost"))
    secret = with_club(club_id, "a-browser")
    await process.sessions.open(uuid4(), token_hash(secret), "", token_hash("lost"))
    session = await process.identities.of_session(secret)
    assert session is not None
    assert session.owner

    await keys.replace(token_hash("new"))
    clock.now += KNOWN_SECONDS

    session = await process.identities.of_session(secret)
    assert session is not None
    assert session.rights == ()


async def test_the_key_in_the_settings_counts_and_the_stored_one_does_not(
    pool: Pool, club_id: UUID, clock: Clock
) -> None:
    stored = with_club(club_id, "stored")
    await OwnerKey(pool, club_id).claim(token_hash(stored))
    process = Process(pool, club_id, clock, token_hash("given.by-somebody"))
    found = await process.identities.identify("given.by-somebody", "a phone")
    assert found is not None
    assert found.owner
    assert await process.identities.identify(stored, "a phone") is None


async def test_a_link_revoked_here_opens_nothing_at_once(
    process: Process, link_id: UUID, token: str
) -> None:
    assert await process.identities.identify(token, "a phone") is not None
    await process.links.revoke(link_id)
    assert await process.identities.identify(token, "a phone") is None


async def test_a_link_revoked_elsewhere_opens_nothing_a_second_later(
    process: Process, elsewhere: Process, link_id: UUID, token: str, clock: Clock
) -> None:
    assert await process.identities.identify(token, "a phone") is not None
    await elsewhere.links.revoke(link_id)
    assert await process.identities.identify(token, "a phone") is not None
    clock.now += KNOWN_SECONDS
    assert await process.identities.identify(token, "a phone") is None


@pytest.mark.usefixtures("link_id")
async def test_a_session_ended_elsewhere_is_none_a_second_later(
    process: Process, elsewhere: Process, token: str, clock: Clock, club_id: UUID
) -> None:
    secret, session_id = with_club(club_id, "a-browser"), uuid4()
    await process.sessions.open(session_id, token_hash(secret), "", token_hash(token))
    assert await process.identities.of_session(secret) is not None
    await elsewhere.sessions.end(session_id)
    clock.now += KNOWN_SECONDS
    assert await process.identities.of_session(secret) is None


async def test_a_session_that_was_ended_meanwhile_hands_nothing_on(
    process: Process, link_id: UUID, token: str, club_id: UUID
) -> None:
    del link_id
    first, secret = uuid4(), with_club(club_id, "a-browser")
    await process.sessions.open(first, bytes(32), "", token_hash(token))
    await process.sessions.end(first)
    before = Replaced(session_id=first, carried=[token_hash(token)])
    await process.sessions.open(uuid4(), token_hash(secret), "", bytes(32), before)
    session = await process.identities.of_session(secret)
    assert session is not None
    assert session.rights == ()


async def test_what_is_opened_in_a_session_adds_up(
    process: Process, link_id: UUID, token: str, club_id: UUID, game_id: UUID, pool: Pool
) -> None:
    watching = with_club(club_id, "to-watch")
    other = await (await Table.laid(EventStore(pool, club_id), Players(pool, club_id))).started()
    await process.links.create(uuid4(), other, "viewer", token_hash(watching))
    secret, first = with_club(club_id, "a-browser"), uuid4()
    await process.sessions.open(first, bytes(32), "", token_hash(watching))
    before = Replaced(session_id=first, carried=[token_hash(watching)])
    await process.sessions.open(uuid4(), token_hash(secret), "", token_hash(token), before)

    session = await process.identities.of_session(secret)

    assert session is not None
    assert (session.may_read(other), session.may_write(other)) == (True, False)
    assert session.may_write(game_id)
    assert session.by(game_id) == link_id
    assert session.club is None


@pytest.mark.usefixtures("link_id")
async def test_a_links_token_is_no_session(process: Process, token: str) -> None:
    assert await process.identities.of_session(token) is None


async def test_a_secret_of_another_club_is_nobodys(
    process: Process, game_id: UUID, club_id: UUID
) -> None:
    foreign = with_club(uuid4(), "a-token")
    await process.links.create(uuid4(), game_id, "viewer", token_hash(foreign))
    assert len(club_name(club_id)) == 22
    assert await process.identities.identify(foreign, "a phone") is None
