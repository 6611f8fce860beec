"""Put random faults into the kernel, the rules and the scores, and name those no test notices.

    .venv/bin/python -m tests.mutation [COUNT [SEED]]

Promises: the checkout is not touched: faults are put into a copy; the same seed takes the same
faults. Exit status 1: nobody noticed one of them. A mutant that changes nothing anybody could
notice is justified in `survivors.txt`.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

from tests.mutation.mutants import mutant, places

ROOT = Path(__file__).parents[2]
SURVIVORS = Path(__file__).with_name("survivors.txt")
COPIED = ("schemas", "domain", "projections", "service", "tests", "pyproject.toml")
KERNEL = ("inference", "table")
SECONDS_MAX = 300  # a fault may make a loop endless


def tests_of(path: Path) -> list[str]:
    """Name the tests that must notice a fault in a module, the quick ones first."""
    room = path.parts[1]
    own = [f"tests/domain/{room}"]
    if room in KERNEL:
        return [*own, "tests/domain/euchre", "tests/domain/dutch", "tests/games"]
    return [*own, f"tests/projections/test_{room}.py", "tests/games"]


def sample(count: int, seed: int) -> list[tuple[Path, int, str]]:
    """Choose mutants of the kernel and of the games, each as likely as any other."""
    modules = [path.relative_to(ROOT) for path in sorted((ROOT / "domain").glob("*/*.py"))]
    found = [
        (module, number)
        for module in modules
        if module.parts[1] != "notation" and module.name != "view.py"
        for number in places((ROOT / module).read_text("utf-8"))
    ]
    chosen = Random(seed).sample(found, min(count, len(found)))  # noqa: S311 games, not secrets
    return [
        (module, *mutant((ROOT / module).read_text("utf-8"), number)) for module, number in chosen
    ]


def survives(copy: Path, module: Path, source: str) -> bool:
    """Tell whether no test notices a fault."""
    right = (copy / module).read_text("utf-8")
    (copy / module).write_text(source, encoding="utf-8")
    there = [name for name in tests_of(module) if (copy / name).exists()]
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *there]
    try:
        run = subprocess.run(
            command, cwd=copy, check=False, capture_output=True, timeout=SECONDS_MAX
        )
    except subprocess.TimeoutExpired:
        return False
    finally:
        (copy / module).write_text(right, encoding="utf-8")
    return run.returncode == 0


def noticed(count: int, seed: int) -> tuple[int, list[str]]:
    """Try so many faults; return how many there were, and those that nobody notices."""
    justified = SURVIVORS.read_text("utf-8")
    left: list[str] = []
    chosen = sample(count, seed)
    with tempfile.TemporaryDirectory(prefix="carnet-mutants-") as folder:
        for name in COPIED:
            copied = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copied(ROOT / name, Path(folder) / name)
        for module, line, source in chosen:
            place = f"{module}:{line}"
            if survives(Path(folder), module, source) and f"{place} " not in justified:
                left.append(place)
    return len(chosen), left
