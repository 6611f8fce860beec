import asyncio
import base64
import contextlib
import hashlib
import hmac
import os
import re
import signal
import threading
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest
from jsonschema import Draft202012Validator

from service.app import CHANNELS
from service.extensions.webhooks.deliverer import AGAIN
from service.extensions.webhooks.store import Webhooks
from service.extensions.witness.signed_notes import read_note
from service.http.feed.asyncapi import asyncapi
from service.store.connection.pool import open_pool
from service.store.records import DEFAULT_CLUB
from tests.extensions.webhooks.receiver import (
    SECONDS_MAX,
    ReceivedCall,
    Receiver,
    Reply,
    running_receiver,
)
from tests.http.club import (
    DEAL,
    LOST_RESULT,
    Game,
    Json,
    add_player,
    client_with_key,
    wait_for_new_head,
)
from tests.postgres import Cluster, wait_for_other_sessions
from tests.service_process import KEY, ServiceProcess

ALL = ["game.started", "deal.ended", "game.ended", "game.corrected", "game.set_aside"]
PAUSE_SECONDS = 0.05
LOCAL = {"CARNET_WEBHOOK_NETWORKS": "127.0.0.0/8"}
NOTE: Json = {"type": "note", "text": "by the window"}


@pytest.fixture(scope="module")
def caller(database: str, tmp_path_factory: pytest.TempPathFactory) -> Generator[ServiceProcess]:
    log = tmp_path_factory.mktemp("webhooks") / "log"
    with ServiceProcess.running(log, CARNET_DATABASE_URL=database, **LOCAL) as service:
        yield service


@pytest.fixture
async def owner(caller: ServiceProcess) -> AsyncGenerator[httpx.AsyncClient]:
    async with client_with_key(caller.url, KEY) as client:
        yield client
        for one in (await client.get("/api/webhooks")).json()["webhooks"]:
            await client.delete(f"/api/webhooks/{one['id']}")


@pytest.fixture
def receiver() -> Generator[Receiver]:
    with running_receiver() as made:
        yield made


async def create_webhook(
    http: httpx.AsyncClient, receiver: Receiver, events: list[str], **more: object
) -> Json:
    body = {"url": f"{receiver.url}/hook", "events": events, **more}
    answer = await http.post("/api/webhooks", json=body)
    assert answer.status_code == 201, answer.text
    made: Json = answer.json()
    return made


async def calls(receiver: Receiver, count: int) -> list[ReceivedCall]:
    return await asyncio.to_thread(receiver.wait, count)


def hurry(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute("UPDATE carnet.webhook_delivery SET next_at = now() WHERE next_at IS NOT NULL")


async def deliveries(http: httpx.AsyncClient, webhook: Json) -> list[Json]:
    answer = await http.get(f"/api/webhooks/{webhook['id']}/deliveries")
    found: list[Json] = answer.json()["deliveries"]
    return found


async def until(http: httpx.AsyncClient, webhook: Json, attempts: int) -> Json:
    while True:
        found = await noted(http, webhook)
        if [one["attempts"] for one in found] == [attempts]:
            return found[0]
        await asyncio.sleep(PAUSE_SECONDS)


async def noted(http: httpx.AsyncClient, webhook: Json) -> list[Json]:
    """Wait until the service has stored the outcome of each call; return the deliveries.

    The receiver gets a call before its outcome is stored; a change in between would affect calls in
    flight.
    """
    while True:
        found = await deliveries(http, webhook)
        if all(one["status"] or one["error"] for one in found if one["attempts"]):
            return found
        await asyncio.sleep(PAUSE_SECONDS)


async def given_up(http: httpx.AsyncClient, path: str) -> str:
    while True:
        state = str((await http.get(path)).json()["state"])
        if state != "on":
            return state
        await asyncio.sleep(PAUSE_SECONDS)


def fits(schema: Json, sent: object) -> bool:
    validator: Any = Draft202012Validator(schema)
    return bool(validator.is_valid(sent))


def signatures(secret: str, call: ReceivedCall) -> list[str]:
    covered = f"{call.id}.{call.headers['webhook-timestamp']}.".encode() + call.body
    key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    made = hmac.new(key, covered, hashlib.sha256).digest()
    assert base64.b64encode(made).decode() in call.headers["webhook-signature"]
    return call.headers["webhook-signature"].split(" ")


async def test_a_card_that_one_seat_alone_was_shown_is_left_out_during_the_deal(
    owner: httpx.AsyncClient, receiver: Receiver
) -> None:
    await create_webhook(owner, receiver, ["entry.recorded"])
    game = await Game.start(owner)
    await game.record(*DEAL[:2], {"type": "exchange", "seat": 0, "take": True, "discard": "9D"})
    told = await calls(receiver, 4)
    assert told[3].json["data"]["data"]["discard"] == "??"
    assert [one.json["data"]["hash"] is None for one in told] == [False, False, False, True]
    components = asyncapi(CHANNELS)["components"]
    shape = {"$ref": "#/components/schemas/WebhookMessage", "components": components}
    assert fits(shape, told[3].json)


async def test_what_is_asked_for_is_told_signed_and_in_order(
    owner: httpx.AsyncClient, receiver: Receiver
) -> None:
    hook = await create_webhook(owner, receiver, ALL)
    game = await Game.start(owner, target=2)
    await game.record(*DEAL, LOST_RESULT)
    told = await calls(receiver, 3)
    assert [one.json["type"] for one in told] == ["game.started", "deal.ended", "game.ended"]
    log = await game.log()
    for one in told:
        assert signatures(hook["secret"], one)
        data = one.json["data"]
        assert data["data"] == log[data["version"] - 1]["entry"]
        assert [player["name"] for player in data["players"]] == ["Ann", "Bob"]
        assert data["link"].endswith(f"/games/{game.id}")
    document = asyncapi(CHANNELS)
    shape = {"$ref": "#/components/schemas/WebhookMessage", "components": document["components"]}
    assert fits(shape, told[1].json)
    headers = document["components"]["messages"]["webhookCall"]["headers"]
    assert fits(headers, dict(told[1].headers))
    assert "secret" not in (await owner.get(f"/api/webhooks/{hook['id']}")).json()


async def test_every_entry_is_told_where_that_is_asked_for_and_of_one_game_only(
    owner: httpx.AsyncClient, receiver: Receiver
) -> None:
    other, game = await Game.start(owner), await Game.start(owner)
    await create_webhook(owner, receiver, ["entry.recorded", "deal.ended"], game=game.id)
    await other.record(*DEAL)
    await game.record(*DEAL, LOST_RESULT, NOTE)
    told = [one.json for one in await calls(receiver, 6)]
    assert {one["data"]["game_id"] for one in told} == {game.id}
    assert [one["data"]["version"] for one in told] == [2, 3, 4, 5, 6, 7]
    assert [one["type"] for one in told].count("deal.ended") == 1
    assert "by the window" not in str(told)


async def test_a_webhook_of_no_game_no_event_or_no_address_is_not_made(
    owner: httpx.AsyncClient, receiver: Receiver
) -> None:
    good = {"url": receiver.url, "events": ["deal.ended"]}
    nowhere = {**good, "game": "6f1c2b1e-5d0a-4c58-9f0e-3f6a1c2d4b5e"}
    assert (await owner.post("/api/webhooks", json=nowhere)).status_code == 404
    bad = ["ftp://a.example", "https://", "https://u:p@a.example", "a.example", "https://a b"]
    bad += [
        "https://10.0.0.1",
        "https://10.0.0.1.:443/",
        "https://[fec0::1]",
        "http://93.184.216.34",
        "https://[::ffff:a00:1]",
    ]
    for body in (
        {**good, "events": []},
        {**good, "events": ["deal"]},
        *({**good, "url": one} for one in bad),
    ):
        assert (await owner.post("/api/webhooks", json=body)).status_code == 400, body
    assert (await owner.get("/api/webhooks")).json() == {"webhooks": []}
    made = (await owner.post("/api/webhooks", json=good)).json()["id"]
    answer = await owner.patch(f"/api/webhooks/{made}", json={"url": "https://[fec0::1]"})
    assert (answer.status_code, answer.json()["path"]) == (400, "$.url")
    assert answer.json()["expected"].startswith("a public address by https")
    assert (await owner.delete(f"/api/webhooks/{made}")).status_code == 204


async def test_a_renewed_secret_signs_beside_the_old_one_until_its_day_is_over(
    owner: httpx.AsyncClient, receiver: Receiver, database: str
) -> None:
    hook = await create_webhook(owner, receiver, ALL)
    path = f"/api/webhooks/{hook['id']}"
    renewed = (await owner.post(f"{path}/secret")).json()["secret"]
    await owner.post(f"{path}/deliveries")
    both = receiver.came[-1]
    assert len(signatures(renewed, both)) == len(signatures(hook["secret"], both)) == 2
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute("UPDATE carnet.webhook SET old_until = now()")
    await owner.post(f"{path}/deliveries")
    assert len(signatures(renewed, receiver.came[-1])) == 1
    assert [one.json["type"] for one in receiver.came] == ["webhook.test"] * 2


async def test_what_fails_is_tried_again_later_and_later_and_holds_back_its_game_alone(
    owner: httpx.AsyncClient, receiver: Receiver, database: str
) -> None:
    first, second = await Game.start(owner), await Game.start(owner)
    hook = await create_webhook(owner, receiver, ["entry.recorded"])
    receiver.answer = lambda one: Reply(500 if one.json["data"]["game_id"] == first.id else 200)
    await first.record(*DEAL)
    await second.record(*DEAL)
    told = [one.json["data"] for one in await calls(receiver, 4)]
    assert [one["version"] for one in told if one["game_id"] == second.id] == [2, 3, 4]
    assert [one["version"] for one in told if one["game_id"] == first.id] == [2]
    await noted(owner, hook)
    receiver.answer = lambda _: Reply()
    hurry(database)
    await owner.post(f"/api/webhooks/{hook['id']}/deliveries")
    late = [
        one.json["data"]["version"]
        for one in (await calls(receiver, 8))[4:]
        if "test" not in one.json["type"]
    ]
    assert late == [2, 3, 4]
    again = [one.id for one in receiver.came if one.json["data"].get("game_id") == first.id]
    assert again[0] == again[1]


async def test_after_a_day_of_failures_it_is_turned_off_and_the_owner_told(
    owner: httpx.AsyncClient, receiver: Receiver, database: str
) -> None:
    hook = await create_webhook(owner, receiver, ["deal.ended"])
    receiver.answer = lambda _: Reply(503)
    game = await Game.start(owner)
    await game.record(*DEAL, LOST_RESULT)
    for attempt in range(1, len(AGAIN) + 2):
        await calls(receiver, attempt)
        noted = await until(owner, hook, attempt)
        assert (noted["status"], noted["error"]) == (503, "status")
        assert (noted["next_at"] is None) is (attempt == len(AGAIN) + 1)
        if noted["next_at"] is not None:
            hurry(database)
            # A new entry wakes the deliverer before its next poll.
            await game.record(NOTE)
    assert len({one.id for one in receiver.came}) == 1
    assert 23 * 3_600 < sum(one.total_seconds() for one in AGAIN) <= 24 * 3_600
    assert await given_up(owner, f"/api/webhooks/{hook['id']}") == "failed"
    metrics = (await owner.get("/metrics")).text
    assert re.search(r'carnet_webhook_calls_total\{outcome="given_up"\} [1-9]', metrics)


async def test_a_receiver_that_is_gone_is_called_no_more_until_it_is_turned_on(
    owner: httpx.AsyncClient, receiver: Receiver
) -> None:
    hook = await create_webhook(owner, receiver, ["deal.ended"])
    path = f"/api/webhooks/{hook['id']}"
    receiver.answer = lambda _: Reply(410)
    game = await Game.start(owner)
    await game.record(*DEAL, LOST_RESULT)
    await calls(receiver, 1)
    await until(owner, hook, 1)
    assert await given_up(owner, path) == "gone"
    receiver.answer = lambda _: Reply()
    await game.record({"type": "result", "maker": 0, "tricks": 3})
    assert (await owner.patch(path, json={"state": "on"})).json()["state"] == "on"
    await game.record({"type": "result", "maker": 0, "tricks": 4})
    _, later = await calls(receiver, 2)
    assert later.json["data"]["version"] == (await game.log())[-1]["version"]


async def test_a_call_is_repeated_by_hand_with_the_same_id(
    owner: httpx.AsyncClient, receiver: Receiver
) -> None:
    hook = await create_webhook(owner, receiver, ["deal.ended"])
    game = await Game.start(owner)
    await game.record(*DEAL, LOST_RESULT)
    await calls(receiver, 1)
    one = await until(owner, hook, 1)
    answer = await owner.post(f"/api/webhooks/{hook['id']}/deliveries/{one['position']}")
    assert (answer.json()["attempts"], answer.json()["status"]) == (2, 204)
    assert receiver.came[0].id == receiver.came[1].id == one["id"]


@pytest.mark.parametrize("form", ["discord", "slack", "ntfy"])
async def test_a_chat_is_told_a_deal_with_names_and_a_link_in_the_owner_s_language(
    owner: httpx.AsyncClient, receiver: Receiver, form: str
) -> None:
    await create_webhook(owner, receiver, ["deal.ended"], form=form, language="fr")
    game = await Game.start(owner)
    await game.record(*DEAL, LOST_RESULT)
    (call,) = await calls(receiver, 1)
    if form == "ntfy":
        text, link = call.body.decode(), call.headers["click"]
    else:
        text = str(call.json["content" if form == "discord" else "text"])
        link = text.rpartition("\n")[2]
    assert link.endswith(f"/games/{game.id}")
    assert "Ann" in text
    assert "Donne 1" in text
    assert "Bob chute" in text


async def start_titled_game(owner: httpx.AsyncClient) -> tuple[str, Game]:
    name = f"Skyjo {uuid4().hex[:6]}"
    title = (await owner.post("/api/titles", json={"name": name})).json()["id"]
    people = [await add_player(owner, one) for one in ("Ann", "Bob")]
    body = {"ruleset": "scores", "title": title, "players": people}
    return name, Game(owner, (await owner.post("/api/games", json=body)).json())


async def test_a_chat_is_told_a_round_of_a_game_by_its_title(
    owner: httpx.AsyncClient, receiver: Receiver
) -> None:
    await create_webhook(owner, receiver, ["deal.ended"], form="ntfy", language="de")
    name, game = await start_titled_game(owner)
    await game.record({"type": "result", "points": [12, None]})
    (call,) = await calls(receiver, 1)
    text = call.body.decode()
    assert text.startswith(f"{name}: Ann, Bob")
    assert "Runde 1:" in text
    assert "Spiel" not in text.replace(name, "")


async def test_a_program_is_told_the_title_beside_the_ruleset(
    owner: httpx.AsyncClient, receiver: Receiver
) -> None:
    await create_webhook(owner, receiver, ["deal.ended"])
    name, game = await start_titled_game(owner)
    title = (await game.view())["title"]
    await game.record({"type": "result", "points": [1, 2]})
    cards = await Game.start(owner)
    await cards.record(*DEAL, LOST_RESULT)
    told = [one.json["data"] for one in await calls(receiver, 2)]
    # In any order: only the entries of one game are told in theirs.
    assert {(one["ruleset"], one["title"], one["title_name"]) for one in told} == {
        ("scores", title, name),
        ("euchre", "euchre", None),
    }


async def test_a_signed_head_is_handed_on_by_the_round_of_who_starts_next_and_holds(
    embedded_cluster: Cluster, receiver: Receiver, tmp_path: Path
) -> None:
    with embedded_cluster.database() as url:
        settings = {"CARNET_DATABASE_URL": url, **LOCAL}
        with ServiceProcess.running(tmp_path / "first", **settings) as first:
            async with client_with_key(first.url, KEY) as http:
                hook = await create_webhook(http, receiver, ["head.signed"])
                await (await Game.start(http)).record(*DEAL)
        # Heads are signed when a service starts, and each hour then.
        with ServiceProcess.running(tmp_path / "second", **settings) as second:
            async with client_with_key(second.url, KEY) as http:
                (told,) = await calls(receiver, 1)
                keys = (await http.get("/api/heads")).json()["keys"]
                one = await until(http, hook, 1)
    assert (one["type"], one["position"], one["status"]) == ("head.signed", -1, 204)
    assert signatures(hook["secret"], told)
    document = asyncapi(CHANNELS)
    shape = {"$ref": "#/components/schemas/HeadMessage", "components": document["components"]}
    assert fits(shape, told.json)
    note = read_note(told.json["data"]["note"])
    assert note.signed_by(keys)
    assert note.checkpoint.size == told.json["data"]["size"] == 4


async def test_heads_are_handed_on_once_an_hour_and_can_be_copied_from_a_chat(
    owner: httpx.AsyncClient, receiver: Receiver, database: str
) -> None:
    hook = await create_webhook(owner, receiver, ["head.signed"], form="ntfy", language="de")
    notes: list[str] = []
    for _ in range(2):
        await Game.start(owner)
        notes.append(await wait_for_new_head(owner, notes))
    async with open_pool(database, "carnet_service", 1, 1) as pool:
        webhooks = Webhooks(pool, DEFAULT_CLUB)
        for note in (notes[0], *notes):  # the same again, and another one within the hour
            await webhooks.queue_head(note)
        assert len(await deliveries(owner, hook)) == 1
        await until(owner, hook, 1)
        with psycopg.connect(database, autocommit=True) as conn:
            conn.execute("UPDATE carnet.webhook_delivery SET created_at = now() - interval '1h'")
        for note in notes:
            await webhooks.queue_head(note)
    told = [one.body.decode() for one in await calls(receiver, 2)]
    assert all(one.startswith("Signierter Kopf von ") for one in told)
    assert all(any(text.endswith(note) for text in told) for note in notes)
    assert len(await noted(owner, hook)) == 2


class Killer:
    def __init__(self, pid: int) -> None:
        self._pid = pid
        self.killed = threading.Event()

    def __call__(self, one: ReceivedCall) -> Reply:
        if one.json["data"]["version"] > 1 and not self.killed.is_set():
            os.kill(self._pid, signal.SIGKILL)
            self.killed.set()
        return Reply()


async def test_a_call_that_was_made_and_not_noted_is_made_again_by_whoever_is_left(
    embedded_cluster: Cluster, receiver: Receiver, tmp_path: Path
) -> None:
    with embedded_cluster.database() as url:
        settings = {"CARNET_DATABASE_URL": url, **LOCAL}
        with ServiceProcess.running(tmp_path / "first", **settings) as first:
            async with client_with_key(first.url, KEY) as http:
                hook = await create_webhook(http, receiver, ["entry.recorded"])
                game = await Game.start(http)
                await until(http, hook, 1)
                receiver.answer = killer = Killer(first.pid)
                with contextlib.suppress(httpx.TransportError):
                    await game.record(*DEAL)
                assert await asyncio.to_thread(killer.killed.wait, SECONDS_MAX)
        # A statement of the killed process may still commit.
        await asyncio.to_thread(wait_for_other_sessions, url)
        # Calls for a game are sequential: only the last one may lack an outcome.
        before = [one.id for one in receiver.came]
        hurry(url)
        with ServiceProcess.running(tmp_path / "second", **settings) as second:
            async with client_with_key(second.url, KEY) as http:
                stored = [
                    one["version"]
                    for one in (await http.get(f"{game.path}/entries")).json()["entries"]
                ]
                again = await calls(receiver, len(stored) + 1)
                made = await noted(http, hook)
        assert [one.json["data"]["version"] for one in again] == [1, 2, *stored[1:]]
        assert [one.id for one in again[: len(before)]] == before
        assert again[1].id == again[2].id
        assert len(made) == len(stored)
