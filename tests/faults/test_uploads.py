"""Uploads that cost much or are damaged: refused in bounds of memory and time, and nobody waits."""

import asyncio
import math
import resource
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import httpx
import pytest
from msgspec import Struct

from service.subprocesses import limit_process
from service.transfer.record_files import BatchWords, NamedFile
from service.transfer.score_books import BookWords
from service.transfer.upload_jobs import BatchJob, Job, RecordJob, TableJob, results
from service.transfer.upload_reader import CPU_SECONDS, MEMORY_BYTES
from tests.depth import sized
from tests.faults.hostile_uploads import bombs, mutated
from tests.faults.processes import children
from tests.http.club import as_somebody
from tests.service_process import KEY, ServiceProcess
from tests.waiting import guard

MIB = 1 << 20
MEMORY_MAX = 150 * MIB
WAIT_SECONDS_MAX = sized(int(1_000 * guard(0.1)), deep=100) / 1_000
MUTATIONS = sized(300, deep=10_000)
SENT = sized(12, deep=500)
# The costliest of each kind come with every commit.
BOMBS = sorted(bombs()) if sized(0, deep=1) else [
    "CSV of many cells",
    "ODS, repeated rows",
    "ZIP of many",
    "far cell, sheet moved",
    "long record",
    "one string, many cells",
    "text of signs",
]  # fmt: skip
SECONDS_A_FILE = 3
_PAUSE_SECONDS = 0.005
NOW = datetime(2026, 11, 22, tzinfo=UTC)
BATCH_WORDS = BatchWords(lang="fr", deal="Donne {number}", beside="À côté", ended="Ailleurs")
BOOK_WORDS = BookWords(deal="Deal {number}", final="Final", ended="Book")


@pytest.fixture(scope="module")
def own(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    log = tmp_path_factory.mktemp("uploads") / "log"
    with ServiceProcess.running(log, CARNET_DATABASE_URL=database) as running:
        yield running


def memory(pid: int) -> int:
    """Add up what a process and its children hold, in bytes; PostgreSQL aside."""
    size = 0
    for one in (pid, *children(pid)):
        try:
            if b"postgres" not in Path(f"/proc/{one}/cmdline").read_bytes():
                size += int(Path(f"/proc/{one}/statm").read_text().split()[1]) * 4096
        except OSError:
            continue
    return size


class Strain(Struct):
    """What others notice: the most memory, in bytes, and the longest wait, in seconds."""

    memory: int = 0
    wait: float = 0.0


@asynccontextmanager
async def watched(service: ServiceProcess) -> AsyncGenerator[Strain]:
    strain = Strain()

    async def measure() -> None:
        while True:
            strain.memory = max(strain.memory, memory(service.pid))
            await asyncio.sleep(_PAUSE_SECONDS)

    async def ask() -> None:
        async with as_somebody(service.url, KEY) as other:
            await other.get("/api/players")
            while True:
                began = time.monotonic()
                await other.get("/api/players")
                strain.wait = max(strain.wait, time.monotonic() - began)
                await asyncio.sleep(_PAUSE_SECONDS)

    tasks = [asyncio.ensure_future(measure()), asyncio.ensure_future(ask())]
    try:
        yield strain
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def upload(http: httpx.AsyncClient, name: str, data: bytes) -> httpx.Response:
    page = {"Accept": "text/html"}
    files = {"file": (name, data)}
    answer = await http.post("/import", files=files, data={"do": "look"}, headers=page)
    while answer.status_code == 303:
        answer = await http.get(answer.headers["Location"], headers=page)
    return answer


@pytest.mark.parametrize("what", BOMBS)
async def test_an_upload_costs_at_most_its_share_and_nobody_waits(
    own: ServiceProcess, what: str, record_property: Callable[[str, int], None]
) -> None:
    name, data = bombs()[what]
    async with as_somebody(own.url, KEY) as http:
        http.timeout = guard(30)
        await upload(http, "game.carnet", b"[Ruleset euchre]")
        idle = memory(own.pid)
        async with watched(own) as strain:
            answer = await upload(http, name, data)
    assert answer.status_code in {200, 413, 422}, answer.text
    assert len(answer.content) < 2 * MIB
    assert strain.memory - idle < MEMORY_MAX, f"{(strain.memory - idle) / MIB:.0f} MiB"
    assert strain.wait < WAIT_SECONDS_MAX
    record_property("hostile uploads", 1)


async def test_a_damaged_upload_is_answered_whatever_is_damaged(own: ServiceProcess) -> None:
    found: Counter[int] = Counter()
    async with as_somebody(own.url, KEY) as http:
        http.timeout = guard(30)
        for seed in range(SENT):
            name, data = mutated(seed)
            answer = await upload(http, name, data)
            found[answer.status_code] += 1
            assert answer.status_code in {200, 413, 422}, (seed, answer.text)
        assert (await http.get("/api/players")).status_code == 200
    assert found.total() == SENT


def test_damaged_files_are_read_or_refused(
    tmp_path: Path, record_property: Callable[[str, int], None]
) -> None:
    """A native parser may abort or never end: here, too, only its own process ends of it."""
    first, aborted = 0, 0
    context = get_context("spawn")
    while first < MUTATIONS:
        here, there = context.Pipe(duplex=False)
        reader = context.Process(target=read_damaged, args=(first, MUTATIONS, tmp_path, there))
        reader.start()
        there.close()
        last, faults = first, list[str]()
        try:
            while True:
                last, fault = here.recv()
                faults += [fault] if fault else []
        except EOFError:
            reader.join()
        assert faults == [], faults[0]
        aborted += reader.exitcode != 0
        # The one after the last that was told ended the process.
        first = last + (1 if reader.exitcode == 0 else 2)
    assert aborted <= MUTATIONS // 20
    record_property("damaged uploads", MUTATIONS)


def read_damaged(first: int, end: int, folder: Path, told: Connection) -> None:
    """Read damaged files as the service's process does; tell each that was read, and its fault."""
    limit_process(CPU_SECONDS * end, MEMORY_BYTES)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    for seed in range(first, end):
        soon = math.ceil(time.process_time()) + SECONDS_A_FILE
        resource.setrlimit(resource.RLIMIT_CPU, (soon, hard))
        name, data = mutated(seed)
        path = folder / f"{seed}"
        path.write_bytes(data)
        file = NamedFile(name=name, path=str(path))
        fault = ""
        try:
            job: Job
            match name.rpartition(".")[2]:
                case "csv" | "xlsx" | "ods":
                    asked = {"ruleset": "euchre", "c1": "points", "c2": "points"}
                    today = date(2026, 11, 22)
                    job = TableJob(
                        file=file, asked=asked, today=today, zone=None, words=BOOK_WORDS, keep=True
                    )
                case "zip":
                    out = str(folder / "out")
                    job = BatchJob(files=(file,), out=out, words=BATCH_WORDS, now=NOW)
                case _:
                    job = RecordJob(data=data, now=NOW, sheet=True)
            for _ in results(job):
                pass
        except MemoryError:
            pass
        except Exception as error:  # noqa: BLE001 -- whatever it is, it is told with its file
            fault = f"{seed} {name}: {error!r}"
        path.unlink()
        told.send((seed, fault))
