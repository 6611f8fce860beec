import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Phone
from tests.http.club import DEAL, LOST_RESULT, MADE_RESULT, Game
from tests.service_process import KEY

NOTE = "Zoé a renversé son thé 🫖 "


async def _back(page: Page, heading: str) -> None:
    answer = await page.go_back()
    assert answer is not None
    assert (answer.status, answer.request.method) == (200, "GET")
    await expect(page.get_by_role("heading", name=heading)).to_be_visible()


@pytest.mark.parametrize("script", [True, False])
async def test_back_after_a_correction_shows_it_again(
    phone: Phone, game: Game, *, script: bool
) -> None:
    await game.record(*DEAL)
    page = await (await phone(java_script_enabled=script)).new_page()
    await page.goto(f"/games/{game.id}/correct/2")
    await page.locator('main .key[value="KH"]').click()
    await page.get_by_role("button", name="Correct it").click()
    await page.wait_for_url(f"**/games/{game.id}")
    await _back(page, "What that changes")
    # The game is not created twice.
    await expect(page.get_by_text("It is recorded like that already.")).to_be_visible()
    await expect(page.get_by_role("button", name="Correct it")).to_have_count(0)
    await _back(page, "Correct: ")


async def test_back_after_taking_back_shows_it_again(phone: Phone, game: Game) -> None:
    await game.record(MADE_RESULT, LOST_RESULT)
    page = await (await phone()).new_page()
    await page.goto(f"/games/{game.id}/log")
    await page.locator("#v2 summary").click()
    await page.get_by_role("button", name="Back to here").locator("visible=true").click()
    await page.get_by_role("button", name="Take back").click()
    await page.wait_for_url(f"**/games/{game.id}")
    await _back(page, "What that changes")
    await expect(page.get_by_text("It is recorded like that already.")).to_be_visible()
    await expect(page.get_by_role("button", name="Take back")).to_have_count(0)


async def test_correction_of_a_text_is_handed_on_outside_the_address(
    phone: Phone, game: Game
) -> None:
    await game.record({"type": "note", "text": "rain"})
    page = await (await phone()).new_page()
    await page.goto(f"/games/{game.id}/correct/2")
    text = NOTE * 70
    await page.get_by_label("Words").fill(text)
    await page.get_by_role("button", name="See what that changes").click()
    await expect(page.get_by_role("heading", name="What that changes")).to_be_visible()
    assert "Zo" not in page.url
    await page.get_by_role("button", name="Correct it").click()
    await page.wait_for_url(f"**/games/{game.id}")
    assert (await game.typed())[-1]["move"]["text"] == text.strip()


async def test_older_correction_gone_back_to_is_never_another_one(phone: Phone, game: Game) -> None:
    await game.record(*DEAL)
    page = await (await phone()).new_page()
    addresses: list[str] = []
    for card in ("KH", "AH"):
        await page.goto(f"/games/{game.id}/correct/2")
        await page.locator(f'main .key[value="{card}"]').click()
        await expect(page.get_by_role("heading", name="What that changes")).to_be_visible()
        addresses.append(page.url)
    await page.goto(addresses[0])
    await expect(page).to_have_url(f"/games/{game.id}/log")
    await page.goto(addresses[1])
    await expect(page.get_by_text("ace of hearts")).to_be_visible()


async def test_link_is_shown_once_and_back_makes_none(phone: Phone, game: Game) -> None:
    page = await (await phone()).new_page()
    await page.goto(f"/games/{game.id}/share")
    await page.get_by_role("button", name="Invite to record").click()
    address = str(await page.locator(".address a").get_attribute("href"))
    secret = address.partition("key=")[2]
    assert secret
    assert secret not in page.url
    cookies = [str(cookie.get("value")) for cookie in await page.context.cookies(page.url)]
    assert [value for value in cookies if secret in value] == []
    await page.reload()
    await expect(page.locator(".address")).to_have_count(0)
    await expect(page.locator("summary", has_text="Revoke")).to_have_count(1)
    await page.goto("/settings")
    await _back(page, "Invite")
    await expect(page.locator("summary", has_text="Revoke")).to_have_count(1)


@pytest.mark.parametrize(
    ("language", "word"), [("en", "Revoke"), ("fr", "Révoquer"), ("de", "Widerrufen")]
)
async def test_link_is_revoked_in_the_words_of_links(
    phone: Phone, game: Game, language: str, word: str
) -> None:
    await game.http.post(f"{game.path}/links", json={"role": "viewer"})
    page = await (await phone(language=language)).new_page()
    await page.goto(f"/games/{game.id}/share")
    asks = page.locator("summary", has_text=word)
    await expect(page.get_by_role("button", name=word)).to_be_hidden()
    await asks.click()
    await page.get_by_role("button", name=word).click()
    await expect(asks).to_have_count(0)


@pytest.mark.parametrize("page_of", ["everybody", "somebody"])
async def test_back_after_a_name_that_was_none_sends_nothing_again(
    phone: Phone, game: Game, page_of: str
) -> None:
    page = await (await phone()).new_page()
    own = f"/players/{(await game.view())['players'][0]['id']}"
    await page.goto("/players" if page_of == "everybody" else own)
    field = page.get_by_label("New player" if page_of == "everybody" else "Name", exact=True)
    button = page.get_by_role("button", name="Add" if page_of == "everybody" else "Rename")
    await field.fill("\u2800")
    await button.click()
    await expect(page.get_by_role("alert")).to_contain_text("That is not a name.")
    await expect(field).to_have_value("\u2800")
    await field.fill("Zebedee" if page_of == "everybody" else "Zacharias")
    await button.click()
    await expect(page.get_by_role("alert")).to_have_count(0)
    answer = await page.go_back()
    assert answer is not None
    assert (answer.status, answer.request.method) == (200, "GET")


async def test_back_after_a_wrong_key_sends_nothing_again(phone: Phone) -> None:
    page = await (await phone(key=None)).new_page()
    await page.goto("/login")
    for key in ("nothing", KEY):
        await page.get_by_label("Key").fill(key)
        await page.get_by_role("button", name="Sign in").click()
        await page.wait_for_url("**/login?wrong=yes" if key != KEY else "**/")
    answer = await page.go_back()
    assert answer is not None
    assert answer.request.method == "GET"
    await expect(page.get_by_role("alert")).to_be_visible()
