"""True deals recorded on a bad connection: the log equals the truth, each sent entry was tapped.

Outages, lost answers, a second phone and wrong keys are drawn from a seed. `dev.py test --deep`
plays fifty deals of each game.
"""

import logging

import httpx
import pytest

from tests.browser.bad_line import BadLine, bare
from tests.browser.conftest import Phone
from tests.browser.true_deals import true_deal
from tests.depth import run_size
from tests.http.club import Game, add_player

NAMES = ("Zoé", "Émile", "Bob", "Märta")
SEATS = {"euchre": (2,), "durak": (3, 2, 4), "dutch": (3, 2, 4), "rami": (3, 2, 4)}
# With every commit the beginning of a deal.
LENGTH = run_size(16, deep=1000)
OPTIONS: dict[str, dict[str, object]] = {"durak": {"rules": "fr"}}


@pytest.mark.parametrize("ruleset", SEATS)
@pytest.mark.parametrize("seed", range(4, 4 + run_size(1, deep=50)))
async def test_deal_on_a_bad_line_is_recorded_as_it_was_tapped(
    phone: Phone, http: httpx.AsyncClient, ruleset: str, seed: int
) -> None:
    seats = SEATS[ruleset][seed % len(SEATS[ruleset])]
    names = NAMES[:seats]
    players = [await add_player(http, name) for name in names]
    body = {"ruleset": ruleset, "options": OPTIONS.get(ruleset, {}), "players": players}
    answer = await http.post("/api/games", json=body)
    assert answer.status_code == httpx.codes.CREATED, answer.text
    game = Game(http, answer.json())
    truth = true_deal(ruleset, seed, seats, "en")[:LENGTH]
    page = await (await phone()).new_page()
    table = BadLine(page, game, ruleset, names, truth, seed)
    await table.open()
    await table.record()
    logging.getLogger(__name__).info("%s %s %s %s", ruleset, seed, len(truth), table.counts)
    assert await table.log() == [bare(entry) for entry in truth]
    assert [
        one for one in table.sent if one not in table.meant and one["type"] != "take_back"
    ] == []
