"""Paths of the checkout; run tools and report on them."""

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
    return str(VENV / "bin" / name)


def become(command: list[str]) -> NoReturn:
    sys.stdout.flush()
    try:
        os.execv(command[0], command)  # noqa: S606 -- no shell is wanted
    except OSError as error:
        stop(f"{command[0]} does not run: {error.strerror}")


def run_or_stop(command: Sequence[str], cwd: Path | None = None) -> None:
    if subprocess.call(command, cwd=cwd, stdout=sys.stderr):
        stop(f"this failed: {' '.join(command)}")


def succeeds(command: Sequence[str], environment: dict[str, str] | None = None) -> bool:
    """Run a command and print its output only if it fails."""
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


def print_line(words: str) -> None:
    """Print one line to standard error in one write, because checks print in parallel."""
    sys.stderr.write(f"dev: {words}\n")
    sys.stderr.flush()


def stop(words: str) -> NoReturn:
    print_line(words)
    sys.exit(2)
