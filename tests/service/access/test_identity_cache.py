"""Those who were here a moment ago."""

from service.access.identities import CACHE_SECONDS, IdentityCache
from service.access.principal import Principal, Right, combine
from service.store.access.grants import Changes

TOKEN = bytes(32)
SOMEBODY = combine(TOKEN, [Right(role="owner", token_hash=TOKEN)])


class Questions:
    def __init__(self, changes: Changes, found: Principal | None = SOMEBODY) -> None:
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
    questions = Questions(Changes())
    assert [await questions.resolve() for _ in range(3)] == [SOMEBODY] * 3
    assert questions.count == 1
    questions.now = CACHE_SECONDS
    await questions.resolve()
    assert questions.count == 2


async def test_a_change_of_this_process_counts_at_once() -> None:
    changes = Changes()
    questions = Questions(changes)
    await questions.resolve()
    with changes.changing():
        await questions.resolve()
    await questions.resolve()
    assert questions.count == 3


async def test_who_was_looked_up_while_something_changed_is_not_kept() -> None:
    changes = Changes()
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
        questions = Questions(Changes(), nobody)
        for _ in range(2):
            assert await questions.resolve() == nobody
        assert questions.count == 2
