"""Figures of people and pairs, against a plain sum over the raw records."""

import re
from collections.abc import AsyncGenerator
from io import BytesIO
from typing import Any
from uuid import uuid4

import httpx
import pytest
from markupsafe import escape
from python_calamine import CalamineWorkbook

from projections.course import COURSE_VALUES_MAX
from tests.depth import run_size
from tests.http.club import Game, Json, add_player
from tests.http.figures_club import (
    Raw,
    by_key,
    figures,
    furnish,
    meetings,
    ratings,
    table_time,
)
from tests.http.test_other_club import Club, club_added
from tests.service_process import ServiceProcess

GAMES = run_size(100, deep=600)
HTML = {"Accept": "text/html", "Accept-Language": "en"}
TAG = re.compile(r"<[^>]*>")
CELL = re.compile(r"<t[hd][^>]*>")
GROUPS = ("years", "months", "seasons", "seats", "opponents", "partners")


class Furnished:
    def __init__(self, club: Club, people: list[str], games: list[Raw]) -> None:
        self.http, self.people, self.games = club.owner, people, games

    async def get(self, path: str, **query: str) -> Any:  # noqa: ANN401 JSON
        answer = await self.http.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def of(self, title: str, *people: str) -> list[Raw]:
        return [one for one in self.games if one.title == title and {*people} <= {*one.people}]


@pytest.fixture(scope="module")
async def club(service: ServiceProcess, service_database: str) -> AsyncGenerator[Furnished]:
    added = await club_added(service_database, service.url, "Figures")
    async with added.owner:
        yield Furnished(added, *await furnish(added, service_database, 43, GAMES))


def day(game: Raw) -> str:
    return "" if game.times == "none" else game.began.date().isoformat()


def naive(games: list[Raw], person: str, season: str, other: str | None) -> Json:
    def group(key: str, some: list[Raw], met: str | None) -> Json:
        seconds, timed = table_time(some, person)
        nothing = {"ahead": 0, "level": 0, "behind": 0, "together": 0}
        found = {"key": key, "figures": figures(some, person), "seconds": seconds, "timed": timed}
        return found | (meetings(some, person, met) if met else nothing)

    def across(game: Raw) -> list[str]:
        side = game.side(game.people.index(person))
        return [one for at, one in enumerate(game.people) if at not in side]

    def beside(game: Raw) -> list[str]:
        side = game.side(game.people.index(person))
        return [one for at, one in enumerate(game.people) if at in side and one != person]

    def winter(game: Raw) -> list[str]:
        return [season] if "2023-12-01" <= day(game) <= "2024-02-29" else []

    return {
        "all": group("", games, other),
        "years": [group(k, some, other) for k, some in by_key(lambda g: [day(g)[:4]], games)],
        "months": [group(k, some, other) for k, some in by_key(lambda g: [day(g)[:7]], games)],
        "seasons": [group(k, some, other) for k, some in by_key(winter, games)],
        "seats": [group(k, g, other) for k, g in by_key(lambda g: [str(len(g.people))], games)],
        "opponents": [group(k, some, k) for k, some in by_key(across, games)],
        "partners": [group(k, some, k) for k, some in by_key(beside, games)],
    }


def differences(told: Any, expected: Any, path: str = "$") -> list[str]:  # noqa: ANN401 JSON
    """Return where two JSON values differ, and how."""
    if isinstance(told, dict) and isinstance(expected, dict) and {*told} == {*expected}:
        return [
            line for key in told for line in differences(told[key], expected[key], f"{path}.{key}")
        ]
    if isinstance(told, list) and isinstance(expected, list) and len(told) == len(expected):
        return [
            line
            for at, pair in enumerate(zip(told, expected, strict=True))
            for line in differences(*pair, f"{path}[{at}]")
        ]
    return [] if told == expected else [f"{path}: {told!r} instead of {expected!r}"]


def compared(told: Json) -> Json:
    """Return groups without names and zeros, in an order of their keys."""

    def plain(group: Json) -> Json:
        return {k: v for k, v in group.items() if k != "name" and v != 0}

    groups = {
        name: sorted(map(plain, told.get(name, ())), key=lambda one: str(one["key"]))
        for name in GROUPS
    }
    return groups | {"all": plain(told["all"])}


async def test_the_club_has_every_kind_of_game(club: Furnished) -> None:
    assert {one.times for one in club.games} == {"recorded", "start", "day", "none"}
    assert len({one.title for one in club.games}) == 10
    assert any(len(one.side(0)) > 1 and one.decided for one in club.games)
    assert any("amend" in str(one.log) for one in club.games)
    assert len({len(one.people) for one in club.games}) > 5
    assert {True, False} == {one.decided for one in club.games}


async def test_figures_of_everybody_equal_a_plain_sum(club: Furnished) -> None:
    (season,) = [one["id"] for one in (await club.get("/api/seasons"))["seasons"]]
    for person in club.people:
        told = await club.get(f"/api/players/{person}/figures")
        assert {one["title"] for one in told["titles"]} == {
            one.title for one in club.games if person in one.people
        }
        for one in told["titles"]:
            games = club.of(one["title"], person)
            assert differences(compared(one), compared(naive(games, person, season, None))) == []
            rated = ratings(club.of(one["title"]), person)
            assert len(rated) < COURSE_VALUES_MAX
            assert [point["value"] for point in one.get("ratings", ())] == rated


async def test_figures_of_pairs_equal_a_plain_sum(club: Furnished) -> None:
    (season,) = [one["id"] for one in (await club.get("/api/seasons"))["seasons"]]
    together = 0
    for person, other in zip(club.people, club.people[1:], strict=False):
        told = await club.get(f"/api/players/{person}/figures", **{"with": other})
        assert (told["player"]["id"], told["other"]["id"]) == (person, other)
        for one in told["titles"]:
            games = club.of(one["title"], person, other)
            assert differences(compared(one), compared(naive(games, person, season, other))) == []
            together += one["all"].get("together", 0)
    assert together


async def test_the_standings_equal_a_plain_sum(club: Furnished) -> None:
    for table in (await club.get("/api/standings"))["rulesets"]:
        told = {one["player"]["id"]: one["figures"] for one in table["standings"]}
        games = club.of(table["title"])
        people = {person for game in games for person in game.people}
        summed = {one: figures(club.of(table["title"], one), one) for one in people}
        assert differences(told, summed) == []


async def test_figures_are_those_of_a_period_and_a_title(club: Furnished) -> None:
    person = club.people[-1]
    title = next(one.title for one in club.games if person in one.people and one.times == "day")
    told = await club.get(
        f"/api/players/{person}/figures", title=title, **{"from": "2024-01-01", "to": "2024-12-31"}
    )
    games = [one for one in club.of(title, person) if day(one)[:4] == "2024"]
    assert [one["title"] for one in told["titles"]] == [title] * bool(games)
    for one in told["titles"]:
        assert one["all"]["figures"] == figures(games, person)


async def test_a_merged_id_leads_to_the_person_and_a_forgotten_one_has_no_name(
    club: Furnished,
) -> None:
    (merged,) = [
        one["id"]
        for player in (await club.get("/api/players"))["players"]
        for one in player.get("merged", ())
    ]
    told = await club.get(f"/api/players/{merged}/figures")
    assert told == await club.get(f"/api/players/{club.people[-1]}/figures")
    gone = await club.get(f"/api/players/{club.people[0]}/figures")
    assert gone["player"] == {"id": club.people[0], "name": None}


async def test_without_a_game_there_are_no_figures(http: httpx.AsyncClient) -> None:
    zoe = await add_player(http, f"Zoé {uuid4().hex}")
    told = (await http.get(f"/api/players/{zoe}/figures")).json()
    assert (told["titles"], told["other"], told["set_aside"]) == ([], None, 0)


async def test_a_pair_is_of_two_people(http: httpx.AsyncClient, game: Game) -> None:
    ann = (await game.view())["players"][0]["id"]
    for other in (ann, str(uuid4())):
        answer = await http.get(f"/api/players/{ann}/figures", params={"with": other})
        assert answer.status_code == 404, answer.text


def cells(page: str, label: str) -> list[list[str]]:
    """Return the texts of a table of the page, by rows; the table is found by its label."""
    table = page[page.index(f'aria-label="{label}') :].partition("</table>")[0]
    rows = [part.partition("</tr>")[0] for part in table.split("<tr>")[2:]]
    return [[" ".join(TAG.sub(" ", cell).split()) for cell in CELL.split(row)[1:]] for row in rows]


async def test_the_page_of_a_person_shows_the_same_figures(club: Furnished) -> None:
    person = club.people[-1]
    told = await club.get(f"/api/players/{person}/figures")
    page = (await club.http.get(f"/players/{person}/figures", headers=HTML)).text
    for one in told["titles"]:
        name = escape(one.get("title_name") or "")
        if name and one["all"]["figures"]["finished"]:
            shown = cells(page, f"By year: {name}")
            assert [row[1] for row in shown] == [
                str(year["figures"]["finished"]) for year in one["years"][::-1]
            ]
            assert [row[2].split()[0] for row in shown] == [
                str(year["figures"]["wins"]) for year in one["years"][::-1]
            ]
            against = cells(page, f"Against: {name}")
            assert [(row[1], row[3], row[4]) for row in against] == [
                tuple(
                    str(n)
                    for n in (x["figures"]["finished"], x.get("ahead", 0), x.get("behind", 0))
                )
                for x in one["opponents"]
            ]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("have not played together yet",)),
        ("fr", ("pas encore joué ensemble",)),
        ("de", ("noch nicht zusammen gespielt",)),
    ],
)
async def test_a_pair_that_never_played_is_told_so(
    http: httpx.AsyncClient, language: str, words: tuple[str, ...]
) -> None:
    one, other = [await add_player(http, uuid4().hex) for _ in range(2)]
    page = await http.get(
        f"/players/{one}/figures?other={other}", headers={**HTML, "Accept-Language": language}
    )
    assert [word for word in words if word not in page.text] == []


async def test_the_page_of_a_merged_person_leads_to_the_person(club: Furnished) -> None:
    (merged,) = [
        one["id"]
        for player in (await club.get("/api/players"))["players"]
        for one in player.get("merged", ())
    ]
    answer = await club.http.get(f"/players/{merged}/figures?other={club.people[1]}", headers=HTML)
    assert answer.headers["Location"] == (
        f"/players/{club.people[-1]}/figures?other={club.people[1]}"
    )
    nobody = await club.http.get(f"/players/{merged}/figures?other=nobody", headers=HTML)
    assert nobody.status_code == 404


async def test_the_workbook_has_the_same_figures(club: Furnished) -> None:
    answer = await club.http.get("/api/history.xlsx", headers={"Accept-Language": "en"})
    book = CalamineWorkbook.from_filelike(BytesIO(answer.content))
    assert book.sheet_names == [
        *("Games", "Deals", "Standings", "People", "Pairs", "Figures", "Ratings", "Entries")
    ]
    read = {name: rows(book, name) for name in book.sheet_names}
    people = {one["id"]: one["name"] for one in (await club.get("/api/players"))["players"]}
    shown: dict[str, list[tuple[object, ...]]] = {"Pairs": [], "Figures": [], "Ratings": []}
    for person in club.people:
        name = people.get(person) or "forgotten player"
        told = await club.get(f"/api/players/{person}/figures")
        for title in told["titles"]:
            of = (name, title["title"])
            for kind in ("opponents", "partners"):
                shown["Pairs"] += [
                    (*of, one.get("name", "forgotten player"), *numbers(one), one.get("ahead", 0))
                    for one in title.get(kind, ())
                ]
            for kind in ("years", "months", "seasons", "seats"):
                shown["Figures"] += [
                    (*of, one.get("name", one["key"]), *numbers(one)) for one in title.get(kind, ())
                ]
            shown["Figures"].append((*of, "", *numbers(title["all"])))
            shown["Ratings"] += [
                (*of, one["number"], one["value"]) for one in title.get("ratings", ())
            ]
        (row,) = [one for one in read["People"] if one["Player"] == name]
        alls = [one["all"]["figures"] for one in told["titles"]]
        assert (row["Games"], row["Won"]) == tuple(
            sum(one[key] for one in alls) for key in ("games", "wins")
        )
    assert sorted(shown["Pairs"], key=str) == sorted(
        (
            (*named(row), row["With or against"], *counted(row), row["Ahead"])
            for row in read["Pairs"]
        ),
        key=str,
    )
    assert sorted(shown["Figures"], key=str) == sorted(
        ((*named(row), key(row["Group"]), *counted(row)) for row in read["Figures"]), key=str
    )
    rated = {(*named(row), row["Finished"]): row["Rating"] for row in read["Ratings"]}
    assert rated == pytest.approx({one[:3]: one[3] for one in shown["Ratings"]}, abs=0.051)


def rows(book: CalamineWorkbook, name: str) -> list[Json]:
    header, *lines = book.get_sheet_by_name(name).to_python()
    return [dict(zip(map(str, header), line, strict=True)) for line in lines]


def named(row: Json) -> tuple[str, str]:
    return row["Player"], row["Title"]


def key(cell: str | float) -> str:
    return cell if isinstance(cell, str) else f"{cell:.0f}"


def numbers(group: Json) -> tuple[float, ...]:
    found = group["figures"]
    share = -1.0 if found["win_share"] is None else round(found["win_share"], 4)
    counts = (float(found[name]) for name in ("games", "wins", "points", "longest_streak"))
    return (*counts, share, round(group.get("seconds", 0) / 60, 1))


def counted(row: Json) -> tuple[float, ...]:
    share = -1.0 if row["Share won"] == "" else row["Share won"]
    names = ("Games", "Won", "Points", "Longest run of wins")
    return (*(row[name] for name in names), share, row["Minutes at the table"])


@pytest.mark.parametrize("whose", [None, -1])
async def test_a_year_equals_a_plain_sum(club: Furnished, whose: int | None) -> None:
    player = {} if whose is None else {"player": club.people[whose]}
    told = await club.get("/api/years/2024", **player)
    games = [
        one for one in club.games if one.began.year == 2024 and {*player.values()} <= {*one.people}
    ]
    dated = [one for one in games if one.times != "none"]
    months = [sum(one.began.month == month for one in dated) for month in range(1, 13)]
    assert (told["games"], told["months"]) == (len(games), months)
    assert told["finished"] == sum(one.decided for one in games)
    assert (told["seconds"], told["timed"]) == table_time(games)
    assert {one["title"]: one["games"] for one in told["titles"]} == {
        title: len(some) for title, some in by_key(lambda game: [game.title], games)
    }
    shown = {one["player"]["id"]: one for one in told["people"]}
    assert {*shown} == {person for game in games for person in game.people}
    for person, one in shown.items():
        own = [game for game in games if person in game.people]
        summed = figures(own, person)
        assert (one["games"], one["finished"], one["longest_streak"]) == tuple(
            summed[name] for name in ("games", "finished", "longest_streak")
        )
        won = [
            game
            for game in own
            if game.counts(person) and game.places[game.people.index(person)] == 1
        ]
        assert one["first"] == [
            sum(game.began.month == month for game in won if game.times != "none")
            for month in range(1, 13)
        ]
    met = {(a, b) for a in shown for b in shown if a < b}
    together = {pair: sum({*pair} <= {*game.people} for game in games) for pair in met}
    assert told["pair"]["games"] == max(together.values())


async def test_the_page_of_a_year_shows_it(club: Furnished) -> None:
    told = await club.get("/api/years/2024")
    page = (await club.http.get("/years/2024", headers=HTML)).text
    shown = {tuple(row[1:]) for row in cells(page, "First places of finished games")}
    assert shown == {
        (str(one["finished"]), str(sum(one["first"])), str(one["longest_streak"]))
        for one in told["people"]
    }
    assert f'href="/evenings/{told["longest"]}"' in page
    for query in ("", f"?player={club.people[-1]}"):
        picture = await club.http.get(f"/years/2024/picture.png{query}")
        assert picture.headers["Content-Type"] == "image/png"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Nothing was played in 1950"),
        ("fr", "Rien n’a été joué en 1950"),
        ("de", "1950 wurde nichts gespielt"),
    ],
)
async def test_a_year_without_a_game_is_told_so(
    http: httpx.AsyncClient, language: str, words: str
) -> None:
    page = await http.get("/years/1950", headers={**HTML, "Accept-Language": language})
    assert words in page.text
    assert (await http.get("/years/1950/picture.png")).status_code == 200
    for year in (0, 9999, 10**9):
        assert (await http.get(f"/api/years/{year}")).status_code == 404
    assert (await http.get("/api/years/1950", params={"player": str(uuid4())})).status_code == 404
