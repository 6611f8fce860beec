"""Sample games: of every kind, apart from a household's own games and backups, gone at one tap."""

import re
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import httpx
import pytest

from domain.games import GAMES
from tests.carnet_process import run_carnet
from tests.http.club import anonymous_client, client_with_key
from tests.postgres import Cluster
from tests.service_process import KEY, ServiceProcess

LINK = re.compile(r"/login\?key=(\S+)")
FORM = re.compile(r'action="(/samples[^"?]*)([^"]*)"')
NAMES = {"Léa", "Hélène", "Jürgen", "Käthe", "Oliver", "Grace"}


@pytest.fixture
def settings(embedded_cluster: Cluster, tmp_path: Path) -> Iterator[dict[str, str]]:
    with embedded_cluster.database() as url:
        yield {"CARNET_DATABASE_URL": url, "CARNET_BACKUP_DIR": str(tmp_path / "backups")}


@pytest.fixture
def service(settings: dict[str, str], tmp_path: Path) -> Iterator[ServiceProcess]:
    service = ServiceProcess(tmp_path / "log", **settings)
    service.arguments = ("--demo",)
    service.start()
    yield service
    service.stop()


async def press(browser: httpx.AsyncClient, button: str) -> str:
    """Send a form of the home page by its address; return the home page after it."""
    forms = dict(FORM.findall((await browser.get("/")).text))
    assert button in forms, forms
    answer = await browser.post(button + forms[button], follow_redirects=True)
    assert answer.status_code == 200, answer.text
    return answer.text


async def test_games_of_every_kind_stay_apart_from_own_games_and_backups(
    service: ServiceProcess, settings: dict[str, str]
) -> None:
    key = LINK.findall(service.log.read_text())[0]
    async with (
        client_with_key(service.url, key) as samples,
        client_with_key(service.url, KEY) as own,
    ):
        games = (await samples.get("/api/history", params={"limit": 100})).json()["games"]
        assert {game["ruleset"] for game in games} == {*GAMES}
        titles = {game["title_name"] for game in games if game["ruleset"] == "scores"}
        assert titles == {"Skyjo", "Belote", "Tarot"}
        assert {game["status"] for game in games} == {"finished", "open"}
        assert {player["name"] for game in games for player in game["players"]} >= NAMES
        assert (await samples.get("/api/standings")).json()["rulesets"]
        assert (await samples.get("/backup", headers={"Accept": "text/html"})).status_code == 404
        assert (await own.get("/api/history")).json()["games"] == []
        assert (await own.get("/api/players")).json()["players"] == []
    made = run_carnet("backup", "--all-clubs", environment=settings)
    assert "sample games are not backed up" in made.stdout
    assert not (Path(settings["CARNET_BACKUP_DIR"]) / "clubs").exists()


async def test_a_browser_opens_leaves_and_removes_them(service: ServiceProcess) -> None:
    async with aclosing(anonymous_client(service.url)) as browser:
        await browser.post("/login", data={"key": KEY})
        assert "Léa" in await press(browser, "/samples")
        assert not FORM.search((await browser.get("/screen")).text)
        assert "Léa" not in await press(browser, "/samples/leave")
        assert "Léa" in await press(browser, "/samples")
        assert "Léa" not in await press(browser, "/samples/remove")
        assert "Léa" in await press(browser, "/samples")
    key = LINK.findall(service.log.read_text())[0]
    async with client_with_key(service.url, key) as removed:
        assert (await removed.get("/api/history")).status_code == 401
