"""Hostile and damaged uploads: read or refused, within limits of memory and time."""

import asyncio
import io
import json
import math
import random
import resource
import time
import zipfile
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import httpx
import pytest
from msgspec import Struct
from xlsxwriter import Workbook

from service.subprocesses import limit_process
from service.transfer.record_files import BatchWords, NamedFile, TableReading
from service.transfer.upload_jobs import BatchJob, Job, RecordJob
from service.transfer.upload_reader import CPU_SECONDS, MEMORY_BYTES
from tests.depth import run_size
from tests.faults.processes import children
from tests.http.club import client_with_key
from tests.service_process import KEY, ServiceProcess
from tests.waiting import time_limit

SHEET = "xl/worksheets/sheet1.xml"
_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_ROWS = f"<worksheet {_MAIN}><sheetData>{{}}</sheetData></worksheet>"
_ODS = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
    ' xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
    ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
    ' xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0">'
    "<office:body>"
    '<office:spreadsheet><table:table table:name="1">{}</table:table></office:spreadsheet>'
    "</office:body></office:document-content>"
)
_ODS_MANIFEST = (
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    '<manifest:file-entry manifest:full-path="/" manifest:media-type="{}"/></manifest:manifest>'
)
_ODS_ROW = (
    "<table:table-row{}><table:table-cell{}"
    ' office:value-type="string"><text:p>{}</text:p></table:table-cell></table:table-row>'
)
RECORD = b'[Ruleset euchre]\n[Seats 2]\n[Players "Ann" "Bob"]\n\nresult maker 0 tricks 3 dealer 0\n'


def zip_members(members: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            # Without the time of day, so that the same seed damages the same bytes.
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def unzip_members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def workbook(rows: int = 3) -> bytes:
    out = io.BytesIO()
    book = Workbook(out, {"in_memory": True})
    book.set_properties({"created": datetime(2020, 1, 2, tzinfo=UTC)})
    sheet = book.add_worksheet("Euchre")
    sheet.write_row(0, 0, ("Day", "Ann", "Bob", "Remark"))
    for row in range(1, rows + 1):
        sheet.write_row(row, 0, (f"2020-01-{row % 28 + 1:02}", row, 2, "at the lake"))
    book.close()
    return zip_members(unzip_members(out.getvalue()))


def open_document(rows: str) -> bytes:
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    members = {
        "mimetype": kind,
        "META-INF/manifest.xml": _ODS_MANIFEST.format(kind),
        "content.xml": _ODS.format(rows),
    }
    return zip_members({name: content.encode() for name, content in members.items()})


def elsewhere(sheet: bytes) -> bytes:
    """Write a workbook whose relationships put its sheet outside of `xl/worksheets/`."""
    members = unzip_members(workbook())
    relations = members["xl/_rels/workbook.xml.rels"]
    members["xl/_rels/workbook.xml.rels"] = relations.replace(b"worksheets/", b"elsewhere/")
    del members[SHEET]
    return zip_members({**members, "xl/elsewhere/sheet1.xml": sheet})


def _far_cell() -> bytes:
    near, far = (f'<row><c r="{at}"><v>1</v></c></row>' for at in ("A1", "XFD1048576"))
    return _ROWS.format(near + far).encode()


def _shared_string(cells: int, length: int) -> bytes:
    members = unzip_members(workbook())
    texts = f'<sst {_MAIN} count="1" uniqueCount="1"><si><t>{"x" * length}</t></si></sst>'
    rows = "".join('<row><c t="s"><v>0</v></c></row>' for _ in range(cells))
    sheet = _ROWS.format(rows).encode()
    return zip_members({**members, "xl/sharedStrings.xml": texts.encode(), SHEET: sheet})


# By what is hostile: the name of a file, and a function that makes its content.
BOMB_MAKERS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "far cell": (
        "far.xlsx",
        lambda: zip_members({**unzip_members(workbook()), SHEET: _far_cell()}),
    ),
    "far cell, sheet moved": ("moved.xlsx", lambda: elsewhere(_far_cell())),
    "one string, many cells": ("shared.xlsx", lambda: _shared_string(1_000, 1_000_000)),
    "one string, many short cells": ("shared2.xlsx", lambda: _shared_string(19_000, 2_000)),
    "huge sheet": (
        "huge.xlsx",
        lambda: zip_members({**unzip_members(workbook()), SHEET: b" " * 300_000_000}),
    ),
    "ODS, repeated rows": (
        "rows.ods",
        lambda: open_document(
            _ODS_ROW.format(' table:number-rows-repeated="1048576"', "", "x" * 100)
        ),
    ),
    "ODS, repeated cells": (
        "cells.ods",
        lambda: open_document(
            _ODS_ROW.format(
                ' table:number-rows-repeated="65536"',
                ' table:number-columns-repeated="16384"',
                "x",
            )
        ),
    ),
    "ZIP of much": ("much.zip", lambda: zip_members({"a.carnet": b"x" * 300_000_000})),
    "ZIP of many": (
        "many.zip",
        lambda: zip_members({f"{number}.carnet": RECORD for number in range(30_000)}),
    ),
    "CSV of long cells": ("long.csv", lambda: b'Day,Ann,Bob\n"' + b"x" * 8_000_000 + b'"'),
    "CSV of many cells": ("wide.csv", lambda: b"Day,Ann,Bob\n" + b"1,2,3\n" * 1_300_000),
    "CSV of commas": ("commas.csv", lambda: b"," * 8_000_000),
    "JSON, nested": (
        "nested.json",
        lambda: b'{"format":"carnet-history","games":' + b"[" * 1_000_000,
    ),
    "JSON, objects": (
        "objects.json",
        lambda: b'{"ruleset":"euchre","log":[' + b"{}," * 340_000,
    ),
    "text of signs": ("signs.carnet", lambda: RECORD + b"((((((((\n" * 110_000),
    "text of lines": ("lines.carnet", lambda: b"\n" * 1_000_000),
    "text of words": ("words.carnet", lambda: RECORD + b"a " * 500_000),
    "long record": (
        "long.carnet",
        lambda: RECORD + b'adjust seat 0 points 1 reason "x"\n' * 19_000,
    ),
}


def bomb(what: str) -> tuple[str, bytes]:
    name, make = BOMB_MAKERS[what]
    return name, make()


def originals() -> dict[str, bytes]:
    record = {"ruleset": "euchre", "seats": 2, "players": ["Ann", "Bob"], "log": []}
    row = _ODS_ROW.format("", "", "Ann") * 3
    return {
        "scores.xlsx": workbook(),
        "scores.ods": open_document(row),
        "games.zip": zip_members({"a.carnet": RECORD, "b.json": json.dumps(record).encode()}),
        "scores.csv": b"Day;Ann;Bob;Remark\n2020-01-02;1.000;7,0;at the lake\n4 mai 2019;1;2;\n",
        "game.json": json.dumps(record | {"date": "2020-01-02T20:00:00Z"}).encode(),
        "game.carnet": RECORD,
    }


def mutate_upload(seed: int) -> tuple[str, bytes]:
    chance = random.Random(seed)  # noqa: S311 -- repeatable on purpose
    name, data = chance.choice([*originals().items()])
    if chance.random() < 0.6 and data.startswith(b"PK"):
        # Repacking makes the checksums valid.
        members = unzip_members(data)
        member = chance.choice([*members])
        return name, zip_members(members | {member: _damage_bytes(members[member], chance)})
    return name, _damage_bytes(data, chance)


def _damage_bytes(data: bytes, chance: random.Random) -> bytes:
    content = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        at = chance.randrange(len(content) + 1)
        until = min(len(content), at + chance.choice((1, 1, 4, 64)))
        match chance.randrange(5):
            case 0:
                content[at:until] = bytes(chance.randrange(256) for _ in range(until - at))
            case 1:
                del content[at:until]
            case 2:
                content[at:at] = content[at:until] * chance.choice((1, 2, 1_000))
            case 3:
                digits = b"99999999999", b"1048576", b"-1", b"XFD1048576", b"\xff\xfe", b"<", b'"'
                content[at:until] = chance.choice(digits)
            case _:
                other = chance.randrange(len(content) + 1)
                content[at:until] = content[other : other + until - at]
    return bytes(content)


MIB = 1 << 20
MEMORY_MAX = 150 * MIB
WAIT_SECONDS_MAX = 0.25  # as for every caller, see deploy/RELIABILITY.md
MUTATIONS = run_size(300, deep=10_000)
SENT = run_size(12, deep=500)
# Each commit tests the most expensive file of each kind.
BOMBS = sorted(BOMB_MAKERS) if run_size(0, deep=1) else [
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
TABLE_SOURCES = ("service.extensions.score_books.source",)


@pytest.fixture(scope="module")
def own(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    log = tmp_path_factory.mktemp("uploads") / "log"
    with ServiceProcess.running(log, CARNET_DATABASE_URL=database) as running:
        yield running


def memory(pid: int) -> int:
    size = 0
    for one in (pid, *children(pid)):
        try:
            if b"postgres" not in Path(f"/proc/{one}/cmdline").read_bytes():
                size += int(Path(f"/proc/{one}/statm").read_text().split()[1]) * 4096
        except OSError:
            continue
    return size


class Strain(Struct):
    """The effect on others: peak memory in bytes, and the longest wait in seconds.

    The wait is at most the processor time of the service meanwhile, so that other programs on this
    machine do not count.
    """

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
        async with client_with_key(service.url, KEY) as other:
            await other.get("/api/players")
            while True:
                began, used = time.monotonic(), service.processor_seconds
                await other.get("/api/players")
                caused = service.processor_seconds - used
                strain.wait = max(strain.wait, min(time.monotonic() - began, caused))
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
    name, data = bomb(what)
    async with client_with_key(own.url, KEY) as http:
        http.timeout = time_limit(30)
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
    async with client_with_key(own.url, KEY) as http:
        http.timeout = time_limit(30)
        for seed in range(SENT):
            name, data = mutate_upload(seed)
            answer = await upload(http, name, data)
            found[answer.status_code] += 1
            assert answer.status_code in {200, 413, 422}, (seed, answer.text)
        assert (await http.get("/api/players")).status_code == 200
    assert found.total() == SENT


def test_damaged_files_are_read_or_refused(
    tmp_path: Path, record_property: Callable[[str, int], None]
) -> None:
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
        # The process crashed at the file after the last reported one.
        first = last + (1 if reader.exitcode == 0 else 2)
    assert aborted <= MUTATIONS // 20
    record_property("damaged uploads", MUTATIONS)


def read_damaged(first: int, end: int, folder: Path, told: Connection) -> None:
    limit_process(CPU_SECONDS * end, MEMORY_BYTES)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    for seed in range(first, end):
        soon = math.ceil(time.process_time()) + SECONDS_A_FILE
        resource.setrlimit(resource.RLIMIT_CPU, (soon, hard))
        name, data = mutate_upload(seed)
        path = folder / f"{seed}"
        path.write_bytes(data)
        file, out = NamedFile(name=name, path=str(path)), str(folder / "out")
        fault = ""
        try:
            job: Job
            match name.rpartition(".")[2]:
                case "csv" | "xlsx" | "ods":
                    answers = {"0": {"ruleset": "euchre", "c1": "points", "c2": "points"}}
                    tables = TableReading(sources=TABLE_SOURCES, answers=answers)
                    job = BatchJob(
                        files=(file,), out=out, words=BATCH_WORDS, now=NOW, tables=tables
                    )
                case "zip":
                    job = BatchJob(files=(file,), out=out, words=BATCH_WORDS, now=NOW)
                case _:
                    job = RecordJob(data=data, now=NOW, sheet=True)
            for _ in job.results():
                pass
        except MemoryError:
            pass
        except Exception as error:  # noqa: BLE001 -- reported with the file
            fault = f"{seed} {name}: {error!r}"
        path.unlink()
        told.send((seed, fault))
