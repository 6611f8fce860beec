"""Writes the example answers of the OpenAPI document, recorded from a new service.

Run `.venv/bin/python -m tests.documents.answers`. Two people play two games, and every operation is
called with the documented body.
"""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias
from uuid import uuid4

import httpx

from service.http.documentation.examples import SHOWN
from service.http.documentation.openapi import FILE, entry_name, game_components
from tests.service_process import KEY, ServiceProcess

Json: TypeAlias = dict[str, Any]


# Values that differ in each run, by name, and their pattern.
_DIFFERING = {
    "timed": r'("seconds": \d+, )?"timed"',
    "picture": r"<svg.*?</svg>",
    "moment": r"\d{4}-\d\d-\d\dT[\d:.]+Z",
    "id": r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "host": r"127\.0\.0\.1:\d+",
    "secret": r"[\w+/-]{20,}=*",
    "release": r'(?<="version": )"[\w.]+"',
    # The reason of a failed call depends on the network.
    "error": r'(?<="error": )"[\w-]+"',
}


class Asked:
    """The first answer of a service, by operation and status."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http
        document = http.get("/schema/openapi.json").json()
        self._operations: dict[str, tuple[str, str, Json]] = {
            one["operationId"]: (method, path, one)
            for path, item in document["paths"].items()
            for method, one in item.items()
        }
        self.answers: dict[str, Json] = {}

    def body(self, name: str) -> Json:
        """Return the body that the document shows."""
        content = self._operations[name][2]["requestBody"]["content"]
        shown: Json = content["application/json"]["example"]
        return shown

    def ask(
        self,
        name: str,
        body: Json | None = None,
        at: int = 0,
        query: str = "",
        *,
        refused: bool = False,
        **ids: object,
    ) -> Json:
        """Call an operation, by default with the documented body; `at`: for `If-Match`."""
        method, path, operation = self._operations[name]
        headers = {"Idempotency-Key": str(uuid4())} if at or name == "startGame" else {}
        if at:
            headers["If-Match"] = f'"{at}"'
        if body is None and "requestBody" in operation:
            body = self.body(name)
        address = path.format(**ids) + query
        answer = self.http.request(method.upper(), address, json=body, headers=headers)
        assert refused == answer.is_client_error, (name, answer.text)
        told: Json = answer.json()
        status = "default" if refused else str(answer.status_code)
        self.answers.setdefault(name, {}).setdefault(status, _shorten(told))
        return told


def answers(service: ServiceProcess) -> dict[str, Json]:
    """Call all operations of a new service."""
    headers = {"Authorization": f"Bearer {KEY}", "Accept-Language": "en"}
    with httpx.Client(base_url=service.url, headers=headers, timeout=60) as http:
        asked = Asked(http)
        asked.ask("showService")
        players = [asked.ask("addPlayer", {"name": name})["id"] for name in ("Ann", "Bob")]
        _ask_of_club(asked, players, _play(asked, players))
        return asked.answers


def _play(asked: Asked, players: list[str]) -> str:
    start = {**asked.body("startGame"), "players": players}
    entries: list[Json] = asked.body("appendEntries")["entries"]
    game_id: str = asked.ask("startGame", start)["id"]
    asked.ask("previewMoves", game_id=game_id, version=1)
    done = asked.ask("appendEntries", game_id=game_id, at=1)
    for name in ("showGame", "showLog", "showSheet", "showSheetJson", "showRecord"):
        asked.ask(name, game_id=game_id)
    for name in ("showRecordJson", "describeGame", "showDescription"):
        asked.ask(name, game_id=game_id)
    asked.ask("previewEntry", game_id=game_id)
    asked.ask("showGameAt", game_id=game_id, version=done["version"])
    asked.ask("makeLink", game_id=game_id)
    asked.ask("listLinks", game_id=game_id)
    other = asked.ask("startGame", start)["id"]
    asked.ask("appendEntries", {"entries": [*entries, _show("finish")]}, game_id=other, at=1)
    return game_id


def _ask_of_feed(asked: Asked, game_id: str) -> None:
    last = asked.http.get("/api/feed?after=7", headers={"Prefer": "wait=60"}).json()
    assert len(last["entries"]) == 1
    asked.ask("showFeed", query="?limit=3")
    asked.ask("showHead")
    asked.ask("showConsistency", size=8, query="?from=3")
    asked.ask("showInclusion", game_id=game_id, version=3)


def _show(type_: str) -> Json:
    shapes = game_components()
    named = [one["$ref"].rpartition("/")[2] for one in shapes[entry_name(SHOWN)]["anyOf"]]
    shown: list[Json] = [example for name in named for example in shapes[name]["examples"]]
    return next(one for one in shown if one["type"] == type_)


def _ask_of_club(asked: Asked, players: list[str], game_id: str) -> None:
    for name in ("listPlayers", "showStandings", "listGames", "listEvenings", "showHistory"):
        asked.ask(name)
    asked.ask("exportHistoryJson")
    asked.ask("showPerson", player_id=players[0])
    asked.ask("showFigures", player_id=players[0])
    asked.ask("renamePlayer", player_id=players[0])
    twin = asked.ask("addPlayer", {"name": "Anne"})["id"]
    asked.ask("mergePlayers", {"into": players[0]}, player_id=twin)
    asked.ask("showEvening", evening_id=game_id)
    asked.ask("showYear", year=datetime.now(UTC).year)
    season_id = asked.ask("addSeason")["id"]
    asked.ask("changeSeason", season_id=season_id)
    asked.ask("listSeasons")
    _ask_of_titles(asked)
    _ask_of_feed(asked, game_id)
    webhook_id = asked.ask("addWebhook")["id"]
    for name in ("showWebhook", "changeWebhook", "renewSecret"):
        asked.ask(name, webhook_id=webhook_id)
    (call, *_) = asked.ask("tryWebhook", webhook_id=webhook_id)["deliveries"]
    asked.ask("repeatDelivery", webhook_id=webhook_id, position=call["position"])
    asked.ask("listDeliveries", webhook_id=webhook_id)
    asked.ask("listWebhooks")
    asked.ask("importRecord", query="?preview=true")
    asked.ask("importRecord", query="?again=true")
    _ask_of_cards(asked, game_id)
    twin = asked.http.post("/api/players", json={"name": "Annie"}).json()["id"]
    asked.ask("mergePlayers", {"into": players[0]}, player_id=twin)


def _ask_of_titles(asked: Asked) -> None:
    title_id = asked.ask("addTitle")["id"]
    asked.ask("changeTitle", title_id=title_id)
    asked.ask("listTitles")
    twin = asked.http.post("/api/titles", json={"name": "Skyjo"}).json()["id"]
    asked.ask("mergeTitles", {"into": title_id}, title_id=twin)


def _ask_of_cards(asked: Asked, game_id: str) -> None:
    dealt = asked.ask("appendEntries", {"entries": [_show("deal")]}, game_id=game_id, at=3)
    asked.ask("showPossible", game_id=game_id)
    asked.ask("showPossibleAt", game_id=game_id, version=dealt["version"])
    again = {"entries": [_show("deal")]}
    asked.ask("appendEntries", again, game_id=game_id, at=dealt["version"], refused=True)


def _shorten(told: Json) -> Json:
    few: Json = {name: told[name][:2] for name in ("locations", "cards") if name in told}
    return {**told, **few}


def alike(told: dict[str, Json]) -> dict[str, str]:
    """Return answers, as text, as they are each time: no ids, moments, hashes and secrets."""
    found: dict[str, str] = {}
    for operation, answer in told.items():
        text = json.dumps(answer, ensure_ascii=False)
        for name, differing in _DIFFERING.items():
            text = re.sub(differing, name, text)
        found[operation] = text
    return found


def write() -> None:
    """Write the answers of a new service."""
    with TemporaryDirectory() as folder, ServiceProcess.running(Path(folder) / "log") as service:
        told = answers(service)
    lines = (f'"{name}": {json.dumps(one, ensure_ascii=False)}' for name, one in told.items())
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    write()
