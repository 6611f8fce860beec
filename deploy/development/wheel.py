"""Build the wheel and its SBOM reproducibly from a commit."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from deploy.development.environment import find_uv
from deploy.development.running import ROOT, print_line, stop, tool

if TYPE_CHECKING:
    from collections.abc import Sequence

DIST = ROOT / "dist"
NO_COMMIT = "1580601600"  # hatchling's own date for a build without one
LOCKED = ("export", "--quiet", "--locked", "--no-default-groups", "--no-emit-project")
RECORDS = sorted((ROOT / "tests" / "games").glob("*/true.jsonl"))
READY_SECONDS_MAX = 240.0


def build(folder: Path) -> tuple[Path, Path]:
    folder.mkdir(parents=True, exist_ok=True)
    for old in (*folder.glob("carnet-*.whl"), *folder.glob("carnet-*.cdx.json")):
        old.unlink()
    date = source_date()
    settings = {**os.environ, "SOURCE_DATE_EPOCH": date}
    _run([_uv(), "build", "--quiet", "--wheel", "--out-dir", str(folder)], settings)
    (wheel,) = folder.glob("carnet-*.whl")
    listed = _run([_uv(), *LOCKED[:-1], "--format", "cyclonedx1.5"], settings)
    sbom = folder / f"carnet-{wheel.name.split('-')[1]}.cdx.json"
    sbom.write_text(date_sbom(listed, wheel, date), encoding="utf-8")
    return wheel, sbom


def source_date() -> str:
    """Return the date of a build in Unix seconds: SOURCE_DATE_EPOCH or the commit's date."""
    command = ["git", "log", "-1", "--format=%ct"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return os.environ.get("SOURCE_DATE_EPOCH") or answer.stdout.strip() or NO_COMMIT


def date_sbom(listed: str, wheel: Path, date: str) -> str:
    """Add the wheel's hash and date to an SBOM, and a serial number derived from its content."""
    found = json.loads(listed)
    found.pop("serialNumber", None)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    metadata = found["metadata"]
    metadata["timestamp"] = datetime.fromtimestamp(int(date), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    metadata["component"] |= {
        "type": "application",
        "hashes": [{"alg": "SHA-256", "content": digest}],
    }
    content = json.dumps(found, sort_keys=True)
    found["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, content)}"
    return json.dumps(found, indent=2, sort_keys=True) + "\n"


def works() -> bool:
    folder = Path(tempfile.mkdtemp(prefix="carnet-wheel-"))
    folder.chmod(0o755)  # the database of a service that root starts runs as another account
    try:
        builds = build(folder / "one"), build(folder / "other")
        for first, again in zip(*builds, strict=True):
            if first.read_bytes() != again.read_bytes():
                print(f"{first.name} differs when it is built again")
                return False
        carnet = _install(builds[0][0], folder / "installed")
        return _judges(carnet, folder) and _serves(carnet, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def write() -> int:
    """Build into `dist/`, with the checksums as `sha256sum --check` reads them."""
    sums = checksums(build(DIST))
    (DIST / "SHA256SUMS").write_text(sums, encoding="utf-8")
    for line in sums.splitlines():
        print_line(line)
    return 0


def checksums(paths: Sequence[Path]) -> str:
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in paths
    )


def _install(wheel: Path, venv: Path) -> str:
    needed = venv.with_suffix(".txt")
    needed.write_text(_run([_uv(), *LOCKED, "--no-hashes"]), encoding="utf-8")
    _run([_uv(), "venv", "--quiet", "--python", tool("python"), str(venv)])
    pip = [_uv(), "pip", "install", "--quiet", "--python", str(venv / "bin" / "python")]
    _run([*pip, "--requirements", str(needed), str(wheel)])
    return str(venv / "bin" / "carnet")


def _judges(carnet: str, folder: Path) -> bool:
    command = [carnet, "check", *map(str, RECORDS)]
    answer = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    records = [line for path in RECORDS for line in path.read_text("utf-8").splitlines()]
    expected = [json.loads(line)["expect"]["totals"] for line in records]
    found = [json.loads(line).get("totals") for line in answer.stdout.splitlines()]
    if answer.returncode or found != expected:
        print(f"carnet check of the wheel: {answer.stderr or answer.stdout}")
        return False
    return True


def _serves(carnet: str, folder: Path) -> bool:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {name: value for name, value in os.environ.items() if name[:7] != "CARNET_"}
    settings |= {"CARNET_PORT": str(port), "CARNET_DATA_DIR": str(folder / "data")}
    log = folder / "serve.log"
    with log.open("wb") as out:
        command = [carnet, "serve"]
        service = subprocess.Popen(command, cwd=folder, env=settings, stdout=out, stderr=out)
    good = False
    try:
        deadline = time.monotonic() + READY_SECONDS_MAX
        while service.poll() is None and time.monotonic() < deadline and not good:
            time.sleep(0.1)
            if _get(f"http://127.0.0.1:{port}/readyz") is not None:
                page = (_get(f"http://127.0.0.1:{port}/login") or b"").decode()
                files = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', page))
                good = len(files) > 1 and all(
                    _get(f"http://127.0.0.1:{port}{one}") for one in files
                )
                break
    finally:
        service.terminate()
        good = service.wait(60) == 0 and good
    if not good:
        print(f"carnet serve of the wheel: {log.read_text(encoding='utf-8')}")
    return good


def _get(url: str) -> bytes | None:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 -- our own service
            content: bytes = answer.read()
            return content
    except OSError:
        return None


def _uv() -> str:
    return find_uv() or stop("there is no uv; `python3 deploy/dev.py build` installs one")


def _run(command: Sequence[str], settings: dict[str, str] | None = None) -> str:
    answer = subprocess.run(
        command, cwd=ROOT, env=settings, capture_output=True, text=True, check=False
    )
    if answer.returncode:
        stop(f"this failed: {' '.join(command)}\n{answer.stderr}")
    return answer.stdout


if __name__ == "__main__":
    sys.exit(0 if works() else 1)
