"""The service accepts exactly the requests that the OpenAPI document describes, for three callers.

Schemathesis generates requests that match `/schema`, and others that do not.

Hypothesis lists each character of a class, and names exclude 203,008 characters above U+E000: the
three tests took 435 s. So requests that match use few of the signs that names may have, and for the
others those characters are signs too. `tests/schemas/test_names.py` tests what a name is.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, cast

import httpx
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.core.failures import FailureGroup
from schemathesis.core.parameters import ParameterLocation
from schemathesis.core.transport import Response
from schemathesis.generation.meta import CoverageScenario, coverage_scenario
from schemathesis.specs.openapi.checks import negative_data_rejection

from schemas.names import NAME_PATTERN
from tests.depth import run_size
from tests.http.club import Game, client_with_key
from tests.http.unserved import app_without_server
from tests.postgres import Cluster
from tests.service_process import KEY, PLAIN_TLS, ServiceProcess

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
# Streams end only with the connection.
ENDLESS = ("/live", "/signed-in", "/feed")
# The class of the signs of a name, a part of it, and one of more signs.
SIGNS = cast("re.Match[str]", re.search(r"\[\^.*?\]", NAME_PATTERN))[0]
SOME_SIGNS = r"[!-~\u00c0-\u024f\u4e00-\u4e3f\U0001f600-\U0001f64f]"
MORE_SIGNS = SIGNS.replace("\U000e0000-\U0010ffff", "").replace(r"\ue000-\uf8ff", "")
LIMITS = {
    CoverageScenario.STRING_ABOVE_MAX_LENGTH,
    CoverageScenario.STRING_BELOW_MIN_LENGTH,
    CoverageScenario.VALUE_ABOVE_MAXIMUM,
    CoverageScenario.VALUE_BELOW_MINIMUM,
    CoverageScenario.ARRAY_ABOVE_MAX_ITEMS,
    CoverageScenario.ARRAY_BELOW_MIN_ITEMS,
}
# Tags that are repeated count once.
REPEATED = ("/api/games/{game_id}/description", CoverageScenario.ARRAY_ABOVE_MAX_ITEMS)
# To find the limits of a record takes 8 s; random requests exceed some.
MANY_LIMITS = "/imports"
# Refusals that no schema of a request can express: they depend on the game, the clock, another
# field, the players, or the bytes of a file.
BEYOND = [
    # The clock, or another field of the body.
    (r"/links$", r"\$\.expires_at", r"a time to come"),
    (r"/(entries|preview)$", r"\$\.entr(y|ies\[\d+\])\.at", r"a moment from .*"),
    (r"/(entries|preview)$", r"\$\.entr(y|ies\[\d+\]).*", r"no `\w+`: .*"),
    (r"/seasons$", r"\$\.last_day", r"the first day or a later one"),
    # The people of the club, and the number of seats of a record.
    (r"/api/games$", r"\$\.players\[\d+\]", r"the id of a player"),
    # The titles of the club.
    (r"/api/games$", r"\$\.title", r"the id of a title"),
    # The game before.
    (r"/api/games$", r"\$\.continues", r"the id of a game"),
    (r"/api/games$", r"\$\.starts", r"no `starts` without `continues`"),
    (r"/imports$", r"\$\.players(\[\d+\])?", r"(\d+ players|the name of a player).*"),
    # Two fields of an entry or of the options that depend on each other.
    (r"/imports$", r"\$\.log\[\d+\]", r"either `cards` or `points`, .*"),
    (r"/(imports|games)$", r"\$\.options", r"`teams` with every seat .*"),
    # Where an address leads.
    (r"/webhooks", r"\$\.url", r"(a public address by|an address that begins with) https.*"),
    # The notation of a text record.
    (r"/imports$", r"\$", r".*"),
]


@pytest.fixture(scope="module")
def own(
    embedded_cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServiceProcess]:
    log = tmp_path_factory.mktemp("described") / "log"
    with (
        embedded_cluster.database() as url,
        ServiceProcess.running(log, CARNET_DATABASE_URL=url) as running,
    ):
        yield running


@pytest.fixture(scope="module")
def operations() -> list[tuple[Any, Any]]:
    """Each operation twice: for requests that match the document, and for others."""
    return list(zip(_operations(SOME_SIGNS), _operations(MORE_SIGNS), strict=True))


def _operations(signs: str) -> list[Any]:
    """`signs`: the class that replaces the one of the signs of names."""
    published = app_without_server().state["reference"].json
    found, replacement = (msgspec.json.encode(text)[1:-1] for text in (SIGNS, signs))
    assert published.count(found) > 50
    document = msgspec.json.decode(published.replace(found, replacement))
    # The game of the tests: its path decides which entries it has.
    document["components"]["schemas"]["Entry"] = {"$ref": "#/components/schemas/EuchreEntry"}
    schema = schemathesis.openapi.from_dict(document)
    return [one.ok() for one in cast("Any", schema).get_all_operations()]


@pytest.mark.parametrize("role", ["owner", "scorer", "nobody"])
@pytest.mark.timeout(7_200)
async def test_the_document_and_the_service_accept_the_same(
    role: str, operations: list[tuple[Any, Any]], own: ServiceProcess
) -> None:
    headers = {"Authorization": f"Bearer {KEY}"}
    async with client_with_key(own.url, KEY) as owner:
        game = await Game.start(owner)
        player = (await owner.get("/api/players")).json()["players"][0]
        link = await owner.post(f"{game.path}/links", json={"role": "scorer"})
    if role == "scorer":
        headers = {"Authorization": f"Bearer {link.json()['token']}"}
    elif role == "nobody":
        headers = {}
    there = {"game_id": game.id, "player_id": player["id"]}
    with httpx.Client(base_url=own.url, headers=headers, timeout=60, verify=PLAIN_TLS) as http:
        asking = Asking(http, there)
        for fitting, unfit in operations:
            if not fitting.path.endswith(ENDLESS):
                asking.fitting(fitting)
                if _can_be_unfit(unfit):
                    asking.unfit(unfit)
                if role == "owner" and not unfit.path.endswith(MANY_LIMITS):
                    asking.over_limits(unfit)
    assert not asking.differences, "\n".join(asking.differences)
    assert asking.understood >= (len(operations) if role == "owner" else 1)


class Asking:
    """Requests of one role, and where its answers differ from the document."""

    def __init__(self, http: httpx.Client, there: dict[str, str]) -> None:
        self.differences: list[str] = []
        self.understood = 0
        self._http = http
        self._there = there

    def fitting(self, operation: Any) -> None:  # noqa: ANN401 -- a type of Schemathesis
        @_generate
        @given(case=operation.as_strategy(GenerationMode.POSITIVE))
        def send(case: Any) -> None:  # noqa: ANN401
            case.path_parameters |= {
                name: one for name, one in self._there.items() if name in case.path_parameters
            }
            case.body = _with_plain_integers(case.body)
            answer = self._answer(case)
            if answer is None:
                return
            self.understood += answer.status_code < 300
            if answer.status_code == 400 and not _is_beyond(operation.path, answer.json()):
                self._differs(case, answer, "fits")

        send()

    def unfit(self, operation: Any) -> None:  # noqa: ANN401
        @_generate
        @given(case=operation.as_strategy(GenerationMode.NEGATIVE))
        def send(case: Any) -> None:  # noqa: ANN401
            answer = self._answer(case)
            if answer is None or 300 <= answer.status_code < 500 or b'"ok":false' in answer.content:
                return
            try:
                # It detects mutations that vanish when encoded.
                case.validate_response(Response.from_any(answer), checks=[negative_data_rejection])
            except FailureGroup as found:
                if "`Authorization`" not in str(found.exceptions):
                    self._differs(case, answer, "does not fit")

        send()

    def over_limits(self, operation: Any) -> None:  # noqa: ANN401
        """Exceed each limit of the operation once: three random requests exceed few of them."""
        for case in operation.schema.iter_coverage_cases(
            operation,
            generation_modes=[GenerationMode.NEGATIVE],
            generation_config=operation.schema.config.generation,
        ):
            scenario = coverage_scenario(case)
            if scenario not in LIMITS or (operation.path, scenario) == REPEATED:
                continue
            # Blanks around a name do not count.
            case.body = _with_letters_for_blanks(case.body)
            if case.meta.phase.data.parameter_location != ParameterLocation.PATH:
                case.path_parameters |= {
                    name: one for name, one in self._there.items() if name in case.path_parameters
                }
            answer = self._answer(case)
            if answer and answer.status_code < 300 and b'"ok":false' not in answer.content:
                self._differs(case, answer, "exceeds a limit")

    def _answer(self, case: Any) -> httpx.Response | None:  # noqa: ANN401
        made = case.as_transport_kwargs(base_url=str(self._http.base_url))
        # The client sets the credentials.
        made_up = dict(made["headers"]).items()
        made["headers"] = {name: text for name, text in made_up if name.lower() != "authorization"}
        asked = {name: value for name, value in made.items() if value is not None}
        with suppress(httpx.InvalidURL, httpx.LocalProtocolError, UnicodeError):
            answer = self._http.request(**asked)
            if answer.status_code >= 500:
                self._differs(case, answer, "breaks")
            elif (
                answer.status_code < 400
                and str(answer.status_code) not in case.operation.definition.raw["responses"]
            ):
                self._differs(case, answer, "is answered with an undocumented status")
            elif 400 <= answer.status_code < 500 and not self._is_told(case, answer):
                self._differs(case, answer, "is refused with an undocumented problem")
            return answer
        return None

    @staticmethod
    def _is_told(case: Any, answer: httpx.Response) -> bool:  # noqa: ANN401
        told = case.operation.definition.raw["responses"].get(str(answer.status_code))
        examples = told and told["content"]["application/problem+json"]["examples"]
        return bool(examples) and answer.json()["type"] in examples

    def _differs(self, case: Any, answer: httpx.Response, how: str) -> None:  # noqa: ANN401
        request = f"{case.method} {case.path} {case.path_parameters} {case.query} {case.headers}"
        told = f"{how}: {request} {case.body!r}"[:1_500]
        self.differences.append(f"{told} -> {answer.status_code} {answer.text[:300]}")


def _generate(send: Any) -> Any:  # noqa: ANN401
    return settings(
        max_examples=run_size(3, deep=100),
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        deadline=None,
    )(send)


def _can_be_unfit(operation: Any) -> bool:  # noqa: ANN401
    return bool([*operation.body, *operation.query] or "_id}" in operation.path)


def _is_beyond(path: str, problem: dict[str, Any]) -> bool:
    return any(
        re.search(where, path)
        and re.fullmatch(place, problem["path"])
        and re.fullmatch(expected, problem["expected"], re.DOTALL)
        for where, place, expected in BEYOND
    )


def _with_plain_integers(body: Any) -> Any:  # noqa: ANN401
    if isinstance(body, float) and body.is_integer():
        return int(body)
    if isinstance(body, dict):
        return {name: _with_plain_integers(part) for name, part in body.items()}
    return [_with_plain_integers(one) for one in body] if isinstance(body, list) else body


def _with_letters_for_blanks(body: Any) -> Any:  # noqa: ANN401
    if isinstance(body, str):
        return re.sub(r"\s", "x", body)
    if isinstance(body, dict):
        return {name: _with_letters_for_blanks(part) for name, part in body.items()}
    return [_with_letters_for_blanks(one) for one in body] if isinstance(body, list) else body
