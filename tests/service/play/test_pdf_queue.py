import asyncio
import os
from datetime import timedelta
from pathlib import Path

import pytest

from service.errors import NotPrintable, TooManyRequests
from service.export.formats.typesetter import PrintJob, run_job
from service.export.game.pdf import game_job
from service.play import pdf_queue as queues
from service.play.pdf_queue import JOBS_A_READER, PdfQueue
from tests.service.export.games import euchre

HOUR = timedelta(hours=1)


def job(number: int = 0) -> PrintJob:
    said = game_job(euchre())
    return PrintJob(template=said.template, data=said.data, made=said.made + number)


async def test_what_is_printed_in_another_process_is_what_is_printed_here() -> None:
    assert await PdfQueue().print_job(job(), "ann") == run_job(job())


async def test_what_was_printed_is_given_again_whoever_asks() -> None:
    pdf_queue = PdfQueue()
    first, second = await asyncio.gather(*(pdf_queue.print_job(job(), "ann") for _ in range(2)))
    assert first is second
    assert await pdf_queue.print_job(job(), "bob") is first


async def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    pdf_queue = PdfQueue()
    first = await pdf_queue.print_job(job(), "ann")
    monkeypatch.setattr(queues, "KEPT_BYTES_MAX", len(first))
    await pdf_queue.print_job(job(1), "ann")
    assert await pdf_queue.print_job(job(), "ann") is not first


async def test_a_reader_with_many_unfinished_jobs_is_told_to_wait_and_no_other() -> None:
    pdf_queue = PdfQueue()
    many = [pdf_queue.print_job(job(number), "ann") for number in range(JOBS_A_READER + 1)]
    *ann, bob = await asyncio.gather(
        *many, pdf_queue.print_job(job(), "bob"), return_exceptions=True
    )
    assert [type(one) for one in ann] == [bytes] * JOBS_A_READER + [TooManyRequests]
    assert isinstance(bob, bytes)
    assert isinstance(await pdf_queue.print_job(job(JOBS_A_READER), "ann"), bytes)


async def test_who_leaves_ends_the_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told = tmp_path / "pid"
    os.mkfifo(told)
    endless = f"import os, time; open({str(told)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    monkeypatch.setattr(queues, "_COMMAND", ("-c", endless))
    printing = asyncio.ensure_future(PdfQueue().print_job(job(), "ann"))
    pid = int(await asyncio.to_thread(told.read_text))
    printing.cancel()
    await asyncio.gather(printing, return_exceptions=True)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_typesetter_that_gives_up_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queues, "_COMMAND", ("-c", "raise SystemExit(3)"))
    with pytest.raises(NotPrintable):
        await PdfQueue().print_job(job(), "ann")
