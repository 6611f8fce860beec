"""Signing and storing the heads of a club."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import structlog

from service.errors import StartupError
from service.extensions.witness.heads import FeedHeads
from service.extensions.witness.keys import HeadKeys
from service.extensions.witness.store import HeadStore
from service.store.connection.pool import Pool
from service.store.feed.positions import Feed

HOUR_SECONDS = 3_600.0

log = structlog.get_logger(__name__)


def feed_heads(
    pool: Pool, data_dir: Path, club_id: UUID, new_seed: Callable[[], bytes]
) -> FeedHeads:
    return FeedHeads(HeadStore(pool, club_id), HeadKeys(data_dir, new_seed), club_id)


async def sign_all(pool: Pool, club_id: UUID, *, data_dir: Path) -> None:
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


async def keep(heads: FeedHeads, file: Path | None) -> None:
    """Sign the head, and append it to a file if it covers new entries.

    Raises: StartupError (there are no keys), OSError
    """
    note = await heads.note()
    if note is not None and file is not None:
        await asyncio.to_thread(_add, file, note)


def _add(file: Path, note: str) -> None:
    if file.exists() and file.read_text(encoding="utf-8").endswith(f"{note}\n"):
        return
    with file.open("a", encoding="utf-8") as stream:
        stream.write(f"{note}\n")
        stream.flush()
        os.fsync(stream.fileno())
