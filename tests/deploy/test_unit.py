import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path

from deploy.development.running import ROOT

UNIT = ROOT / "deploy" / "carnet.service"
EXPOSURE_MAX = 20  # tenths, of 100
SHUT = {
    "capabilityboundingset": "",
    "nonewprivileges": "true",
    "privatedevices": "true",
    "privateusers": "true",
    "protectproc": "invisible",
    "protectsystem": "strict",
    "restrictnamespaces": "true",
    "systemcallfilter": "~@privileged @resources",
    "umask": "0077",
}


def test_the_unit_is_shut_in() -> None:
    unit = ConfigParser(strict=False, interpolation=None)
    unit.read(UNIT)
    assert SHUT.items() <= dict(unit["Service"]).items()


def test_systemd_understands_the_unit_and_calls_it_little_exposed(tmp_path: Path) -> None:
    analyse = shutil.which("systemd-analyze")
    assert UNIT.read_text().count("ExecStart=/opt/carnet/.venv/bin/carnet serve") == 1
    if analyse is None:
        return
    there = tmp_path / UNIT.name
    there.write_text(UNIT.read_text().replace("/opt/carnet/.venv/bin/carnet serve", "/bin/true"))
    for asked in (
        ["verify", str(there)],
        ["security", "--offline=yes", f"--threshold={EXPOSURE_MAX}", str(there)],
    ):
        told = subprocess.run([analyse, *asked], capture_output=True, text=True, check=False)
        assert told.returncode == 0, told.stdout + told.stderr
