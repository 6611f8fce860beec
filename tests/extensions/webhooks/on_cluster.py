"""Webhooks on a real Citus cluster: dealt out, claimed, repeated, handed heads; on one node."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Any, LiteralString
from uuid import UUID, uuid4

import psycopg
import pytest

from schemas.webhooks import EVERY_ENTRY, HEAD, TEST
from service.extensions.webhooks.records import CallOutcome, NewWebhook
from service.extensions.webhooks.store import Webhooks, clubs_to_notify
from service.store.connection.pool import Pool
from service.store.feed.positions import Feed
from tests.store.samples import SampleTable, play

LEASE_SECONDS = 60.0
DELIVERED = CallOutcome(delivered=True, status=204, error=None, again=None)
ASKED: tuple[LiteralString, ...] = (
    "EXPLAIN SELECT * FROM carnet.tell_webhooks(%(club)s, 10)",
    "EXPLAIN SELECT * FROM carnet.claim_deliveries(%(club)s, 10, 1.0, true)",
    "EXPLAIN SELECT carnet.add_delivery(%(club)s, %(hook)s, 'webhook.test', NULL, '1 hour')",
    "EXPLAIN SELECT * FROM carnet.webhook_delivery WHERE club_id = %(club)s",
)


@pytest.fixture
async def webhooks(pool: Pool, club_id: UUID) -> AsyncGenerator[Webhooks]:
    made = Webhooks(pool, club_id)
    yield made
    for one in await made.all():
        await made.remove(one.id)


@pytest.fixture
async def hook(webhooks: Webhooks) -> UUID:
    webhook_id = uuid4()
    await webhooks.create(
        NewWebhook(
            webhook_id=webhook_id,
            url="https://table.example/hook",
            form="standard",
            events=[EVERY_ENTRY, HEAD],
            game_id=None,
            language="en",
            site="https://carnet.example",
            secret=bytes(24),
        )
    )
    return webhook_id


async def test_every_entry_is_dealt_out_claimed_once_and_in_order(
    webhooks: Webhooks, hook: UUID, table: SampleTable, pool: Pool, club_id: UUID
) -> None:
    games = [await table.start_game() for _ in range(3)]
    for game_id in games:
        await table.append(game_id, 1, play(0, "AH"), play(1, "9H"))
    await Feed(pool, club_id).complete()
    assert club_id in await clubs_to_notify(pool)
    dealt = await webhooks.queue_new()
    assert (dealt.hooks, dealt.behind, dealt.failed) == (1, 0, 0)
    told: list[tuple[UUID | None, int | None]] = []
    while due := await asyncio.gather(*(webhooks.claim(2, LEASE_SECONDS) for _ in range(2))):
        claimed = [one for some in due for one in some]
        if not claimed:
            break
        assert len({one.game_id for one in claimed}) == len(claimed)  # of each the first alone
        for one in claimed:
            told.append((one.game_id, one.version))
            await webhooks.record_outcome(one, DELIVERED)
    assert len(told) == len(set(told)) == 9
    for game_id in games:
        assert [version for of, version in told if of == game_id] == [1, 2, 3]
    ((listed, calls),) = await webhooks.list_with_deliveries(20)
    assert (listed.id, len(calls)) == (hook, 9)
    assert all(one.delivered_at is not None and one.next_at is None for one in calls)


async def test_a_call_is_repeated_tried_out_and_handed_a_head_once(
    webhooks: Webhooks, hook: UUID, table: SampleTable, pool: Pool, club_id: UUID
) -> None:
    await table.start_game()
    await Feed(pool, club_id).complete()
    await webhooks.queue_new()
    (first,) = await webhooks.claim(5, LEASE_SECONDS)
    await webhooks.record_outcome(first, DELIVERED)
    await webhooks.repeat(hook, first.position)
    assert await webhooks.is_pending(hook)
    await webhooks.queue_test(hook)
    for note in ("a head", "a head", "another, too soon"):
        assert await webhooks.queue_head(note) == 1
    claimed = await webhooks.claim(5, LEASE_SECONDS)
    assert sorted((one.type, one.attempts, one.by_hand, one.note) for one in claimed) == sorted(
        [("started", 2, True, None), (TEST, 1, True, None), (HEAD, 1, False, "a head")],
        key=str,
    )
    assert len({one.position for one in claimed}) == 3
    later = CallOutcome(delivered=False, status=500, error="it said so", again=timedelta(hours=1))
    for one in claimed:
        await webhooks.record_outcome(one, later)
    assert await webhooks.claim(5, LEASE_SECONDS) == []
    await webhooks.turn_off(hook, "failed")
    assert (await webhooks.queue_new()).failed == 1
    assert club_id not in await clubs_to_notify(pool)


async def test_one_node_is_asked(
    database_url: str, club_id: UUID, hook: UUID, table: SampleTable
) -> None:
    await table.start_game()
    asked: dict[str, Any] = {"club": str(club_id), "hook": str(hook)}
    with psycopg.connect(database_url, autocommit=True) as conn:
        for one in ASKED:
            plan = "\n".join(line for (line,) in conn.execute(one, asked).fetchall())
            assert "Task Count: 1" in plan, plan
