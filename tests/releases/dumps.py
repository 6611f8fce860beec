"""Dumps a database of this version, with a season of games of every kind and a household in it.

By `.venv/bin/python -m tests.releases.dumps`, at a release: the file of the version is written into
this folder, and every later version upgrades it in its tests.
"""

import asyncio
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from service.store.server.embedded import EmbeddedServer, wheel_programs
from tests.carnet_process import ROOT
from tests.http.test_new_machine import Household, Machine, settle
from tests.postgres import Cluster
from tests.service_process import ServiceProcess

FOLDER = Path(__file__).parent
_RESTORED = ("--no-owner", "--exit-on-error", "--single-transaction")


async def fill(machine: Machine) -> Household:
    """Add a household, and a club of sample games, which have a year between first and last."""
    home = await settle(machine)
    service = ServiceProcess(machine.folder / "log", **machine.environment)
    service.arguments = ("--demo",)
    service.start()
    service.stop()
    return home


def dump(url: str, file: Path) -> None:
    """Write the schema and its data, compressed."""
    settings = ("--format=custom", "--compress=9", "--no-owner")
    _run("pg_dump", *settings, "--schema=carnet", f"--file={file}", url)


def restore(file: Path, url: str) -> None:
    """Fill an empty database; its server gets the role of the service first."""
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute((ROOT / "service" / "store" / "sql" / "role.sql").read_bytes())
    _run("pg_restore", *_RESTORED, f"--dbname={url}", str(file))


def schema_of(url: str) -> list[str]:
    """Return the statements that make the schema of a database."""
    made = _run("pg_dump", "--schema-only", "--no-owner", "--schema=carnet", url)
    # `\restrict` and `\unrestrict` have a random key.
    return [line for line in made.splitlines() if line and not line.startswith(("--", "\\"))]


def _run(program: str, *arguments: str) -> str:
    command = [str(wheel_programs() / program), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def write() -> Path:
    """Write the dump of this version into this folder, and return its path."""
    file = FOLDER / f"{version('carnet')}.dump"
    with (
        TemporaryDirectory() as folder,
        EmbeddedServer(Path(folder, "data")) as server,
        Cluster(server.url).database() as url,
    ):
        asyncio.run(fill(Machine(url, Path(folder))))
        dump(url, file)
    return file


if __name__ == "__main__":
    sys.stdout.write(f"{write()}\n")
