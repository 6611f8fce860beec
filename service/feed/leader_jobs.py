"""Jobs that run on the leading process only."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from service.errors import CarnetError

LOOK_SECONDS = 1.0

log = structlog.get_logger(__name__)


async def run_on_leader(
    chore: Callable[[], Awaitable[object]],
    leads: Callable[[], bool],
    seconds: Callable[[], float],
    every: float,
) -> None:
    """Run a job at most once in `every` seconds while this process leads, until cancelled."""
    due = 0.0
    while True:
        if leads() and seconds() >= due:
            due = seconds() + every
            try:
                await chore()
            except (CarnetError, OSError) as error:
                log.warning("leader.job_failed", reason=str(error))
        await asyncio.sleep(LOOK_SECONDS)
