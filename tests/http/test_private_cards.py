"""Private cards of one seat reach no reader before their time, by any route.

Each record is stored in two clubs: as recorded, and without its private cards. A caller who may
only read gets the same answers from both, by every route of the application.
"""

import io
import json
import re
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4
from zipfile import ZipFile

import httpx
import pytest
from msgspec import Struct

from service.export.formats import xlsx
from service.export.game import pdf
from tests.extensions.witness.test_signed_heads import included
from tests.generation.makers import FOLLOWED, MAKERS
from tests.generic.test_viewpoint import stripped
from tests.http.api_tokens import make_token
from tests.http.club import Game, Json, anonymous_client, client_with_key
from tests.http.follower import Follower
from tests.http.test_other_club import Club, club_added
from tests.http.test_rights import TABLE
from tests.service.export.pages import pages
from tests.service_process import ServiceProcess

# By game: the seed of a true game, and how much of its first deal is recorded.
DEALS = {"euchre": (35, 9), "dutch": (21, 36), "rami": (25, 30), "durak": (9, 22)}
# More queries of a route; `{guess}`: entries that might follow.
MORE_QUERIES = {
    "/api/games/{game_id}/entries": ["?effective=true", "?after=2&format=ndjson"],
    "/api/games/{game_id}/possible": ["?eyes=everybody", "?eyes=0"],
    "/api/games/{game_id}/at/{version}/possible": ["?eyes=everybody", "?eyes=1"],
    "/api/history.csv": ["?view=entries"],
    "/games/{game_id}": ["?by=result"],
    "/games/{game_id}/at/{version}": ["?eyes=everybody", "?eyes=0"],
    "/games/{game_id}/at/{version}/what-if": ["?moves={guess}", "?tried={guess}"],
    "/games/{game_id}/preview": ["?draft={guess}"],
    "/history.csv": ["?view=entries"],
    "/shared/{token}": ["?eyes=0"],
    "/shared/{token}/at/{version}": ["?eyes=everybody", "?eyes=0"],
}
# Headers that change the answer.
PART = [{"X-Part": part} for part in ("moments", "chapters", "known")]
FILE = [{"Accept": kind} for kind in (pdf.MEDIA_TYPE, xlsx.MEDIA_TYPE, "text/csv")]
HEADERS = {
    "/api/games/{game_id}/record": [{"Accept": "text/vnd.carnet"}],
    "/api/games/{game_id}/sheet": FILE,
    "/api/history": FILE,
    "/games/{game_id}/at/{version}": PART,
    "/shared/{token}": PART,
    "/shared/{token}/at/{version}": PART,
    "/games/{game_id}/screen": [{"X-Part": "tables"}],
    "/screen": [{"X-Part": "tables"}],
}
# Forms that a reader may send, with a body; others show nothing of a game.
SENT: dict[str, Callable[[list[Json]], dict[str, Any]]] = {
    "/api/games/{game_id}/at/{version}/preview": lambda guess: {"json": {"entries": guess}},
    "/games/{game_id}/at/{version}/what-if": lambda guess: {
        "data": {"moves": "[]", "entry": json.dumps(guess[0])}
    },
    "/games/{game_id}/instead": lambda _: {},
}
SHOWS_NOTHING = {
    *("/people/devices/{session_id}", "/people/devices/others", "/join", "/login", "/logout"),
    *("/me", "/samples/leave", "/settings", "/settings/club"),
}
STREAMS = {"/api/games/{game_id}/live", "/api/signed-in"}
# Routes that are hidden during a deal.
HIDDEN = {
    "/api/games/{game_id}/possible",
    "/api/games/{game_id}/at/{version}/possible",
    "/api/games/{game_id}/entries/{version}/inclusion",
    "/games/{game_id}/at/{version}/what-if",
}
# Values of other path parameters; add those of new routes.
WORDS = {
    **dict.fromkeys(("link_id", "member_id", "old_id", "season_id", "session_id"), uuid4()),
    **dict.fromkeys(("token_id", "webhook_id"), uuid4()),
    **dict.fromkeys(("digest", "name", "path"), "none"),
    **dict.fromkeys(("position", "schema_version", "size"), 1),
    **dict.fromkeys(("ruleset", "ruleset_id"), "euchre"),
    "entry_type": "play",
    "year": datetime.now(UTC).year,
}
# Differences between two copies of a game: ids, hashes, times, signatures.
ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
OWN = re.compile(
    r"[0-9a-f]{64}|<time.*?</time>|\d{4}-\d\d-\d\dT(?:[\d:.]|%3A)+(?:Z|(?:[+-]|%2B)\d\d(?::|%3A)\d\d)"
    r"|\d\d?:\d\d(?::\d\d)?|<v>\d{5}\.\d+</v>"
)


class Copy(Struct):
    """A record in its own club, and callers who may only read it."""

    club: Club
    game: Game
    ids: dict[str, str]
    commands: list[str]
    readers: dict[str, httpx.AsyncClient]

    @classmethod
    async def kept(cls, club: Club, whole: Json, entries: list[Json]) -> "Copy":
        names = [f"Player {seat}" for seat in range(whole["seats"])]
        players = [
            (await club.owner.post("/api/players", json={"name": name})).json()["id"]
            for name in names
        ]
        body = {"ruleset": whole["ruleset"], "options": whole["options"], "players": players}
        game = Game(club.owner, (await club.owner.post("/api/games", json=body)).json())
        copy = cls(club, game, {}, [], {})
        for entry in entries:
            copy.commands.append(str(uuid4()))
            answer = await game.send(entry, key=copy.commands[-1])
            assert answer.status_code == 201, (entry, answer.text)
            game.version = answer.json()["version"]
        evening = (await club.owner.get("/api/evenings")).json()["evenings"][0]["id"]
        public = await link(game, "public")
        copy.ids = {"game_id": game.id, "player_id": players[0], "evening_id": evening}
        title = await club.owner.post("/api/titles", json={"name": "Skyjo"})
        copy.ids |= {"token": public, "title_id": title.json()["id"]}
        token = await make_token(club.owner, role="reader", days="30")
        copy.readers = {
            "viewer": client_with_key(club.url, await link(game, "viewer")),
            "reader": client_with_key(club.url, token.secret),
            "nobody": anonymous_client(club.url),
        }
        return copy

    async def close(self) -> None:
        for client in (self.club.owner, *self.readers.values()):
            await client.aclose()


def correct(ruleset: str, entries: list[Json]) -> list[Json]:
    version = max(
        version for version, one in enumerate(entries, 2) if stripped(ruleset, one, None) != one
    )
    same = entries[version - 2]
    return [
        *entries,
        {"type": "take_back", "to": len(entries) - 1},
        *entries[-2:],
        {"type": "amend", "version": version, "move": same},
        {"type": "splice", "version": version, "drop": 1, "moves": [same]},
    ]


@pytest.fixture(scope="module", params=FOLLOWED)
async def copies(
    request: pytest.FixtureRequest, service: ServiceProcess, service_database: str
) -> AsyncGenerator[tuple[Copy, Copy]]:
    ruleset: str = request.param
    seed, length = DEALS[ruleset]
    whole = MAKERS[ruleset].true_game(seed, MAKERS[ruleset].PROFILES[MAKERS[ruleset].OPEN])
    entries = correct(ruleset, whole["log"][:length])
    made: list[Copy] = []
    for kept in (entries, [stripped(ruleset, one, None) for one in entries]):
        club = await club_added(service_database, service.url, "Acacia")
        made.append(await Copy.kept(club, whole, kept))
    one, other = made
    assert (await one.game.view())["phase"] not in {"between_deals", "over"}
    assert [entry["entry"] for entry in await one.game.log()] != [
        entry["entry"] for entry in await other.game.log()
    ]
    yield one, other
    for copy in made:
        await copy.close()


def addresses(path: str, versions: tuple[int, ...], copy: Copy, guess: str) -> Iterator[str]:
    for version in versions if "{version}" in path else (0,):
        filled = path.format(**WORDS, **copy.ids, version=version)
        yield filled
        yield from (filled + more.format(guess=quote(guess)) for more in MORE_QUERIES.get(path, ()))


def read(answer: httpx.Response, copy: Copy) -> tuple[int, str, Mapping[str, str]]:
    kind = answer.headers.get("Content-Type", "").partition(";")[0]
    if kind == "application/pdf":
        text = "\n".join(page.text for page in pages(answer.content))
    elif kind.endswith("spreadsheetml.sheet"):
        parts = ZipFile(io.BytesIO(answer.content))
        text = "\n".join(parts.read(name).decode() for name in sorted(parts.namelist()))
    elif kind.startswith("image/"):
        text = answer.content.hex(" ", 8)
    else:
        text = answer.text
    location = answer.headers.get("Location", "")
    assert not any(command in text + location for command in copy.commands)
    told = {name: answer.headers.get(name, "") for name in ("ETag", "Content-Disposition")}
    return answer.status_code, neutral(text, copy), told | {"Location": neutral(location, copy)}


def neutral(text: str, copy: Copy) -> str:
    text = text.replace(copy.ids["token"], "TOKEN")
    order = {one: f"id {number}" for number, one in enumerate(dict.fromkeys(ID.findall(text)))}
    return OWN.sub("", ID.sub(lambda found: order[found[0]], text))


def difference(one: object, other: object) -> str:
    first, second = str(one), str(other)
    at = next(
        (place for place, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
        min(len(first), len(second)),
    )
    return f"{first[max(0, at - 80) : at + 80]!r} instead of {second[max(0, at - 80) : at + 80]!r}"


@pytest.mark.parametrize("reader", ["viewer", "reader", "nobody"])
async def test_a_reader_is_told_by_no_route_what_one_seat_alone_was_shown(
    copies: tuple[Copy, Copy], reader: str
) -> None:
    one, other = copies
    last = one.game.version
    versions = (last,) if reader == "reader" else (2, last // 2, last)
    guess = [entry["entry"] for entry in (await one.game.log())[-1:]]
    wrong: list[str] = []
    shown: set[str] = set()
    for method, path, need in TABLE:
        if method != "GET" or path in STREAMS or (reader == "nobody" and need != "-"):
            continue
        words = json.dumps(guess)
        asked = zip(
            addresses(path, versions, one, words),
            addresses(path, versions, other, words),
            strict=True,
        )
        for (here, there), headers in product(asked, ({}, *HEADERS.get(path, ()))):
            answers = [
                read(await copy.readers[reader].get(address, headers=headers), copy)
                for copy, address in ((one, here), (other, there))
            ]
            if answers[0] != answers[1]:
                wrong.append(f"{here} {headers}: {difference(*answers)}")
            if answers[0][0] < 400:
                shown.add(path)
    assert wrong == []
    needs = {"viewer": {"read"}, "reader": {"read", "member"}, "nobody": set[str]()}[reader]
    readable = {path for method, path, need in TABLE if method == "GET" and need in needs}
    assert shown >= readable - HIDDEN - STREAMS - {"/exports/{name}"}
    assert shown >= {path for _, path, _ in TABLE if path.startswith("/shared/")}


@pytest.mark.parametrize("reader", ["viewer", "reader"])
async def test_a_reader_learns_nothing_private_by_trying_moves(
    copies: tuple[Copy, Copy], reader: str
) -> None:
    last = copies[0].game.version
    guesses = [entry["entry"] for entry in (await copies[0].game.log())[1:]]
    wrong: list[str] = []
    for method, path, need in TABLE:
        if method == "GET" or need not in {"read", "member", "known", "-"} or path in SHOWS_NOTHING:
            continue
        for guess, version in product(guesses[::5], (2, last)):
            answers = [
                read(
                    await copy.readers[reader].request(
                        method,
                        path.format(**copy.ids, version=version),
                        **SENT[path]([guess]),
                    ),
                    copy,
                )
                for copy in copies
            ]
            if answers[0] != answers[1]:
                wrong.append(f"{method} {path}: {difference(*answers)}")
    assert wrong == []


@pytest.mark.parametrize("reader", ["viewer", "reader"])
async def test_a_follower_is_sent_nothing_private(copies: tuple[Copy, Copy], reader: str) -> None:
    sent: list[str] = []
    for copy in copies:
        followed = Game(copy.readers[reader], await copy.game.view())
        async with Follower.of(followed, last=0) as following:
            events = await following.events(copy.game.version)
        sent.append(neutral(json.dumps(events), copy))
    assert sent[0] == sent[1], difference(*sent)


HAND = ["AS", "KS", "QS", "JS", "TS"]
DEAL: Json = {"type": "deal", "dealer": 0, "turn_up": "QH", "hands": [HAND, None]}
PASS: Json = {"type": "pass", "seat": 1}
AWAY: Json = {"type": "accept", "seat": 0, "discard": "TS"}
RESULT: Json = {"type": "result", "maker": 0, "tricks": 3}
LATE: Json = {"type": "finish", "reason": "late"}


async def link(game: Game, role: str) -> str:
    answer = await game.http.post(f"{game.path}/links", json={"role": role})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["token"])


@asynccontextmanager
async def viewing(game: Game, url: str) -> AsyncGenerator[Game]:
    async with client_with_key(url, await link(game, "viewer")) as viewer:
        yield Game(viewer, await game.view())


# When readers see the cards: while the deal is played, after it, after the game. A public link
# public pages always show only public cards of a deal in progress.
SHOWN = {
    "live": ((True, True, True), (False, True, True)),
    "deal": ((False, True, True), (False, True, True)),
    "game": ((False, False, True), (False, False, True)),
    "never": ((False, False, False), (False, False, False)),
}


@pytest.mark.parametrize("until", SHOWN)
async def test_readers_see_private_cards_when_the_setting_says(
    service_database: str, tmp_path: Path, until: str
) -> None:
    settings = {"CARNET_DATABASE_URL": service_database, "CARNET_VIEWERS_KNOW": until}
    with ServiceProcess.running(tmp_path / "log", **settings) as service:
        club = await club_added(service_database, service.url, "Here")
        game = await Game.start(club.owner)
        public = await link(game, "public")
        seen: list[tuple[bool, bool]] = []
        async with viewing(game, service.url) as viewer, anonymous_client(service.url) as nobody:
            for entries in ((DEAL, PASS, AWAY), (RESULT,), (LATE,)):
                await game.record(*entries)
                whole = [one["entry"] for one in await game.log()]
                read = [one["entry"] for one in await viewer.log()]
                assert [one["type"] for one in read] == [one["type"] for one in whole]
                page = await nobody.get(f"/shared/{public}/at/4")
                assert page.status_code == 200
                seen.append((read == whole, "ten of spades" in page.text))
        await club.owner.aclose()
    assert tuple(zip(*seen, strict=True)) == SHOWN[until]


async def test_a_follower_is_sent_no_card_that_one_seat_was_shown(
    service: ServiceProcess, game: Game
) -> None:
    async with viewing(game, service.url) as viewer, Follower.of(viewer) as following:
        await game.record(DEAL, PASS, AWAY)
        events = await following.events(4)
        dealt = {name: value for name, value in DEAL.items() if name != "hands"}
        assert [event["entry"] for event in events[1:]] == [
            dealt,
            PASS,
            {**AWAY, "discard": "??"},
        ]
        await game.record(RESULT)
        assert (await following.events(2))[0]["entry"] == RESULT
        read = [one["entry"] for one in await viewer.log()]
    assert read == [one["entry"] for one in await game.log()]


async def test_a_correction_of_an_earlier_deal_does_not_show_the_cards_of_this_one(
    service: ServiceProcess, game: Game
) -> None:
    await game.record({**RESULT, "dealer": 1})
    await game.record(DEAL, PASS, AWAY)
    await game.record({"type": "amend", "version": 2, "move": {**RESULT, "dealer": 1, "tricks": 4}})
    async with viewing(game, service.url) as viewer:
        assert "TS" not in str(await viewer.log())
        assert "TS" not in str(await viewer.get("/entries", effective="true"))


async def test_a_deal_that_is_begun_again_does_not_show_its_cards(
    service: ServiceProcess, game: Game
) -> None:
    await game.record(DEAL, PASS, AWAY)
    await game.record({"type": "take_back", "to": 1})
    async with viewing(game, service.url) as viewer:
        assert "TS" not in str(await viewer.log())


async def test_a_reader_gets_no_proof_while_cards_are_hidden(
    service: ServiceProcess, game: Game
) -> None:
    await game.record(DEAL, PASS, AWAY)
    async with viewing(game, service.url) as viewer:
        proof = f"{game.path}/entries/4/inclusion"
        await included(game, 4)
        assert (await viewer.http.get(proof)).status_code == 403
        await game.record(RESULT)
        assert (await viewer.http.get(proof)).status_code == 200
