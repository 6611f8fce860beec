"""Several clubs at a time: each is told of whole, and none stops another."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from multiprocessing import active_children
from pathlib import Path

from service.commands.support.club_workers import ClubOutcome, at_once
from service.errors import CarnetError

DIES, REFUSES, FAULTY, GOOD = "dies", "refuses", "faulty", "good"
_LOOK_SECONDS = 0.02


def waited_for(true: Callable[[], object]) -> None:
    """Wait for what others do."""
    while not true():
        time.sleep(_LOOK_SECONDS)


async def visited(folder: Path, club: str | None) -> int:
    """Do what the club's name says, once it was noted that it was here."""
    sys.stdout.write(f"here is {club}\n")
    match club:
        case "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        case "refuses":
            raise CarnetError("not today")
        case "faulty":
            raise ZeroDivisionError
        case _:
            (folder / str(club)).touch()
            sys.stderr.write("well\n")
    return 0


async def waits_for_the_others(folder: Path, club: str | None) -> int:
    """Let the first go on only when all the others are done."""
    others = [folder / other for other in "2345"]
    if club == "1":
        await asyncio.to_thread(waited_for, lambda: all(one.exists() for one in others))
    (folder / str(club)).touch()
    return 0


async def test_each_club_is_told_of_whatever_becomes_of_the_others(tmp_path: Path) -> None:
    told: dict[str, ClubOutcome] = {}
    clubs = [DIES, REFUSES, FAULTY, *(f"{GOOD}{number}" for number in range(4))]
    await at_once(2, partial(visited, tmp_path), clubs, told.__setitem__)
    assert set(told) == set(clubs)
    assert told[DIES].out == "not done: its process ended with -9\n"
    assert told[REFUSES].out == "here is refuses\nnot done: not today\n"
    assert told[FAULTY].out == "here is faulty\nnot done: a fault in Carnet: ZeroDivisionError\n"
    assert "Traceback" in told[FAULTY].err
    assert [told[club].status for club in (DIES, REFUSES, FAULTY)] == [1, 1, 1]
    for club in clubs[3:]:
        assert told[club] == ClubOutcome(status=0, out=f"here is {club}\n", err="well\n")
        assert (tmp_path / club).exists()


async def test_one_that_takes_long_keeps_none_of_the_others_waiting(tmp_path: Path) -> None:
    told: list[str] = []
    work = partial(waits_for_the_others, tmp_path)
    await at_once(2, work, "12345", lambda club, _: told.append(club))
    assert told == ["2", "3", "4", "5", "1"]


async def test_processes_end_where_whoever_waits_gives_up(tmp_path: Path) -> None:
    told: list[str] = []
    work = partial(waits_for_the_others, tmp_path)
    waiting = asyncio.create_task(at_once(2, work, "1", lambda club, _: told.append(club)))
    await asyncio.to_thread(waited_for, active_children)
    begun = active_children()
    waiting.cancel()
    await asyncio.wait([waiting])
    assert waiting.cancelled()
    assert told == []
    assert [process.is_alive() for process in begun] == [False]
