import re
import subprocess
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.postgres import Cluster
from tests.service.stored_club import Club, new_club, played

BACKUP_PAGE = (Path(__file__).parents[2] / "docs" / "operating" / "backup.md").read_text("utf-8")


@pytest.fixture
async def club(embedded_cluster: Cluster) -> AsyncGenerator[Club]:
    async with new_club(embedded_cluster) as made:
        yield made


def _runs(command: list[str]) -> None:
    subprocess.run(command, check=True)


async def test_an_export_without_a_game_is_a_whole_export(
    club: Club, embedded_cluster: Cluster, tmp_path: Path
) -> None:
    (script,) = re.findall(r"python3 - .* <<'END'\n((?:.*\n)*?)   END\n", BACKUP_PAGE)
    gone, _ = await club.record(played()), await club.record(played())
    everything, without = tmp_path / "everything.jsonl", tmp_path / "without.jsonl"
    club.carnet("export", str(everything))
    lines = "\n".join(line.removeprefix("   ") for line in script.splitlines())
    command = [sys.executable, "-c", lines, str(everything), str(without), str(gone)]
    _runs(command)
    with embedded_cluster.database() as url:
        other = Club(url, club.pool)
        taken = other.carnet("import", str(without))
        assert (taken.returncode, taken.stdout) == (0, "1 games and 4 people imported\n")
        assert other.carnet("verify").stdout.startswith("1 games, ")
