"""A client generated from the OpenAPI document, as a stranger would: a package in a folder."""

import os
import subprocess
import sys
from pathlib import Path

import httpx

from tests.service_process import ServiceProcess

TOOLS = Path(sys.executable).parent


def generate(service: ServiceProcess, folder: Path) -> None:
    """Generate the package `client` in a folder; warnings are errors."""
    described = folder / "openapi.json"
    described.write_bytes(httpx.get(f"{service.url}/schema/openapi.json").content)
    generated = subprocess.run(
        [
            str(TOOLS / "openapi-python-client"),
            "generate",
            "--fail-on-warning",
            "--meta=none",
            f"--path={described}",
            f"--output-path={folder / 'client'}",
        ],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}"},
    )
    assert generated.returncode == 0, generated.stdout + generated.stderr
    assert "warning" not in (generated.stdout + generated.stderr).lower()


def run_client(folder: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
