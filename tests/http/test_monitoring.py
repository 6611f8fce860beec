"""The metrics and labels in the dashboard and alerts of `deploy/monitoring` exist.

Expressions are parsed by a parser of PromQL, which checks functions and types; the rest is compared
with the documented format.
"""

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import promql_parser
import pytest
import yaml
from prometheus_client import CollectorRegistry

from service.metrics import OUTCOMES, ClubMetrics

FOLDER = Path(__file__).parent.parent.parent / "deploy" / "monitoring"
ALERTS: dict[str, Any] = yaml.safe_load((FOLDER / "alerts.yaml").read_text("utf-8"))
BOARD: dict[str, Any] = json.loads((FOLDER / "dashboard.json").read_text("utf-8"))
RULES: list[dict[str, Any]] = [rule for group in ALERTS["groups"] for rule in group["rules"]]
QUERIES = {rule["alert"]: rule["expr"] for rule in RULES} | {
    f"{panel['title']} {at}": target["expr"]
    for panel in BOARD["panels"]
    for at, target in enumerate(panel["targets"])
}
DURATION = re.compile(r"(\d+(ms|[smhdwy]))+")


async def exported_metrics(http: httpx.AsyncClient) -> set[str]:
    names: set[str] = set()
    for line in (await http.get("/metrics")).text.splitlines():
        match line.split():
            case ["#", "TYPE", name, "histogram"]:
                names |= {f"{name}_{part}" for part in ("bucket", "count", "sum")}
            case ["#", "TYPE", name, _]:
                names.add(name)
            case _:
                pass
    return names


@pytest.mark.parametrize("where", QUERIES)
async def test_every_metric_that_is_asked_for_is_told(http: httpx.AsyncClient, where: str) -> None:
    named = set(re.findall(r"\bcarnet_\w+", QUERIES[where]))
    assert named <= await exported_metrics(http)
    assert named or QUERIES[where].startswith("up{")


@pytest.mark.parametrize("where", QUERIES)
def test_what_is_asked_for_is_promql(where: str) -> None:
    # Grafana puts its own interval in before Prometheus sees it.
    asked = QUERIES[where].replace("$__rate_interval", "5m").replace("$__range", "5m")
    promql_parser.parse(asked)


def test_a_club_near_a_limit_is_told() -> None:
    registry = CollectorRegistry()
    clubs = ClubMetrics(registry)
    clubs.set_limits("c", {"games": (9, 10), "people": (3, None), "stored_bytes": (0, 0)})
    used = partial(registry.get_sample_value, "carnet_club_limit_used_ratio")
    told = [used({"club": "c", "limit": one}) for one in ("games", "people", "stored_bytes")]
    assert told == [0.9, None, 1]
    clubs.set_limits("c", {"games": (9, None)})
    assert used({"club": "c", "limit": "games"}) == 0


@pytest.mark.parametrize("where", QUERIES)
def test_every_outcome_that_is_asked_for_is_one(where: str) -> None:
    assert set(re.findall(r'outcome="([\w-]+)"', QUERIES[where])) <= set(OUTCOMES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_an_alert_has_the_form_that_prometheus_reads(rule: dict[str, Any]) -> None:
    assert rule.keys() <= {"alert", "expr", "for", "labels", "annotations"}
    assert re.fullmatch(r"Carnet\w+", rule["alert"])
    assert DURATION.fullmatch(rule.get("for", "0s"))
    assert rule["labels"]["severity"] in {"page", "ticket"}
    assert rule["annotations"].keys() == {"summary", "what_to_do"}
    for opens, closes in ("()", "[]", "{}"):
        assert rule["expr"].count(opens) == rule["expr"].count(closes)


def test_alerts_and_panels_have_names_of_their_own() -> None:
    assert len({rule["alert"] for rule in RULES}) == len(RULES)
    assert len({panel["id"] for panel in BOARD["panels"]}) == len(BOARD["panels"])
    assert len({str(panel["gridPos"]) for panel in BOARD["panels"]}) == len(BOARD["panels"])


def test_the_page_on_monitoring_names_the_rules() -> None:
    text = (FOLDER.parents[1] / "docs" / "operating" / "monitoring.md").read_text("utf-8")
    (block,) = re.findall(r"^```yaml\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    told = yaml.safe_load(block)
    assert [one["job_name"] for one in told["scrape_configs"]] == ["carnet"]
    assert told["rule_files"] == ["/opt/carnet/deploy/monitoring/alerts.yaml"]
