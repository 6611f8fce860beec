"""What is done once for an installation, however many processes there are: by the one that leads.

Promises: a chore is begun when it is due and this process leads; one that fails is logged and tried
again later; where the leader ends, another looks within ten seconds.
"""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from service.errors import CarnetError

LOOK_SECONDS = 1.0

log = structlog.get_logger(__name__)


async def led(
    chore: Callable[[], Awaitable[object]],
    leads: Callable[[], bool],
    seconds: Callable[[], float],
    every: float,
) -> None:
    """Do a chore once in `every` seconds at most while this process leads, until cancelled."""
    due = 0.0
    while True:
        if leads() and seconds() >= due:
            due = seconds() + every
            try:
                await chore()
            except (CarnetError, OSError) as error:
                log.warning("chore.failed", reason=str(error))
        await asyncio.sleep(LOOK_SECONDS)
