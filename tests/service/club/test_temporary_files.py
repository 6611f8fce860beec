import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

from service.club.temporary_files import LIFE_SECONDS, TemporaryFiles
from service.errors import NotFound


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def names() -> Callable[[], str]:
    numbers: Iterator[int] = count()
    return lambda: f"name-{next(numbers)}"


def everything(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def paths(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.name != "lock"]


def keep(files: TemporaryFiles, content: bytes = b"x") -> str:
    with files.draft() as draft:
        draft.out.write(content)
        return files.keep(draft, "text/plain", "attachment")


async def test_a_file_is_found_until_its_time_is_over(tmp_path: Path) -> None:
    clock = Clock()
    files = TemporaryFiles(tmp_path, clock, names())
    async with files.cleaning():
        name = keep(files, b"whole")
        clock.now = LIFE_SECONDS - 1
        assert files.find(name).path.read_bytes() == b"whole"
        assert LIFE_SECONDS < 600
        clock.now = LIFE_SECONDS
        with pytest.raises(NotFound):
            files.find(name)
        assert paths(tmp_path) == []


async def test_only_its_own_account_can_read_a_file(tmp_path: Path) -> None:
    files = TemporaryFiles(tmp_path / "new", Clock(), names())
    async with files.cleaning():
        file = files.find(keep(files))
        assert file.path.parent.stat().st_mode & 0o077 == 0


async def test_nothing_is_made_before_the_first_file(tmp_path: Path) -> None:
    async with TemporaryFiles(tmp_path / "new", Clock(), names()).cleaning():
        assert not (tmp_path / "new").exists()


async def test_a_file_that_is_not_made_to_its_end_is_not_kept(tmp_path: Path) -> None:
    files = TemporaryFiles(tmp_path, Clock(), names())
    async with files.cleaning():
        with files.draft() as draft:
            draft.out.write(b"half")
        assert paths(tmp_path) == []


async def test_what_nobody_kept_is_not_found(tmp_path: Path) -> None:
    files = TemporaryFiles(tmp_path, Clock(), names())
    async with files.cleaning():
        keep(files)
        for name in ("", "..", "lock", "name-0", "../name-0"):
            with pytest.raises(NotFound):
                files.find(name)


async def test_all_files_go_when_the_process_stops(tmp_path: Path) -> None:
    files = TemporaryFiles(tmp_path, Clock(), names())
    async with files.cleaning():
        keep(files)
    assert everything(tmp_path) == []


async def test_what_a_killed_process_left_goes_at_the_next_start(tmp_path: Path) -> None:
    left = tmp_path / "left"
    left.mkdir()
    (left / "lock").touch()
    (left / "file").write_bytes(b"x")
    living = TemporaryFiles(tmp_path, Clock(), lambda: "living")
    async with living.cleaning():
        assert not left.exists()


async def test_a_process_leaves_the_files_of_another_one_alone(tmp_path: Path) -> None:
    numbers = names()
    one, other = (TemporaryFiles(tmp_path, Clock(), numbers) for _ in range(2))
    async with one.cleaning():
        name = keep(one)
        async with other.cleaning():
            keep(other)
        assert one.find(name).path.read_bytes() == b"x"


async def test_dropped__every_file_is_gone_and_none_in_the_making_is_kept(tmp_path: Path) -> None:
    files = TemporaryFiles(tmp_path, Clock(), names())
    async with files.cleaning():
        name = keep(files)
        with files.draft() as draft:
            files.drop()
            with pytest.raises(NotFound):
                files.find(name)
            with pytest.raises(OSError, match="forgotten meanwhile"):
                files.keep(draft, "text/plain", "attachment")
        assert paths(tmp_path) == []
        assert files.find(keep(files, b"later")).path.read_bytes() == b"later"


async def test_what_another_process_keeps_is_found_until_its_time_is_over(tmp_path: Path) -> None:
    clock, numbers = Clock(), names()
    one, other = (TemporaryFiles(tmp_path, clock, numbers) for _ in range(2))
    async with one.cleaning(), other.cleaning():
        name = keep(one, b"whole")
        found = other.find(name)
        assert (found.path.read_bytes(), found.media_type) == (b"whole", "text/plain")
        clock.now = LIFE_SECONDS
        with pytest.raises(NotFound):
            other.find(name)


async def test_dropped_by_one__it_is_gone_from_all_and_what_is_in_the_making_too(
    tmp_path: Path,
) -> None:
    numbers = names()
    one, other = (TemporaryFiles(tmp_path, Clock(), numbers) for _ in range(2))
    async with one.cleaning(), other.cleaning():
        name = keep(one)
        with one.draft() as draft:
            other.drop()
            with pytest.raises(NotFound):
                one.find(name)
            with pytest.raises(OSError, match="forgotten meanwhile"):
                one.keep(draft, "text/plain", "attachment")
        assert paths(tmp_path) == []


async def test_a_durable_file_survives_its_process_for_its_time(tmp_path: Path) -> None:
    clock = Clock()
    numbers = names()

    def process() -> TemporaryFiles:
        return TemporaryFiles(tmp_path, clock, numbers, 60.0, durable=True)

    first = process()
    async with first.cleaning():
        name = keep(first, b"whole")
    async with process().cleaning() as _:
        assert process().find(name).path.read_bytes() == b"whole"
    clock.now = 60.0
    async with process().cleaning():
        assert paths(tmp_path) == []


async def test_threads_store_and_look_while_the_time_of_others_is_over(tmp_path: Path) -> None:
    ticks = count()
    files = TemporaryFiles(tmp_path, lambda: float(next(ticks)), names(), life_seconds=40.0)

    def store_and_look(_: int) -> None:
        for _ in range(200):
            keep(files)
            files.remove_old()

    interval = sys.getswitchinterval()
    async with files.cleaning():
        sys.setswitchinterval(1e-6)
        try:
            with ThreadPoolExecutor(8) as threads:
                list(threads.map(store_and_look, range(8)))
        finally:
            sys.setswitchinterval(interval)
