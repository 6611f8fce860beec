"""Two clubs with equal names and games: every route with every right of the other club.

The routes are those of the table in `test_rights`, so that new ones are included.
"""

import re
from collections import defaultdict
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager, closing
from uuid import UUID, uuid4

import httpx
import pytest

from service.access.secrets import club_of_secret, prefix_club, token_hash
from service.store.club.changes import ClubChanges
from service.store.connection.pool import owner_session
from tests.http.api_tokens import make_token
from tests.http.club import DEAL, SHORT_KEEPALIVE, Game, anonymous_client, client_with_key
from tests.http.kept_connection import PersistentConnection
from tests.http.test_rights import TABLE
from tests.service_process import ServiceProcess

NAMES = ("Ann of Acacia", "Bob of Acacia")
NOTE = "the acacia by the window"
RIGHTS = ("owner", "second owner", "scorer", "reader", "game scorer", "game viewer", "token")
# Pages that show no data of a club.
OF_NOBODY = {"/schema/{path}", "/static/{digest}/{name}", "/rules/{ruleset}"}


class Club:
    def __init__(self, url: str, key: str) -> None:
        self.url = url
        self.owner = client_with_key(url, key)
        self.key = key
        self.club_id = club_of_secret(key) or UUID(int=0)
        self.game: Game
        self.ids: dict[str, str] = {}
        self.tokens: dict[str, str] = {}

    async def furnish(self) -> None:
        people = [await self._made("/api/players", name=name) for name in NAMES]
        body = {"ruleset": "euchre", "players": people}
        self.game = Game(self.owner, (await self.owner.post("/api/games", json=body)).json())
        await self.game.record(DEAL[0], {"type": "note", "text": NOTE})
        links = {
            role: (await self.owner.post(f"{self.game.path}/links", json={"role": role})).json()
            for role in ("scorer", "viewer")
        }
        season = {"name": "Acacia", "first_day": "2026-01-01", "last_day": "2026-12-31"}
        evening = (await self.owner.get("/api/evenings")).json()["evenings"][0]["id"]
        self.tokens = {f"game {role}": link["token"] for role, link in links.items()}
        token = await make_token(self.owner, role="owner", days="30")
        self.tokens |= {"token": token.secret, "owner": self.key}
        await self.owner.post(f"/games/{self.game.id}/share", data={"for": "anybody"})
        self.ids = {
            "game_id": self.game.id,
            "old_id": self.game.id,
            "link_id": links["viewer"]["id"],
            "player_id": people[0],
            "evening_id": evening,
            "title_id": await self._made("/api/titles", name="Skyjo"),
            "season_id": await self._made("/api/seasons", **season),
            "token_id": token.id,
        }
        self.ids["member_id"] = await self.invite("reader")
        browser = await self.browser("reader")
        page = (await self.owner.get("/people")).text
        self.ids["session_id"] = re.findall(r'action="/people/devices/([0-9a-f-]{36})"', page)[-1]
        await browser.aclose()
        self.ids["name"] = await self.export()
        hook = {"url": "https://table.example/hook", "events": ["game.set_aside"]}
        answer = await self.owner.post("/api/webhooks", json=hook)
        self.ids["webhook_id"] = str(answer.json()["id"])

    async def export(self) -> str:
        answer = await self.owner.get("/history.json", params={"keep": "yes"})
        found = re.findall(r"/exports/([\w-]+)", answer.text + str(answer.headers))
        return str(found[0]) if found else "none"

    async def invite(self, role: str) -> str:
        await self.owner.post("/people", data={"name": "Cid of Acacia", "role": role})
        page = (await self.owner.get("/people")).text
        self.tokens[f"invited {role}"] = str(re.findall(r'login\?key=([^"]+)"', page)[0])
        return str(re.findall(r'action="/people/([0-9a-f-]{36})"', page)[-1])

    async def browser(self, right: str) -> httpx.AsyncClient:
        client = anonymous_client(self.url)
        await self.add(client, right)
        return client

    async def add(self, client: httpx.AsyncClient, right: str) -> None:
        role = {"second owner": "owner"}.get(right, right)
        if right in {"second owner", "scorer", "reader"}:
            await self.invite(role)
            answer = await client.post("/join", data={"key": self.tokens[f"invited {role}"]})
        else:
            answer = await client.post("/login", data={"key": self.tokens[right]})
        assert answer.status_code == 303, answer.text

    async def _made(self, path: str, **body: str) -> str:
        answer = await self.owner.post(path, json=body)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])


async def club_added(database: str, url: str, name: str) -> Club:
    club_id = uuid4()
    key = prefix_club(club_id, "the-owners-key-of-this-club")
    async with owner_session(database) as conn:
        await ClubChanges(conn).add(club_id, name, token_hash(key))
    return Club(url, key)


@pytest.fixture(scope="module")
async def clubs(
    service: ServiceProcess, service_database: str
) -> AsyncGenerator[tuple[Club, Club]]:
    here = await club_added(service_database, service.url, "Here")
    there = await club_added(service_database, service.url, "There")
    for one in (here, there):
        await one.furnish()
    yield here, there
    for one in (here, there):
        await one.owner.aclose()


def fill(path: str, club: Club) -> str:
    words = {"version": "2", "ruleset": "euchre", "ruleset_id": "euchre", "size": "1"}
    words["position"] = "1"
    return path.format_map(defaultdict(lambda: "none", words | club.ids))


@asynccontextmanager
async def somebody(club: Club, right: str) -> AsyncGenerator[PersistentConnection]:
    if right == "token":
        client = client_with_key(club.url, club.tokens["token"])
    else:
        client = await club.browser(right)
    async with aclosing(client):
        with closing(PersistentConnection(client)) as there:
            yield there


def describe(there: PersistentConnection, method: str, path: str) -> tuple[int, str]:
    form = None if method == "GET" or path.startswith("/api") else {"do": "end", "name": "Else"}
    headers = {"Content-Type": "application/json"} if path.startswith("/api") else {}
    answer = there.request(method, path, form, headers)
    return answer.status, answer.body.decode(errors="replace") + answer.location


@pytest.mark.parametrize("right", RIGHTS)
async def test_ids_of_another_club_are_not_found(clubs: tuple[Club, Club], right: str) -> None:
    here, there = clubs
    found: list[tuple[str, str, int]] = []
    async with somebody(there, right) as asking:
        for method, path, need in TABLE:
            if "{" not in path or path in OF_NOBODY or method == "HEAD":
                continue
            status, body = describe(asking, method, fill(path, here))
            nowhere = nothing_there(path, here)
            same = describe(asking, method, nowhere)
            shown = [word for word in (*NAMES, NOTE, here.game.id) if word in body and need]
            asked = fill(path, here)
            shown = [word for word in shown if word not in asked]
            # Objects of another club are answered like missing ones.
            if (status, bool(shown)) != (same[0], False):
                found.append((method, path, status))
    assert found == []


def nothing_there(path: str, club: Club) -> str:
    nobody = Club.__new__(Club)
    nobody.ids = {name: str(uuid4()) if _is_id(one) else "none" for name, one in club.ids.items()}
    return fill(path, nobody)


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


async def test_what_is_anothers_stays_as_it_was(clubs: tuple[Club, Club]) -> None:
    here, there = clubs
    before = await here.owner.get("/api/players"), await here.game.log()
    async with somebody(there, "owner") as asking:
        for method, path, _ in TABLE:
            if method != "GET" and "{" in path:
                describe(asking, method, fill(path, here))
    assert (await here.owner.get("/api/players")).json() == before[0].json()
    assert await here.game.log() == before[1]


@pytest.mark.parametrize("right", RIGHTS)
async def test_lists_hold_what_is_of_the_club(clubs: tuple[Club, Club], right: str) -> None:
    here, there = clubs
    ids = {one for name, one in here.ids.items() if name not in {"version", "name"}}
    async with somebody(there, right) as asking:
        for method, path, _ in TABLE:
            if method != "GET" or "{" in path:
                continue
            _, body = describe(asking, method, path)
            assert not [one for one in ids if one in body], path


async def test_a_link_of_another_club_takes_nothing_away(clubs: tuple[Club, Club]) -> None:
    here, there = clubs
    async with aclosing(await here.browser("scorer")) as client:
        await there.add(client, "game viewer")
        mine = await client.get(f"/games/{here.game.id}")
        theirs = await client.get(f"/games/{there.game.id}")
        assert (mine.status_code, theirs.status_code) == (200, 200)
        # Lists are those of the club that the browser is a member of.
        games = (await client.get("/api/games")).json()["games"]
        assert [one["id"] for one in games] == [here.game.id]
        answer = await client.post(f"/games/{there.game.id}/entries", data={"type": "note"})
        assert answer.status_code == 403


async def test_a_key_shows_its_club_from_then_on_and_the_other_is_one_choice_away(
    clubs: tuple[Club, Club],
) -> None:
    here, there = clubs
    async with aclosing(await here.browser("reader")) as client:
        assert "Clubs on this device" not in (await client.get("/settings")).text
        await there.add(client, "owner")
        assert await shown(client) == there.game.id
        page = (await client.get("/settings")).text
        names = re.findall(r'name="club" value="([0-9a-f-]{36})"[^>]*>(\w+)<', page)
        assert [name for _, name in names] == ["There", "Here"]
        await client.post("/settings/club", data={"club": names[1][0]})
        assert await shown(client) == here.game.id
        await client.post("/logout")
        assert (await client.get("/api/games")).status_code == 401


async def shown(client: httpx.AsyncClient) -> str:
    (game,) = (await client.get("/api/games")).json()["games"]
    return str(game["id"])


async def test_a_secret_of_no_club_opens_nothing(service: ServiceProcess) -> None:
    for secret in (prefix_club(uuid4(), "x" * 24), "AAAAAAAA.x", "." * 30):
        async with client_with_key(service.url, secret) as client:
            assert (await client.get("/api/games")).status_code == 401
        cookies = {"carnet-session": secret}
        async with httpx.AsyncClient(
            base_url=service.url, cookies=cookies, limits=SHORT_KEEPALIVE
        ) as client:
            assert (await client.get("/api/games")).status_code == 401


async def test_a_suspended_club_is_read_and_not_written(
    service: ServiceProcess, service_database: str
) -> None:
    club = await club_added(service_database, service.url, "Asleep")
    await club.furnish()
    async with owner_session(service_database) as conn:
        await ClubChanges(conn).suspend(club.club_id)
    async with aclosing(await club.browser("game scorer")) as client:
        assert (await client.get(f"/games/{club.game.id}")).status_code == 200
        answer = await client.post(
            f"/games/{club.game.id}/entries",
            data={"type": "note", "text": "x"},
            headers={"Accept-Language": "fr"},
        )
        assert answer.status_code == 403
        assert "suspendu" in answer.text
        # A phone would load its page anew at 403, and send the tap again without end.
        tap = {"type": "note", "text": "x"}
        answer = await client.post(
            f"/games/{club.game.id}/outbox",
            json={"entries": [tap]},
            headers={"Accept": "text/html", "If-Match": f'"{club.game.version}"'},
        )
        assert (answer.status_code, "data-way" in answer.text) == (422, True)
    async with client_with_key(service.url, club.tokens["token"]) as client:
        answer = await client.post("/api/players", json={"name": "Dora", "same_name": True})
        assert (answer.status_code, answer.json()["type"]) == (403, "suspended")
    async with owner_session(service_database) as conn:
        await ClubChanges(conn).resume(club.club_id)
    await club.owner.aclose()
