from uuid import uuid4

import httpx
import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.accessibility import LANGUAGES, violations
from tests.browser.conftest import Phone
from tests.http.club import add_player

TAPPED = ("Zoé", "Émile", "Bob", "Märta")


@pytest.fixture(scope="module", autouse=True)
async def people(http: httpx.AsyncClient) -> None:
    for name in ("Bob", "Märta", "Zoé", "Émile"):
        await add_player(http, name)


async def _open(phone: Phone, ruleset: str, *, script: bool = True, language: str = "en") -> Page:
    page = await phone.page(java_script_enabled=script, language=language)
    await page.goto(f"/games/new?ruleset={ruleset}")
    return page


def _person(page: Page, name: str) -> Locator:
    return page.get_by_role("checkbox", name=name)


async def _tap(page: Page, *names: str) -> None:
    for name in names:
        await page.locator(".pick", has_text=name).click()


async def _start(page: Page) -> list[str]:
    await page.get_by_role("button", name="Start").last.click()
    await page.wait_for_url("**/games/*-*")
    answer = await page.request.get(f"/api{page.url[page.url.index('/games/') :]}")
    return [player["name"] for player in (await answer.json())["players"]]


async def _numbers(page: Page) -> dict[str, str]:
    found: dict[str, str] = {}
    for sitter in await page.locator(".sitter:has([data-place]:not([hidden]))").all():
        typed = sitter.locator("input[data-name]")
        shown = await typed.input_value() if await typed.count() else ""
        name = shown or await sitter.locator("[data-name]").inner_text()
        found[name] = await sitter.locator("[data-place]").inner_text()
    return found


async def test_seats_follow_the_order_of_tapping(phone: Phone) -> None:
    page = await _open(phone, "durak")
    await _tap(page, *TAPPED)
    assert await _numbers(page) == {"Zoé": "1", "Émile": "2", "Bob": "3", "Märta": "4"}
    assert await _start(page) == list(TAPPED)


async def test_page_says_that_the_order_is_that_of_the_table(phone: Phone) -> None:
    page = await _open(phone, "rami")
    await expect(page.get_by_text("Tap everybody in the order you sit, clockwise.")).to_be_visible()
    await _tap(page, "Zoé", "Bob")
    await expect(page.get_by_role("status")).to_have_text("Clockwise: Zoé, Bob")


async def test_whoever_is_untapped_leaves_no_gap(phone: Phone) -> None:
    page = await _open(phone, "rami")
    await _tap(page, "Zoé", "Émile", "Bob", "Zoé")
    assert await _numbers(page) == {"Émile": "1", "Bob": "2"}
    await _tap(page, "Zoé")
    assert await _start(page) == ["Émile", "Bob", "Zoé"]


async def test_typed_names_take_their_place_in_the_same_order(phone: Phone) -> None:
    page = await _open(phone, "rami")
    new = [f"Aya {uuid4()}", f"Noé {uuid4()}"]
    await _tap(page, "Zoé")
    await page.get_by_label("Name 1").fill(new[0])
    await _tap(page, "Bob")
    await page.get_by_label("Name 2").fill(new[1])
    assert await _numbers(page) == {"Zoé": "1", new[0]: "2", "Bob": "3", new[1]: "4"}
    assert await _start(page) == ["Zoé", new[0], "Bob", new[1]]


@pytest.mark.parametrize("answer", ["Yes, one person", "They are two"])
async def test_name_like_a_known_one_is_asked_about(
    phone: Phone, http: httpx.AsyncClient, answer: str
) -> None:
    mark = uuid4().hex[:8]
    await add_player(http, f"Noella {mark}")
    page = await _open(phone, "rami")
    await _tap(page, "Bob")
    await page.get_by_label("Name 1").fill(f"Noëlla {mark}")
    await page.get_by_role("button", name="Start").last.click()
    await expect(page.get_by_role("alert")).to_contain_text(f"Noella {mark} is in the list already")
    assert await violations(page) == []
    await page.get_by_role("button", name=answer).click()
    await page.wait_for_url("**/games/*-*")
    game = await page.request.get(f"/api{page.url[page.url.index('/games/') :]}")
    name = f"Noella {mark}" if answer.startswith("Yes") else f"Noëlla {mark}"
    assert [player["name"] for player in (await game.json())["players"]] == ["Bob", name]


async def test_seat_is_changed_by_a_drag(phone: Phone) -> None:
    page = await _open(phone, "durak")
    await _tap(page, *TAPPED)
    chairs = page.locator(".circle li button")
    await chairs.first.scroll_into_view_if_needed()
    here, there = await chairs.first.bounding_box(), await chairs.nth(2).bounding_box()
    assert here
    assert there
    await page.mouse.move(here["x"] + 10, here["y"] + 10)
    await page.mouse.down()
    await page.mouse.move(there["x"] + 20, there["y"] + 20, steps=4)
    await page.mouse.up()
    assert await _start(page) == ["Émile", "Bob", "Zoé", "Märta"]


async def test_seat_is_changed_with_the_keyboard_alone(phone: Phone) -> None:
    page = await _open(phone, "durak")
    await _tap(page, *TAPPED)
    await page.locator(".circle li button").first.focus()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await expect(page.locator(".circle li button:focus")).to_contain_text("Zoé")
    assert await _start(page) == ["Émile", "Bob", "Zoé", "Märta"]


async def test_one_more_field_for_a_name_comes_when_the_last_is_filled(phone: Phone) -> None:
    page = await _open(phone, "dutch")
    fields = page.locator("input[data-name]:visible")
    await expect(fields).to_have_count(1)
    await fields.fill(f"Aya {uuid4()}")
    await expect(fields).to_have_count(2)


async def test_names_are_listed_as_readers_look_for_them(phone: Phone) -> None:
    page = await _open(phone, "rami", language="fr")
    listed = await page.locator(".pick [data-name]").all_inner_texts()
    assert [name for name in listed if name in TAPPED] == ["Bob", "Émile", "Märta", "Zoé"]


async def test_partners_are_named_where_four_play_in_teams(phone: Phone) -> None:
    page = await _open(phone, "durak")
    partners = page.locator("[data-partners]")
    await expect(partners).to_have_text("Four in two teams: 1 and 3 are partners, 2 and 4.")
    await _tap(page, *TAPPED)
    await expect(partners).to_have_text("Partners: Zoé and Bob, Émile and Märta")
    await page.get_by_text("Rules of this table").click()
    await page.get_by_role("radio", name="German").check()
    await expect(partners).to_be_hidden()


@pytest.mark.parametrize("script", [True, False])
async def test_another_game_keeps_who_was_chosen_and_typed(phone: Phone, *, script: bool) -> None:
    page = await _open(phone, "durak", script=script)
    new = f"Aya {uuid4()}"
    seats = {"Zoé": 1, "Bob": 3}
    for name, seat in seats.items():
        await _tap(page, name)
        if not script:
            await page.get_by_label(f"Seat of {name}").fill(str(seat))
        elif seat == 1:
            await page.get_by_label("Name 1").fill(new)
    if not script:
        await page.get_by_label("Name 1").fill(new)
    await page.get_by_text("Rules of this table").click()
    await page.get_by_label("Who may add").select_option("everybody but the defender")
    await page.get_by_role("button", name="Rami").click()
    await expect(page.get_by_role("button", name="Rami")).to_have_attribute("aria-current", "true")
    await page.get_by_role("button", name="Durak").click()
    await page.get_by_text("Rules of this table").click()
    kept = page.get_by_label("Who may add").locator("option:checked")
    await expect(kept).to_have_text("everybody but the defender")
    assert "Zo" not in page.url
    assert await _start(page) == ["Zoé", new, "Bob"]


@pytest.mark.parametrize("script", [True, False])
async def test_refused_start_keeps_everything_and_adds_nobody(
    phone: Phone, http: httpx.AsyncClient, *, script: bool
) -> None:
    page = await _open(phone, "euchre", script=script)
    new = f"Aya {uuid4()}"
    await page.get_by_label("Name 1").fill(new)
    await page.get_by_text("Rules of this table").click()
    await page.get_by_label("32 cards").check()
    await page.get_by_role("button", name="Start").last.click()
    await expect(page.get_by_role("alert")).to_have_text("2 different players are needed.")
    known = (await http.get("/api/players")).json()["players"]
    assert new not in {one["name"] for one in known}
    await expect(page.get_by_label("Name 1")).to_have_value(new)
    await _tap(page, "Zoé")
    await expect(page.get_by_label("32 cards")).to_be_checked()
    assert (await _start(page))[0 if script else 1] == new
    answer = await page.go_back()
    assert answer is not None
    assert answer.request.method == "GET"


async def test_seats_are_numbered_by_hand_where_no_script_runs(phone: Phone) -> None:
    page = await _open(phone, "durak", script=False)
    for name in TAPPED:
        await _person(page, name).check()
    await page.get_by_role("button", name="Start").last.click()
    await expect(page.get_by_role("alert")).to_contain_text("Say who sits where")
    for seat, name in enumerate(TAPPED[:3], 1):
        await expect(_person(page, name)).to_be_checked()
        await page.get_by_label(f"Seat of {name}").fill(str(seat))
    assert await _start(page) == list(TAPPED)


async def test_same_players_again_keep_their_seats(phone: Phone) -> None:
    page = await _open(phone, "rami")
    await _tap(page, "Zoé", "Bob", "Émile")
    first = await _start(page)
    before = page.url
    await page.goto("/")
    await page.get_by_role("button", name="Same players again").click()
    await page.wait_for_url("**/games/*-*")
    answer = await page.request.get(f"/api{page.url[page.url.index('/games/') :]}")
    assert [player["name"] for player in (await answer.json())["players"]] == first
    assert page.url != before


async def test_enter_adds_a_name_and_once_more_starts_the_game(phone: Phone) -> None:
    page = await _open(phone, "euchre")
    await _tap(page, "Zoé")
    await page.get_by_label("Name 1").fill("Bob")
    await page.get_by_label("Name 1").press("Enter")
    await page.get_by_label("Name 2").press("Enter")
    await expect(page.locator(".seat .name")).to_have_text(["Zoé", "Bob"])


@pytest.mark.parametrize("language", LANGUAGES)
async def test_numbered_seats_are_accessible_and_fit(phone: Phone, language: str) -> None:
    page = await (await phone(language=language)).new_page()
    await page.goto("/games/new?ruleset=durak")
    await _tap(page, *TAPPED)
    assert await violations(page) == []
    assert await page.evaluate("() => document.scrollingElement.scrollWidth") <= 320


async def test_location_and_tags_are_kept_through_a_refusal_and_offered_again(
    phone: Phone,
) -> None:
    page = await _open(phone, "euchre")
    location, tags = page.get_by_label("Location"), page.get_by_label("Tags, with commas")
    await page.locator("summary", has_text="Location and tags").click()
    await location.fill("At the lake")
    await tags.fill("Christmas, family")
    await _tap(page, "Bob")
    await page.get_by_role("button", name="Start").last.click()
    await expect(page.locator("#refused")).to_be_visible()
    await page.get_by_role("button", name="Dutch").click()
    await page.wait_for_url("**ruleset=dutch*")
    await expect(location).to_be_visible()
    await expect(location).to_have_value("At the lake")
    await expect(tags).to_have_value("Christmas, family")
    await _tap(page, "Zoé")
    assert await _start(page) == ["Bob", "Zoé"]
    await page.goto(f"{page.url}/sheet")
    await expect(page.locator("main")).to_contain_text("At the lake · Christmas · family")
    await page.goto("/games/new?ruleset=euchre")
    offered = page.locator(f"datalist#{await location.get_attribute('list')} option")
    assert await offered.evaluate_all("(all) => all.map((it) => it.value)") == ["At the lake"]
    await page.locator("summary", has_text="Location and tags").click()
    await expect(page.get_by_text("Used before: Christmas, family")).to_be_visible()


async def test_enter_adds_a_name_and_the_start_stays_in_sight(phone: Phone) -> None:
    page = await phone.page(viewport={"width": 320, "height": 568})
    await page.goto("/games/new")
    await expect(page.get_by_role("button", name="Start")).to_be_in_viewport(ratio=1)
    await page.get_by_label("Name 1").fill("Zoé")
    await page.get_by_label("Name 1").press("Enter")
    await expect(page.get_by_label("Name 2")).to_be_focused()
    await expect(page.get_by_role("alert")).to_have_count(0)


async def test_a_game_is_found_while_its_name_is_typed_and_fills_the_options(phone: Phone) -> None:
    page = await (await phone(viewport={"width": 320, "height": 568})).new_page()
    await page.goto("/games/new?ruleset=euchre")
    await page.get_by_label("Find a game").fill("Kniff")
    found = page.locator("[data-found] button")
    await expect(found).to_have_text(["Yahtzee", "New game “Kniff”"])
    await found.first.click()
    await expect(page.get_by_label("Name of the game")).to_have_value("Yahtzee")
    await expect(page.get_by_label("the highest total")).to_be_checked()
    await page.get_by_role("button", name="Another game", exact=True).click()
    await expect(page.get_by_label("Name of the game")).to_have_value("")
    await expect(page.locator("[name='text.wins']:checked")).to_have_count(0)
    await page.get_by_label("Name of the game").fill("skyjo")
    await expect(page.get_by_label("the lowest total")).to_be_checked()
    await expect(page.locator('[name="with.target"]')).to_have_value("100")


async def test_the_start_button_covers_nothing(phone: Phone) -> None:
    page = await (await phone(viewport={"width": 320, "height": 568})).new_page()
    await page.goto("/games/new")
    start, room = page.get_by_role("button", name="Start"), page.locator(".room")
    await room.evaluate("(it) => it.scrollTo(0, it.scrollHeight)")
    last = page.get_by_role("link", name="Import a game that was already played")
    boxes = [await one.bounding_box() for one in (last, start)]
    assert boxes[0]
    assert boxes[1]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
    assert boxes[1]["y"] + boxes[1]["height"] <= 568


async def test_the_players_of_the_last_game_are_seated_by_one_tap(phone: Phone) -> None:
    page = await _open(phone, "euchre")
    await _tap(page, "Bob", "Zoé")
    names = await _start(page)
    await page.goto("/games/new")
    await page.get_by_role("button", name="Same players again").click()
    assert await _start(page) == names
