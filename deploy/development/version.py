"""Give the program a version, and write what later versions are tested against."""

from __future__ import annotations

import re
import tomllib
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from deploy.development.environment import find_uv, prepare_environment
from deploy.development.running import ROOT, print_line, run_or_stop, stop, tool

if TYPE_CHECKING:
    from collections.abc import Sequence

VERSION = re.compile(r"\d+\.\d+\.\d+")
# Where the version stands, with the words around it.
PLACES = {
    "pyproject.toml": '\nversion = "{}"\n',
    "README.md": "carnet-{}-py3-none-any.whl",
    "deploy/kubernetes/carnet.yaml": "registry.example/carnet:{}\n",
}
CHANGELOG = "CHANGELOG.md"
UNRELEASED = "## [Unreleased]\n"


def write(arguments: Sequence[str]) -> int:
    """Change the files of a release; a person reads, commits and tags them (docs/release.md)."""
    if len(arguments) != 1 or VERSION.fullmatch(arguments[0]) is None:
        stop("release takes one version: dev.py release 1.2.3")
    (version,) = arguments
    prepare_environment()
    for name, text in released(version, datetime.now(UTC).date().isoformat()).items():
        (ROOT / name).write_text(text, encoding="utf-8")
    uv = find_uv() or stop("there is no uv")
    run_or_stop([uv, "lock", "--quiet"], cwd=ROOT)
    prepare_environment()
    for module in (["tests.documents.contract", "--release"], ["tests.releases.dumps"]):
        run_or_stop([tool("python"), "-m", *module], cwd=ROOT)
    print_line(f"this is {version}: read `git diff`, then go on with docs/release.md")
    return 0


def released(version: str, day: str) -> dict[str, str]:
    """Return the files of a release by name, with its version and day (ISO 8601)."""
    former = project_version()
    found: dict[str, str] = {}
    for name, around in PLACES.items():
        text = (ROOT / name).read_text("utf-8")
        found[name] = text.replace(around.format(former), around.format(version))
    changes = (ROOT / CHANGELOG).read_text("utf-8")
    found[CHANGELOG] = changes.replace(UNRELEASED, f"{UNRELEASED}\n## [{version}] - {day}\n", 1)
    return found


def project_version() -> str:
    """Return the version that `pyproject.toml` names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["version"])
