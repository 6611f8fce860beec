"""The table of routes and pages with the rights they require.

A new route fails until it is in the table.
"""

import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, closing
from uuid import uuid4

import httpx
import pytest
from litestar.routes import HTTPRoute

from tests.http.club import Game, anonymous_client, client_with_key
from tests.http.kept_connection import PersistentConnection
from tests.http.unserved import app_without_server
from tests.service_process import KEY, ServiceProcess

# The required right of each route. `-`: none; `known`: any right; `read`, `write`: of the game in
# the path; `member`: to be of the club; `start`: to start games; `own`: to be an owner.
NEEDS = """
GET    /                                          known
GET    /api                                       known
GET    /api/evenings                              member
GET    /api/evenings/{evening_id}                 member
GET    /api/feed                                  own
GET    /api/games                                 member
POST   /api/games                                 start
GET    /api/games/{game_id}                       read
GET    /api/games/{game_id}/at/{version}          read
GET    /api/games/{game_id}/at/{version}/possible read
POST   /api/games/{game_id}/at/{version}/preview  read
GET    /api/games/{game_id}/description           read
PUT    /api/games/{game_id}/description           write
GET    /api/games/{game_id}/entries               read
POST   /api/games/{game_id}/entries               write
DELETE /api/games/{game_id}/entries/{version}/text own
GET    /api/games/{game_id}/entries/{version}/inclusion read
GET    /api/games/{game_id}/links                 own
POST   /api/games/{game_id}/links                 own
DELETE /api/games/{game_id}/links/{link_id}       own
GET    /api/games/{game_id}/live                  read
GET    /api/games/{game_id}/possible              read
POST   /api/games/{game_id}/preview               write
GET    /api/games/{game_id}/record                read
GET    /api/games/{game_id}/record.carnet         read
GET    /api/games/{game_id}/record.json           read
GET    /api/games/{game_id}/sheet                 read
GET    /api/games/{game_id}/sheet.csv             read
GET    /api/games/{game_id}/sheet.json            read
GET    /api/games/{game_id}/sheet.pdf             read
GET    /api/games/{game_id}/sheet.xlsx            read
GET    /api/heads                                 own
GET    /api/heads/{size}/consistency              own
GET    /api/history                               member
GET    /api/history.csv                           member
GET    /api/history.json                          member
GET    /api/history.pdf                           member
GET    /api/history.xlsx                          member
POST   /api/imports                               own
GET    /api/players                               member
POST   /api/players                               start
GET    /api/players/{player_id}                   member
GET    /api/players/{player_id}/figures           member
PATCH  /api/players/{player_id}                   own
DELETE /api/players/{player_id}                   own
POST   /api/players/{player_id}/merge             own
DELETE /api/players/{player_id}/merge             own
GET    /api/rulesets                              known
GET    /api/rulesets/{ruleset_id}                 known
GET    /api/titles                                member
POST   /api/titles                                start
PATCH  /api/titles/{title_id}                     own
DELETE /api/titles/{title_id}                     own
POST   /api/titles/{title_id}/merge               own
DELETE /api/titles/{title_id}/merge               own
GET    /api/seasons                               member
POST   /api/seasons                               own
PATCH  /api/seasons/{season_id}                   own
DELETE /api/seasons/{season_id}                   own
GET    /api/signed-in                             known
GET    /api/standings                             member
GET    /api/webhooks                              own
POST   /api/webhooks                              own
GET    /api/webhooks/{webhook_id}                 own
PATCH  /api/webhooks/{webhook_id}                 own
DELETE /api/webhooks/{webhook_id}                 own
GET    /api/webhooks/{webhook_id}/deliveries      own
POST   /api/webhooks/{webhook_id}/deliveries      own
POST   /api/webhooks/{webhook_id}/deliveries/{position} own
POST   /api/webhooks/{webhook_id}/secret          own
GET    /api/years/{year}                          member
GET    /backup                                    own
GET    /backup/carnet-backup.jsonl                own
GET    /evenings/{evening_id}                     member
GET    /evenings/{evening_id}/picture.png         member
GET    /evenings/{evening_id}/sheet.pdf           member
GET    /exports/{name}                            member
GET    /games/new                                 start
POST   /games/new                                 start
POST   /games/new/again/{old_id}                  start
GET    /games/new/tables                          start
GET    /games/{game_id}                           read
GET    /games/{game_id}/at/{version}              read
POST   /games/{game_id}/at/{version}/remark       write
GET    /games/{game_id}/at/{version}/what-if      read
POST   /games/{game_id}/at/{version}/what-if      read
GET    /games/{game_id}/board                     read
GET    /games/{game_id}/correct/{version}         write
POST   /games/{game_id}/description               write
GET    /games/{game_id}/entries                   read
POST   /games/{game_id}/entries                   write
GET    /games/{game_id}/erase/{version}           own
POST   /games/{game_id}/erase/{version}           own
GET    /games/{game_id}/go-on                     start
POST   /games/{game_id}/go-on                     start
POST   /games/{game_id}/go-on/undo                write
POST   /games/{game_id}/instead                   read
GET    /games/{game_id}/log                       read
GET    /games/{game_id}/more                      write
POST   /games/{game_id}/outbox                    write
GET    /games/{game_id}/picture.png               read
GET    /games/{game_id}/preview                   read
POST   /games/{game_id}/preview                   write
GET    /games/{game_id}/preview/keep              write
POST   /games/{game_id}/preview/keep              write
GET    /games/{game_id}/record.carnet             read
GET    /games/{game_id}/record.json               read
GET    /games/{game_id}/replay                    read
GET    /games/{game_id}/rules                     read
GET    /games/{game_id}/screen                    read
GET    /games/{game_id}/share                     own
POST   /games/{game_id}/share                     own
POST   /games/{game_id}/share/{link_id}/revoke    own
GET    /games/{game_id}/sheet                     read
GET    /games/{game_id}/sheet.csv                 read
GET    /games/{game_id}/sheet.pdf                 read
GET    /games/{game_id}/sheet.xlsx                read
GET    /go-on                                     known
GET    /healthz                                   -
GET    /history                                   member
GET    /history.csv                               member
GET    /history.json                              member
GET    /history.pdf                               member
GET    /history.xlsx                              member
GET    /import                                    own
POST   /import                                    own
GET    /import/everything/{name}                  own
POST   /import/everything/{name}                  own
GET    /import/games/{name}                       own
POST   /import/games/{name}                       own
POST   /import/games/{name}/go-on                 own
GET    /import/games/{name}/progress              own
POST   /import/games/{name}/stop                  own
POST   /import/games/{name}/table                 own
GET    /import/scores/template.csv                own
GET    /import/scores/template.xlsx               own
GET    /join                                      -
POST   /join                                      -
GET    /login                                     -
POST   /login                                     -
GET    /me                                        member
POST   /me                                        member
GET    /metrics                                   own
GET    /notation                                  -
GET    /offline                                   known
GET    /offline.js                                -
GET    /players                                   member
POST   /players                                   start
GET    /players/{player_id}                       member
POST   /players/{player_id}                       own
GET    /players/{player_id}/figures               member
GET    /titles                                    member
POST   /titles                                    start
GET    /titles/{title_id}                         member
POST   /titles/{title_id}                         own
GET    /readyz                                    -
GET    /rules/{ruleset}                           -
GET    /schema                                    -
GET    /schema/asyncapi                           -
GET    /schema/entries/{ruleset}                  -
GET    /schema/entries/{ruleset}/{entry_type}/{schema_version} -
GET    /schema/history-1.json                     -
GET    /schema/openapi.json                       -
GET    /schema/{path}                             -
GET    /screen                                    member
GET    /settings                                  -
POST   /settings                                  -
POST   /settings/club                             -
POST   /seasons                                   own
POST   /seasons/{season_id}                       own
GET    /shared/{token}                            -
GET    /shared/{token}/at/{version}               -
GET    /shared/{token}/picture.png                -
GET    /shared/{token}/replay                     -
GET    /shared/{token}/scores                     -
GET    /shared/{token}/version                    -
POST   /samples                                   own
POST   /samples/leave                             member
POST   /samples/remove                            own
POST   /shelf                                     start
POST   /shelf/back                                start
GET    /standings                                 member
GET    /static/{digest}/{name}                    -
GET    /years/{year}                             member
GET    /years/{year}/picture.png                 member
GET    /more                                     member
GET    /people                                   known
POST   /people                                   own
POST   /people/{member_id}                       own
POST   /people/devices/others                    known
POST   /people/devices/{session_id}              known
GET    /programs                                 own
POST   /programs/tokens                          own
POST   /programs/tokens/{token_id}               own
GET    /webhooks                                  own
POST   /webhooks                                  own
GET    /webhooks/{webhook_id}                     own
POST   /webhooks/{webhook_id}                     own
POST   /logout                                    -
"""
TABLE = [(method, path, need) for method, path, need in map(str.split, NEEDS.split("\n")[1:-1])]

WATCH = {"known", "read"}
RECORD = {"known", "read", "write"}
READ = {"known", "read", "member"}
SCORE = {"known", "read", "write", "member", "start"}
EVERYTHING = {"known", "read", "write", "member", "start", "own"}
# The abilities of each right in the requested game.
GIVES: dict[str, set[str]] = {
    "nobody": set(),
    "owner": EVERYTHING,
    "viewer": WATCH,
    "scorer": RECORD,
    "viewer elsewhere": {"known"},
    "scorer elsewhere": {"known"},
    "viewer, scorer": RECORD,
    "scorer, viewer": RECORD,
    "viewer, scorer elsewhere": WATCH,
    "scorer, viewer elsewhere": RECORD,
    "owner, viewer": EVERYTHING,
    "viewer elsewhere, owner": EVERYTHING,
    "revoked viewer": set(),
    "revoked scorer": set(),
    "viewer, revoked scorer": WATCH,
    "scorer elsewhere, revoked viewer": {"known"},
    "reader": READ,
    "club scorer": SCORE,
    "second owner": EVERYTHING,
    "reader, scorer": READ | RECORD,
    "scorer, reader": READ | RECORD,
    "reader, viewer": READ,
    "club scorer, viewer": SCORE,
    "club scorer, viewer elsewhere": SCORE,
    "scorer elsewhere, reader": READ,
    "removed reader": set(),
    "removed club scorer": set(),
    "viewer, removed club scorer": WATCH,
    "owner, ended": set(),
    "scorer, ended": set(),
}
ROLES = {"reader": "reader", "club scorer": "scorer", "second owner": "owner"}
# An invitation is no credential for the API.
SINGLE = [
    name
    for name in GIVES
    if "," not in name and name != "nobody" and name.removeprefix("removed ") not in ROLES
]


def test_every_route_is_in_the_table() -> None:
    there = [
        (method, route.path_format)
        for route in app_without_server().routes
        if isinstance(route, HTTPRoute)
        for method in route.methods - {"OPTIONS", "HEAD"}
    ]
    assert sorted(there) == sorted((method, path) for method, path, _ in TABLE)


class House:
    def __init__(self, service: ServiceProcess, owner: httpx.AsyncClient) -> None:
        self.url = service.url
        self.owner = owner
        self.game: Game
        self.other: Game
        self.spare = ""
        self.member = ""

    async def furnish(self) -> None:
        self.game, self.other = await Game.start(self.owner), await Game.start(self.owner)
        await self.game.record({"type": "note", "text": "by the window"})
        self.spare = (await self._link("viewer", self.game))["id"]

    async def secret(self, right: str) -> str:
        if right == "owner":
            return KEY
        revoked, right = right.startswith("revoked "), right.removeprefix("revoked ")
        game = self.other if right.endswith(" elsewhere") else self.game
        link = await self._link(right.removesuffix(" elsewhere"), game)
        if revoked:
            await self.owner.delete(f"{game.path}/links/{link['id']}")
        return link["token"]

    async def browser(self, rights: str) -> httpx.AsyncClient:
        client = anonymous_client(self.url)
        ended = rights.endswith(", ended")
        for right in filter(None, rights.removesuffix(", ended").split(", ")):
            if right == "nobody":
                continue
            member = right.removeprefix("removed ")
            if member in ROLES:
                key = await self._invitation(ROLES[member])
                assert (await client.post("/join", data={"key": key})).status_code == 303
                if member != right:
                    await self.owner.post(f"/people/{self.member}", data={"do": "remove"})
                continue
            revoked = right.startswith("revoked ")
            link = await self._link(right.removeprefix("revoked "), self.game) if revoked else None
            key = link["token"] if link else await self.secret(right)
            assert (await client.get("/login", params={"key": key})).status_code == 303
            if link:
                await self.owner.delete(f"{self.game.path}/links/{link['id']}")
        if ended:
            kept = dict(client.cookies)
            await client.post("/logout")
            client.cookies.update(kept)
        return client

    async def program(self, right: str) -> httpx.AsyncClient:
        return client_with_key(self.url, await self.secret(right))

    async def _invitation(self, role: str) -> str:
        await self.owner.post("/people", data={"name": "Somebody", "role": role})
        page = await self.owner.get("/people")
        self.member = re.findall(r'action="/people/([0-9a-f-]{36})"', page.text)[-1]
        return str(re.findall(r'login\?key=([^"]+)"', page.text)[0])

    async def _link(self, role: str, game: Game) -> dict[str, str]:
        answer = await game.http.post(f"{game.path}/links", json={"role": role})
        made: dict[str, str] = answer.json()
        return made

    def filled(self, path: str) -> str:
        ids = {"game_id": self.game.id, "link_id": self.spare, "old_id": self.game.id}
        for name in (
            "player_id",
            "evening_id",
            "season_id",
            "title_id",
            "member_id",
            "session_id",
            "token_id",
        ):
            ids[name] = str(uuid4())
        ids |= {"webhook_id": str(uuid4()), "position": "1"}
        words = {"version": "2", "ruleset": "euchre", "ruleset_id": "euchre", "name": "none"}
        words |= {"entry_type": "play", "schema_version": "1"}
        words |= {"size": "1", "year": "2026", "token": "none", "digest": "none", "path": "none"}
        return path.format(**ids, **words)


@pytest.fixture(scope="module")
async def house(service: ServiceProcess) -> AsyncGenerator[House]:
    async with client_with_key(service.url, KEY) as owner:
        made = House(service, owner)
        await made.furnish()
        yield made


def expect(method: str, path: str, need: str, given: set[str]) -> str:
    del method
    if need == "-":
        return "answers"
    if not given:
        return "401" if path.startswith("/api") or path == "/metrics" else "asks for a key"
    if "{game_id}" in path and "read" not in given:
        return "404"
    return "answers" if need in given else "403"


def answered(there: PersistentConnection, method: str, path: str, wanted: str) -> str:
    """Request; return the outcome in the words of `wanted`."""
    form = None if method == "GET" or path.startswith("/api") else {"nothing": "here"}
    headers = {"Content-Type": "application/json"} if form is None else {}
    answer = there.request(method, path, form, headers)
    status = answer.status
    if status == 303 and answer.location.startswith("/login") and path != "/logout":
        return "asks for a key" if "wrong" not in answer.location else "answers"
    if status in {401, 403} or (status == 404 and wanted == "404"):
        return str(status)
    return "answers" if status < 500 else str(status)


Come = Callable[[str], Awaitable[httpx.AsyncClient]]


async def misfits(
    house: House, come: Come, right: str, given: set[str]
) -> list[tuple[str, str, str, str]]:
    found: list[tuple[str, str, str, str]] = []
    async with aclosing(await come(right)) as client:
        there = PersistentConnection(client)
    with closing(there):
        for method, path, need in TABLE:
            wanted = expect(method, path, need, given)
            told = answered(there, method, house.filled(path), wanted)
            if told != wanted:
                found.append((method, path, wanted, told))
    return found


@pytest.mark.parametrize("rights", GIVES)
async def test_a_browser_may_do_what_its_rights_add_up_to(house: House, rights: str) -> None:
    assert await misfits(house, house.browser, rights, GIVES[rights]) == []


@pytest.mark.parametrize("right", SINGLE)
async def test_a_program_may_do_what_its_secret_gives(house: House, right: str) -> None:
    assert await misfits(house, house.program, right, GIVES[right]) == []
