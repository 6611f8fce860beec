"""What asks for a result is readable, and its keys are on the screen of a small phone."""

from random import Random

import httpx
import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Phone
from tests.browser.hands import Answer, Hands
from tests.browser.line import find_line, lose_line
from tests.browser.notes import KINDS, PEOPLE, Kind, Note, durak, small, typed
from tests.browser.screen_layout import SHIFT_MAX, Measures, Screen
from tests.browser.test_numbers_typed import LANGUAGES, SIZES, sit_down
from tests.browser.test_taps import documented_taps
from tests.http.club import Json

QUESTION = "Tap the players in the order in which they go out. The last one is the durak."


def hands_of(page: Page, language: str) -> Hands:
    return Hands(page, language, Random(language))  # noqa: S311 games, not secrets


@pytest.mark.parametrize("language", LANGUAGES)
async def test_durak_of_six_asks_who_goes_out_also_after_a_reload_and_fills_in_the_last_one(
    phone: Phone, http: httpx.AsyncClient, language: str
) -> None:
    page = await phone.page(language=language)
    hands = hands_of(page, language)
    evening = await sit_down(page, http, hands, Kind("durak", 6, durak, {"rules": "fr"}))
    await hands.expect_readable(hands.words(QUESTION))
    names = PEOPLE[:6]
    for name in (names[3], names[0]):
        await hands.tap(name, "button")
        await hands.expect_readable(hands.words(QUESTION))
    await evening.reload()
    await expect(page.locator(f'[aria-pressed="true"][data-name="{names[0]}"]')).to_have_text(
        f"2.{names[0]}"
    )
    for name in (names[5], names[1]):
        await hands.tap(name, "button")
        await hands.expect_readable(hands.words(QUESTION))
    await hands.tap(names[4], "button")
    evening.paper.append(
        {"type": "result", "places": [[3], [0], [5], [1], [4], [2]], "durak": 2},
    )
    await evening.expect_paper()
    assert hands.taps == 5


@pytest.mark.parametrize("language", LANGUAGES)
async def test_durak_of_teams_says_who_of_the_two_left_is_durak(
    phone: Phone, http: httpx.AsyncClient, language: str
) -> None:
    page = await phone.page(language=language)
    hands = hands_of(page, language)
    kind = Kind("durak", 4, durak, {"rules": "fr", "teams": True})
    evening = await sit_down(page, http, hands, kind)
    await hands.expect_readable(hands.words(QUESTION))
    for name in (PEOPLE[2], PEOPLE[0]):
        await hands.tap(name, "button")
    ending = await hands.find(
        lambda one: one.kind == "button" and PEOPLE[3] in one.words and one.words != PEOPLE[3],
        "the last one",
    )
    await hands.touch(ending)
    evening.paper.append({"type": "result", "places": [[2], [0], [1, 3]], "durak": 3})
    await evening.expect_paper()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_twelve_players_are_typed_without_scrolling_on_the_smallest_phones(
    phone: Phone, http: httpx.AsyncClient, language: str
) -> None:
    page = await phone.page(language=language)
    hands = hands_of(page, language)
    evening = await sit_down(page, http, hands, KINDS["twelve"])
    points = [number if at % 3 else -number for at, number in enumerate(range(100, 112))]
    answers = dict(zip(PEOPLE, map(typed, points), strict=True))
    for size in SIZES[:2]:
        await page.set_viewport_size(size)
        await evening.type(Note({"type": "result", "points": points}, answers))
        seen = await hands.look()
        assert {one.words for one in seen if one.is_on_screen} >= {*"0123456789⌫±+→"}


async def test_a_round_of_another_phone_leaves_the_number_that_is_typed(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    page = await phone.page(language="fr")
    hands = hands_of(page, "fr")
    evening = await sit_down(page, http, hands, KINDS["highest"])
    await hands.choose("Günter")
    await hands.press("1")
    other: Json = {"type": "result", "points": [3, 4, 5]}
    await evening.game.record(other)
    await hands.expect_board(evening.game.version)
    await expect(page.locator(".bar .title")).to_contain_text("Manche 2")
    await hands.expect_readable("Manche 1 : Léa 3, Günter 4, Zoë 5")
    await hands.press("2")
    await hands.expect_fields({"Léa": "", "Günter": "12", "Zoë": ""})
    for number in (0, 7):
        await hands.press("→")
        await hands.press(str(number))
    await hands.send()
    evening.paper += [other, {"type": "result", "points": [7, 12, 0]}]
    await evening.expect_paper()


async def test_a_number_outlives_a_reload_and_a_round_that_came_in_meanwhile(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    page = await phone.page()
    hands = hands_of(page, "en")
    evening = await sit_down(page, http, hands, KINDS["highest"])
    await hands.type({"Léa": Answer("15"), "Günter": Answer("1")})
    await lose_line(page.context)
    await evening.game.record({"type": "result", "points": [3, 4, 5]})
    await find_line(page.context)
    await page.reload()
    await hands.expect_board(evening.game.version)
    await hands.expect_fields({"Léa": "15", "Günter": "1", "Zoë": ""})


SIX_HANDS: Json = {"type": "result", "points": [12, 5, 30, 0, 8, 21]}
RAMI_HANDS: Json = {
    "type": "result",
    "winner": 1,
    "hands": [{"opened": True, "points": 24}, None, {"opened": True, "points": 108}],
}
DUTCH_ROWS: Json = {"type": "result", "caller": 0, "counter": None, "totals": [11, 22, 33, 40]}


@pytest.mark.parametrize(
    ("language", "kind", "note"),
    [
        (
            "de",
            Kind("scores", 6, small, {"wins": "lowest", "rounds": 9}),
            Note(SIX_HANDS, dict(zip(PEOPLE, map(typed, SIX_HANDS["points"]), strict=False))),
        ),
        (
            "de",
            KINDS["rami"],
            Note(RAMI_HANDS, {PEOPLE[0]: typed(24), PEOPLE[2]: typed(108)}, (PEOPLE[1],)),
        ),
        (
            "fr",
            KINDS["dutch"],
            Note(
                DUTCH_ROWS,
                dict(zip(PEOPLE, map(typed, DUTCH_ROWS["totals"]), strict=False)),
                (PEOPLE[0],),
            ),
        ),
    ],
    ids=["scores", "rami", "dutch"],
)
async def test_the_keys_of_a_pad_stay_in_their_places_for_a_whole_game(
    phone: Phone, http: httpx.AsyncClient, language: str, kind: Kind, note: Note
) -> None:
    """Measure three rounds, one of them waiting on the phone, and the news of another phone."""
    page = await phone.page(language=language, viewport=SIZES[1])
    hands = hands_of(page, language)
    evening = await sit_down(page, http, hands, kind)
    measured = [Measures(Screen(**size)) for size in SIZES[2::-1]]

    async def measure(state: str, *, is_begun: bool = False) -> None:
        await expect(page.locator(".board .asked :checked")).to_have_count(int(is_begun))
        for name in note.asked if not is_begun else ():
            await hands.tap(name)
        for measures in measured:
            await measures.take_pad(page, state)
        await page.set_viewport_size(SIZES[1])

    await measure("the first round")
    await hands.type(note.answers)
    for measures in measured:
        await measures.take_pad(page, "the first round, typed")
    await page.set_viewport_size(SIZES[1])
    await hands.send()
    evening.paper.append(note.entry)
    await evening.expect_paper()
    await evening.agree()
    await lose_line(page.context)
    await measure("the second round")
    await hands.type(note.answers)
    await hands.send()
    await expect(page.locator("[data-pending] li").last).to_be_attached()
    await measure("a round that waits")
    await page.context.set_offline(offline=False)
    evening.paper.append(note.entry)
    await evening.expect_paper()
    evening.game.version = len(await evening.game.log())
    await evening.game.record(note.entry)
    await hands.expect_board(evening.game.version)
    await evening.agree()
    await measure("the news of another phone", is_begun=bool(note.asked))
    for measures in measured:
        assert measures.shift <= SHIFT_MAX, str(measures)
        assert not measures.faults, str(measures)


@pytest.mark.parametrize(
    ("what", "kind", "note"),
    [
        (
            "a round of four, one digit each",
            KINDS["lowest"],
            Note(
                {"type": "result", "points": [7, 2, 0, 5]},
                dict(zip(PEOPLE[:4], map(typed, (7, 2, 0, 5)), strict=True)),
            ),
        ),
        (
            "the result of five, two digits each",
            Kind("dutch", 5, KINDS["dutch"].draw),
            Note(
                {"type": "result", "caller": 3, "counter": None, "totals": [11, 22, 33, 10, 27]},
                dict(zip(PEOPLE[:5], map(typed, (11, 22, 33, 10, 27)), strict=True)),
                (PEOPLE[3],),
            ),
        ),
        (
            "the result of three, one with points and one not opened",
            KINDS["rami"],
            Note(
                {
                    "type": "result",
                    "winner": 1,
                    "hands": [{"opened": True, "points": 24}, None, {"opened": False}],
                },
                {PEOPLE[0]: typed(24), PEOPLE[2]: Answer(key="Not opened")},
                (PEOPLE[1],),
            ),
        ),
        (
            "the result of three, as they go out",
            Kind("durak", 3, durak, {"rules": "fr"}),
            Note(
                {"type": "result", "places": [[2], [0], [1]], "durak": 1},
                asked=(PEOPLE[2], PEOPLE[0]),
            ),
        ),
    ],
)
async def test_a_result_takes_as_many_taps_as_the_table_says(
    phone: Phone, http: httpx.AsyncClient, what: str, kind: Kind, note: Note
) -> None:
    page = await phone.page()
    hands = hands_of(page, "en")
    evening = await sit_down(page, http, hands, kind)
    await evening.type(note)
    # A tap for each digit, an arrow for each player but the last, and one to send.
    taps = sum((len(one.signs) or 1) + 1 for one in note.answers.values())
    assert hands.taps == len(note.asked) + taps == documented_taps()[what]
