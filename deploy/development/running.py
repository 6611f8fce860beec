"""Run the tools of .venv, and say on standard error what was done."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parent.parent.parent
VENV = ROOT / ".venv"


def tool(name: str) -> str:
    """Give the path of a tool of .venv."""
    return str(VENV / "bin" / name)


def work_as_a_batch() -> None:
    """Let what is started from now on take no processor from each other when it wakes up.

    A test is a dozen processes that wake each other hundreds of times a second; with SCHED_BATCH
    (sched(7)) each does more at a time. Linux alone has it.
    """
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def become(command: list[str]) -> NoReturn:
    """Replace this process by a command."""
    sys.stdout.flush()
    try:
        os.execv(command[0], command)  # noqa: S606 (no shell is wanted)
    except OSError as error:
        stop(f"{command[0]} does not run: {error.strerror}")


def run_or_stop(command: Sequence[str], cwd: Path | None = None) -> None:
    """Run a command that explains its own failures."""
    if subprocess.call(command, cwd=cwd, stdout=sys.stderr):
        stop(f"this failed: {' '.join(command)}")


def run_silently(command: Sequence[str], environment: dict[str, str]) -> bool:
    """Run a chatty command, and say whether it did its work; show what it said only if not."""
    run = subprocess.run(
        command,
        env=environment,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if run.returncode:
        print(run.stdout, file=sys.stderr, end="")
    return run.returncode == 0


def say(words: str) -> None:
    """Say one line on standard error, in one piece: gates and tests speak side by side."""
    sys.stderr.write(f"dev: {words}\n")
    sys.stderr.flush()


def stop(words: str) -> NoReturn:
    """Say why nothing more can be done, and exit with 2."""
    say(words)
    sys.exit(2)
