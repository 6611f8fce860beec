"""The smallest round of each section runs, and the documents show the measured numbers.

The sections use databases of the shared test server instead of a server each. Results are not
stored.
"""

import shutil
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import psycopg
import pytest
from msgspec.structs import replace

from tests.bench import (
    feed,
    following,
    goals,
    history,
    http,
    large,
    maintenance,
    phone,
    report_page,
    store,
)
from tests.bench.__main__ import BY_NAME, SECTIONS
from tests.bench.table import Line, Size, Table
from tests.browser.table import DEAL
from tests.carnet_process import run_carnet
from tests.postgres import Cluster

SMALLEST = Size(1, 0.01)


@pytest.fixture
def shared_server(embedded_cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def new_database(folder: Path) -> Generator[Cluster]:
        with embedded_cluster.database() as url:
            with psycopg.connect(url) as conn:
                ((data,),) = conn.execute("SHOW data_directory").fetchall()
            # Where the number of the server's process is looked for.
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(Path(data, "postmaster.pid"), folder)
            yield Cluster(url)

    for section in (feed, history, http, large, maintenance, store):
        monkeypatch.setattr(section, "EmbeddedServer", new_database)


@pytest.mark.usefixtures("shared_server")
@pytest.mark.parametrize("section", [name for name in SECTIONS if name != "history"])
def test_every_section_measures_something(section: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "CLIENTS", (2,))
    monkeypatch.setattr(store, "WRITERS", (2,))
    monkeypatch.setattr(maintenance, "ENTRIES", 5_000)
    monkeypatch.setattr(following, "IDLE_SECONDS", 0.1)
    # Chromium slows a page down by keeping the processor busy.
    monkeypatch.setattr(phone, "SLOWER", (1, 2))
    monkeypatch.setattr(phone, "DEAL", DEAL[:2])
    monkeypatch.setattr(maintenance, "start", run_carnet)
    tables = list(import_module(f"tests.bench.{section}").measure(SMALLEST))
    measured = {
        (line.what, name): value
        for table in tables
        for line in table.lines
        for name, value in line.numbers.items()
    }
    assert measured
    # An idle follower costs nothing.
    free = "idle, % of a core"
    assert {of for of, value in measured.items() if value <= 0 and of[1] != free} == set()


@pytest.mark.usefixtures("shared_server")
def test_history_measures_clubs_of_every_size() -> None:
    (table,) = history.measure(SMALLEST, (30,))
    assert {name for line in table.lines for name in line.numbers} == {"30 games"}
    assert {line.what for line in table.lines} >= {*history.PAGES}


@pytest.mark.usefixtures("shared_server")
def test_a_club_grows_in_steps() -> None:
    (table,) = large.measure(SMALLEST, (10, 20))
    assert all(len(line.numbers) == 2 for line in table.lines)


def test_the_page_shows_the_last_run() -> None:
    text = report_page.PAGE.read_text("utf-8")
    assert report_page.written(text, report_page.read()) == text


def test_a_report_of_some_sections_keeps_the_others() -> None:
    before = report_page.read()
    table = Table("one list", (Line("durak", {"p50 ms": 1.0}),))
    later = replace(before, made="2031-02-03T10:00+00:00", sections={"listing": (table,)})
    both = before.with_sections_of(later)
    assert both.sections == before.sections | {"listing": (table,)}
    assert "listing (2031-02-03)." in report_page.describe(both)


def test_a_report_of_all_sections_keeps_those_that_run_by_name() -> None:
    table = Table("a club grows", (Line("append", {"10 games": 1.0}),))
    before = replace(
        report_page.read(), again={"large": "2031-02-03"}, sections={"large": (table,)}
    )
    before = replace(before, seconds={"large": 1.0})
    after = replace(before, made="2031-02-04T10:00+00:00", again={}, sections={}, seconds={})
    assert after.keeping(before, BY_NAME) == replace(before, made=after.made)


def test_the_page_has_a_number_for_every_goal() -> None:
    told = [what for what, *_ in goals.lines(report_page.read())]
    assert told == [goal.what for goal in goals.GOALS]
