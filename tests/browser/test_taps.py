import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec import Struct
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import PATIENCE_MS, SMALL, Phone
from tests.browser.table import Table
from tests.http.club import Game, add_player

Json = dict[str, Any]

TABLE = Path(__file__).parents[2] / "docs" / "taps.md"
NAMES = ("Ann", "Bob", "Chloé", "Jürgen", "Eve")
HOLD_MS = 600
POLL_MS = 50
AGAIN = "the same players again"
# The whole game: its title, and who won.
WHOLE = {
    "a whole game of which only the winner matters": ("Dixit of the family", "Bob wins", [1]),
    "a whole game of Pandemic, won": ("Pandemic", "Won together", [0, 1, 2, 3]),
    "a whole game of Hanabi, lost": ("Hanabi", "Lost", []),
}
BOARD = '.panel[data-panel="cards"]:not(.offline-pad)'
RESULT = '.panel[data-panel="result"]'

PILE: Json = {"type": "deal", "dealer": 0, "up": "2H"}
TRUMP: list[Json] = [
    {"type": "deal", "dealer": 0, "trump": "6H"},
    {"type": "lowest", "seat": 1},
]
BID: list[Json] = [
    {"type": "deal", "dealer": 0, "turn_up": "QH"},
    {"type": "order", "seat": 1},
    {"type": "exchange", "seat": 0, "take": False},
]
OPENED: list[Json] = [
    PILE,
    {"type": "draw", "seat": 1},
    {"type": "meld", "seat": 1, "melds": [["5C", "6C", "7C"], ["8S", "8H", "8D*"]]},
]


class Finger:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    async def tap(self, *targets: str) -> None:
        for target in targets:
            self.taps += 1
            await self._shown(target).tap()

    async def hold(self, *targets: str) -> None:
        for target in targets:
            self.taps += 1
            box = await self._shown(target).bounding_box()
            assert box
            await self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            await self.page.mouse.down()
            await self.page.wait_for_timeout(HOLD_MS)
            await self.page.mouse.up()

    def _shown(self, target: str) -> Locator:
        return self.page.locator(f"{target}:visible").first


class Case(Struct, frozen=True):
    ruleset: str
    seats: int
    before: list[Json]
    taps: Callable[[Finger], Awaitable[None]]
    ends: list[Json]
    options: Json = {}
    by: str = ""
    # The key whose refusal is on the screen when counting begins.
    refused: str = ""


def tapping(*targets: str) -> Callable[[Finger], Awaitable[None]]:
    return lambda finger: finger.tap(*targets)


def key(card: str) -> str:
    return f'{BOARD} .key[value="{card}"]'


def keys(cards: str) -> tuple[str, ...]:
    return tuple(map(key, cards.split()))


def rank_selectors(card: str) -> tuple[str, str]:
    return f'{BOARD} .rank:has([value="{card}"]) summary', f'{BOARD} .rank [value="{card}"]'


def slot(seat: int, number: int) -> str:
    return f'.seats label.slot:has([value*=\'"seat":{seat},"slot":{number}\'])'


STORE = f"{RESULT} .sends [name=entry]"


def digits(text: str) -> tuple[str, ...]:
    return tuple(f"{RESULT} [data-digit='{digit}']" for digit in text)


async def hold_two(finger: Finger) -> None:
    await finger.hold(key("7S"), key("7C"))
    await finger.tap(f"{BOARD} .several .act.first")


LAY = f"{BOARD} .modes label:has([value=lay])"
SEND = f"{BOARD} [data-builder] [name=entry]"


PAD_SEND = ".panel .sends [name=entry]"
PAD_SEVEN, PAD_TWO = (f".panel [data-digit='{digit}']" for digit in "72")


async def a_round(finger: Finger) -> None:
    for key in "7→2→0→5":
        await finger.tap(f".panel [data-digit='{key}']")
    await finger.tap(PAD_SEND)


DRAW = f"{BOARD} button[value*='\"draw\"']:not(.key)"
SEAT = {"seat": 1}
WRONG = "details.wrong summary:has-text('%s')"
SHOWN = f'{BOARD} :is([open].wrong, .wrongly) .key[value="8D"]'
# Seat 0 has answered spades with a club, and a trick later plays a spade.
REVOKE: list[Json] = [
    {"type": "play", "seat": seat, "card": card}
    for seat, card in ((1, "AS"), (0, "9C"), (1, "KC"), (0, "TC"), (1, "KS"))
]
CASES: dict[str, Case] = {
    "a card attacks": Case(
        "durak",
        3,
        TRUMP,
        tapping(key("7S")),
        [{"type": "attack", **SEAT, "cards": ["7S"]}],
        {"rules": "fr"},
    ),
    "a card beats": Case(
        "durak",
        3,
        [*TRUMP, {"type": "attack", **SEAT, "cards": ["7S"]}],
        tapping(key("9S")),
        [{"type": "beat", "seat": 2, "card": "7S", "with": "9S"}],
        {"rules": "fr"},
    ),
    "two cards at once: hold, hold, send": Case(
        "durak",
        3,
        TRUMP,
        hold_two,
        [{"type": "attack", **SEAT, "cards": ["7S", "7C"]}],
        {"rules": "de"},
    ),
    "four of a kind laid away": Case(
        "durak",
        3,
        [
            *TRUMP,
            {"type": "attack", **SEAT, "cards": ["7S"]},
            {"type": "beat", "seat": 2, "card": "7S", "with": "9S"},
            {"type": "done", "seat": None},
        ],
        tapping(f"{BOARD} .fours > summary", f"{BOARD} .fours .rank[value*='KS']"),
        [{"type": "away", "seat": 0, "cards": ["KS", "KH", "KD", "KC"]}],
        {"rules": "de"},
    ),
    "the result of three, as they go out": Case(
        "durak",
        3,
        [],
        tapping(f"{RESULT} [data-seat='2']", f"{RESULT} [data-seat='0']"),
        [{"type": "result", "places": [[2], [0], [1]], "durak": 1}],
        {"rules": "fr"},
        "?by=result",
    ),
    "a first look at cards 1 and 2": Case(
        "dutch",
        3,
        [PILE],
        tapping(".seats li:nth-child(3) .look"),
        [{"type": "look", "seat": 2, "slots": [0, 1]}],
    ),
    "draw and discard": Case(
        "dutch",
        3,
        [PILE],
        tapping(*rank_selectors("9S")),
        [{"type": "draw", **SEAT}, {"type": "drop", **SEAT, "card": "9S"}],
    ),
    "draw and swap": Case(
        "dutch",
        3,
        [PILE],
        tapping(slot(1, 2), f'{BOARD} .of-own .key[value="9S"]'),
        [{"type": "draw", **SEAT}, {"type": "swap", **SEAT, "slot": 2, "card": "9S"}],
    ),
    "a card thrown on the pile": Case(
        "dutch",
        3,
        [PILE, {"type": "draw", **SEAT}, {"type": "drop", **SEAT, "card": "9S"}],
        tapping(slot(0, 1), key("9D")),
        [{"type": "snap", "seat": 0, "slot": 1, "card": "9D"}],
    ),
    "a card thrown on the pile that is known to fit": Case(
        "dutch",
        2,
        [
            {**PILE, "hands": [["9D", "2S", "3S", "4S"], None]},
            {"type": "draw", **SEAT},
            {"type": "drop", **SEAT, "card": "9S"},
        ],
        tapping(".slot.fits"),
        [{"type": "snap", "seat": 0, "slot": 0, "card": "9D"}],
    ),
    "a card thrown wrongly on the pile": Case(
        "dutch",
        3,
        [PILE, {"type": "draw", **SEAT}, {"type": "drop", **SEAT, "card": "9S"}],
        tapping(slot(0, 1), SHOWN),
        [{"type": "snap", "seat": 0, "slot": 1, "card": "8D"}],
    ),
    "a card thrown wrongly by the player whose turn it is": Case(
        "dutch",
        3,
        [PILE, {"type": "draw", **SEAT}, {"type": "drop", **SEAT, "card": "9S"}],
        tapping(slot(2, 1), WRONG % "Thrown wrongly", SHOWN),
        [{"type": "snap", "seat": 2, "slot": 1, "card": "8D"}],
    ),
    "a card thrown too late, seen by everybody": Case(
        "dutch",
        3,
        [PILE, {"type": "draw", **SEAT}, {"type": "drop", **SEAT, "card": "9S"}],
        tapping(slot(0, 1), WRONG % "Seen by everybody", SHOWN),
        [{"type": "peek", "waive": ["dutch.powers"], "seat": 0, "place": [0, 1], "card": "8D"}],
    ),
    "a jack exchanges two cards": Case(
        "dutch",
        3,
        [PILE, {"type": "draw", **SEAT}, {"type": "drop", **SEAT, "card": "JS"}],
        tapping(slot(0, 1), slot(2, 3)),
        [{"type": "trade", **SEAT, "a": [0, 1], "b": [2, 3]}],
    ),
    "a jack exchanges two cards while another jack is open": Case(
        "dutch",
        3,
        [
            PILE,
            {"type": "draw", **SEAT},
            {"type": "drop", **SEAT, "card": "JS"},
            {"type": "draw", "seat": 2},
            {"type": "drop", "seat": 2, "card": "JD"},
        ],
        tapping(slot(0, 1), slot(2, 3)),
        [{"type": "trade", "seat": 2, "a": [0, 1], "b": [2, 3]}],
    ),
    "Dutch said by one of five at any moment": Case(
        "dutch",
        5,
        [PILE, {"type": "draw", **SEAT}, {"type": "drop", **SEAT, "card": "9S"}],
        tapping(f"{BOARD} .call > summary", f"{BOARD} .call button:has-text('Eve')"),
        [{"type": "dutch", "seat": 4}],
        {"call": "any"},
    ),
    "a queen looks": Case(
        "dutch",
        3,
        [PILE, {"type": "draw", **SEAT}, {"type": "drop", **SEAT, "card": "QS"}],
        tapping(slot(0, 1), f"{BOARD} .chosen > .big[value*=peek]"),
        [{"type": "peek", **SEAT, "place": [0, 1]}],
    ),
    "a row of four revealed by its cards": Case(
        "dutch",
        2,
        [
            PILE,
            {"type": "dutch", **SEAT},
            {"type": "draw", "seat": 0},
            {"type": "drop", "seat": 0, "card": "9S"},
        ],
        tapping(
            f"{BOARD} .modes label:has([value=cards])",
            *(f'{BOARD} .fills .key[value="{card}"]' for card in ("AS", "3S", "4S", "5S")),
            f"{BOARD} .by-cards.sends button",
        ),
        [{"type": "reveal", "seat": 0, "cards": ["AS", "3S", "4S", "5S"]}],
    ),
    "the result of five, two digits each": Case(
        "dutch",
        5,
        [],
        tapping(f"{RESULT} .people label:has([value='3'])", *digits("11→22→33→10→27"), STORE),
        [{"type": "result", "caller": 3, "counter": None, "totals": [11, 22, 33, 10, 27]}],
        by="?by=result",
    ),
    "a round of four, one digit each": Case(
        "scores", 4, [], a_round, [{"type": "result", "points": [7, 2, 0, 5]}]
    ),
    "*Turn by turn* chosen, then a round of two, one digit each": Case(
        "scores",
        2,
        [],
        tapping(".tool[data-turns]", PAD_SEVEN, PAD_SEND, PAD_TWO, PAD_SEND),
        [{"type": "result", "points": [7, 2]}],
    ),
    "a card": Case("euchre", 2, BID, tapping(key("AS")), [{"type": "play", **SEAT, "card": "AS"}]),
    "the result": Case(
        "euchre",
        2,
        BID,
        tapping(f"{RESULT} .key[value*='\"tricks\":3']"),
        [{"type": "result", "maker": 1, "tricks": 3}],
        by="?by=result",
    ),
    "the last entry undone": Case(
        "euchre",
        2,
        [*BID, {"type": "play", **SEAT, "card": "AS"}],
        tapping("[data-undo]"),
        [{"type": "take_back", "to": 4}],
    ),
    "a card on the table corrected": Case(
        "euchre",
        2,
        [*BID, {"type": "play", **SEAT, "card": "AS"}],
        tapping(".trick a.laid", 'main .key[value="KS"]', "main button[name=entries]"),
        [{"type": "amend", "version": 5, "move": {"type": "play", **SEAT, "card": "KS"}}],
    ),
    "a card taken up": Case(
        "rami",
        3,
        [PILE],
        tapping(f"{BOARD} button[value*='\"take\"']"),
        [{"type": "take", **SEAT}],
    ),
    "an ordinary turn: draw and throw": Case(
        "rami",
        3,
        [PILE],
        tapping(key("9S")),
        [{"type": "draw", **SEAT}, {"type": "discard", **SEAT, "card": "9S"}],
    ),
    "a run of three": Case(
        "rami",
        3,
        [PILE, {"type": "draw", **SEAT}],
        tapping(LAY, *keys("5H 7H"), SEND),
        [{"type": "meld", **SEAT, "melds": [["5H", "6H", "7H"]]}],
        {"opening": 0},
    ),
    "the draw and an opening of nine": Case(
        "rami",
        3,
        [PILE],
        tapping(DRAW, LAY, *keys("5H 7H KS KH KD 9S 9H 9D"), SEND),
        [
            {"type": "draw", **SEAT},
            {
                "type": "meld",
                **SEAT,
                "melds": [["5H", "6H", "7H"], ["KS", "KH", "KD"], ["9S", "9H", "9D"]],
            },
        ],
    ),
    "the draw and an opening of twelve": Case(
        "rami",
        3,
        [PILE],
        tapping(DRAW, LAY, *keys("5H 7H KS KH KD 9S 9H 9D 3S 3H 3D"), SEND),
        [
            {"type": "draw", **SEAT},
            {
                "type": "meld",
                **SEAT,
                "melds": [
                    ["5H", "6H", "7H"],
                    ["KS", "KH", "KD"],
                    ["9S", "9H", "9D"],
                    ["3S", "3H", "3D"],
                ],
            },
        ],
    ),
    "a card added": Case(
        "rami",
        3,
        OPENED,
        tapping(".combos li:nth-child(1) summary", '.combos button[value*="8C"]'),
        [{"type": "add", **SEAT, "meld": 1, "cards": ["8C"]}],
        {"opening": 0},
    ),
    "a joker swapped": Case(
        "rami",
        3,
        OPENED,
        tapping(".combos li:nth-child(2) summary", ".combos .swaps"),
        [{"type": "swap_joker", **SEAT, "meld": 2, "card": "8D"}],
        {"opening": 0},
    ),
}


def turn(seat: int, card: str) -> list[Json]:
    return [{"type": "draw", "seat": seat}, {"type": "discard", "seat": seat, "card": card}]


RECENT = ".recent > summary"
TRICKS: list[Json] = [
    {"type": "play", "seat": seat, "card": card}
    for seat, card in ((1, "AS"), (0, "9S"), (1, "KS"), (0, "TS"), (1, "AC"), (0, "9C"))
]
COUNTED: list[Json] = [
    PILE,
    *turn(1, "9C"),
    {"type": "draw", "seat": 0},
    {"type": "meld", "seat": 0, "melds": [["5C", "6C", "7C"]]},
    {"type": "discard", "seat": 0, "card": "9D"},
    {"type": "result", "winner": 1, "hands": [{"opened": True, "points": 24}, None]},
    {**PILE, "dealer": 1},
]
CASES |= {
    "a forgotten turn, with what follows shifted": Case(
        "rami",
        3,
        [PILE, *turn(1, "9S"), *turn(2, "7S"), *turn(0, "6S")],
        tapping(
            RECENT,
            ".recent a:has-text('seven of spades')",
            "main a:has-text('Something was forgotten before this turn')",
            'main .key[value="8S"]',
            "main button:has-text('Insert it, and shift')",
        ),
        [
            {
                "type": "splice",
                "version": 5,
                "drop": 4,
                "moves": [*turn(2, "8S"), *turn(0, "7S"), *turn(1, "6S")],
            }
        ],
    ),
    "a doubled turn removed, with what follows shifted back": Case(
        "rami",
        3,
        [PILE, *turn(1, "9S"), *turn(2, "9S"), *turn(0, "8S"), *turn(1, "7S")],
        tapping(
            RECENT,
            ".recent a:has-text('Chloé')",
            "main button:has-text('It never happened')",
            "main button:has-text('Remove it, and shift')",
        ),
        [
            {
                "type": "splice",
                "version": 5,
                "drop": 6,
                "moves": [*turn(2, "8S"), *turn(0, "7S")],
            }
        ],
    ),
    "a card two tricks ago corrected": Case(
        "euchre",
        2,
        [*BID, *TRICKS],
        tapping(
            RECENT,
            ".recent a:has-text('ace of spades')",
            'main .key[value="QS"]',
            "main button[name=entries]",
        ),
        [{"type": "amend", "version": 5, "move": {"type": "play", **SEAT, "card": "QS"}}],
    ),
    "back to a card two tricks ago": Case(
        "euchre",
        2,
        [*BID, *TRICKS],
        tapping(
            RECENT,
            ".recent a:has-text('ace of spades')",
            "main button:has-text('Back to here')",
        ),
        [{"type": "take_back", "to": 5}],
    ),
    "a count of the last deal corrected": Case(
        "rami",
        2,
        COUNTED,
        tapping(
            RECENT,
            ".recent a:has-text('24')",
            "main [data-digit='3']",
            "main [data-digit='5']",
            "main .sends [name=entry]",
        ),
        [
            {
                "type": "amend",
                "version": 8,
                "move": {
                    "type": "result",
                    "winner": 1,
                    "hands": [{"opened": True, "points": 35}, None],
                },
            }
        ],
        {"opening": 0},
    ),
}


CASES |= {
    "a forgotten throw put in": Case(
        "dutch",
        3,
        [
            PILE,
            *(
                {"type": kind, **SEAT, **more}
                for kind, more in (("draw", {}), ("drop", {"card": "9S"}))
            ),
            {"type": "draw", "seat": 2},
            {"type": "drop", "seat": 2, "card": "7S"},
        ],
        tapping(
            RECENT,
            ".recent a:has-text('seven of spades')",
            "main a:has-text('Something was forgotten before this turn')",
            slot(0, 1),
            'main .fit .key[value="9D"]',
        ),
        [
            {
                "type": "splice",
                "version": 5,
                "drop": 0,
                "moves": [{"type": "snap", "seat": 0, "slot": 1, "card": "9D"}],
            }
        ],
    ),
    "a forgotten run of three put in": Case(
        "rami",
        3,
        [PILE, *turn(1, "9S"), *turn(2, "7S")],
        tapping(
            RECENT,
            ".recent a:has(+ a:has-text('nine of spades'))",
            'main .key[value="5H"]',
            'main .key[value="7H"]',
            "main [data-builder] [name=entry]",
        ),
        [
            {
                "type": "splice",
                "version": 4,
                "drop": 0,
                "moves": [{"type": "meld", **SEAT, "melds": [["5H", "6H", "7H"]]}],
            }
        ],
        {"opening": 0},
    ),
    "a revoke found later corrected": Case(
        "euchre",
        2,
        [*BID, *REVOKE],
        tapping("dialog a:has-text('Correct:')", 'main .key[value="9S"]'),
        [
            {"type": "amend", "version": 6, "move": {"type": "play", "seat": 0, "card": "9S"}},
            {"type": "play", "seat": 0, "card": "QS"},
        ],
        refused="QS",
    ),
    "a revoke found later let pass": Case(
        "euchre",
        2,
        [*BID, *REVOKE],
        tapping("dialog button:has-text('It happened')"),
        [
            {
                "type": "amend",
                "version": 6,
                "move": {
                    "type": "play",
                    "waive": ["euchre.follow-suit"],
                    "seat": 0,
                    "card": "9C",
                },
            },
            {"type": "play", "seat": 0, "card": "QS"},
        ],
        refused="QS",
    ),
    "the result of three, one with points and one not opened": Case(
        "rami",
        3,
        [],
        tapping(
            f"{RESULT} .people label:has([value='1'])",
            *digits("24→"),
            f"{RESULT} [data-state=closed]",
            STORE,
        ),
        [
            {
                "type": "result",
                "winner": 1,
                "hands": [{"opened": True, "points": 24}, None, {"opened": False}],
            }
        ],
        by="?by=result",
    ),
}


def documented_taps() -> dict[str, int]:
    rows = re.findall(
        r"^\| \w+ \| (.+?) \| (\d+) \|$", TABLE.read_text(encoding="utf-8"), re.MULTILINE
    )
    return {what: int(taps) for what, taps in rows}


async def _start(http: httpx.AsyncClient, case: Case) -> Game:
    players = [await add_player(http, name) for name in NAMES[: case.seats]]
    body = {"ruleset": case.ruleset, "options": case.options, "players": players}
    answer = await http.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    game = Game(http, answer.json())
    if case.before:
        await game.record(*case.before)
    return game


def test_table_tells_of_every_case() -> None:
    assert set(documented_taps()) == {*CASES, *WHOLE, AGAIN}


async def test_same_players_again__are_one_tap(phone: Phone, http: httpx.AsyncClient) -> None:
    case = CASES["a round of four, one digit each"]
    game = await _start(http, case)
    await game.record(*case.ends, {"type": "finish", "reason": ""})
    page = await phone.page()
    await Table(page, game.id).open()
    finger = Finger(page)
    await finger.tap("button:has-text('Same players again')")
    await page.wait_for_url(re.compile(rf"/games/(?!{game.id})[0-9a-f-]{{36}}$"))
    assert await page.locator(".seat .name").all_inner_texts() == list(NAMES[:4])
    assert finger.taps == documented_taps()[AGAIN]


@pytest.mark.parametrize("what", WHOLE)
async def test_a_game_without_points__is_three_taps(
    phone: Phone, http: httpx.AsyncClient, what: str
) -> None:
    name, key, winners = WHOLE[what]
    title = (await http.post("/api/titles", json={"name": name})).json()["id"]
    players = [await add_player(http, one) for one in NAMES[:4]]
    body = {"ruleset": "scores", "title": title, "players": players}
    before = Game(http, (await http.post("/api/games", json=body)).json())
    await before.record({"type": "finish", "reason": "", "winners": [0]})
    page = await (await phone(viewport=SMALL)).new_page()
    await Table(page, before.id).open()
    finger = Finger(page)
    await finger.tap("button:has-text('Same players again')")
    await page.wait_for_url(re.compile(rf"/games/(?!{before.id})[0-9a-f-]{{36}}$"))
    game_id = page.url.rpartition("/")[2]
    await Table(page, game_id).ready()
    await finger.tap(".tool[href*=won]")
    await page.wait_for_url("**/more?won=1")
    assert await page.locator(f"main button:has-text('{key}')").is_visible()
    box = await page.locator(f"main button:has-text('{key}')").bounding_box()
    assert box
    assert box["y"] + box["height"] <= SMALL["height"]
    await finger.tap(f"main button:has-text('{key}')")
    await page.wait_for_url(f"**/games/{game_id}")
    view = (await http.get(f"/api/games/{game_id}")).json()
    assert view["status"] == "finished"
    line = (await http.get(f"/api/games/{game_id}/entries")).json()["entries"][-2]
    assert line["entry"]["winners"] == winners
    assert finger.taps == documented_taps()[what]


@pytest.mark.parametrize("what", CASES)
async def test_taps__are_as_many_as_the_table_says(
    phone: Phone, http: httpx.AsyncClient, what: str
) -> None:
    case = CASES[what]
    game = await _start(http, case)
    page = await phone.page()
    await Table(page, game.id).open(case.by)
    if case.refused:
        await page.locator(key(case.refused)).tap()
        await page.wait_for_selector("dialog[open]")
    finger = Finger(page)
    before = await page.locator(".board").get_attribute("data-version")
    await case.taps(finger)
    await expect(page.locator(".board")).not_to_have_attribute("data-version", str(before))
    await expect(page.locator("[data-pending] li")).to_have_count(0)
    entered: list[Json] = []
    # A tap that waited behind a correction is sent after it.
    for _ in range(PATIENCE_MS // POLL_MS):
        entered = await game.typed()
        if entered[-1:] == case.ends[-1:]:
            break
        await page.wait_for_timeout(POLL_MS)
    assert entered[-len(case.ends) :] == case.ends
    assert finger.taps == documented_taps()[what]
