"""Every line of docs/programs.md runs against a service: programs.md."""

import re
import subprocess
import sys
from collections.abc import Iterator

import httpx
import jinja2
import pytest
import yaml

from tests.documents.blocks import BLOCKS
from tests.extensions.webhooks.receiver import Receiver, running_receiver
from tests.postgres import Cluster
from tests.service_process import KEY, ServiceProcess

HOOK = "http://192.168.1.20:8123/api/webhook/carnet"
PYTHON, SHELL, SENSOR, AUTOMATION, SUBSCRIBE = (
    block.code for block in BLOCKS if block.document == "docs/programs.md"
)


@pytest.fixture(scope="module")
def service(
    embedded_cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServiceProcess]:
    log = tmp_path_factory.mktemp("programs") / "log"
    with (
        embedded_cluster.database() as url,
        ServiceProcess.running(
            log, CARNET_DATABASE_URL=url, CARNET_WEBHOOK_NETWORKS="127.0.0.0/8"
        ) as running,
    ):
        yield running


@pytest.fixture(scope="module")
def receiver(service: ServiceProcess) -> Iterator[Receiver]:
    """Receive the call of the webhook that is entered before the game of the shell."""
    with running_receiver() as receiver:
        subscribe = as_here(SUBSCRIBE, service)
        assert HOOK in subscribe
        shell(subscribe.replace("http://192.168.1.20:8123", receiver.url))
        yield receiver


@pytest.fixture(scope="module")
def lines(service: ServiceProcess, receiver: Receiver) -> list[str]:
    """Return what the shell prints; its last call waits for an entry that does not come."""
    assert receiver.came == []
    return shell(as_here(SHELL, service).replace("wait=25", "wait=1"))


def as_here(code: str, service: ServiceProcess) -> str:
    for placeholder in ("THE-TOKEN", "THE-OWNERS-KEY"):
        code = code.replace(placeholder, KEY)
    return code.replace("http://127.0.0.1:8000", service.url)


def run(*command: str) -> list[str]:
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr + answer.stdout
    return answer.stdout.splitlines()


def shell(code: str) -> list[str]:
    return run("/bin/bash", "-eu", "-o", "pipefail", "-c", code)


def test_python(service: ServiceProcess) -> None:
    (line,) = run(sys.executable, "-c", as_here(PYTHON, service))
    assert "('scores', [12, 7])" in line


def test_shell(lines: list[str]) -> None:
    totals, *history = lines
    assert totals == "[3,5]"
    assert {"Cid", "Dee"} <= {*re.findall(r"\w+", " ".join(history))}


@pytest.mark.usefixtures("lines")
def test_home_assistant_sensor(service: ServiceProcess) -> None:
    (asked,) = yaml.safe_load(as_here(SENSOR, service))["rest"]
    answer = httpx.get(asked["resource"], headers=asked["headers"]).json()
    (sensor,) = asked["sensor"]
    assert rendered(sensor["value_template"], value_json=answer) in {"Ann, Bob", "Cid, Dee"}
    assert sensor["json_attributes_path"] == "$.games[0]"
    assert {*sensor["json_attributes"]} <= answer["games"][0].keys()


@pytest.mark.usefixtures("lines")
def test_home_assistant_automation(receiver: Receiver) -> None:
    (call, *_) = receiver.wait(1)
    (automation,) = yaml.safe_load(AUTOMATION)["automation"]
    (trigger,), (action,) = automation["triggers"], automation["actions"]
    assert call.path == f"/api/webhook/{trigger['webhook_id']}"
    message = rendered(action["data"]["message"], trigger={"json": call.json})
    assert message in {"Ann, Bob: 12, 7", "Cid, Dee: 3, 5"}


def rendered(template: str, **values: object) -> str:
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)  # noqa: S701 -- text, as Home Assistant renders it
    return environment.from_string(template).render(values)
