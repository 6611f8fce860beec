"""Random chains of games by points, next to a sheet of paper that is added up by hand."""

from random import Random
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.http.club import add_player
from tests.http.scores import ScoresGame

Points = dict[str, int | None]


class Paper:
    """What somebody would write down: a list of joins, leaves and rounds.

    `games`: those of the chain, each with the events before it.
    """

    def __init__(self, people: list[str]) -> None:
        self.people = people
        self.events: list[tuple[str, Any]] = []
        self.games: list[tuple[ScoresGame, int, list[str]]] = []

    def totals(self, until: int | None = None) -> dict[str, int]:
        found = dict.fromkeys(self.first, 0)
        for kind, what in self.events[:until]:
            if kind == "change":
                found = {one: what["starts"].get(one, found.get(one, 0)) for one in what["people"]}
            else:
                for one, points in what.items():
                    found[one] += points or 0
        return found

    @property
    def first(self) -> list[str]:
        return self.games[0][2]

    def numbered(self) -> set[str]:
        """Return who has a number in a round since they came."""
        found: set[str] = set()
        for kind, what in self.events:
            if kind == "change":
                found &= {*what["people"]} - {*what["starts"]}
            else:
                found |= {one for one, points in what.items() if points is not None}
        return found

    def rounds(self) -> list[Points]:
        return [what for kind, what in self.events if kind == "round"]

    def ranking(self, *, lowest: bool) -> list[set[str]]:
        totals, numbered = self.totals(), self.numbered()
        levels = sorted({totals[one] for one in numbered}, reverse=not lowest)
        return [{one for one in numbered if totals[one] == level} for level in levels]


async def _round(random: Random, paper: Paper) -> None:
    game, _, people = paper.games[-1]
    points: list[int | None] = [random.choice([None, 0, random.randint(-9, 40)]) for _ in people]
    if all(one is None for one in points):
        points[0] = 0
    await game.rounds(points)
    paper.events.append(("round", dict(zip(people, points, strict=True))))


async def _change(random: Random, paper: Paper) -> None:
    game, _, people = paper.games[-1]
    totals = paper.totals()
    staying = [one for one in people if random.random() < 0.8] or people[:1]
    away = [one for one in paper.people if one not in people]
    joining = random.sample(away, random.randint(0, min(2, len(away))))
    values = [0, min(totals.values()), sum(totals.values()) // len(totals), random.randint(-5, 90)]
    starts = {one: random.choice(values) for one in joining}
    after = [*staying, *joining]
    random.shuffle(after)
    paper.events.append(("change", {"people": after, "starts": starts}))
    paper.games.append((await game.go_on(after, starts=starts), len(paper.events), after))


async def _undo(random: Random, paper: Paper) -> None:
    if len(paper.games) == 1:
        return
    game, begun, _ = paper.games.pop()
    # From either side: the API names the game that is undone, the page either of both.
    if random.random() < 0.5:
        await game.undo()
    else:
        path = f"/games/{paper.games[-1][0].id}/go-on/undo"
        answer = await game.http.post(path, data={"sure": "1"})
        assert answer.status_code == 303, answer.text
    del paper.events[begun - 1 :]


async def _correct(random: Random, paper: Paper) -> None:
    rounds = [at for at, (kind, _) in enumerate(paper.events) if kind == "round"]
    if not rounds:
        return
    at = random.choice(rounds)
    game, begun, people = next(one for one in reversed(paper.games) if one[1] <= at)
    own = sum(kind == "round" for kind, _ in paper.events[begun:at])
    log = await game.log()
    version = [one["version"] for one in log if one["type"] == "result"][own]
    points = [random.choice([None, 0, random.randint(-9, 40)]) for _ in people]
    if all(one is None for one in points):
        points[-1] = 7
    game.version = log[-1]["version"]
    move = {"type": "result", "points": points}
    await game.record({"type": "amend", "version": version, "move": move})
    for later, *_ in paper.games:
        later.version = (await later.view())["version"]
    paper.events[at] = ("round", dict(zip(people, points, strict=True)))


@pytest.mark.parametrize("seed", range(6))
async def test_a_chain_is_what_the_paper_says(seed: int, http: httpx.AsyncClient) -> None:
    random = Random(seed)  # noqa: S311 -- the same chain in every run
    title = (await http.post("/api/titles", json={"name": f"C {uuid4()}"})).json()["id"]
    paper = Paper([await add_player(http, f"P{uuid4()}") for _ in range(6)])
    lowest = random.random() < 0.5
    begun = random.sample(paper.people, random.randint(2, 4))
    options = {"wins": "lowest" if lowest else "highest"}
    body = {"ruleset": "scores", "title": title, "players": begun, "options": options}
    game = ScoresGame.of(http, (await http.post("/api/games", json=body)).json())
    paper.games.append((game, 0, begun))
    await _round(random, paper)
    for _ in range(10):
        act = random.choices([_round, _change, _undo, _correct], weights=[5, 3, 1, 3])[0]
        if act is _change and len(paper.games) == 4:
            act = _round
        await act(random, paper)
        last, _, people = paper.games[-1]
        view = await last.view()
        assert dict(zip(people, view["totals"], strict=True)) == paper.totals(), act.__name__
        assert view["deal"] == len(paper.rounds()) + 1
    await _round(random, paper)
    last, _, people = paper.games[-1]
    await last.record({"type": "finish", "reason": ""})

    sheet = (await http.get(f"{last.path}/sheet.json")).json()
    columns = [one["id"] for one in sheet["players"]]
    deals = [row for row in sheet["sheet"]["rows"] if row["row"] == "deal"]
    said = [
        {one: won for one, won in zip(columns, row["points"], strict=True) if won is not None}
        for row in deals
    ]
    noted = [{one: won for one, won in row.items() if won is not None} for row in paper.rounds()]
    assert said == noted
    totals = dict(zip(columns, sheet["sheet"]["totals"], strict=True))
    assert {one: totals[one] for one in people} == paper.totals()
    ranking = [{columns[seat] for seat in level} for level in sheet["sheet"]["ranking"]]
    assert ranking == paper.ranking(lowest=lowest)

    (line,) = (await http.get("/api/history", params={"title": title})).json()["games"]
    assert (line["id"], len(line["deals"])) == (last.id, len(noted))
    for one in paper.people:
        found = (await http.get("/api/games", params={"player": one})).json()["games"]
        assert [game["id"] for game in found] == ([last.id] if one in people else [])
    (table,) = (await http.get("/api/standings", params={"title": title})).json()["rulesets"]
    assert (table["games"], table["finished"]) == (1, 1)
    first = ranking[0] if ranking else set()
    for one in table["standings"]:
        assert one["figures"]["wins"] == (one["player"]["id"] in first)
