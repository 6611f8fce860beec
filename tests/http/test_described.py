"""Whatever the document describes, asked for as an owner, a scorer of one game, and nobody.

Schemathesis makes requests from `/schema`; none is answered by an error of the service.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, cast

import httpx
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

from tests.depth import sized
from tests.http.club import Game, as_somebody
from tests.http.unserved import unserved
from tests.postgres import Cluster
from tests.service_process import KEY, PLAIN, ServiceProcess

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
# Streams go on for as long as somebody listens.
ENDLESS = ("/live", "/signed-in", "/feed")


@pytest.fixture(scope="module")
def own(
    embedded_cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServiceProcess]:
    """Start a service of these tests' own: what they ask for may be done."""
    log = tmp_path_factory.mktemp("described") / "log"
    with (
        embedded_cluster.database() as url,
        ServiceProcess.running(log, CARNET_DATABASE_URL=url) as running,
    ):
        yield running


@pytest.fixture(scope="module")
def operations() -> list[Any]:
    reference = unserved().state["reference"]
    schema = schemathesis.openapi.from_dict(msgspec.json.decode(reference.json))
    return [one.ok() for one in cast("Any", schema).get_all_operations()]


@pytest.mark.parametrize("role", ["owner", "scorer", "nobody"])
@pytest.mark.timeout(7_200)
async def test_nothing_that_is_described_ends_in_an_error(
    role: str, operations: list[Any], own: ServiceProcess
) -> None:
    headers = {"Authorization": f"Bearer {KEY}"}
    async with as_somebody(own.url, KEY) as owner:
        game = await Game.started(owner)
        link = await owner.post(f"{game.path}/links", json={"role": "scorer"})
    if role == "scorer":
        headers = {"Authorization": f"Bearer {link.json()['token']}"}
    elif role == "nobody":
        headers = {}
    answers: Counter[tuple[str, int]] = Counter()
    with httpx.Client(base_url=own.url, headers=headers, timeout=60, verify=PLAIN) as http:
        for operation in operations:
            if not operation.path.endswith(ENDLESS):
                ask(operation, http, game.id, answers)
    assert {one: times for one, times in answers.items() if one[1] >= 500} == {}
    understood = sum(times for (_, status), times in answers.items() if status < 300)
    assert understood >= (len(operations) if role == "owner" else 1)


def ask(
    operation: Any,  # noqa: ANN401 -- as Schemathesis has it
    http: httpx.Client,
    game_id: str,
    answers: Counter[tuple[str, int]],
) -> None:
    @settings(
        max_examples=sized(3, deep=100),
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        deadline=None,
    )
    @given(case=operation.as_strategy())
    def send(case: Any) -> None:  # noqa: ANN401 -- as Schemathesis has it
        if "game_id" in case.path_parameters:
            case.path_parameters["game_id"] = game_id
        made = case.as_transport_kwargs(base_url=str(http.base_url))
        # Who asks is said by the client, and not guessed.
        made_up = dict(made["headers"]).items()
        kept = {name: said for name, said in made_up if name.lower() != "authorization"}
        made["headers"] = kept
        asked = {name: value for name, value in made.items() if value is not None}
        with suppress(httpx.InvalidURL, httpx.LocalProtocolError, UnicodeError):
            answer = http.request(**asked)
            answers[f"{case.method} {operation.path}", answer.status_code] += 1

    send()
