"""Random steps over HTTP, crashes included, compared with a model: a list of entries per game.

Hypothesis chooses entries, games, versions, repetitions of commands, and kills of the service or
its PostgreSQL, also during a command. Each game must equal the list of the model, and the feed must
hold each entry once and in order.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec import Struct

from service.store.server.postmaster import Postmaster
from tests.depth import run_size
from tests.faults.processes import kill_server
from tests.prepared_clusters import PreparedClusters
from tests.service_process import KEY, ServiceProcess

STEPS = 25
COUNTED = ("kills", "tried", "acknowledged", "unheard", "entries followed")
CRASHES_MAX = 2
TEXTS = st.text(alphabet="abc äß“\n", min_size=1, max_size=8).filter(str.strip)


class Command(Struct, frozen=True):
    """A batch that was sent: to which game, as of which version, under which key."""

    game: str
    version: int
    key: str
    texts: tuple[str, ...]


class ServiceUnderTest(Struct):
    service: ServiceProcess
    cluster: Path
    http: httpx.Client
    players: list[str]


class Games(RuleBasedStateMachine):
    """The state machine. `own`: the service under test; `counts`: statistics."""

    own: ServiceUnderTest
    counts: dict[str, int]

    games = Bundle("games")
    commands = Bundle("commands")

    def __init__(self) -> None:
        super().__init__()
        self.model: dict[str, list[str]] = {}
        self.answers: dict[Command, tuple[int, Any]] = {}
        self.crashes = 0

    @rule(target=games)
    def start(self) -> str:
        body = {"ruleset": "euchre", "players": self.own.players}
        headers = {"Idempotency-Key": str(uuid4())}
        answer = self._retry_until_answered("/api/games", body, headers)
        assert answer.status_code == 201, answer.text
        game = str(answer.json()["id"])
        self.model[game] = ["started"]
        return game

    @rule(target=commands, game=games, texts=st.lists(TEXTS, min_size=1, max_size=3))
    def append(self, game: str, texts: list[str]) -> Command:
        return self._sent(self._command(game, len(self.model[game]), texts))

    @rule(target=commands, game=games, text=TEXTS, behind=st.integers(1, 3))
    def append_late(self, game: str, text: str, behind: int) -> Command:
        return self._sent(self._command(game, max(1, len(self.model[game]) - behind), [text]))

    @rule(command=commands)
    def repeat(self, command: Command) -> None:
        self._sent(command)

    @rule(command=commands, text=TEXTS)
    def reuse(self, command: Command, text: str) -> None:
        if self.answers[command][0] == 201:
            other = Command(command.game, command.version, command.key, (*command.texts, text))
            assert self._send(other).status_code == 409

    @precondition(lambda self: self.crashes < CRASHES_MAX)
    @rule(
        target=commands,
        game=games,
        text=TEXTS,
        milliseconds=st.integers(0, 30),
        victim=st.sampled_from(["service", "server"]),
    )
    def crash(self, game: str, text: str, milliseconds: int, victim: str) -> Command:
        self.crashes += 1
        self.counts["kills"] += 1
        command = self._command(game, len(self.model[game]), [text])
        begun = threading.Event()
        sending = threading.Thread(target=self._alone, args=(command, begun))
        sending.start()
        begun.wait()
        threading.Event().wait(milliseconds / 1000)
        if victim == "service":
            self.own.service.kill()
            self.own.service.start()
        else:
            pid = Postmaster(self.own.cluster).pid
            assert pid is not None
            kill_server(pid)
        sending.join()
        return self._sent(command)

    @invariant()
    def each_game_is_what_the_model_holds(self) -> None:
        for game, texts in self.model.items():
            answer = self._until_read(f"/api/games/{game}/entries")
            entries = answer.json()["entries"]
            assert [one["entry"].get("text", "started") for one in entries] == texts
            assert [one["version"] for one in entries] == list(range(1, len(texts) + 1))

    def teardown(self) -> None:
        fed: dict[str, list[int]] = {game: [] for game in self.model}
        wanted = sum(map(len, self.model.values()))
        after = self.counts["position"]
        while sum(map(len, fed.values())) < wanted:
            wait = {"Prefer": "wait=30"}
            page = self._until_read(f"/api/feed?after={after}", wait).json()["entries"]
            for one in page:
                assert one["position"] == after + 1
                after = one["position"]
                if one["game_id"] in fed:
                    fed[one["game_id"]].append(one["version"])
        for game, texts in self.model.items():
            assert fed[game] == list(range(1, len(texts) + 1))
        self.counts["position"] = after
        self.counts["entries followed"] += wanted

    def _command(self, game: str, version: int, texts: list[str]) -> Command:
        return Command(game, version, str(uuid4()), tuple(texts))

    def _sent(self, command: Command) -> Command:
        answer = self._send(command)
        known, told = self.answers.get(command), self.model[command.game]
        self.counts["tried"] += 1
        if known is not None and known[0] == 201:
            assert (answer.status_code, answer.json()["version"]) == known
        elif command.version == len(told):
            assert answer.status_code == 201, answer.text
            told += command.texts
            assert answer.json()["version"] == len(told)
            self.counts["acknowledged"] += 1
        else:
            assert (answer.status_code, answer.json()["type"]) == (409, "version-conflict")
            assert answer.json()["version"] == len(told)
        self.answers[command] = (answer.status_code, answer.json()["version"])
        return command

    def _send(self, command: Command) -> httpx.Response:
        return self._retry_until_answered(*_ask(command))

    def _alone(self, command: Command, begun: threading.Event) -> None:
        path, body, headers = _ask(command)
        with httpx.Client(base_url=self.own.service.url, headers=_KEY, timeout=120) as http:
            begun.set()
            with suppress(httpx.TransportError):
                http.post(path, json=body, headers=headers)

    def _retry_until_answered(
        self, path: str, body: object, headers: dict[str, str]
    ) -> httpx.Response:
        while True:
            with suppress(httpx.TransportError):
                answer = self.own.http.post(path, json=body, headers=headers)
                if answer.status_code != 503:
                    return answer
            self.counts["unheard"] += 1
            threading.Event().wait(0.05)

    def _until_read(self, path: str, headers: dict[str, str] | None = None) -> httpx.Response:
        while True:
            with suppress(httpx.TransportError):
                answer = self.own.http.get(path, headers=headers)
                if answer.status_code == 200:
                    return answer
                assert answer.status_code == 503, answer.text
            threading.Event().wait(0.05)


_KEY = {"Authorization": f"Bearer {KEY}"}


def _ask(command: Command) -> tuple[str, object, dict[str, str]]:
    body = {"entries": [{"type": "note", "text": text} for text in command.texts]}
    headers = {"If-Match": f'"{command.version}"', "Idempotency-Key": command.key}
    return f"/api/games/{command.game}/entries", body, headers


@pytest.fixture
def own(tmp_path: Path, prepared_clusters: PreparedClusters) -> Iterator[ServiceUnderTest]:
    settings = {"CARNET_DATA_DIR": str(prepared_clusters.copy_to(tmp_path / "data"))}
    limits = httpx.Limits(max_keepalive_connections=0)
    with (
        ServiceProcess.running(tmp_path / "log", **settings) as service,
        httpx.Client(base_url=service.url, headers=_KEY, timeout=120, limits=limits) as http,
    ):
        made = [
            http.post("/api/players", json={"name": name, "same_name": True})
            for name in ("Ann", "Bob")
        ]
        players = [str(one.json()["id"]) for one in made]
        yield ServiceUnderTest(service, tmp_path / "data" / "postgres", http, players)


@pytest.mark.timeout(14_400)
def test_whatever_happens_each_game_is_the_list_that_was_acknowledged(
    own: ServiceUnderTest, record_property: Callable[[str, int], None]
) -> None:
    counts: dict[str, int] = dict.fromkeys((*COUNTED, "position"), 0)

    class Here(Games):
        pass

    Here.own, Here.counts = own, counts
    run_state_machine_as_test(
        Here,
        settings=settings(
            max_examples=run_size(2, deep=60),
            stateful_step_count=STEPS,
            suppress_health_check=(HealthCheck.too_slow,),
        ),
    )
    assert counts["kills"] or run_size(2, deep=60) < 2
    for name in COUNTED:
        record_property(name, counts[name])
