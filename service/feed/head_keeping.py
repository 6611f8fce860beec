"""Signing and storing the heads of a club."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import UUID

import structlog

from service.errors import StartupError
from service.feed.head_keys import HeadKeys
from service.feed.heads import FeedHeads
from service.store.connection.pool import Pool
from service.store.feed.heads import HeadStore
from service.store.feed.positions import Feed

HOUR_SECONDS = 3_600.0

log = structlog.get_logger(__name__)


def feed_heads(
    pool: Pool, data_dir: Path, club_id: UUID, new_seed: Callable[[], bytes]
) -> FeedHeads:
    return FeedHeads(HeadStore(pool, club_id), HeadKeys(data_dir, new_seed), club_id)


async def sign_all(pool: Pool, data_dir: Path, club_id: UUID) -> None:
    """Sign the head of the whole feed if there is a key; a failure is logged."""
    keys = HeadKeys(data_dir, _no_seed)
    await Feed(pool, club_id).complete()
    try:
        if keys.made:
            await FeedHeads(HeadStore(pool, club_id), keys, club_id).current()
    except StartupError as error:
        log.warning("heads.not_signed", reason=str(error))


def _no_seed() -> bytes:
    raise ValueError("no key is made here")


async def keep(
    heads: FeedHeads, file: Path | None, hand_on: Callable[[str], Awaitable[int]]
) -> int:
    """Sign the head, queue it for webhooks, and append it to a file if it covers new entries.

    Returns the number of webhooks; an empty head is not queued.

    Raises: StartupError (there are no keys), OSError
    """
    head = await heads.current()
    if not head.checkpoint.size:
        return 0
    handed = await hand_on(head.note)
    if file is not None:
        await asyncio.to_thread(_add, file, head.note)
    return handed


def _add(file: Path, note: str) -> None:
    if file.exists() and file.read_text(encoding="utf-8").endswith(f"{note}\n"):
        return
    with file.open("a", encoding="utf-8") as stream:
        stream.write(f"{note}\n")
        stream.flush()
        os.fsync(stream.fileno())
