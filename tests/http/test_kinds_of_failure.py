"""Failures that were answered by 500, or by a page that says something else."""

import itertools
import os
import signal
import stat
from collections.abc import AsyncGenerator, Iterator
from datetime import UTC, datetime
from errno import EDQUOT, EIO, ENOSPC
from pathlib import Path
from typing import BinaryIO, cast

import httpx
import pytest
from litestar.testing import RequestFactory
from msgspec import Struct

from service.club.temporary_files import TemporaryFiles
from service.errors import NotFound, ReaderKilled, StoreFull, UploadTooLarge
from service.http.problem import to_problem
from service.transfer.batches import Batch
from service.transfer.upload_reader import UploadReader
from service.web.format.static_files import static_files
from tests.http.club import Game, anonymous_client
from tests.service_process import KEY, ServiceProcess

_PART = b'--b\r\nContent-Disposition: form-data; name="name"\r\n'
HTML = {"Accept": "text/html", "Accept-Language": "en", "Sec-Fetch-Site": "same-origin"}
FORM = "application/x-www-form-urlencoded"
PARTS = "".join(
    f'--b\r\nContent-Disposition: form-data; name="f{number}"\r\n\r\nx\r\n'
    for number in range(1_200)
)


@pytest.fixture
async def browser(service: ServiceProcess) -> AsyncGenerator[httpx.AsyncClient]:
    async with anonymous_client(service.url) as client:
        assert (await client.get("/login", params={"key": KEY})).status_code == 303
        yield client


@pytest.mark.parametrize(
    ("body", "media_type", "status"),
    [
        (b"--b\r\n\r\n", "multipart/form-data", 400),
        (b"\x00\xff", "multipart/form-data; boundary=b", 400),
        (b"--b\r\nX: y\r\n\r\nx\r\n--b--\r\n", "multipart/form-data; boundary=b", 400),
        (_PART + b"\r\n\xff\r\n--b--\r\n", "multipart/form-data; boundary=b", 400),
        (
            _PART + b"Content-Type: text/plain; charset=none\r\n\r\nx\r\n--b--\r\n",
            "multipart/form-data; boundary=b",
            400,
        ),
        (f"{PARTS}--b--\r\n".encode(), "multipart/form-data; boundary=b", 413),
        (b"&".join(b"f%d=1" % number for number in range(200_000)), FORM, 413),
    ],
)
async def test_a_form_that_cannot_be_read_is_told_as_that(
    browser: httpx.AsyncClient, body: bytes, media_type: str, status: int
) -> None:
    answer = await browser.post(
        "/players", content=body, headers={**HTML, "Content-Type": media_type}
    )
    assert answer.status_code == status
    assert "The form could not be read" in answer.text


@pytest.mark.parametrize("number", [ENOSPC, EDQUOT])
def test_a_full_disk_of_the_service_is_told_as_that_of_the_database(number: int) -> None:
    request = RequestFactory().get("/")
    assert to_problem(request, OSError(number, os.strerror(number))).status_code == 507


class KilledJob(Struct, frozen=True):
    """A job whose process is killed from outside."""

    number: int

    def results(self) -> Iterator[object]:
        os.kill(os.getpid(), self.number)
        yield None


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_a_reading_process_that_is_killed_is_not_the_files_fault(number: int) -> None:
    reader = UploadReader(lambda: datetime.now(UTC))
    with pytest.raises(ReaderKilled) as killed:
        await reader.run_single(KilledJob(number=number))
    answer = to_problem(RequestFactory().get("/"), killed.value)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")


class FullDiskJob(Struct, frozen=True):
    """A job that finds no room for a file of its own."""

    number: int

    def results(self) -> Iterator[object]:
        raise OSError(self.number, os.strerror(self.number))


@pytest.mark.parametrize(
    ("number", "error"), [(ENOSPC, StoreFull), (EDQUOT, StoreFull), (EIO, UploadTooLarge)]
)
async def test_a_reader_that_finds_no_room_tells_a_full_disk(
    number: int, error: type[Exception]
) -> None:
    reader = UploadReader(lambda: datetime.now(UTC))
    with pytest.raises(error):
        await reader.run_single(FullDiskJob(number=number))


class ShortJob(Struct, frozen=True):
    """A job whose results fit into the buffer of its output."""

    def results(self) -> Iterator[object]:
        yield "one"


class LongJob(Struct, frozen=True):
    """A job whose results are written while it works."""

    def results(self) -> Iterator[object]:
        yield from (bytes(100_000) for _ in range(3))


@pytest.mark.parametrize("job", [ShortJob(), LongJob()])
async def test_results_for_which_there_is_no_room_tell_a_full_disk(
    job: ShortJob | LongJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_full() -> BinaryIO:
        return cast("BinaryIO", Path("/dev/full").open("r+b", buffering=0))

    monkeypatch.setattr("tempfile.TemporaryFile", open_full)
    with pytest.raises(StoreFull):
        await UploadReader(lambda: datetime.now(UTC)).run_single(job)


def test_a_temporary_file_of_another_kind_is_not_found(tmp_path: Path) -> None:
    names = (f"{number:022}" for number in itertools.count())
    files = TemporaryFiles(tmp_path, lambda: 0.0, lambda: next(names), 60.0)
    for content in (b"[]", b'{"line":"end"}', b"\xff\xfe"):
        name = files.store(content)
        with pytest.raises(NotFound):
            files.read(name, Batch)


_NO_PAGES = (
    "/nowhere",
    "/schema",
    "/schema/openapi.json",
    "/schema/asyncapi",
    "/api/games",
    "/api/history.csv",
    "/api/history.json",
    "/api/history.xlsx",
    "/backup/carnet-backup.jsonl",
    "{game}/record.carnet",
    "{game}/record.json",
    "{game}/sheet.csv",
    "{game}/sheet.json",
    "{game}/sheet.xlsx",
)


@pytest.mark.parametrize("path", _NO_PAGES)
async def test_what_is_no_page_has_a_policy_that_loads_nothing(
    http: httpx.AsyncClient, path: str
) -> None:
    game = await Game.start(http)
    answer = await http.get(path.format(game=game.path))
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_every_script_has_a_policy_that_loads_nothing(http: httpx.AsyncClient) -> None:
    files = static_files()
    names = [name for name in files.content if name.endswith(".js")]
    assert "shared_live.js" in names
    for name in names:
        policy = (await http.get(files.address(name))).headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy, name


async def test_the_service_worker_may_fetch_from_its_own_service_only(
    http: httpx.AsyncClient,
) -> None:
    policy = (await http.get("/offline.js")).headers["Content-Security-Policy"]
    assert policy == "default-src 'self'"


async def test_a_sheet_to_print_has_a_policy_that_shows_it(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    answer = await http.get(f"{game.path}/sheet.pdf")
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


async def test_nobody_else_may_read_what_the_service_stores(
    browser: httpx.AsyncClient, service: ServiceProcess
) -> None:
    files = {"file": ("games.json", b'{"plays": []}', "application/json")}
    await browser.post("/import", files=files, headers=HTML)
    stored = service.data_dir.rglob("*")
    found = [path for path in stored if "postgres" not in str(path.relative_to(service.data_dir))]
    assert found
    for path in found:
        assert not stat.S_IMODE(path.stat().st_mode) & 0o066, path
