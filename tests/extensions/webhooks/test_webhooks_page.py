import re
from collections.abc import AsyncGenerator, Generator

import httpx
import pytest

from tests.extensions.webhooks.receiver import Receiver, Reply, running_receiver
from tests.extensions.webhooks.test_webhooks import LOCAL, calls, given_up, noted
from tests.http.club import DEAL, LOST_RESULT, Game, anonymous_client, client_with_key
from tests.postgres import Cluster
from tests.service_process import KEY, ServiceProcess


@pytest.fixture(scope="module")
def caller(
    embedded_cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Generator[ServiceProcess]:
    log = tmp_path_factory.mktemp("webhooks-page") / "log"
    with (
        embedded_cluster.database() as url,
        ServiceProcess.running(log, CARNET_DATABASE_URL=url, **LOCAL) as service,
    ):
        yield service


@pytest.fixture
async def browser(caller: ServiceProcess) -> AsyncGenerator[httpx.AsyncClient]:
    async with anonymous_client(caller.url) as client:
        assert (await client.get("/login", params={"key": KEY})).status_code == 303
        yield client
    async with client_with_key(caller.url, KEY) as http:
        for one in (await http.get("/api/webhooks")).json()["webhooks"]:
            await http.delete(f"/api/webhooks/{one['id']}")


@pytest.fixture
def receiver() -> Generator[Receiver]:
    with running_receiver() as made:
        yield made


async def show(browser: httpx.AsyncClient) -> str:
    return (await browser.get("/webhooks")).text


async def test_what_cannot_be_made_is_told_and_makes_nothing(browser: httpx.AsyncClient) -> None:
    for form, wrong in (
        ({"url": "table.example", "form": "slack", "deal.ended": "1"}, "url"),
        ({"url": "https://192.168.1.7", "form": "slack", "deal.ended": "1"}, "private"),
        ({"url": "https://table.example", "form": "slack"}, "events"),
        ({"url": "https://table.example", "form": "fax", "deal.ended": "1"}, "events"),
    ):
        answer = await browser.post("/webhooks", data=form)
        assert answer.headers["Location"] == f"/webhooks?wrong={wrong}"
        page = (await browser.get(answer.headers["Location"])).text
        assert 'role="alert"' in page
        assert "/webhooks/" not in page


async def test_a_webhook_is_made_tried_given_up_told_turned_on_and_removed(
    browser: httpx.AsyncClient, receiver: Receiver, caller: ServiceProcess
) -> None:
    made = {"url": receiver.url, "form": "standard", "deal.ended": "1"}
    assert (await browser.post("/webhooks", data=made)).status_code == 303
    page = await show(browser)
    (hook,) = set(re.findall(r'action="(/webhooks/[0-9a-f-]{36})"', page))
    (secret,) = re.findall(r"whsec_[A-Za-z0-9+/=]+", page)
    assert "whsec_" not in await show(browser)
    await browser.post(hook, data={"do": "try"})
    assert len(await calls(receiver, 1)) == 1
    await browser.post(hook, data={"do": "renew"})
    assert re.findall(r"whsec_[A-Za-z0-9+/=]+", await show(browser)) not in ([], [secret])
    receiver.answer = lambda _: Reply(410)
    async with client_with_key(caller.url, KEY) as http:
        game = await Game.start(http)
        await game.record(*DEAL, LOST_RESULT)
        assert await given_up(http, f"/api{hook}") == "gone"
        await browser.post(hook, data={"do": "on"})
        await browser.post(hook, data={"do": "off"})
        assert (await http.get(f"/api{hook}")).json()["state"] == "off"
    await browser.post(hook, data={"do": "remove"})
    assert hook not in await show(browser)


async def test_a_webhook_is_turned_off_and_on_by_the_buttons_that_say_so(
    browser: httpx.AsyncClient, receiver: Receiver, caller: ServiceProcess
) -> None:
    made = {"url": receiver.url, "form": "standard", "deal.ended": "1"}
    await browser.post("/webhooks", data=made)
    async with client_with_key(caller.url, KEY) as http:
        for words, state, left in (("Turn off", "off", "Turn on"), ("Turn on", "on", "Turn off")):
            page = await show(browser)
            (hook,) = set(re.findall(r'action="(/webhooks/[0-9a-f-]{36})"', page))
            (does,) = re.findall(rf'name="do" value="(\w+)">{words}<', page)
            await browser.post(hook, data={"do": does})
            assert (await http.get(f"/api{hook}")).json()["state"] == state
            assert re.findall(r">(Turn o\w+)<", await show(browser)) == [left]


async def test_a_program_turns_a_webhook_off_and_on(
    browser: httpx.AsyncClient, receiver: Receiver, caller: ServiceProcess
) -> None:
    await browser.post(
        "/webhooks", data={"url": receiver.url, "form": "slack", "game.started": "1"}
    )
    async with client_with_key(caller.url, KEY) as http:
        (hook,) = (await http.get("/api/webhooks")).json()["webhooks"]
        path = f"/api/webhooks/{hook['id']}"
        for state in ("off", "on"):
            assert (await http.patch(path, json={"state": state})).json()["state"] == state


async def test_an_owner_is_told_on_the_first_page_what_was_turned_off(
    browser: httpx.AsyncClient, receiver: Receiver, caller: ServiceProcess
) -> None:
    receiver.answer = lambda _: Reply(410)
    await browser.post(
        "/webhooks", data={"url": receiver.url, "form": "slack", "game.started": "1"}
    )
    assert 'href="/webhooks"' not in (await browser.get("/")).text
    async with client_with_key(caller.url, KEY) as http:
        await Game.start(http)
        (hook,) = (await http.get("/api/webhooks")).json()["webhooks"]
        assert await given_up(http, f"/api/webhooks/{hook['id']}") == "gone"
        await http.post(f"/api/webhooks/{hook['id']}/deliveries")  # looks, and so learns of it
    assert 'href="/webhooks"' in (await browser.get("/")).text


async def test_a_webhook_is_limited_to_the_game_that_is_chosen(
    browser: httpx.AsyncClient, receiver: Receiver, caller: ServiceProcess
) -> None:
    async with client_with_key(caller.url, KEY) as http:
        other, game = await Game.start(http), await Game.start(http)
        assert f'<option value="{game.id}">' in await show(browser)
        made = {"url": receiver.url, "form": "standard", "deal.ended": "1", "game": game.id}
        await browser.post("/webhooks", data=made)
        for one in (other, game):
            await one.record(*DEAL, LOST_RESULT)
        (call,) = await calls(receiver, 1)
        assert call.json["data"]["game_id"] == game.id
        (hook,) = (await http.get("/api/webhooks")).json()["webhooks"]
        assert (hook["game"], hook["events"]) == (game.id, ["deal.ended"])
        for wrong in ("00000000-0000-4000-8000-000000000000", "the last one"):
            answer = await browser.post("/webhooks", data={**made, "game": wrong})
            assert answer.headers["Location"] == "/webhooks?wrong=game"
        assert len((await http.get("/api/webhooks")).json()["webhooks"]) == 1


async def test_calls_are_listed_tried_and_sent_again_on_a_page_of_their_own(
    browser: httpx.AsyncClient, receiver: Receiver, caller: ServiceProcess
) -> None:
    made = {"url": receiver.url, "form": "standard", "deal.ended": "1", "head.signed": "1"}
    await browser.post("/webhooks", data=made)
    async with client_with_key(caller.url, KEY) as http:
        (hook,) = (await http.get("/api/webhooks")).json()["webhooks"]
        page = f"/webhooks/{hook['id']}"
        assert f'href="{page}"' not in await show(browser)  # nothing was sent yet
        answer = await browser.post(page, data={"do": "try", "from": "calls"})
        assert answer.headers["Location"] == page
        game = await Game.start(http)
        await game.record(*DEAL, LOST_RESULT)
        tried, told = await calls(receiver, 2)
        await noted(http, hook)
        assert f'href="{page}"' in await show(browser)
        listed = (await browser.get(page)).text
        assert listed.count('value="repeat"') == 2
        assert "to try it" in listed
        assert f'href="/games/{game.id}/at/{told.json["data"]["version"]}">a deal ended' in listed
        for one in (tried, told):
            position = one.id.rpartition("_")[2]
            again = {"do": "repeat", "position": position, "from": "calls"}
            assert (await browser.post(page, data=again)).headers["Location"] == page
            assert receiver.came[-1].id == one.id
        assert len(receiver.came) == 4
        assert (await browser.get(f"/webhooks/{game.id}")).status_code == 404
