"""Every section of the benchmarks runs its smallest round, and README shows what was measured.

What a round measures here is told to nobody: instead of a server each, the sections get a database
each on the server that the tests share.
"""

import shutil
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from subprocess import CalledProcessError

import psycopg
import pytest

from tests.bench import feed, goals, history, http, maintenance, report_page, store
from tests.bench.__main__ import SECTIONS, machine
from tests.bench.table import Line, Report, Size, Table, printed, shown, spread
from tests.carnet_process import carnet
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

    for section in (feed, history, http, maintenance, store):
        monkeypatch.setattr(section, "EmbeddedServer", new_database)


@pytest.mark.usefixtures("shared_server")
@pytest.mark.parametrize("section", [name for name in SECTIONS if name != "history"])
def test_every_section_measures_something(section: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "CLIENTS", (2,))
    monkeypatch.setattr(store, "WRITERS", (2,))
    monkeypatch.setattr(maintenance, "ENTRIES", 5_000)
    monkeypatch.setattr(maintenance, "started", carnet)
    tables = list(import_module(f"tests.bench.{section}").measure(SMALLEST))
    numbers = [line.numbers for table in tables for line in table.lines]
    assert numbers
    # An echo costs PostgreSQL nothing, and silence nobody.
    free = ("in PostgreSQL", "idle, % of a core")
    assert all(value > 0 for one in numbers for name, value in one.items() if name not in free)


def test_commands_are_measured_as_programs_of_their_own() -> None:
    assert "usage: carnet" in maintenance.started("--help", environment={}).stdout
    with pytest.raises(CalledProcessError):
        maintenance.seconds("", "no-such-command")


@pytest.mark.usefixtures("shared_server")
def test_history_measures_clubs_of_every_size() -> None:
    (table,) = history.measure(SMALLEST, (30,))
    assert {name for line in table.lines for name in line.numbers} == {"30 games"}
    assert {line.what for line in table.lines} >= {*history.PAGES}


def test_the_page_shows_the_last_run() -> None:
    text = report_page.PAGE.read_text("utf-8")
    assert report_page.written(text, report_page.read()) == text


def test_the_page_has_a_number_for_every_goal() -> None:
    told = [what for what, *_ in goals.lines(report_page.read())]
    assert told == [goal.what for goal in goals.GOALS]


def test_the_page_describes_the_machine() -> None:
    table = Table("hops", (Line("frogs", {"a second": 1234.5, "ms": 0.0123}),))
    report = Report(
        made="2026-01-02T03:04+00:00",
        machine=machine(),
        quick=False,
        seconds={},
        sections={"pond": (table,)},
    )
    said = report_page.described(report)
    assert said.startswith("Measured on 2026-01-02: a run of `bench` on ")
    assert said.endswith(
        "| hops | a second | ms |\n| --- | --- | --- |\n| frogs | 1,234 | 0.0123 |"
    )


def test_an_aim_is_told_with_its_goal_and_whether_it_is_reached() -> None:
    sections = {
        "http": (Table("requests by HTTP, 32 clients", (Line("append", {"CPU ms": 0.9}),)),),
        "listing": (
            Table("one list of what may be entered (choices)", (_list("durak, hidden", 0.5, 30),)),
            Table("one judgement", (_list("durak, hidden", 0.05, 1),)),
        ),
    }
    report = Report(made="", machine=machine(), quick=False, seconds={}, sections=sections)
    assert list(goals.lines(report)) == [
        ("append by HTTP, ms of processor in the service", "≤ 1", "0.9", "yes"),
        ("list (choices), p99 of any profile, ms", "≤ 20", "30", "no"),
        ("list beside judgement, Durak, medians", "≤ 5", "10", "no"),
    ]


def _list(what: str, half: float, most: float) -> Line:
    return Line(what, {"p50 ms": half, "p99 ms": most})


def test_tables_are_printed_with_what_is_missing_left_empty() -> None:
    table = Table("hops", (Line("frogs", {"a": 1}), Line("toads", {"b": 2})))
    lines = printed(table).splitlines()
    assert lines[1] == "hops"
    assert [line.split() for line in lines[2:]] == [["a", "b"], ["frogs", "1"], ["toads", "2"]]
    assert shown(None) == ""


def test_times_are_told_by_the_longest_of_half_of_99_in_100_and_of_all() -> None:
    told = spread([number / 1000 for number in range(1, 201)])
    assert {name: round(value, 3) for name, value in told.items()} == {
        "p50 ms": 100.5,
        "p99 ms": 198,
        "worst ms": 200,
    }
