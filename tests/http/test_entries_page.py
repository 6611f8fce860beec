import re

import httpx
import pytest

from tests.http.club import DEAL, LOST_RESULT, MADE_RESULT, Game, add_player
from tests.http.test_correction_pages import page

PLAYS = ("AS", "9S", "AC", "9C", "JH", "QH", "JD", "9D", "AD", "TD")
ENTRIES = 1_000
BYTES_MAX = 120_000
LINE = re.compile(r'id="v(\d+)"')


def show(text: str) -> list[int]:
    return [int(version) for version in LINE.findall(text)]


@pytest.fixture
async def long_game(http: httpx.AsyncClient) -> Game:
    game = await Game.start(http, target=100)
    while game.version < ENTRIES:
        dealer = (game.version // (len(PLAYS) + 4)) % 2
        other = 1 - dealer
        await game.record(
            {"type": "deal", "dealer": dealer, "turn_up": "QH"},
            {"type": "order", "seat": other},
            {"type": "exchange", "seat": dealer, "take": True, "discard": "??"},
            *(
                {"type": "play", "seat": (other, dealer)[place % 2], "card": card}
                for place, card in enumerate(PLAYS)
            ),
        )
    return game


async def test_a_game_of_a_thousand_entries_is_a_short_page(long_game: Game) -> None:
    text = await page(long_game, "/log")
    assert len(text.encode()) < BYTES_MAX
    assert show(text)[0] > ENTRIES - len(PLAYS)
    assert len(show(text)) < 100


async def test_every_deal_that_is_folded_can_be_jumped_to(long_game: Game) -> None:
    text = await page(long_game, "/log")
    assert f'href="/games/{long_game.id}/log?deal=30#deal-30"' in text
    third = await page(long_game, "/log?deal=3")
    assert show(third)
    assert max(show(third)) < 60
    assert 'id="deal-3"' in third


async def test_of_a_long_deal_the_last_parts_are_told_and_the_others_a_tap_away(game: Game) -> None:
    cards = [{"type": "play", "seat": (1 - at) % 2, "card": c} for at, c in enumerate(PLAYS[:4])]
    notes = [{"type": "note", "text": f"note {number}"} for number in range(45)]
    await game.record(*DEAL, *cards[:2], *notes, *cards[2:])
    text = await page(game, "/log")
    assert "4 earlier entries" in text
    assert {*show(text)} == {*range(5, game.version + 1)}
    whole = await page(game, "/log?deal=1")
    assert "earlier entr" not in whole
    assert {*show(whole)} == {*range(1, game.version + 1)}


async def test_of_notes_without_end_the_last_ones_are_told(game: Game) -> None:
    notes = [{"type": "note", "text": f"note {number}"} for number in range(100)]
    await game.record(*DEAL, *notes)
    text = await page(game, "/log")
    assert len(show(text)) == 80
    assert "note 10" not in text
    assert "earlier entries" in text
    assert "note 10" in await page(game, "/log?deal=1")


async def test_an_entry_unfolds_its_deal(long_game: Game) -> None:
    assert 7 in show(await page(long_game, "/log?entry=7"))


async def test_entries_are_found_by_name_card_and_number(long_game: Game) -> None:
    found = await page(long_game, "/log?q=queen+ann")
    assert "entries found" in found
    assert {"Trick 3", "Bidding"} <= {*re.findall(r"<h3>(.*?)</h3>", found)}
    assert show(await page(long_game, "/log?q=Q♥+bob"))
    assert 977 in show(await page(long_game, "/log?q=977"))
    assert "No entry says “zebra”." in await page(long_game, "/log?q=zebra")


async def test_entries_are_grouped_by_tricks_newest_first(game: Game) -> None:
    cards = [{"type": "play", "seat": (1 - at) % 2, "card": c} for at, c in enumerate(PLAYS[:4])]
    await game.record(*DEAL, *cards)
    text = await page(game, "/log")
    assert re.findall(r"<h3>(.*?)</h3>", text) == ["Trick 2", "Trick 1", "Bidding"]
    assert show(text) == [8, 7, 6, 5, 4, 3, 2, 1]


async def test_an_unsure_entry_is_marked_and_no_other(game: Game) -> None:
    cards = [{"type": "play", "seat": (1 - at) % 2, "card": c} for at, c in enumerate(PLAYS[:4])]
    cards[2]["unsure"] = True
    await game.record(*DEAL, *cards)
    for path in ("/log", "/log?q=bob"):
        lines = re.findall(
            r'id="v(\d+)".*?<summary>(.*?)</summary>', await page(game, path), re.DOTALL
        )
        marked = [version for version, words in lines if '<span class="mark warn">unsure' in words]
        assert len(lines) > 1
        assert marked == ["7"]
    marks = ['<span class="mark warn">unsure' in await page(game, f"/at/{at}") for at in (6, 7)]
    assert marks == [False, True]


async def test_what_was_put_in_stands_where_it_took_place(game: Game) -> None:
    await game.record(MADE_RESULT, LOST_RESULT)
    note = {"type": "note", "text": "tea"}
    await game.record({"type": "splice", "version": 2, "drop": 0, "moves": [note, note]})
    text = await page(game, "/log")
    order = [text.index(f'id="{name}"') for name in ("deal-2", "v2", "v6-1", "v6")]
    assert order == sorted(order)
    assert len(re.findall(r">\s*Note: tea", text)) == 2


async def test_what_stood_before_a_correction_is_struck_out_beside_it(game: Game) -> None:
    await game.record(*DEAL)
    move = {"type": "deal", "dealer": 0, "turn_up": "KH"}
    await game.record({"type": "take_back", "to": 3}, {"type": "amend", "version": 2, "move": move})
    text = await page(game, "/log")
    (amended,) = re.findall(r'id="v2".*?</summary>', text, re.DOTALL)
    assert re.search(r"<del>.*queen of hearts.*</del>.*king of hearts", amended, re.DOTALL)
    assert show(text) == [5, 4, 3, 6, 2, 1]
    (dropped,) = re.findall(r'id="v4".*?</summary>', text, re.DOTALL)
    assert "<del>" in dropped
    assert "taken back" in dropped


async def test_the_page_of_a_correction_offers_the_other_ways(game: Game) -> None:
    await game.record(*DEAL)
    text = await page(game, "/correct/3")
    for words in ("Insert before", "It never happened", "Back to here", "All entries"):
        assert re.search(rf">{words}( \(|</)", text)


async def test_of_very_many_deals_fifty_are_told_and_the_others_a_tap_away(
    http: httpx.AsyncClient,
) -> None:
    players = [await add_player(http, name) for name in ("Ann", "Bob")]
    body = {"ruleset": "dutch", "players": players, "options": {"target": None, "deals": None}}
    game = Game(http, (await http.post("/api/games", json=body)).json())
    told = {"type": "result", "caller": 0, "counter": None, "totals": [3, 9]}
    await game.record(*[told] * 51)
    text, older = await page(game, "/log"), await page(game, "/log?deal=1")
    assert [one.count('<section class="deal"') for one in (text, older)] == [50, 1]
    assert f'href="/games/{game.id}/log?deal=1#deal-1"' in text
    assert show(older)
