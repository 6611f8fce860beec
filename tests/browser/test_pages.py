import httpx
import pytest
from playwright.async_api import ViewportSize, expect

from tests.browser.conftest import SMALL, Phone, in_network
from tests.browser.durak_table import durak_game
from tests.browser.table import Table
from tests.http.club import DEAL, LOST_RESULT, MADE_RESULT, Game, add_player, client_with_key

WIDE: ViewportSize = {"width": 390, "height": 844}


async def test_scrubber_shows_the_moment_and_the_address_follows(phone: Phone, game: Game) -> None:
    await game.record(*DEAL)
    page = await phone.page()
    await page.goto(f"/games/{game.id}/at/1")
    await page.wait_for_selector("html[data-ready]", state="attached")
    await page.get_by_label("Entry").fill("3")
    await expect(page.locator(".said")).to_have_text("Bob orders")
    assert page.url.endswith("/at/3")
    await page.get_by_role("link", name="Forward").click()
    await expect(page.locator(".said")).to_have_text("Ann leaves the turned card")


async def test_replay_shows_a_whole_trick_as_it_then_stood(phone: Phone, game: Game) -> None:
    await game.record(*DEAL)
    slip = (await game.log())[-1]
    await game.record(
        {"type": "play", "seat": 1, "card": "AS"},
        {"type": "play", "seat": 0, "card": "9C"},
        {
            "type": "amend",
            "version": slip["version"] + 2,
            "move": {"type": "play", "seat": 0, "card": "9S"},
        },
    )
    page = await phone.page()
    shown: list[list[str]] = []
    for version in (2, 3):
        await page.goto(f"/games/{game.id}/at/{slip['version'] + version}")
        shown.append(await page.locator(".moment .laid .sr").all_inner_texts())
    assert shown == [
        ["the ace of spades", "the nine of clubs"],
        ["the ace of spades", "the nine of spades"],
    ]


async def test_sheet_tells_deals_points_by_agreement_and_notes(phone: Phone, game: Game) -> None:
    await game.record(
        MADE_RESULT,
        LOST_RESULT,
        {"type": "adjust", "seat": 1, "points": -1, "reason": "spilt tea"},
        {"type": "note", "text": "a rainy day"},
    )
    page = await phone.page()
    await page.goto(f"/games/{game.id}/sheet")
    rows = await page.locator("tbody .words, tbody tr:last-child").all_inner_texts()
    assert ["3–2" in rows[0], "euchred" in rows[1], "spilt tea" in rows[2]] == [True, True, True]
    assert "a rainy day" in rows[3]
    await expect(page.locator("tfoot .points")).to_have_text(["3", "−1"])


@pytest.mark.parametrize("language", ["en", "fr", "de"])
async def test_sheet_shows_six_players_on_a_phone_at_once(
    http: httpx.AsyncClient, phone: Phone, language: str
) -> None:
    game = await durak_game(http, 6, rules="de")
    await game.record(
        {"type": "adjust", "seat": 5, "points": 120, "reason": "a bet on the weather"},
        {"type": "adjust", "seat": 0, "points": -15, "reason": "late"},
    )
    page = await phone.page(language=language, viewport=WIDE)
    await page.goto(f"/games/{game.id}/sheet")
    sheet = page.locator(".sheet.scroll")
    assert await sheet.evaluate("(it) => it.scrollWidth <= it.clientWidth")
    last = sheet.locator("thead th").last
    label = await sheet.locator("tbody th").first.get_attribute("id")
    told = sheet.locator(f"td[headers='{label} {await last.get_attribute('id')}']")
    await expect(told).to_have_text("+120 120")


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=["small", "wide"])
async def test_sheet_shows_five_players_at_once_however_long_their_names(
    http: httpx.AsyncClient, phone: Phone, size: ViewportSize
) -> None:
    long = "Bartholomäus Maximilian von Hohenzollern-Sigmaringen der"
    players = [await add_player(http, f"{long} {number}.") for number in range(1, 6)]
    body = {"ruleset": "dutch", "players": players}
    game = Game(http, (await http.post("/api/games", json=body)).json())
    totals = [21, 8, 40, 3, 17]
    await game.record({"type": "result", "caller": 1, "counter": 2, "totals": totals})
    page = await phone.page(viewport=size)
    await page.goto(f"/games/{game.id}/sheet")
    sheet = page.locator(".sheet.scroll")
    assert await sheet.evaluate("(it) => it.scrollWidth <= it.clientWidth")


async def test_points_by_agreement_are_typed_on_our_own_keypad(phone: Phone, game: Game) -> None:
    page = await phone.page()
    await page.goto(f"/games/{game.id}/more")
    await page.get_by_text("Adjust the score", exact=True).first.click()
    for sign in ("1", "0", "Change the sign"):
        await page.locator(".digits").get_by_role("button", name=sign, exact=True).click()
    await page.get_by_role("button", name="Apply").click()
    await page.wait_for_url(f"**/games/{game.id}")
    assert (await game.view())["totals"] == [-10, 0]


async def test_invited_scorer_writes_until_the_link_is_revoked(phone: Phone, game: Game) -> None:
    owner = await phone.page()
    await owner.goto(f"{in_network(str(game.http.base_url))}/games/{game.id}/share")
    await owner.get_by_role("button", name="Invite to record").click()
    await expect(owner.get_by_role("img", name="QR code")).to_be_visible()
    address = await owner.locator(".address a").get_attribute("href")
    scorer = await phone.page(key=None)
    await scorer.goto(str(address))
    table = Table(scorer, game.id)
    await table.ready()
    await table.tap("QH")
    await owner.locator("summary", has_text="Revoke").click()
    await owner.get_by_role("button", name="Revoke: Link 1").click()
    await expect(owner.locator("summary", has_text="Revoke")).to_have_count(0)
    await expect(scorer.get_by_role("alert")).to_contain_text("Signed out")
    await scorer.goto(f"/games/{game.id}")
    await expect(scorer.get_by_label("Key")).to_be_visible()


async def test_link_that_no_phone_can_open_has_no_qr_code(phone: Phone, game: Game) -> None:
    page = await phone.page()
    await page.goto(f"/games/{game.id}/share")
    await expect(page.locator(".notice.warn")).to_contain_text("address of this computer")
    await page.get_by_role("button", name="Invite to watch").click()
    await expect(page.locator(".address a")).to_be_visible()
    await expect(page.get_by_role("img", name="QR code")).to_have_count(0)


async def test_timeline_tells_who_recorded_what(phone: Phone, game: Game) -> None:
    await game.record({"type": "note", "text": "by the owner"})
    tokens: list[str] = []
    for role in ("viewer", "scorer"):
        made = await game.http.post(f"{game.path}/links", json={"role": role})
        tokens.append(made.json()["token"])
    async with client_with_key(str(game.http.base_url), tokens[1]) as scorer:
        sent = await Game(scorer, await game.view()).send({"type": "note", "text": "rain"})
        assert sent.is_success
    page = await phone.page()
    await page.goto(f"/games/{game.id}/log")
    await expect(page.locator("#v2")).to_contain_text("by the owner")
    await expect(page.locator("#v3")).to_contain_text("by link 2")


async def test_timeline_shows_corrections_as_corrections(phone: Phone, game: Game) -> None:
    await game.record(*DEAL)
    move = {"type": "deal", "dealer": 0, "turn_up": "KH"}
    await game.record({"type": "amend", "version": 2, "move": move}, {"type": "take_back", "to": 3})
    page = await phone.page()
    await page.goto(f"/games/{game.id}/log")
    await expect(page.locator("#v6")).to_contain_text("correction")
    await expect(page.locator("#v4 del")).to_have_text("Ann leaves the turned card")


async def test_forgotten_player_has_no_name_anywhere(phone: Phone) -> None:
    page = await phone.page()
    await page.goto("/players")
    await page.get_by_label("New player").fill("Zebedee")
    await page.get_by_role("button", name="Add").click()
    await page.get_by_role("link", name="Zebedee").click()
    await page.locator("summary", has_text="Forget this name").click()
    await expect(page.get_by_text("The games stay, with their points")).to_be_visible()
    await page.get_by_role("button", name="Forget Zebedee for good").click()
    await expect(page.get_by_role("heading", name="Forgotten player")).to_be_visible()
    await expect(page.get_by_text("Zebedee")).to_have_count(0)
    await page.goto("/players")
    await expect(page.get_by_text("Zebedee")).to_have_count(0)


async def test_language_theme_and_suits_are_kept(phone: Phone) -> None:
    page = await phone.page()
    await page.goto("/players")
    await page.get_by_role("link", name="More").click()
    await page.get_by_role("link", name="Settings").click()
    await page.get_by_label("Deutsch").check()
    await page.get_by_label("dark").check()
    await page.get_by_label("four").check()
    await page.get_by_role("button", name="Save").click()
    await expect(page).to_have_url("/more")
    html = page.locator("html")
    await expect(html).to_have_attribute("lang", "de")
    await expect(html).to_have_attribute("data-theme", "dark")
    await expect(html).to_have_attribute("data-suits", "four")


async def test_card_letters_follow_the_language(phone: Phone, game: Game) -> None:
    page = await phone.page(language="fr")
    await page.goto(f"/games/{game.id}")
    key = page.locator('.panel:not(.offline-pad) .key[value="QH"]')
    await expect(key).to_have_text("D")
    await expect(key).to_have_accessible_name("la dame de cœur")


@pytest.mark.parametrize(
    "address", ["/games/00000000-0000-4000-8000-000000000000", "/nowhere", "/games/nobody"]
)
async def test_address_that_leads_nowhere_says_so(phone: Phone, address: str) -> None:
    page = await phone.page()
    answer = await page.goto(address)
    assert answer is not None
    assert answer.status == 404
    await expect(page.get_by_role("heading", name="Nothing here")).to_be_visible()
