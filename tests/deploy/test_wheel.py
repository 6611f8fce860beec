import json
import subprocess
import tomllib
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest

from deploy.development import wheel
from deploy.development.running import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return wheel.build(tmp_path_factory.mktemp("built"))


def test_wheel__holds_every_file_of_its_packages(built: tuple[Path, Path]) -> None:
    packages = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    there = {
        str(path.relative_to(ROOT))
        for package in packages
        for path in (ROOT / package).rglob("*")
        if path.is_file() and not {"__pycache__", "contract", "cases.jsonl"} & {*path.parts}
    }
    with ZipFile(built[0]) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == there


def test_sbom__lists_what_the_project_needs_with_hashes(built: tuple[Path, Path]) -> None:
    listed = json.loads(built[1].read_text("utf-8"))
    names = {one["name"] for one in listed["components"]}
    wanted = {line.split(">")[0].split("[")[0] for line in PROJECT["project"]["dependencies"]}
    assert wanted <= names
    assert all(one["externalReferences"] for one in listed["components"])
    assert "pytest" not in names


def test_sbom__holds_the_hash_of_the_wheel(built: tuple[Path, Path]) -> None:
    said = json.loads(built[1].read_text("utf-8"))["metadata"]["component"]["hashes"]
    digest = sha256(built[0].read_bytes()).hexdigest()
    assert said == [{"alg": "SHA-256", "content": digest}]


def test_sbom__of_another_wheel_has_another_number(tmp_path: Path) -> None:
    listed = json.dumps({"metadata": {"component": {"name": "carnet"}}, "components": []})
    numbers: set[str] = set()
    for content in (b"one", b"one", b"other"):
        (tmp_path / "x.whl").write_bytes(content)
        numbers.add(json.loads(wheel.date_sbom(listed, tmp_path / "x.whl", "0"))["serialNumber"])
    assert len(numbers) == 2


def test_checksums__are_read_by_sha256sum(built: tuple[Path, Path]) -> None:
    sums = wheel.checksums(built)
    folder = built[0].parent
    command = ["sha256sum", "--check", "--strict"]
    answer = subprocess.run(command, cwd=folder, input=sums, text=True, check=False, timeout=60)
    assert answer.returncode == 0


def test_build__is_dated_as_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert wheel.source_date() == "1700000000"
