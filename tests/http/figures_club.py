"""A club with games of every kind, and its figures as a plain sum over the raw records."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import uuid4

import httpx
import openskill.models
from msgspec import Struct

from service.store.connection.pool import owner_session
from tests.generation.makers import MAKERS
from tests.http.club import Game, Json, add_player
from tests.http.test_other_club import Club

TITLES = ("Skyjo", "Belote", "Yam's", "Tarot", "Uno", "Wizard")
PEOPLE = 13  # the last two are one person
BEGAN = datetime(2023, 11, 20, 19, 0, tzinfo=UTC)
FINISH: Json = {"type": "finish", "reason": "late"}
LAST = 99  # behind every place
LIVE = 4  # one of so many games of a title is recorded live


class Raw(Struct):
    """A generated game: the request, its expected figures, and the stored record."""

    id: str
    title: str
    people: list[str]
    expect: Json
    options: Json
    log: list[Json]
    began: datetime
    ended: datetime
    times: str
    duraks: list[int]
    effective: list[Json]

    @property
    def decided(self) -> bool:
        return any(self.counts(person) for person in self.people)

    @property
    def scored(self) -> bool:
        return bool(self.expect["deals"]) or any(self.expect["totals"])

    def counts(self, person: str) -> bool:
        """Return whether the game is over and the person took part, by the clause `scores.win`."""
        if not any(entry["type"] == "game_ended" for entry in self.log[-2:]):
            return False
        named = [one["winners"] for one in self.effective if "winners" in one]
        deals = [one for one in self.effective if one["type"] == "deal_ended"]
        if "wins" not in self.options or not deals:
            return self.scored or bool(named)
        seat = self.people.index(person)
        here = any(seat not in one["detail"]["absent"] for one in deals)
        return here or any(seat in winners for winners in named)

    @property
    def places(self) -> list[int | None]:
        (ranking,) = [one["ranking"] for one in self.log[-2:] if one["type"] == "game_ended"]
        found: list[int | None] = [None] * len(self.people)
        for at, level in enumerate(ranking):
            for seat in level:
                found[seat] = 1 + sum(map(len, ranking[:at]))
        return found

    def side(self, seat: int) -> set[int]:
        teams = self.options.get("teams")
        sides = [[0, 2], [1, 3]] if teams is True else teams or []
        return next((set(side) for side in sides if seat in side), {seat})


async def furnish(club: Club, database: str, seed: int, games: int) -> tuple[list[str], list[Raw]]:
    """Fill a club; return its people, the twin left out, and its games that count."""
    chance = Random(seed)  # noqa: S311 -- games, not secrets
    http = club.owner
    names = [f"P{number} {uuid4().hex[:6]}" for number in range(PEOPLE)]
    ids = [await add_player(http, name) for name in names]
    titles = {name: (await _made(http, "/api/titles", name=name))["id"] for name in TITLES}
    season = {"name": "Winter", "first_day": "2023-12-01", "last_day": "2024-02-29"}
    await _made(http, "/api/seasons", **season)
    twin, person = ids[-1], ids[-2]
    found: list[Raw] = []
    for number in range(games):
        kind = chance.choice([*MAKERS, "scores", "scores"])
        maker = MAKERS[kind]
        habits = chance.choice(list(maker.PROFILES.values()))
        made = maker.true_game(chance.randrange(10**6), habits)
        seated = chance.sample(range(PEOPLE - 1), made["seats"])
        if chance.random() < 0.5:  # the person sits as their twin
            seated = [PEOPLE - 1 if one == PEOPLE - 2 else one for one in seated]
        log = [*made["log"]]
        if not made["expect"]["finished"] and chance.random() < 0.8:
            log.append(FINISH)
        title = titles[chance.choice(TITLES)] if kind == "scores" else kind
        live = number % LIVE == 0 and len(log) < 200
        began = BEGAN + timedelta(days=number * 3, minutes=number * 7)
        body = {"ruleset": kind, "options": made["options"]}
        if live:
            body |= {"players": [ids[one] for one in seated]}
            body |= {"title": title} if kind == "scores" else {}
            game = Game(http, await _made(http, "/api/games", **body))
            await game.record(*log)
        else:
            body |= {"seats": made["seats"], "players": [names[one] for one in seated], "log": log}
            day = [began.isoformat(), began.date().isoformat(), None][number % 3]
            body |= {"date": day} if day else {}
            if kind == "scores":
                body["title"] = next(name for name, one in titles.items() if one == title)
            game = Game(http, await _made(http, "/api/imports?again=true&new_names=true", **body))
        counts = number % 10 != 9
        if not counts:
            await Game(http, await game.view()).record({"type": "set_aside", "reason": "a trial"})
        else:
            people = [person if ids[one] == twin else ids[one] for one in seated]
            found.append(await _raw(game, title, people, made))
        if live:
            await _shift(database, game.id, began, timedelta(minutes=number * 11))
    merged = await http.post(f"/api/players/{twin}/merge", json={"into": person})
    assert merged.status_code == 200, merged.text
    await http.delete(f"/api/players/{ids[0]}")
    await _read_times(http, found)
    return ids[:-1], found


async def _made(http: httpx.AsyncClient, path: str, **body: object) -> Any:  # noqa: ANN401 JSON
    answer = await http.post(path, json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def _raw(game: Game, title: str, people: list[str], made: Json) -> Raw:
    record = await game.get("/record.json")
    effective = await game.get("/entries", effective="true")
    duraks: list[int] = []
    if title == "durak":
        duraks = (await game.get("/sheet.json"))["sheet"]["standings"]["duraks"]
    return Raw(
        id=game.id,
        title=title,
        people=people,
        expect=made["expect"],
        options=record["options"],
        log=record["log"],
        began=BEGAN,
        ended=BEGAN,
        times="",
        duraks=duraks,
        effective=[one["entry"] for one in effective["entries"]],
    )


async def _shift(database: str, game_id: str, began: datetime, lasted: timedelta) -> None:
    async with owner_session(database) as conn:
        for table in ("game", "game_player"):
            await conn.execute(
                f"UPDATE carnet.{table} SET started_at = %s WHERE game_id = %s",  # noqa: S608
                [began, game_id],
            )
        await conn.execute(
            "UPDATE carnet.game SET last_at = %s WHERE game_id = %s", [began + lasted, game_id]
        )


async def _read_times(http: httpx.AsyncClient, games: list[Raw]) -> None:
    by_id = {one.id: one for one in games}
    page: str | None = ""
    while page is not None:
        told = (await http.get(f"/api/games?limit=200{page and '&cursor=' + page}")).json()
        for line in told["games"]:
            game = by_id.get(line["id"])
            if game is not None:
                game.began = datetime.fromisoformat(line["started_at"])
                game.ended = datetime.fromisoformat(line["last_at"])
                game.times = line.get("times", "recorded")
        page = told.get("next")
    games.sort(key=lambda one: (one.began, one.id))


def by_key(
    key: Callable[[Raw], Sequence[str]], games: list[Raw]
) -> Iterator[tuple[str, list[Raw]]]:
    groups: dict[str, list[Raw]] = defaultdict(list)
    for game in games:
        for one in key(game):
            groups[one].append(game)
    yield from groups.items()


def figures(games: list[Raw], person: str) -> Json:
    """Sum up a person's games, oldest first."""
    over = [(one, one.people.index(person)) for one in games if one.counts(person)]
    places = [game.places[seat] for game, seat in over]
    totals = [game.expect["totals"][seat] for game, seat in over]
    deals = [len(game.expect["deals"]) for game, _ in over]
    placed = [place for place in places if place is not None]
    scored = [game.expect["totals"][seat] for game, seat in over if game.scored]
    shared = [
        game.places[seat] in [p for at, p in enumerate(game.places) if at not in game.side(seat)]
        for game, seat in over
    ]
    runs = "".join("w" if place == 1 else " " for place in places)
    played = [total for total, number in zip(totals, deals, strict=True) if number]
    duraks = [game.duraks[seat] for game, seat in over if game.duraks]
    return {
        "games": len(games),
        "finished": len(over),
        "wins": places.count(1),
        "shared_wins": sum(p == 1 and s for p, s in zip(places, shared, strict=True)),
        "win_share": places.count(1) / len(over) if over else None,
        "deals": sum(deals),
        "points": sum(totals),
        "points_per_game": sum(totals) / len(scored) if scored else None,
        "points_per_deal": sum(played) / sum(deals) if sum(deals) else None,
        "place": sum(placed) / len(placed) if placed else None,
        "best_place": min(placed, default=None),
        "worst_place": max(placed, default=None),
        "lowest": min(scored, default=None),
        "highest": max(scored, default=None),
        "streak": len(runs) - len(runs.rstrip("w")),
        "longest_streak": max(map(len, runs.split(" "))),
        "counted": {"duraks": sum(duraks)} if duraks else {},
    }


def table_time(games: list[Raw], person: str | None = None) -> tuple[int, int]:
    """Return the seconds at the table and the number of games that have them."""
    counted = [one for one in games if (one.counts(person) if person else one.decided)]
    lasted = [one.ended - one.began for one in counted if one.times == "recorded"]
    known = [round(one.total_seconds()) for one in lasted if one <= timedelta(hours=12)]
    return sum(known), len(known)


def meetings(games: list[Raw], person: str, other: str) -> Json:
    found = {"ahead": 0, "level": 0, "behind": 0, "together": 0}
    for game in games:
        if game.counts(person) and game.counts(other):
            seat, at = game.people.index(person), game.people.index(other)
            mine, theirs = game.places[seat] or LAST, game.places[at] or LAST
            against = "ahead" if mine < theirs else "behind" if mine > theirs else "level"
            if at in game.side(seat):
                found["together"] += 1
            elif min(mine, theirs) < LAST:
                found[against] += 1
    return found


def ratings(games: list[Raw], person: str) -> list[float]:
    """Return the person's rating after each game of a title, by openskill."""
    model = openskill.models.PlackettLuce()
    now: dict[str, Any] = defaultdict(model.rating)
    found: list[float] = []
    for game in games:
        seats = range(len(game.people))
        sides = sorted({tuple(sorted(game.side(seat))) for seat in seats})
        if not game.decided:
            continue
        sides = [side for side in sides if all(game.places[seat] for seat in side)]
        if len(sides) < 2:
            continue
        before = [[now[game.people[seat]] for seat in side] for side in sides]
        ranks = [float(min(game.places[seat] or 0 for seat in side)) for side in sides]
        for side, after in zip(sides, model.rate(before, ranks=ranks), strict=True):
            now |= {game.people[seat]: one for seat, one in zip(side, after, strict=True)}
        if person in game.people and game.places[game.people.index(person)]:
            found.append(round(now[person].ordinal(), 1) + 0.0)
    return found
