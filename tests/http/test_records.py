import asyncio
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import httpx
import pytest

from tests.http.club import DEAL, LOST_RESULT, MADE_RESULT, Game, Json
from tests.service.export.pages import pages

TEXT = "text/vnd.carnet"
HEAD = '[Ruleset euchre]\n[Seats 2]\n[Players "{}" "{}"]\n'


LINE = "result maker 0 tricks 3 dealer 0"


def name() -> str:
    return HEAD.format(f"Ann {uuid4()}", f"Bob {uuid4()}")


async def send(
    http: httpx.AsyncClient, body: str | bytes, lang: str = "en", **query: str
) -> httpx.Response:
    headers = {"Content-Type": TEXT, "Accept-Language": lang}
    content = body.encode() if isinstance(body, str) else body
    return await http.post("/api/imports", content=content, params=query, headers=headers)


async def look(http: httpx.AsyncClient, body: str, lang: str = "en", **query: str) -> Json:
    answer = await send(http, body, lang, preview="true", **query)
    assert answer.status_code == 200, answer.text
    seen: Json = answer.json()
    return seen


async def text_of(http: httpx.AsyncClient, game_id: str) -> str:
    answer = await http.get(f"/api/games/{game_id}/record.carnet")
    assert answer.status_code == 200, answer.text
    return answer.text


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("application/json, text/plain, */*", "application/json"),
        ("text/plain;q=0", "application/json"),
        ("text/vnd.carnet;q=0.1, application/json", "application/json"),
        ("*/*", "application/json"),
        ("text/plain", TEXT),
        ("text/vnd.carnet, application/json;q=0.9", TEXT),
    ],
)
async def test_accept_is_weighed(game: Game, accept: str, media_type: str) -> None:
    answer = await game.http.get(f"{game.path}/record", headers={"Accept": accept})
    assert answer.headers["Content-Type"].partition(";")[0] == media_type


async def test_a_record_is_text_or_json_by_suffix_and_by_accept(game: Game) -> None:
    await game.record(*DEAL, LOST_RESULT)
    by_suffix = [await game.http.get(f"{game.path}/record.{one}") for one in ("carnet", "json")]
    by_accept = [
        await game.http.get(f"{game.path}/record", headers={"Accept": accept})
        for accept in (TEXT, "application/json")
    ]
    types = [answer.headers["Content-Type"] for answer in by_suffix]
    assert types == [f"{TEXT}; charset=utf-8", "application/json"]
    assert [one.content for one in by_accept] == [one.content for one in by_suffix]
    assert {one.headers["ETag"] for one in by_suffix} == {f'"{game.version}"'}
    assert f"[Hash {by_suffix[1].json()['hash']}]" in by_suffix[0].text


async def test_a_record_holds_outcomes_and_corrections_and_who_plays(game: Game) -> None:
    await game.record(*DEAL, LOST_RESULT, {"type": "take_back", "to": 4}, LOST_RESULT)
    text = await text_of(game.http, game.id)
    assert '[Players "Ann" "Bob"]' in text
    assert "5. result maker 1 tricks 2\n6. deal_ended deal 1 points 2 0" in text
    assert "\n7. take_back to 4\n" in text


async def test_a_record_given_out_as_text_is_the_same_game_when_taken_in(game: Game) -> None:
    await game.record(
        MADE_RESULT,
        LOST_RESULT,
        {"type": "amend", "version": 2, "move": {**MADE_RESULT, "tricks": 4}},
    )
    text = await text_of(game.http, game.id)
    answer = await send(game.http, text, again="true")
    assert answer.status_code == 201, answer.text

    taken = answer.json()
    assert answer.headers["Location"] == f"/api/games/{taken['id']}"
    assert f"[Hash {taken['hash']}]" in text
    mine, theirs = await game.view(), await Game(game.http, taken).view()
    assert taken["id"] != game.id
    for part in ("options", "version", "status", "deal", "phase", "to_act", "totals", "table"):
        assert theirs[part] == mine[part]
    assert (await text_of(game.http, taken["id"])).split("\n\n")[1] == text.split("\n\n")[1]


async def test_a_record_given_out_as_json_is_the_same_game_when_taken_in(game: Game) -> None:
    await game.record(*DEAL, LOST_RESULT)
    given = await game.http.get(f"{game.path}/record.json")
    answer = await game.http.post("/api/imports?again=true", json=given.json())
    assert answer.status_code == 201, answer.text
    assert answer.json()["hash"] == given.json()["hash"]
    assert answer.json()["outcome"] == {
        "entries": game.version,
        "status": "open",
        "deals": [[2, 0]],
        "totals": [2, 0],
    }


async def test_a_record_taken_in_and_given_out_again_is_the_same_to_the_byte(game: Game) -> None:
    await game.record(*DEAL, LOST_RESULT)
    for form in ("carnet", "json"):
        given = await game.http.get(f"{game.path}/record.{form}")
        kind = {"Content-Type": given.headers["Content-Type"]}
        taken = await game.http.post("/api/imports", content=given.content, headers=kind)
        again = await game.http.get(f"/api/games/{taken.json()['id']}/record.{form}")
        assert again.content == given.content


async def test_a_game_of_long_ago_stands_in_the_history_where_it_was_played(
    http: httpx.AsyncClient,
) -> None:
    taken = (await send(http, f"{name()}[Date 2019-05-04T20:15:00+02:00]")).json()
    which = {"player": taken["players"][0]["id"]}
    (listed,) = (await http.get("/api/history", params=which)).json()["games"]
    year = {"from": "2019-01-01", "to": "2019-12-31"}
    of_2019 = (await http.get("/api/history", params=which | year)).json()["games"]
    assert listed["started_at"] == "2019-05-04T18:15:00Z"
    assert of_2019 == [listed]


@pytest.mark.parametrize(
    "date",
    [
        "0001-01-01T00:00:00+14:00",
        "1899-12-31T23:59:59Z",
        "2099-01-01T00:00:00Z",
        "9999-12-31T23:59:59-14:00",
        "in three minutes",
    ],
)
@pytest.mark.parametrize("log", ["", f"\n\n{LINE}"])
async def test_a_date_in_the_future_or_before_1900_is_refused_at_its_line(
    http: httpx.AsyncClient, date: str, log: str
) -> None:
    if date == "in three minutes":
        date = f"{datetime.now(UTC) + timedelta(minutes=3):%Y-%m-%dT%H:%M:%SZ}"
    tags = name().rstrip("\n")
    text = f"{tags}\n\n{LINE} at {date}" if log else f"{tags}\n[Date {date}]"
    answer = await send(http, text)
    assert answer.status_code == 400, answer.text
    (problem,) = answer.json()["problems"]
    assert problem["expected"] == "a moment that is past, in 1900 or later"
    assert problem["line"] == len(text.splitlines())
    assert problem["found"][:10] == date[:10]
    assert ("T" in problem["found"]) == ("T" in date)


async def test_a_record_imported_twice_is_one_game(http: httpx.AsyncClient) -> None:
    text = f"{name()}[Date 2019-05-04T20:15:00+02:00]\n\n{LINE}"
    first, again = [(await send(http, text)).json() for _ in range(2)]
    assert (first["id"], first["here"], again["here"]) == (again["id"], False, True)


async def test_a_game_of_long_ago_is_dated_so_on_paper(http: httpx.AsyncClient) -> None:
    taken = (await send(http, f"{name()}[Date 2019-05-04T12:15:00Z]")).json()
    sheet = await http.get(f"/api/games/{taken['id']}/sheet.pdf")
    assert "May 4, 2019" in pages(sheet.content)[0].text


async def test_a_record_written_by_hand_needs_no_outcomes_and_no_numbers(
    http: httpx.AsyncClient,
) -> None:
    by_hand = name() + "result maker 0 tricks 3 dealer 0 ; a march would be 5\nresult maker -"
    answer = await send(http, by_hand)
    assert answer.status_code == 201, answer.text
    assert answer.json()["outcome"]["entries"] == 5
    assert "3. deal_ended deal 1" in await text_of(http, answer.json()["id"])


async def test_people_are_found_by_name_and_added_where_nobody_has_it(
    http: httpx.AsyncClient,
) -> None:
    tags = name()
    first = (await send(http, tags)).json()["players"]
    again = (await send(http, tags)).json()["players"]
    assert again == first
    assert first[0]["name"].startswith("Ann ")
    assert (await send(http, tags.upper())).json()["players"] == first


async def test_people_given_by_id_go_before_names(game: Game) -> None:
    ids = [player["id"] for player in (await game.view())["players"]]
    answer = await send(game.http, name(), players=",".join(reversed(ids)))
    assert [player["id"] for player in answer.json()["players"]] == ids[::-1]


async def test_people_that_are_not_there_are_problems(game: Game) -> None:
    ids = [player["id"] for player in (await game.view())["players"]]
    for players, path in (
        (f"{ids[0]},{ids[0]}", "$.players[1]"),
        (f"{ids[0]},{uuid4()}", "$.players[1]"),
        (ids[0], "$.query.players"),
    ):
        answer = await send(game.http, name(), players=players)
        assert (answer.status_code, answer.json()["path"]) == (400, path)
    nobody = await send(game.http, "[Ruleset euchre]\n[Seats 2]")
    assert [one["path"] for one in nobody.json()["problems"]] == ["$.players[0]", "$.players[1]"]


async def test_a_look_says_who_would_sit_where_and_the_outcome_and_stores_nothing(
    game: Game,
) -> None:
    await game.record(MADE_RESULT)
    before = (await game.http.get("/api/players")).json()
    text = await text_of(game.http, game.id)
    seen = await look(game.http, text.replace('"Ann"', f'"{uuid4()}"'))
    assert seen["ok"]
    assert seen["players"][0]["id"] is None
    assert seen["players"][1]["name"] == "Bob"
    assert seen["outcome"]["totals"] == [1, 0]
    assert f"[Hash {seen['hash']}]" in text
    assert (await game.http.get("/api/players")).json() == before


async def test_a_look_lists_everything_that_cannot_be_read_with_its_place(
    http: httpx.AsyncClient,
) -> None:
    seen = await look(http, name() + "\n2. 1 pas\n3. 1 play AX\n4. note x", "de")
    places = [(one["line"], one["column"], one["found"]) for one in seen["problems"]]
    assert not seen["ok"]
    assert places == [(5, 6, "pas"), (6, 11, "AX"), (7, 9, "x")]
    assert seen["problems"][1]["message"].startswith("Zeile 6, Spalte 11: Da steht „AX“")


async def test_what_the_rules_refuse_is_told_with_line_clause_and_reason(
    http: httpx.AsyncClient,
) -> None:
    body = name() + "\n2. deal dealer 0 turn_up QH\n3. 0 order\n4. 0 exchange take no"
    answer = await send(http, body, "fr")
    told = answer.json()
    assert (answer.status_code, told["type"]) == (422, "illegal-entry")
    assert (told["index"], told["line"], told["rule"]) == (1, 6, "euchre.order")
    assert told["detail"] == told["problems"][0]["message"]
    assert answer.headers["Content-Language"] == "fr"


async def test_outcomes_that_the_rules_do_not_make_are_refused(http: httpx.AsyncClient) -> None:
    ended = "result maker 0 tricks 3 dealer 0\n"
    right = "deal_ended deal 1 points 1 0 detail (maker 0 trump - tricks 3/2 euchred no)\n"
    for log, line in (
        (ended + right.replace("points 1 0", "points 2 0"), 5),
        (ended + right + 'note "x"\n' + right, 7),
        (right + ended, 4),
        (ended + 'note "x"\n' + right, 5),
    ):
        (problem, *_) = (await look(http, name() + log))["problems"]
        assert problem["line"] == line
    assert (await look(http, name() + ended + right))["ok"]


async def test_numbers_that_are_not_the_versions_are_refused(http: httpx.AsyncClient) -> None:
    log = "2. result maker 0 tricks 3 dealer 0\n3. result maker -\n"
    seen = await look(http, name() + log)
    assert [(one["line"], one["expected"]) for one in seen["problems"]] == [(5, "4")]


async def test_json_that_is_no_record_is_told_with_every_path(http: httpx.AsyncClient) -> None:
    body: Json = {
        "ruleset": "euchre",
        "seats": 2,
        "options": {"deck": 52},
        "log": [{"type": "pass"}, {"type": "note", "text": "x"}, {"type": "started"}],
    }
    answer = await http.post("/api/imports", json=body)
    paths = [one["path"] for one in answer.json()["problems"]]
    assert answer.status_code == 400
    assert answer.json()["type"] == "malformed"
    assert paths[:2] == ["$.options.deck", "$.log[0].seat"]
    assert len(paths) == 3


async def test_a_hash_that_differs_is_refused(game: Game) -> None:
    await game.record(MADE_RESULT)
    changed = (await text_of(game.http, game.id)).replace("tricks 3 dealer", "tricks 4 dealer")
    answer = await send(game.http, changed)
    assert answer.status_code == 400
    assert "the hash of what stands here" in answer.json()["expected"]


async def test_the_same_key_again_stores_nothing(http: httpx.AsyncClient) -> None:
    tags = name()
    headers = {"Content-Type": TEXT, "Idempotency-Key": str(uuid4())}
    first, again, other = [
        await http.post("/api/imports", content=tags + log, headers=headers)
        for log in ("result maker -", "result maker -", "")
    ]
    assert again.status_code == 201
    assert again.json() == first.json()
    assert again.headers["Idempotency-Replayed"] == "true"
    assert (other.status_code, other.json()["type"]) == (409, "key-reused")


async def test_the_same_key_with_other_players_is_refused(game: Game) -> None:
    ids = [player["id"] for player in (await game.view())["players"]]
    headers = {"Content-Type": TEXT, "Idempotency-Key": str(uuid4())}
    answers = [
        await game.http.post(
            "/api/imports", content=name(), headers=headers, params={"players": ",".join(players)}
        )
        for players in (ids, ids, ids[::-1])
    ]
    # Chosen players take precedence over the tags.
    assert [answer.status_code for answer in answers] == [201, 201, 409]
    assert answers[2].json()["type"] == "key-reused"


async def test_the_same_key_answers_as_before_whoever_was_renamed_or_forgotten_since(
    http: httpx.AsyncClient,
) -> None:
    tags = name()
    headers = {"Content-Type": TEXT, "Idempotency-Key": str(uuid4())}
    first = (await http.post("/api/imports", content=tags, headers=headers)).json()
    ann, bob = (player["id"] for player in first["players"])
    await http.patch(f"/api/players/{ann}", json={"name": "Anna"})
    await http.delete(f"/api/players/{bob}")
    again = await http.post("/api/imports", content=tags, headers=headers)
    assert again.status_code == 201, again.text
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.json()["id"] == first["id"]
    assert again.json()["players"] == [{"id": ann, "name": "Anna"}, {"id": bob, "name": None}]


async def test_the_same_key_with_ids_answers_as_before_whoever_was_forgotten_since(
    game: Game,
) -> None:
    ids = [player["id"] for player in (await game.view())["players"]]
    headers = {"Content-Type": TEXT, "Idempotency-Key": str(uuid4())}
    for expected in ("false", "true"):
        answer = await game.http.post(
            "/api/imports", content=name(), headers=headers, params={"players": ",".join(ids)}
        )
        assert answer.headers.get("Idempotency-Replayed", "false") == expected
        await game.http.delete(f"/api/players/{ids[0]}")


async def test_a_record_sent_twice_at_once_brings_its_people_once(http: httpx.AsyncClient) -> None:
    tags = name()
    headers = {"Content-Type": TEXT, "Idempotency-Key": str(uuid4())}
    answers = await asyncio.gather(
        *(http.post("/api/imports", content=tags, headers=headers) for _ in range(6))
    )
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    people = [player["name"] for player in (await http.get("/api/players")).json()["players"]]
    assert [people.count(player["name"]) for player in answers[0].json()["players"]] == [1, 1]


async def test_of_very_many_problems_the_first_hundred_are_told(http: httpx.AsyncClient) -> None:
    assert len((await look(http, name() + "nonsense\n" * 5_000))["problems"]) == 100
    body: Json = {"ruleset": "euchre", "seats": 2, "log": [0] * 5_000}
    assert len((await http.post("/api/imports", json=body)).json()["problems"]) == 100


async def test_a_record_of_more_entries_than_a_game_may_have_is_refused(
    http: httpx.AsyncClient,
) -> None:
    for log in ('note "x"\n' * 20_000, 'note "x"\nfinish "late"\n' + 'note "x"\n' * 19_997):
        (problem,) = (await look(http, name() + log))["problems"]
        assert problem["expected"] == "1 to 20000 entries"
    seen = await look(http, name() + 'note "x"\n' * 19_999)
    assert seen["outcome"]["entries"] == 20_000


async def test_bodies_that_are_neither_text_nor_json_are_told_so(http: httpx.AsyncClient) -> None:
    for content_type in (TEXT, "application/json", "application/octet-stream"):
        headers = {"Content-Type": content_type}
        answer = await http.post("/api/imports", content=b"\xff\x00", headers=headers)
        assert (answer.status_code, answer.json()["type"]) == (400, "malformed")


async def test_a_body_that_does_not_say_what_it_is_is_known_by_how_it_begins(
    http: httpx.AsyncClient,
) -> None:
    text = "{ a game of ours }\n" + name()
    assert (await http.post("/api/imports", content=text.encode())).status_code == 201
    raw = b' {"ruleset": "euchre", "seats": 2, "players": ["Ann", "Bob"], "log": []}'
    assert (await http.post("/api/imports", content=raw)).status_code == 201
    assert (await http.post("/api/imports", content=b"\xef\xbb\xbf" + raw)).status_code == 201
    cut_off = (await http.post("/api/imports", content=raw[:-1])).json()
    assert cut_off["expected"].startswith("one JSON document")


async def test_the_reference_describes_a_record(http: httpx.AsyncClient) -> None:
    document = (await http.get("/schema")).json()
    content = document["paths"]["/api/imports"]["post"]["requestBody"]["content"]
    given = document["paths"]["/api/games/{game_id}/record"]["get"]["responses"]["200"]
    assert set(given["content"]) == {"application/json", TEXT}
    # Generated clients do not know our media type.
    assert set(content) == {"application/json", "application/octet-stream"}
    record, plays = content["application/json"]["schema"]["anyOf"]
    assert given["content"]["application/json"]["schema"] == record
    assert TEXT in content["application/octet-stream"]["schema"]["description"]
    assert record == {"$ref": "#/components/schemas/Record"}
    assert plays == {"$ref": "#/components/schemas/BgStatsExport"}
