import asyncio
from collections.abc import Awaitable, Callable
from typing import NoReturn

import pytest

from service import tasks
from service.tasks import cancel_and_wait


async def leaves_off() -> None:
    await asyncio.sleep(60)


async def goes_on_once() -> None:
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        await asyncio.sleep(60)


async def cleans_up() -> None:
    try:
        await asyncio.sleep(60)
    finally:
        await asyncio.sleep(0.01)


async def fails() -> NoReturn:
    raise RuntimeError


async def begin(work: Callable[[], Awaitable[None]]) -> asyncio.Future[None]:
    task = asyncio.ensure_future(work())
    await asyncio.sleep(0)
    return task


@pytest.mark.parametrize("work", [leaves_off, goes_on_once, cleans_up, fails])
async def test_a_task_has_ended_however_it_takes_it(
    work: Callable[[], Awaitable[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "AGAIN_SECONDS", 0.05)
    task = await begin(work)
    async with asyncio.timeout(30):
        await cancel_and_wait(task)
    assert task.done()


async def test_all_of_them_are_ended_at_once() -> None:
    several = [await begin(work) for work in (leaves_off, leaves_off, fails)]
    async with asyncio.timeout(tasks.AGAIN_SECONDS):
        await cancel_and_wait(*several)
    assert [task.cancelled() for task in several] == [True, True, False]


async def test_who_cleans_up_is_left_in_peace() -> None:
    cleaned = False

    async def work() -> None:
        nonlocal cleaned
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.05)
            cleaned = True

    await cancel_and_wait(await begin(work))
    assert cleaned


async def test_there_may_be_nobody_to_end() -> None:
    await cancel_and_wait()
