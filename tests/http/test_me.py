from uuid import uuid4

import httpx

from tests.http.club import add_player, anonymous_client
from tests.http.test_members import browser, house, invited, join, owner

__all__ = ["house", "owner"]

ASKS = "Who are you"


async def who(client: httpx.AsyncClient) -> str:
    """Return the page that a reader's own games and figures lead to, without its query."""
    answer = await client.get("/me")
    found: str = answer.headers.get("Location", ASKS if f"{ASKS}?" in answer.text else "")
    return found.partition("?")[0]


async def test_a_member_is_tied_to_a_player_on_every_device(
    house: str, owner: httpx.AsyncClient
) -> None:
    lea = await add_player(owner, f"Léa {uuid4()}")
    member, token = await invited(owner, "Léa", "reader")
    async with browser(house) as first, browser(house) as second:
        await join(first, token)
        assert await who(first) == ASKS
        await first.post("/me", data={"player": lea})
        assert await who(first) == f"/players/{lea}"
        assert "That is you." in (await first.get("/me", follow_redirects=True)).text
        await owner.post(f"/people/{member}", data={"do": "invite"})
        page = (await owner.get("/people")).text
        await join(second, page.partition("login?key=")[2].partition('"')[0])
        assert await who(second) == f"/players/{lea}"
        assert "I am none of them" in (await second.get("/me?ask=1")).text
        await second.post("/me", data={"player": ""})
        assert [await who(first), await who(second)] == [ASKS, ASKS]


async def test_the_owners_device_is_tied_alone_and_keeps_it_when_rights_are_gained(
    house: str, owner: httpx.AsyncClient
) -> None:
    key = owner.headers["Authorization"].removeprefix("Bearer ")
    zoe = await add_player(owner, f"Zoé {uuid4()}")
    _, token = await invited(owner, "Zoé", "reader")
    async with anonymous_client(house) as phone, anonymous_client(house) as tablet:
        for device in (phone, tablet):
            await device.get("/login", params={"key": key})
        await phone.post("/me", data={"player": zoe})
        assert [await who(phone), await who(tablet)] == [f"/players/{zoe}", ASKS]
        await join(phone, token)
        assert await who(phone) == f"/players/{zoe}"
        await phone.post("/me", data={"player": ""})
        assert await who(phone) == ASKS


async def test_whoever_was_merged_is_the_person_and_whoever_was_forgotten_nobody(
    house: str, owner: httpx.AsyncClient
) -> None:
    mark = uuid4()
    one, other = await add_player(owner, f"Bob {mark}"), await add_player(owner, f"Robert {mark}")
    _, token = await invited(owner, "Bob", "scorer")
    async with browser(house) as phone:
        await join(phone, token)
        await phone.post("/me", data={"player": one})
        await owner.post(f"/api/players/{one}/merge", json={"into": other})
        assert await who(phone) == f"/players/{other}"
        await owner.delete(f"/api/players/{one}/merge")
        assert await who(phone) == f"/players/{one}"
        await owner.delete(f"/api/players/{one}")
        assert await who(phone) == ASKS
        unknown = await phone.post("/me", data={"player": str(uuid4())})
        assert unknown.headers["Location"] == "/me?ask=1"
