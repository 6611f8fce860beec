"""Rates of commands that process the whole log: import, verify, audit, rebuild and export.

Each command runs as a program, start included, in one process and in one per core, on an embedded
server that shares the cores. `rebuild` starts without read models, `rebuild again` with correct
ones.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID, uuid4

import psycopg

from service.store.records import DEFAULT_CLUB
from service.store.server.embedded import EmbeddedServer
from service.transfer.export_lines import EndLine, HeadLine, PlayerLine, encode_line
from tests.bench import stored
from tests.bench.table import Line, Size, Table

# A million, so that the start of Python, about 0.8 s, does not count; in a quick run it does.
ENTRIES, SHARE = 1_000_000, 0.2
COMMANDS = ("import", "verify", "audit", "rebuild", "rebuild again", "export")
_EMPTY = "TRUNCATE carnet.game, carnet.game_player, carnet.deal_score, carnet.result_change"


def export_file(path: Path, entries: int, share: float) -> int:
    """Write an export of at least `entries` entries; return their number."""
    people: list[UUID] = [uuid4() for _ in range(8)]
    digest, games, written = sha256(), 0, 0
    with path.open("wb") as file:

        def write(line: bytes) -> None:
            digest.update(line)
            file.write(line)

        write(encode_line(HeadLine(club=DEFAULT_CLUB)))
        for number, one in enumerate(people):
            name, at = f"Player {number}", stored.START
            write(encode_line(PlayerLine(id=one, name=name, created_at=at)))
        for line, held in stored.lines(share, entries, people):
            write(line)
            games += 1
            written += held
        end = EndLine(players=len(people), games=games, entries=written, sha256=digest.hexdigest())
        write(encode_line(end))
    return written


def seconds(url: str, *arguments: str) -> float:
    """Run a command on a database; return how long it took."""
    began = time.perf_counter()
    start(*arguments, environment={"CARNET_DATABASE_URL": url}).check_returncode()
    return time.perf_counter() - began


def start(*arguments: str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command as a separate program. `environment`: additional variables."""
    return subprocess.run(
        [sys.executable, "-m", "service.cli", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def bytes_each(url: str, entries: int) -> dict[str, float]:
    """Return the bytes of an entry on disk: of its row, and of its index keys."""
    with psycopg.connect(url) as conn:
        found = conn.execute(
            "SELECT pg_table_size('carnet.entry'), pg_indexes_size('carnet.entry')"
        ).fetchone()
    assert found
    row, keys = (size / entries for size in found)
    return {"row": row, "keys": keys, "together": row + keys}


def rates(folder: Path, entries: int, jobs: int) -> tuple[dict[str, float], dict[str, float]]:
    """Run every command with `jobs` processes; return entries per second, and `bytes_each`."""
    found: dict[str, float] = {}
    file, out = str(folder / "all.jsonl"), str(folder / "out.jsonl")
    with TemporaryDirectory() as data, EmbeddedServer(Path(data)) as server:
        for name in COMMANDS:
            if name == "rebuild":
                with psycopg.connect(server.url) as conn:
                    conn.execute(_EMPTY)
            command = name.split()[0]
            files = {"import": [file], "export": [out]}.get(command, [])
            taken = seconds(server.url, command, "--jobs", str(jobs), *files)
            found[name] = entries / taken
        return found, bytes_each(server.url, entries)


def measure(size: Size) -> Iterator[Table]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        share = min(SHARE, SHARE * size.share * 5)
        entries = export_file(folder / "all.jsonl", size.of(ENTRIES), share)
        alone, size_each = rates(folder, entries, 1)
        together, _ = rates(folder, entries, cores)
    yield Table(
        f"the whole log, {entries:,} entries: entries a second",
        tuple(
            Line(name, {"1 process": alone[name], f"{cores} processes": together[name]})
            for name in COMMANDS
        ),
    )
    yield Table("bytes on disk", (Line("an entry", size_each),))
