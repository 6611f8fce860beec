"""Container files and manifests pass the linters and schemas of their tools.

The tests have no container engine and no Kubernetes.
"""

import re
import subprocess
from pathlib import Path
from typing import Any, cast

import kubernetes_validate  # type: ignore[import-untyped] # brings no types
import pytest
import yaml

from deploy.development.running import ROOT, tool
from service.cli import EPILOG

DEPLOY = ROOT / "deploy"
VERSION = "1.37"
CONTAINERS = sorted(
    path for path in (DEPLOY / "container").glob("Dockerfile*") if path.suffix != ".dockerignore"
)
KUBERNETES = cast(
    "list[dict[str, Any]]",
    list(yaml.safe_load_all((DEPLOY / "kubernetes" / "carnet.yaml").read_text("utf-8"))),
)
KINDS = {one["kind"]: one for one in KUBERNETES}
COMPOSED = cast("dict[str, Any]", yaml.safe_load((DEPLOY / "compose.many.yaml").read_text("utf-8")))
SETTINGS = set(re.findall(r"CARNET_\w+", EPILOG)) | {"FORWARDED_ALLOW_IPS"}


@pytest.mark.parametrize("file", CONTAINERS, ids=lambda path: path.name)
def test_a_container_has_no_fault_that_its_linter_knows(file: Path) -> None:
    done = subprocess.run([tool("hadolint"), file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "warning" not in done.stdout


@pytest.mark.parametrize("document", KUBERNETES, ids=lambda one: one["kind"])
def test_a_manifest_is_what_kubernetes_takes(document: dict[str, Any]) -> None:
    kubernetes_validate.validate(document, VERSION, strict=True)


def named(container: dict[str, Any]) -> set[str]:
    return {one["name"] for one in container["env"]}


def test_what_serves_does_not_know_the_owner() -> None:
    pod = KINDS["Deployment"]["spec"]["template"]["spec"]
    (serves,), (migrates,) = pod["containers"], pod["initContainers"]
    assert "CARNET_DATABASE_OWNER_URL" in named(migrates)
    assert "CARNET_DATABASE_OWNER_URL" not in named(serves)
    for name in ("one", "two"):
        assert "CARNET_DATABASE_OWNER_URL" not in COMPOSED["services"][name]["environment"]
    assert "CARNET_DATABASE_OWNER_URL" in COMPOSED["services"]["migrate"]["environment"]


def test_settings_are_settings() -> None:
    pod = KINDS["Deployment"]["spec"]["template"]["spec"]
    used = {name for one in (*pod["containers"], *pod["initContainers"]) for name in named(one)}
    for service in ("one", "two", "migrate"):
        used |= set(COMPOSED["services"][service]["environment"])
    assert used <= SETTINGS


def test_probes_ask_what_they_are_for() -> None:
    (serves,) = KINDS["Deployment"]["spec"]["template"]["spec"]["containers"]
    asked = {kind: serves[kind]["httpGet"]["path"] for kind in serves if kind.endswith("Probe")}
    assert asked == {
        "startupProbe": "/readyz",
        "readinessProbe": "/readyz",
        "livenessProbe": "/healthz",
    }


def test_whatever_selects_pods_selects_these() -> None:
    labels = KINDS["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert KINDS["Service"]["spec"]["selector"] == labels
    for kind in ("Deployment", "PodDisruptionBudget"):
        assert KINDS[kind]["spec"]["selector"]["matchLabels"] == labels
    scaled = KINDS["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]
    assert scaled["name"] == KINDS["Deployment"]["metadata"]["name"]


def test_files_that_are_named_are_there() -> None:
    for service in COMPOSED["services"].values():
        for volume in service.get("volumes", ()):
            source = str(volume).split(":")[0]
            assert not source.startswith(".") or (DEPLOY / source).is_file()
        build = service.get("build")
        if build:
            assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()
