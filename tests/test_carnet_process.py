"""Commands that are forked off: they are processes of their own, and leave nothing behind."""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

from tests.carnet_process import ROOT, CarnetProcess, carnet
from tests.faults.processes import lives, until
from tests.service_process import ServiceProcess

CHECK = ("check",)
DESCRIPTORS = 64
RECORD = '{"id":"g1","ruleset":"euchre","options":{},"seats":2,"log":[]}\n'
# Begins a command that waits for what it is to read, says its number, and is gone.
GONE = """
import os
from tests.carnet_process import CarnetProcess
waits, _ = os.pipe()
with open(os.devnull, "wb") as nothing, open(waits, "rb") as given:
    begun = CarnetProcess(("check",), os.environ, (given, nothing, nothing))
    print(begun.pid, os.getppid(), flush=True)
    os._exit(0)
"""


def test_a_command_says_and_ends_as_one_that_was_started() -> None:
    started = subprocess.run(
        [sys.executable, "-m", "service.cli", *CHECK],
        input=RECORD,
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    forked = carnet(*CHECK, typed=RECORD)
    told = (forked.stdout, forked.stderr, forked.returncode)
    assert told == (started.stdout, started.stderr, started.returncode)
    assert carnet("no such command").returncode == 2


def test_a_command_sees_the_variables_it_was_given_and_no_others(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w+b") as out, Path(os.devnull).open("rb") as nothing:
        environment = {"CARNET_PORT": "eighty"}
        with CarnetProcess(("verify",), environment, (nothing, out, out)) as begun:
            pass
        assert begun.returncode == 2
        assert "CARNET_PORT" in (tmp_path / "out").read_text()


def test_what_was_killed_says_so(service_database: str, tmp_path: Path) -> None:
    service = ServiceProcess(tmp_path / "log", CARNET_DATABASE_URL=service_database)
    service.start()
    os.kill(service.pid, signal.SIGKILL)
    assert service.exit_status(60) == -signal.SIGKILL


def test_a_command_may_be_given_fewer_descriptors(tmp_path: Path) -> None:
    read, write = os.pipe()
    with (tmp_path / "out").open("w+b") as out, os.fdopen(read, "rb") as waits:
        begun = CarnetProcess(CHECK, os.environ, (waits, out, out), DESCRIPTORS)
        allowed = (DESCRIPTORS, DESCRIPTORS)
        until(lambda: resource.prlimit(begun.pid, resource.RLIMIT_NOFILE) == allowed)
        os.close(write)
        assert begun.wait(60) == 0


def test_nothing_outlives_whoever_began_it() -> None:
    run = subprocess.run(
        [sys.executable, "-c", GONE], capture_output=True, text=True, check=True, cwd=ROOT
    )
    number, _ = map(int, run.stdout.split())
    until(lambda: not lives(number))
