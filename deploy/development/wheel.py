"""The wheel, the list of what it needs (SBOM), and the proof that both are what we say."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
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
from deploy.development.running import ROOT, say, stop, tool

if TYPE_CHECKING:
    from collections.abc import Sequence

DIST = ROOT / "dist"
LONG_AGO = "1580601600"  # what hatchling takes where nobody names a date
LOCKED = ("export", "--quiet", "--locked", "--no-default-groups")
RECORDS = sorted((ROOT / "tests" / "games").glob("*/true.jsonl"))
READY_SECONDS_MAX = 240.0
STOP_SECONDS_MAX = 60.0


def build(folder: Path) -> tuple[Path, Path]:
    """Build the wheel and its SBOM into a folder, and return both."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in (*folder.glob("carnet-*.whl"), *folder.glob("carnet-*.cdx.json")):
        old.unlink()
    date = source_date()
    settings = {**os.environ, "SOURCE_DATE_EPOCH": date}
    run([uv(), "build", "--quiet", "--wheel", "--out-dir", str(folder)], settings)
    (wheel,) = folder.glob("carnet-*.whl")
    listed = run([uv(), *LOCKED, "--no-emit-project", "--format", "cyclonedx1.5"], settings)
    sbom = folder / f"carnet-{wheel.name.split('-')[1]}.cdx.json"
    sbom.write_text(dated(listed, wheel, date), encoding="utf-8")
    return wheel, sbom


def source_date() -> str:
    """Return the moment a build is dated by: as asked, or of the commit, or long ago."""
    asked = os.environ.get("SOURCE_DATE_EPOCH")
    if asked:
        return asked
    command = ["git", "log", "-1", "--format=%ct"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return answer.stdout.strip() or LONG_AGO


def dated(listed: str, wheel: Path, date: str) -> str:
    """Put the wheel's hash and its date into a list; its number follows from what it says."""
    found = json.loads(listed)
    found.pop("serialNumber", None)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    told = found["metadata"]
    told["timestamp"] = datetime.fromtimestamp(int(date), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    told["component"] |= {
        "type": "application",
        "hashes": [{"alg": "SHA-256", "content": digest}],
    }
    said = json.dumps(found, sort_keys=True)
    found["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, said)}"
    return json.dumps(found, indent=2, sort_keys=True) + "\n"


def proved() -> bool:
    """Build twice, install elsewhere, and use what was installed; say what does not hold."""
    folder = Path(tempfile.mkdtemp(prefix="carnet-wheel-"))
    folder.chmod(0o755)  # the database of a service that root starts runs as somebody else
    try:
        one, other = build(folder / "one"), build_elsewhere(folder / "other")
        for first, again in zip(one, other, strict=True):
            if first.read_bytes() != again.read_bytes():
                print(f"{first.name} is not the same when it is built again")
                return False
        carnet = install(one[0], folder / "installed")
        return judges(carnet, folder) and serves(carnet, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def build_elsewhere(folder: Path) -> tuple[Path, Path]:
    """Build as it might be elsewhere: in another time zone, with another mask of permissions."""
    zone, mask = os.environ.get("TZ"), os.umask(0o077)
    os.environ["TZ"] = "Pacific/Auckland"
    try:
        return build(folder)
    finally:
        os.umask(mask)
        os.environ.pop("TZ")
        if zone is not None:
            os.environ["TZ"] = zone


def install(wheel: Path, venv: Path) -> str:
    """Install a wheel in an environment of its own, with what uv.lock says; return `carnet`."""
    needed = venv.with_suffix(".txt")
    needed.write_text(run([uv(), *LOCKED, "--no-emit-project", "--no-hashes"]), encoding="utf-8")
    run([uv(), "venv", "--quiet", "--python", tool("python"), str(venv)])
    pip = [uv(), "pip", "install", "--quiet", "--python", str(venv / "bin" / "python")]
    run([*pip, "--requirements", str(needed), str(wheel)])
    return str(venv / "bin" / "carnet")


def judges(carnet: str, folder: Path) -> bool:
    """Tell whether an installed `carnet check` stands by recorded games."""
    asked = [carnet, "check", *map(str, RECORDS)]
    answer = subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=False)
    records = [line for path in RECORDS for line in path.read_text("utf-8").splitlines()]
    wanted = [json.loads(line)["expect"]["totals"] for line in records]
    found = [json.loads(line).get("totals") for line in answer.stdout.splitlines()]
    if answer.returncode or found != wanted:
        print(f"carnet check of the wheel: {answer.stderr or answer.stdout}")
        return False
    return True


def serves(carnet: str, folder: Path) -> bool:
    """Tell whether an installed `carnet serve` shows a page with its styles, and ends when told."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {
        **{name: value for name, value in os.environ.items() if not name.startswith("CARNET_")},
        "CARNET_PORT": str(port),
        "CARNET_DATA_DIR": str(folder / "data"),
        "CARNET_OWNER_KEY": "a-key-for-one-minute-only",
    }
    log = folder / "serve.log"
    with log.open("wb") as out:
        service = subprocess.Popen(
            [carnet, "serve"], cwd=folder, env=settings, stdout=out, stderr=out
        )
        try:
            good = answers(f"http://127.0.0.1:{port}", service)
        finally:
            service.send_signal(signal.SIGTERM)
            ended = service.wait(STOP_SECONDS_MAX)
    if not good or ended:
        print(f"carnet serve of the wheel ended with {ended}:\n{log.read_text()}")
    return good and not ended


def answers(url: str, service: subprocess.Popen[bytes]) -> bool:
    """Wait until a service is ready; tell whether a page is there, and every file it asks for."""
    deadline = time.monotonic() + READY_SECONDS_MAX
    while answered(f"{url}/readyz") is None:
        if service.poll() is not None or time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    page = (answered(f"{url}/login") or b"").decode()
    files = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', page))
    return len(files) > 1 and all(answered(url + file) for file in files)


def answered(url: str) -> bytes | None:
    """Return what is answered; None where nobody answers, or not well."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 our own service
            found: bytes = answer.read()
            return found
    except OSError:
        return None


def uv() -> str:
    """Give the path of uv."""
    return find_uv() or stop("there is no uv; `python3 deploy/dev.py build` installs one")


def run(command: Sequence[str], settings: dict[str, str] | None = None) -> str:
    """Run a command at the top of the checkout and return what it says; it must not fail."""
    answer = subprocess.run(
        command, cwd=ROOT, env=settings, capture_output=True, text=True, check=False
    )
    if answer.returncode:
        stop(f"this failed: {' '.join(command)}\n{answer.stderr}")
    return answer.stdout


def write() -> int:
    """Build into dist/ and say what was written."""
    for path in build(DIST):
        say(f"{path.relative_to(ROOT)}  sha256 {hashlib.sha256(path.read_bytes()).hexdigest()}")
    return 0


if __name__ == "__main__":
    sys.exit(0 if proved() else 1)
