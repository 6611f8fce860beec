"""Takes the pictures of README from the sample games of a new service.

By `.venv/bin/python -m tests.browser.pictures`.
"""

import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

from playwright.sync_api import APIRequestContext, ViewportSize, sync_playwright

from deploy.development.programs import CHROMIUM, find
from tests.documents.blocks import ROOT
from tests.service_process import ServiceProcess

PICTURES = ROOT / "docs" / "pictures"
PHONE: ViewportSize = {"width": 390, "height": 844}
CARDS = [
    {"type": "deal", "dealer": 1, "turn_up": "TH"},
    {"type": "pass", "seat": 0},
    {"type": "pass", "seat": 1},
    {"type": "name", "seat": 0, "suit": "D"},
    *(
        {"type": "play", "seat": at % 2, "card": card}
        for at, card in enumerate(["8C", "7H", "KD", "QH", "AS"])
    ),
]
LOWEST = {"wins": "lowest", "target": 100}
ROUNDS = [
    {"type": "result", "points": points}
    for points in ([12, 7, 20, 15], [3, 18, 9, 11], [22, 5, 14, 6])
]
LINK = re.compile(r"/login\?key=\S+")


def take(folder: Path) -> None:
    """Write a picture of cards, of a score pad and of the year into a folder."""
    with TemporaryDirectory() as data:
        service = ServiceProcess(Path(data) / "log")
        service.arguments = ("--demo",)
        service.start()
        try:
            _take(service.url, LINK.findall(service.log.read_text("utf-8"))[0], folder)
        finally:
            service.stop()


def _take(url: str, link: str, folder: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(CHROMIUM), args=["--no-sandbox"])
        page = browser.new_page(
            viewport=PHONE, device_scale_factor=1.5, locale="en", base_url=url, has_touch=True
        )
        page.goto(link)
        api = page.request
        ids = [one["id"] for one in api.get("/api/players").json()["players"]]
        cards = _record(
            api, {"ruleset": "euchre", "options": {"deck": 32}, "players": ids[:2]}, CARDS
        )
        pad = _record(api, {"ruleset": "scores", "options": LOWEST, "players": ids[:4]}, ROUNDS)
        games = api.get("/api/history?limit=100").json()["games"]
        year = max(game["started_at"] for game in games)[:4]
        pages = {
            "cards": f"/games/{cards}",
            "score-pad": f"/games/{pad}",
            "year": f"/years/{year}",
        }
        for name, path in pages.items():
            page.goto(path)
            page.screenshot(path=folder / f"{name}.png")
        browser.close()


def _record(api: APIRequestContext, start: dict[str, Any], entries: list[dict[str, Any]]) -> str:
    """Start a game and append entries to it; return its id."""
    game: str = api.post("/api/games", data=start).json()["id"]
    headers = {"Idempotency-Key": str(uuid4()), "If-Match": '"1"'}
    answer = api.post(f"/api/games/{game}/entries", data={"entries": entries}, headers=headers)
    assert answer.ok, answer.text()
    return game


if __name__ == "__main__":
    take(Path(sys.argv[1]) if sys.argv[1:] else PICTURES)
