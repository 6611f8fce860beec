"""What one seat alone was shown reaches no reader before its time, by any route.

Of each game the same record is kept in two clubs: as it was recorded, and without what was private.
Whoever only reads gets the same answer from both, by every route that the application has.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.http.club import Game, Json, as_nobody, as_somebody
from tests.http.follower import Follower
from tests.http.test_other_club import club_added
from tests.service_process import ServiceProcess

HAND = ["AS", "KS", "QS", "JS", "TS"]
DEAL: Json = {"type": "deal", "dealer": 0, "turn_up": "QH", "hands": [HAND, None]}
PASS: Json = {"type": "pass", "seat": 1}
AWAY: Json = {"type": "accept", "seat": 0, "discard": "TS"}
RESULT: Json = {"type": "result", "maker": 0, "tricks": 3}
LATE: Json = {"type": "finish", "reason": "late"}


async def link(game: Game, role: str) -> str:
    """Make a link; return its token."""
    answer = await game.http.post(f"{game.path}/links", json={"role": role})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["token"])


@asynccontextmanager
async def viewing(game: Game, url: str) -> AsyncGenerator[Game]:
    """Come as a viewer of a game."""
    async with as_somebody(url, await link(game, "viewer")) as viewer:
        yield Game(viewer, await game.view())


# When readers see the cards: while the deal is played, after it, after the game. A public link
# shows of a deal in progress what everybody saw, whatever is set.
SHOWN = {
    "live": ((True, True, True), (False, True, True)),
    "deal": ((False, True, True), (False, True, True)),
    "game": ((False, False, True), (False, False, True)),
    "never": ((False, False, False), (False, False, False)),
}


@pytest.mark.parametrize("until", SHOWN)
async def test_readers_see_private_cards_when_the_setting_says(
    service_database: str, tmp_path: Path, until: str
) -> None:
    settings = {"CARNET_DATABASE_URL": service_database, "CARNET_VIEWERS_KNOW": until}
    with ServiceProcess.running(tmp_path / "log", **settings) as service:
        club = await club_added(service_database, service.url, "Here")
        game = await Game.started(club.owner)
        public = await link(game, "public")
        seen: list[tuple[bool, bool]] = []
        async with viewing(game, service.url) as viewer, as_nobody(service.url) as nobody:
            for entries in ((DEAL, PASS, AWAY), (RESULT,), (LATE,)):
                await game.record(*entries)
                whole = [one["entry"] for one in await game.log()]
                read = [one["entry"] for one in await viewer.log()]
                assert [one["type"] for one in read] == [one["type"] for one in whole]
                page = await nobody.get(f"/shared/{public}/at/4")
                assert page.status_code == 200
                seen.append((read == whole, "ten of spades" in page.text))
        await club.owner.aclose()
    assert tuple(zip(*seen, strict=True)) == SHOWN[until]


async def test_a_follower_is_sent_no_card_that_one_seat_was_shown(
    service: ServiceProcess, game: Game
) -> None:
    async with viewing(game, service.url) as viewer, Follower.of(viewer) as following:
        await game.record(DEAL, PASS, AWAY)
        events = await following.events(4)
        dealt = {name: value for name, value in DEAL.items() if name != "hands"}
        assert [event["entry"] for event in events[1:]] == [
            dealt,
            PASS,
            {"type": "accept", "seat": 0},
        ]
        await game.record(RESULT)
        assert (await following.events(2))[0]["entry"] == RESULT
        read = [one["entry"] for one in await viewer.log()]
    assert read == [one["entry"] for one in await game.log()]


async def test_a_correction_of_an_earlier_deal_does_not_show_the_cards_of_this_one(
    service: ServiceProcess, game: Game
) -> None:
    await game.record({**RESULT, "dealer": 1})
    await game.record(DEAL, PASS, AWAY)
    await game.record({"type": "amend", "version": 2, "move": {**RESULT, "dealer": 1, "tricks": 4}})
    async with viewing(game, service.url) as viewer:
        assert "TS" not in str(await viewer.log())
        assert "TS" not in str(await viewer.get("/entries", effective="true"))


async def test_a_deal_that_is_begun_again_does_not_show_its_cards(
    service: ServiceProcess, game: Game
) -> None:
    await game.record(DEAL, PASS, AWAY)
    await game.record({"type": "take_back", "to": 1})
    async with viewing(game, service.url) as viewer:
        assert "TS" not in str(await viewer.log())


async def test_a_reader_gets_no_proof_while_cards_are_hidden(
    service: ServiceProcess, game: Game
) -> None:
    await game.record(DEAL, PASS, AWAY)
    async with viewing(game, service.url) as viewer:
        hidden = await viewer.http.get(f"{game.path}/entries/4/inclusion")
        await game.record(RESULT)
        shown = await viewer.http.get(f"{game.path}/entries/4/inclusion")
    assert (hidden.status_code, shown.status_code) == (403, 200)
