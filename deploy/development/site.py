"""Build the documents as a static site. A dead link or a page that no other lists is an error."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from deploy.development.running import ROOT, print_line, tool

SITE = ROOT / "build" / "site"
# Every warning is an error. Nothing is taken from an earlier build.
STRICT = ("--quiet", "--fail-on-warning", "--fresh-env")


def build(folder: Path) -> int:
    """Write the site into a folder; it works from any server, and from a disk."""
    with tempfile.TemporaryDirectory() as trees:
        places = ["--conf-dir", "deploy/site", "--doctree-dir", trees, ".", str(folder)]
        status = subprocess.call([tool("sphinx-build"), *STRICT, *places], cwd=ROOT)
    if not status:
        shutil.copy(folder / "README.html", folder / "index.html")
    return status


def write() -> int:
    shutil.rmtree(SITE, ignore_errors=True)
    status = build(SITE)
    if not status:
        print_line(f"{SITE.relative_to(ROOT)}/index.html is the first page")
    return status


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as there:
        sys.exit(build(Path(there) / "site"))
