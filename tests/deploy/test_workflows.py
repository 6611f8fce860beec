import os
import re
import subprocess
import tomllib
from typing import Any

import pytest
import yaml

from deploy.dev import PYTHONS
from tests.documents.blocks import ROOT

CHECK = ROOT / ".github" / "workflows" / "check.yml"
RELEASE = ROOT / ".github" / "workflows" / "release.yml"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def test_pull_requests_are_checked_on_every_python_that_carnet_accepts() -> None:
    job = yaml.safe_load(CHECK.read_text("utf-8"))["jobs"]["check"]
    (first, last) = PYTHONS
    accepted = [f"{first[0]}.{minor}" for minor in range(first[1], last[1] + 1)]
    assert job["strategy"]["matrix"]["python"] == accepted
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


def release_steps() -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = yaml.safe_load(RELEASE.read_text("utf-8"))["jobs"]["build"][
        "steps"
    ]
    return steps


@pytest.mark.parametrize(("tag", "status"), [(f"v{VERSION}", 0), (VERSION, 1), ("v99.0.0", 1)])
def test_only_the_tag_of_the_version_is_released(tag: str, status: int) -> None:
    (step,) = (step for step in release_steps() if step.get("name") == "The tag is the version")
    environment = {**os.environ, "GITHUB_REF_NAME": tag}
    command = ["/bin/bash", "-e", "-c", step["run"]]
    assert subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode == status


def test_a_release_has_a_wheel_its_list_checksums_and_attestations_and_is_tested() -> None:
    code = "\n".join(step.get("run", "") for step in release_steps())
    assert re.findall(r"deploy/dev\.py (\w+)", code) == ["build", "docs"]
    assert "deploy.development.wheel" in code
    used = [step["uses"].partition("@")[0] for step in release_steps() if "uses" in step]
    assert {"actions/attest-build-provenance", "actions/attest-sbom"} <= {*used}
    assert (ROOT / "deploy" / "carnet.service").is_file()
