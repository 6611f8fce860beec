import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from uuid import uuid4

import httpx
import psycopg
import pytest

from service.access.cookies import SESSION
from tests.http.club import SHORT_KEEPALIVE, Game, client_with_key
from tests.service_process import KEY, PLAIN_TLS, ServiceProcess

PHONE = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"


@pytest.fixture(scope="module")
def house(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    log = tmp_path_factory.mktemp("house") / "log"
    with ServiceProcess.running(log, CARNET_DATABASE_URL=database) as running:
        yield running.url


@pytest.fixture
async def owner(house: str) -> AsyncGenerator[httpx.AsyncClient]:
    async with client_with_key(house, KEY) as client:
        yield client


@asynccontextmanager
async def browser(house: str, agent: str = PHONE) -> AsyncGenerator[httpx.AsyncClient]:
    headers = {"User-Agent": agent}
    async with httpx.AsyncClient(
        base_url=house, headers=headers, timeout=120, limits=SHORT_KEEPALIVE, verify=PLAIN_TLS
    ) as client:
        yield client


async def invited(owner: httpx.AsyncClient, name: str, role: str) -> tuple[str, str]:
    answer = await owner.post("/people", data={"name": name, "role": role})
    assert answer.headers["Location"] == "/people"
    page = (await owner.get("/people")).text
    token = re.findall(r'login\?key=([^"]+)"', page)[0]
    return re.findall(r'action="/people/([0-9a-f-]{36})"', page)[-1], token


async def join(client: httpx.AsyncClient, token: str) -> str:
    answer = await client.post("/join", data={"key": token})
    assert answer.status_code == 303
    return answer.headers["Location"]


async def test_an_invitation_is_looked_at_and_then_works_once(
    house: str, owner: httpx.AsyncClient
) -> None:
    _, token = await invited(owner, "Ann", "scorer")
    async with browser(house) as first, browser(house) as second:
        asked = await first.get("/login", params={"key": token}, follow_redirects=True)
        assert "Welcome, Ann" in asked.text
        assert SESSION not in first.cookies
        assert await join(first, token) == "/"
        assert (await first.get("/history")).status_code == 200
        again = await second.get(await join(second, token))
        assert (again.status_code, "used already" in again.text) == (401, True)
        assert "Ask the owner of this Carnet for a new one." in again.text
        assert (await second.get("/history")).headers["Location"] == "/login"


async def test_an_invitation_is_shown_once_and_lets_no_program_in(
    house: str, owner: httpx.AsyncClient
) -> None:
    _, token = await invited(owner, "Ann", "owner")
    assert token not in (await owner.get("/people")).text
    async with client_with_key(house, token) as program:
        assert (await program.get("/api/players")).status_code == 401


async def test_an_invitation_that_expired_opens_nothing(
    house: str, owner: httpx.AsyncClient, database: str
) -> None:
    _, token = await invited(owner, "Ann", "reader")
    with psycopg.connect(database) as conn:
        conn.execute("ALTER TABLE carnet.access_grant DISABLE TRIGGER USER")
        conn.execute("UPDATE carnet.access_grant SET expires_at = now() WHERE kind = 'invitation'")
        conn.execute("ALTER TABLE carnet.access_grant ENABLE TRIGGER USER")
    async with browser(house) as late:
        answer = await late.get(await join(late, token))
        assert "This invitation has ended" in answer.text


async def test_whoever_may_do_as_much_keeps_the_invitation_for_another(
    house: str, owner: httpx.AsyncClient
) -> None:
    _, token = await invited(owner, "Ann", "reader")
    async with browser(house) as first, browser(house) as second:
        await first.get("/login", params={"key": KEY})
        assert await join(first, token) == "/?already=yes"
        assert await join(second, token) == "/"


async def test_what_a_member_may_do_changes_at_once(house: str, owner: httpx.AsyncClient) -> None:
    member, token = await invited(owner, "Ann", "reader")
    async with browser(house) as ann:
        await join(ann, token)
        assert (await ann.get("/games/new")).status_code == 403
        await owner.post(f"/people/{member}", data={"name": "Anna", "role": "scorer"})
        assert (await ann.get("/games/new")).status_code == 200
        await owner.post(f"/people/{member}", data={"do": "remove"})
        assert (await ann.get("/games/new")).headers["Location"] == "/login"
    assert "Anna" not in (await owner.get("/people")).text


async def test_what_a_member_records_is_told_apart_from_the_owner(
    house: str, owner: httpx.AsyncClient, database: str
) -> None:
    member, token = await invited(owner, "Ann", "scorer")
    async with browser(house) as ann:
        await join(ann, token)
        game = await Game.start(ann)
        await game.record({"type": "note", "text": "mine"})
    with psycopg.connect(database) as conn:
        found = conn.execute(
            "SELECT recorded_by FROM carnet.entry WHERE game_id = %s", [game.id]
        ).fetchall()
    assert {str(one) for (one,) in found} == {member}


async def test_the_last_owner_is_neither_removed_nor_made_less(
    owner: httpx.AsyncClient, database: str
) -> None:
    with psycopg.connect(database) as conn:
        conn.execute("UPDATE carnet.member SET removed_at = now() WHERE removed_at IS NULL")
    first, _ = await invited(owner, "Ann", "owner")
    for form in ({"do": "remove"}, {"name": "Ann", "role": "reader"}):
        answer = await owner.post(f"/people/{first}", data=form)
        assert answer.headers["Location"] == "/people?wrong=owner"
    assert "Make somebody else an owner first" in (await owner.get("/people?wrong=owner")).text
    second, _ = await invited(owner, "Bob", "owner")
    assert (await owner.post(f"/people/{first}", data={"do": "remove"})).headers[
        "Location"
    ] == "/people"
    assert (await owner.post(f"/people/{second}", data={"do": "remove"})).headers[
        "Location"
    ] == "/people?wrong=owner"


async def test_a_device_is_named_seen_and_signed_out_from_afar(
    house: str, owner: httpx.AsyncClient
) -> None:
    _, token = await invited(owner, "Ann", "scorer")
    async with browser(house) as ann:
        await join(ann, token)
        page = (await ann.get("/people")).text
        assert "Chrome, Android" in page
        assert "this device" in page
        (device,) = set(re.findall(r'action="/people/devices/([0-9a-f-]{36})"', page))
        await ann.post(f"/people/devices/{device}", data={"name": "kitchen tablet"})
        listed = (await owner.get("/people")).text
        assert "Kitchen tablet" in listed
        assert "Ann" in listed
        await owner.post(f"/people/devices/{device}", data={"do": "end"})
        assert (await ann.get("/")).headers["Location"] == "/login"
    assert "Kitchen tablet" not in (await owner.get("/people")).text


async def test_devices_seen_earlier_are_folded_below_the_way_to_sign_them_out(
    house: str, owner: httpx.AsyncClient, database: str
) -> None:
    member, token = await invited(owner, "Ann", "scorer")
    async with browser(house) as phone, browser(house, "") as tablet:
        await join(tablet, token)
        (old,) = set(re.findall(r'action="/people/devices/([0-9a-f-]{36})"', await page_of(tablet)))
        await owner.post(f"/people/{member}", data={"do": "invite"})
        again = re.findall(r'login\?key=([^"]+)"', (await owner.get("/people")).text)[0]
        await join(phone, again)
        assert 'id="before"' not in await page_of(phone)
        with psycopg.connect(database, autocommit=True) as direct:
            direct.execute(
                "UPDATE carnet.access_grant SET seen_at = seen_at - interval '31 days'"
                " WHERE grant_id = %s",
                (old,),
            )
        lately, _, before = (await page_of(phone)).partition('id="before"')
        assert lately.index("/people/devices/others") < lately.index("this device")
        assert f"/people/devices/{old}" not in lately
        assert f"/people/devices/{old}" in before
        assert "1 device seen earlier" in before


async def test_of_many_devices_seen_today_a_dozen_are_in_sight(
    house: str, owner: httpx.AsyncClient
) -> None:
    member, token = await invited(owner, "Zoé", "scorer")
    async with browser(house) as phone:
        await join(phone, token)
        for _ in range(13):
            await owner.post(f"/people/{member}", data={"do": "invite"})
            again = re.findall(r'login\?key=([^"]+)"', (await owner.get("/people")).text)[0]
            async with browser(house) as other:
                await join(other, again)
        lately, _, before = (await page_of(phone)).partition('id="before"')
        assert lately.count("First seen") == 12
        assert "this device" in lately
        assert before.count("First seen") == 2


async def page_of(client: httpx.AsyncClient) -> str:
    return (await client.get("/people")).text


async def test_a_member_sees_and_signs_out_their_own_devices_only(
    house: str, owner: httpx.AsyncClient
) -> None:
    member, token = await invited(owner, "Ann", "scorer")
    async with browser(house) as phone, browser(house, "") as tablet, browser(house) as bob:
        await join(phone, token)
        await owner.post(f"/people/{member}", data={"do": "invite"})
        second = re.findall(r'login\?key=([^"]+)"', (await owner.get("/people")).text)[0]
        await join(tablet, second)
        _, other = await invited(owner, "Bob", "reader")
        await join(bob, other)
        ids = re.findall(
            r'action="/people/devices/([0-9a-f-]{36})"', (await bob.get("/people")).text
        )
        assert len(set(ids)) == 1
        assert (
            await phone.post(f"/people/devices/{ids[0]}", data={"do": "end"})
        ).status_code == 404
        await phone.post("/people/devices/others")
        assert (await tablet.get("/")).headers["Location"] == "/login"
        assert (await phone.get("/")).status_code == 200
        assert (await bob.get("/")).status_code == 200


async def test_signing_out_this_device_leads_to_the_login(
    house: str, owner: httpx.AsyncClient
) -> None:
    _, token = await invited(owner, "Ann", "reader")
    async with browser(house) as ann:
        await join(ann, token)
        (device,) = set(
            re.findall(r'action="/people/devices/([0-9a-f-]{36})"', (await ann.get("/people")).text)
        )
        answer = await ann.post(f"/people/devices/{device}", data={"do": "end"})
        assert answer.headers["Location"] == "/login"
        assert not ann.cookies


async def test_what_a_member_recorded_is_told_by_their_name(
    house: str, owner: httpx.AsyncClient
) -> None:
    game = await Game.start(owner)
    member, token = await invited(owner, "Zoé", "scorer")
    async with browser(house) as phone:
        await join(phone, token)
        sent = {"entries": [{"type": "note", "text": "rain"}]}
        headers = {"If-Match": f'"{game.version}"', "Idempotency-Key": str(uuid4())}
        url = f"/games/{game.id}/outbox"
        assert (await phone.post(url, json=sent, headers=headers)).status_code == 201
    headers["Idempotency-Key"] = str(uuid4())
    told = await owner.post(url, json=sent, headers=headers)
    assert "Zoé had it already" in told.text
    log = f"/games/{game.id}/log"
    assert "by Zoé" in (await owner.get(log)).text
    await owner.post(f"/people/{member}", data={"do": "remove"})
    assert "by somebody who was removed" in (await owner.get(log)).text
