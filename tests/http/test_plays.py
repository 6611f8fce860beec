"""Plays of other programs by API and page: a BG Stats export (JSON), BoardGameGeek (XML).

The files are made after the formats: BG Stats names games, players and places by numbers and scores
as text; BoardGameGeek's XML API 2 answers `plays` whose fields are attributes.
"""

import json
import re
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.http.club import Json, add_player

HTML = {"Accept": "text/html", "Accept-Language": "en"}


class Names:
    """Names that no other test uses."""

    def __init__(self) -> None:
        self.lea, self.tom, self.skyjo, self.catan, self.place = (
            f"{one} {uuid4().hex[:8]}" for one in ("Léa", "Tom", "Skyjo", "Catan", "Home")
        )


@pytest.fixture
def names() -> Names:
    return Names()


def scores(*by_player: tuple[int, str | None, bool]) -> list[Json]:
    return [
        {
            "playerRefId": player,
            "score": score,
            "winner": won,
            "startPlayer": False,
            "seatOrder": seat,
            "rank": 0,
            "newPlayer": False,
        }
        for seat, (player, score, won) in enumerate(by_player)
    ]


def play(game: int, day: str, by_player: list[Json], **more: object) -> Json:
    return {
        "uuid": str(uuid4()),
        "gameRefId": game,
        "playDate": f"{day} 20:15:00",
        "playDateYmd": int(day.replace("-", "")),
        "ignored": False,
        "locationRefId": 0,
        "playerScores": by_player,
        **more,
    }


def export(names: Names, *plays: Json) -> bytes:
    """Write an export with two games (the second one is won by the highest score)."""
    found = {
        "about": "made by BG Stats",
        "games": [
            {"id": 7, "uuid": str(uuid4()), "name": names.skyjo, "highestWins": False, "bggId": 1},
            {"id": 9, "uuid": str(uuid4()), "name": names.catan, "highestWins": True, "bggId": 13},
            {"id": 11, "uuid": str(uuid4()), "name": "Euchre", "highestWins": True},
        ],
        "players": [
            {"id": 1, "uuid": str(uuid4()), "name": names.lea, "isAnonymous": False},
            {"id": 2, "uuid": str(uuid4()), "name": names.tom, "isAnonymous": False},
            {"id": 3, "uuid": str(uuid4()), "name": "Anonymous player", "isAnonymous": True},
        ],
        "locations": [{"id": 4, "uuid": str(uuid4()), "name": names.place}],
        "plays": list(plays),
        "tags": [],
        "userInfo": {"meRefId": 1},
    }
    return json.dumps(found, ensure_ascii=False).encode()


def bgg(*plays: str) -> bytes:
    return (
        '<?xml version="1.0" encoding="utf-8"?><plays username="lea" userid="1" total="2" page="1"'
        f' termsofuse="https://boardgamegeek.com/xmlapi/termsofuse">{"".join(plays)}</plays>'
    ).encode()


def bgg_play(title: str, players: str, more: str = "", **attributes: str) -> str:
    has = {"id": str(uuid4().int % 10**9), "date": "2026-03-14", "quantity": "1", "length": "0"}
    has |= {"incomplete": "0", "nowinstats": "0", "location": ""} | attributes
    fields = " ".join(f'{name}="{value}"' for name, value in has.items())
    item = f'<item name="{title}" objecttype="thing" objectid="13"><subtypes/></item>'
    return f"<play {fields}>{item}{more}<players>{players}</players></play>"


def bgg_player(name: str, score: str, win: str) -> str:
    return (
        f'<player username="" userid="0" name="{name}" startposition="" color="" score="{score}"'
        f' new="0" rating="0" win="{win}"/>'
    )


async def send(http: httpx.AsyncClient, body: bytes, **query: str) -> Json:
    answer = await http.post("/api/imports", content=body, params=query)
    assert answer.status_code in {200, 201}, answer.text
    found: Json = answer.json()
    return found


async def got(http: httpx.AsyncClient, path: str, **query: str) -> Any:  # noqa: ANN401 JSON
    answer = await http.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def history_of(http: httpx.AsyncClient, place: str) -> list[Json]:
    found: list[Json] = (await got(http, "/api/history", place=place))["games"]
    return found


async def texts_of(http: httpx.AsyncClient, game: Json) -> list[str]:
    entries = (await got(http, f"/api/games/{game['id']}/entries"))["entries"]
    return [one["entry"].get("text", "") for one in entries]


async def test_a_bg_stats_export_is_previewed_and_imported_once(
    http: httpx.AsyncClient, names: Names
) -> None:
    here = {"locationRefId": 4, "comments": "The last one\nof the year", "durationMin": 45}
    body = export(
        names,
        play(7, "2026-03-14", scores((2, "40", False), (1, "12+5", True)), **here),
        play(9, "2026-03-15", scores((1, "", True), (3, "", False), (3, None, False)), **here),
    )
    seen = await send(http, body, preview="true")
    assert [one["title"] for one in seen["plays"]] == [names.skyjo, names.catan]
    assert seen["new_titles"] == [names.skyjo, names.catan]
    assert [one["totals"] for one in seen["plays"]] == [[40, 17], [1, 0, 0]]
    assert {one["name"] for one in seen["people"]} >= {names.lea, names.tom, "Guest"}
    assert not await history_of(http, names.place)
    stored = await send(http, body)
    assert (len(stored["games"]), stored["here"], stored["problems"]) == (2, [], [])
    later, first = await history_of(http, names.place)
    assert first["title_name"] == names.skyjo
    assert (first["totals"], first["places"], first["status"]) == ([40, 17], [2, 1], "finished")
    assert [one["name"] for one in first["players"]] == [names.tom, names.lea]
    assert first["started_at"].startswith("2026-03-14T")
    assert (later["title_name"], later["places"]) == (names.catan, [1, 2, 2])
    assert "The last one\nof the year\n45 min" in await texts_of(http, first)
    again = await send(http, body)
    assert (again["games"], sorted(again["here"])) == ([], sorted(stored["games"]))
    assert len((await send(http, body, again="true"))["games"]) == 2
    (made,) = [t for t in (await got(http, "/api/titles"))["titles"] if t["name"] == names.skyjo]
    assert made["options"] == {"wins": "lowest"}


async def test_plays_of_boardgamegeek_are_imported_with_their_place_and_comments(
    http: httpx.AsyncClient, names: Names
) -> None:
    lea, tom = bgg_player(names.lea, "86", "0"), bgg_player(names.tom, "45", "1")
    body = bgg(
        bgg_play(
            names.skyjo, lea + tom, "<comments>Tom &amp; the cat</comments>", location=names.place
        ),
        bgg_play(names.catan, bgg_player(names.lea, "", "1"), location=names.place, quantity="2"),
        bgg_play(names.catan, lea, location=names.place, nowinstats="1", date="2026-03-15"),
        bgg_play(names.catan, ""),
    )
    stored = await send(http, body)
    assert (len(stored["games"]), len(stored["problems"])) == (4, 1)
    assert "who played" in stored["problems"][0]
    games = await history_of(http, names.place)
    assert sorted(one["title_name"] for one in games) == [names.catan, names.catan, names.skyjo]
    (skyjo,) = [one for one in games if one["title_name"] == names.skyjo]
    assert (skyjo["totals"], skyjo["places"], skyjo["times"]) == ([86, 45], [2, 1], "day")
    assert "Tom & the cat" in await texts_of(http, skyjo)
    aside = (await got(http, "/api/history", place=names.place, set_aside="only"))["games"]
    assert len(aside) == 1


@pytest.mark.parametrize("pair", [("49-46", "46-49"), ("3-2", "5"), ("72.5", "60"), ("A+", "")])
async def test_a_score_of_boardgamegeek_that_is_no_number_is_a_remark(
    http: httpx.AsyncClient, names: Names, pair: tuple[str, str]
) -> None:
    players = bgg_player(names.lea, pair[0], "0") + bgg_player(names.tom, pair[1], "1")
    whole = bgg_player(names.lea, "-4", "1") + bgg_player(names.tom, "1,200", "0")
    plays = (players, whole)
    body = bgg(*(bgg_play(names.catan, one, location=names.place) for one in plays))
    await send(http, body)
    first, second = sorted(await history_of(http, names.place), key=lambda one: one["totals"][0])
    assert (first["totals"], second["totals"], second["places"]) == ([-4, 1200], [0, 1], [2, 1])
    remarks = await texts_of(http, second)
    shown = [f"{name}: {text}" for name, text in zip((names.lea, names.tom), pair, strict=True)]
    assert shown[0] in "\n".join(remarks)
    assert not pair[1] or shown[1] in "\n".join(remarks)


@pytest.mark.parametrize(
    ("by_player", "totals", "places"),
    [
        # A tie that the table broke, and a winner against the points.
        (scores((1, "70", True), (2, "70", False)), [70, 70], [1, 2]),
        (scores((1, "70", False), (2, "10", False), (3, "12", True)), [70, 10, 12], [2, 3, 1]),
        # A game lost together: nobody wins.
        (scores((1, None, False), (2, None, False)), [0, 0], [None, None]),
        (scores((1, None, True), (2, None, True)), [1, 1], [1, 1]),
        (scores((1, "0", True), (2, "0", False)), [1, 0], [1, 2]),
        (scores((1, "-3", False), (2, "\u22122", True)), [-3, -2], [2, 1]),
    ],
)
async def test_a_result_keeps_its_winner(
    http: httpx.AsyncClient,
    names: Names,
    by_player: list[Json],
    totals: list[int],
    places: list[int | None],
) -> None:
    await send(http, export(names, play(9, "2026-03-14", by_player, locationRefId=4)))
    (game,) = await history_of(http, names.place)
    assert (game["totals"], game["places"]) == (totals, places)


async def test_a_card_game_that_is_known_here_is_its_own_title(
    http: httpx.AsyncClient, names: Names
) -> None:
    body = export(
        names, play(11, "2026-03-14", scores((1, "10", True), (2, "7", False)), locationRefId=4)
    )
    await send(http, body)
    (game,) = await history_of(http, names.place)
    assert (game["ruleset"], game["title"], game["totals"]) == ("euchre", "euchre", [10, 7])


async def test_teams_share_their_points(http: httpx.AsyncClient, names: Names) -> None:
    by_player = scores((1, "4", True), (2, "1", False), (3, "4", True), (3, "1", False))
    for one, team in zip(by_player, "ABAB", strict=True):
        one["team"] = team
    await send(http, export(names, play(9, "2026-03-14", by_player, locationRefId=4)))
    (game,) = await history_of(http, names.place)
    assert game["options"]["teams"] == [[0, 2], [1, 3]]


@pytest.mark.parametrize(
    ("by_player", "why"),
    [
        (scores((1, "7.5", True)), "“7.5” is not a whole number."),
        (scores((1, "won", True)), "“won” is not a whole number."),
        (scores((1, "100001", True)), "100,000 points at most"),
        ([], "It does not say who played."),
        (scores(*[(3, "1", True)] * 13), "13 people have played"),
    ],
)
async def test_what_cannot_be_read_is_left_out_and_named(
    http: httpx.AsyncClient, names: Names, by_player: list[Json], why: str
) -> None:
    good = play(9, "2026-03-14", scores((1, "1", True)), locationRefId=4)
    stored = await send(http, export(names, play(7, "2026-03-14", by_player), good))
    assert len(stored["games"]) == 1
    (problem,) = stored["problems"]
    assert why in problem


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31", "0000-00-00", "2025-02-30"])
async def test_an_impossible_date_leaves_out_its_play_at_most(
    http: httpx.AsyncClient, names: Names, day: str
) -> None:
    good = play(7, "2026-03-14", scores((2, "40", False), (1, "17", True)))
    for clock in ("00:00:00", "23:59:59"):
        bad = play(9, "2026-03-15", scores((1, "3", True), (2, "1", False)))
        bad |= {"playDate": f"{day} {clock}", "playDateYmd": None}
        seen = await send(http, export(names, good, bad), preview="true")
        assert seen["plays"][0]["problem"] is None
        assert len(seen["plays"]) == 2


async def test_a_day_that_does_not_exist_is_named(http: httpx.AsyncClient, names: Names) -> None:
    bad = play(9, "2026-03-15", scores((1, "3", True), (2, "1", False)))
    spring = bad | {"playDate": "2026-02-30 20:15:00", "playDateYmd": None}
    seen = await send(http, export(names, spring), preview="true")
    assert [one["problem"] for one in seen["plays"]] == ["“2026-02-30 20:15:00” is not a day."]
    number = bad | {"playDateYmd": 20260230}
    seen = await send(http, export(names, number), preview="true")
    assert [one["problem"] for one in seen["plays"]] == ["“20260230” is not a day."]
    player = bgg_player(names.lea, "5", "1")
    body = bgg(*(bgg_play(names.catan, player, date=day) for day in ("2026-02-30", "0000-00-00")))
    seen = await send(http, body, preview="true")
    # BoardGameGeek writes zeros where nobody said the day.
    assert [one["problem"] for one in seen["plays"]] == ["“2026-02-30” is not a day.", None]


@pytest.mark.parametrize(
    "body",
    [
        b'<!DOCTYPE plays [<!ENTITY a "aa">]><plays><play id="1"><item name="&a;"/></play></plays>',
        b'<plays><play id="1"></plays>',
        b'<plays><play id="1"><item name="&nbsp;"/></play></plays>',
        b'{"plays": [{"gameRefId": "x"}], "games": [], "players": []}',
        b'{"plays": [',
    ],
)
async def test_a_document_that_is_no_list_of_plays_is_malformed(
    http: httpx.AsyncClient, body: bytes
) -> None:
    for query in ({}, {"preview": "true"}):
        answer = await http.post("/api/imports", content=body, params=query)
        assert (answer.status_code, answer.json()["type"]) == (400, "malformed"), answer.text


async def test_a_name_that_is_too_long_makes_nobody_a_guest(
    http: httpx.AsyncClient, names: Names
) -> None:
    long = "\u0958" * 60
    body = bgg(bgg_play(names.catan, bgg_player(long, "5", "1") + bgg_player("", "3", "0")))
    (seen,) = (await send(http, body, preview="true"))["plays"]
    assert "100 at most" in seen["problem"]
    assert seen["players"] == []


async def test_a_likely_match_is_named_and_can_be_chosen(
    http: httpx.AsyncClient, names: Names
) -> None:
    plain = names.lea.replace("é", "e")
    lea = await add_player(http, plain)
    body = export(names, play(9, "2026-03-14", scores((1, "1", True)), locationRefId=4))
    (seen,) = (await send(http, body, preview="true"))["people"]
    assert (seen["known"], seen["like"]) == ([], [{"id": lea, "name": plain}])
    asked = await http.post("/api/imports", content=body)
    assert (asked.status_code, asked.json()["type"]) == (409, "names-alike")
    assert asked.json()["players"] == [{"id": lea, "name": plain}]
    await send(http, body, people=json.dumps({names.lea: lea}))
    (game,) = await history_of(http, names.place)
    assert [one["id"] for one in game["players"]] == [lea]
    answer = await http.post(
        "/api/imports", content=body, params={"people": json.dumps({"x": str(uuid4())})}
    )
    assert (answer.status_code, answer.json()["path"]) == (400, "$.query.people")


async def test_two_new_names_alike_in_different_plays_are_asked_about(
    http: httpx.AsyncClient, names: Names
) -> None:
    plain = names.lea.replace("é", "e")
    body = bgg(
        *(
            bgg_play(names.catan, bgg_player(one, "5", "1"), location=names.place)
            for one in (names.lea, plain)
        )
    )
    seen = (await send(http, body, preview="true"))["people"]
    assert [one["others"] for one in seen] == [[], [names.lea]]
    asked = await http.post("/api/imports", content=body)
    assert (asked.status_code, asked.json()["type"]) == (409, "names-alike")
    assert asked.json()["others"] == [names.lea]
    for one, other in ((plain, " "), ("x", "\u0007")):
        people = json.dumps({one: other})
        answer = await http.post("/api/imports", content=body, params={"people": people})
        assert (answer.status_code, answer.json()["path"]) == (400, "$.query.people")
    await send(http, body, people=json.dumps({names.lea: plain}))
    games = await history_of(http, names.place)
    assert {one["name"] for game in games for one in game["players"]} == {plain}


@pytest.mark.parametrize("way", ["file", "pasted"])
async def test_the_page_shows_plays_and_asks_who_is_meant(
    http: httpx.AsyncClient, names: Names, way: str
) -> None:
    lea = await add_player(http, names.lea.replace("é", "e"))
    by_player = scores((1, "5", True), (2, "9", False))
    body = export(
        names, play(7, "2026-03-14", by_player, locationRefId=4), play(9, "2026-03-14", [])
    )
    form = {"do": "look"} | ({"text": body.decode()} if way == "pasted" else {})
    parts = {} if way == "pasted" else {"files": {"file": ("BGStatsExport.json", body)}}
    answer = await http.post("/import", data=form, headers=HTML, **parts)  # type: ignore[arg-type]
    assert answer.status_code == 303, answer.text
    page = await http.get(answer.headers["Location"], headers=HTML)
    assert "1 game to import" in page.text
    assert names.skyjo in page.text
    assert "It does not say who played." in page.text
    assert "Is that somebody you have already?" in page.text
    assert not await history_of(http, names.place)
    keep = re.findall(r'name="keep" value="(\d+)" checked', page.text)
    field = f"who:{names.lea}"
    answer = await http.post(page.url.path, data={"keep": keep}, headers=HTML)
    assert answer.headers["Location"].endswith("?ask=")
    await http.post(page.url.path, data={"keep": keep, field: lea}, headers=HTML)
    (game,) = await history_of(http, names.place)
    assert (game["title_name"], game["players"][0]["id"]) == (names.skyjo, lea)


async def test_an_export_that_names_a_field_twice_is_refused(http: httpx.AsyncClient) -> None:
    text = '{"plays": [], "games": [], "plays": [], "players": [], "locations": []}'
    answer = await http.post("/api/imports", content=text)
    assert answer.status_code == 400
