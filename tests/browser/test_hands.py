"""The driver with hands notices the faults that pads for numbers had before."""

from dataclasses import replace
from random import Random

import httpx
import pytest
from playwright.async_api import Route

from tests.browser.conftest import Phone
from tests.browser.hands import Hands
from tests.browser.notes import KINDS, Note, typed
from tests.browser.test_numbers_typed import sit_down

# The served script has neither comments nor indentation.
ANSWERED = "isFresh = false;\nsetState(current, '');\nchanged(current);"
# What the script had, by the fault: what stands there now, and what stood there.
FAULTS = {
    "moves on after two digits": (
        ANSWERED,
        f"{ANSWERED}\nif (/^\\d\\d$/.test(current.value)) onward();",
    ),
    "an arrow that sends": (
        "if (!next) return paint();",
        "if (!next) return pad.querySelector('.sends button').click();",
    ),
    "fields that keep their numbers while the round waits": ("if (pad) empty(pad);", ""),
    "a field that is forgotten with a reload": (
        "const PLACE = `typing",
        "const PLACE = `${Date.now()}",
    ),
    "a target that is reached while the round waits": (
        "if (entry.type === 'result' && isDecided(state))",
        "if (false)",
    ),
}
NOTES = [
    Note(
        {"type": "result", "points": points},
        dict(zip(("Léa", "Günter", "Zoë"), map(typed, points), strict=True)),
    )
    for points in ([12, 104, 35], [20, 11, 56])
]


class Certain(Random):
    """The chance that the line stays away, and that the second number is interrupted."""

    def random(self) -> float:
        return 0.0

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        del start, stop, step
        return 1


@pytest.mark.parametrize("fault", FAULTS)
async def test_an_old_fault_of_the_pad_is_noticed(
    phone: Phone, http: httpx.AsyncClient, fault: str
) -> None:
    now, before = FAULTS[fault]
    altered: list[str] = []

    async def alter(route: Route) -> None:
        answer = await route.fetch()
        text = await answer.text()
        altered.append(text.replace(now, before))
        assert altered[-1] != text, f"the script no longer has {now}"
        await route.fulfill(response=answer, body=altered[-1])

    page = await (await phone()).new_page()
    await page.route(f"**/{'game_end' if 'target' in fault else 'numbers'}.js*", alter)
    hands = Hands(page, "en", Certain(), habit="arrow")
    # A pad is looked at only while the game goes on.
    target = 100 if "target" in fault else 120
    evening = await sit_down(
        page, http, hands, replace(KINDS["highest"], options={"target": target})
    )
    is_noticed = False
    try:
        await evening.type(NOTES[0], "away" if "waits" in fault else "good", "reload", insists=True)
    except AssertionError:
        is_noticed = True
    assert altered
    assert is_noticed, f"{fault}: nobody notices"


async def test_without_a_fault_the_same_evening_is_noted(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    page = await (await phone()).new_page()
    kind = replace(KINDS["highest"], options={"target": 120})
    evening = await sit_down(page, http, Hands(page, "en", Certain()), kind)
    for note, line in zip(NOTES, ("away", "good"), strict=True):
        await evening.type(note, line, "reload", insists=True)
    await evening.expect_paper()
