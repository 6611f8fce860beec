import re

import httpx

from tests.http.club import DEAL, Game, client_with_key

PLAYS = [
    {"type": "play", "seat": 1, "card": "AC"},
    {"type": "play", "seat": 0, "card": "9S"},
    {"type": "play", "seat": 1, "card": "KC"},
]


async def part(http: httpx.AsyncClient, game: Game, name: str, version: int) -> str:
    headers = {"X-Part": name, "Accept-Language": "en"}
    answer = await http.get(f"/games/{game.id}/at/{version}?eyes=recorder", headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.text


async def test_a_line_tells_how_much_was_open_and_marks_deals_and_tricks(game: Game) -> None:
    await game.record(*DEAL, *PLAYS)
    line = await part(game.http, game, "openness", game.version)
    assert 'class="deal-mark" d="M2 ' in line
    # A trick begins with each lead.
    assert 'class="trick-mark" d="M5 ' in line
    assert 'class="trick-mark" d="M7 ' in line
    assert 'class="trick-mark" d="M6 ' not in line


async def test_the_line_runs_forward_where_an_entry_was_inserted(game: Game) -> None:
    await game.record(*DEAL, *PLAYS)
    # A trick was forgotten: seat 1 leads again after it.
    moves = [{"type": "play", "seat": 1, "card": "QC"}, {"type": "play", "seat": 0, "card": "TS"}]
    await game.record({"type": "splice", "version": 7, "drop": 0, "moves": moves})
    line = await part(game.http, game, "openness", game.version)
    drawn = re.findall(r"L(\d+) ", line.partition('class="area"')[2].partition("/>")[0])
    assert len(drawn) > len(PLAYS)
    assert drawn[:-1] == sorted(set(drawn), key=int)
    assert "It falls when the table sees a card" in line


async def test_between_two_deals_the_line_of_the_last_one_stays(game: Game) -> None:
    await game.record(*DEAL, *PLAYS, {"type": "result", "maker": 1, "tricks": 3})
    assert 'class="area" d="M2 ' in await part(game.http, game, "openness", game.version)


async def test_the_line_of_a_deal_in_progress_is_hidden_from_viewers(game: Game) -> None:
    await game.record(*DEAL, *PLAYS)
    link = await game.http.post(f"{game.path}/links", json={"role": "viewer"})
    async with client_with_key(str(game.http.base_url), link.json()["token"]) as viewer:
        assert "<svg" not in await part(viewer, game, "openness", game.version)


async def test_the_moments_are_told_in_words_and_by_the_words_of_the_game(game: Game) -> None:
    await game.record(*DEAL, *PLAYS)
    known = await part(game.http, game, "known", game.version)
    # Ann did not follow clubs: about half of the deals, and more, are gone.
    assert "It ruled out at least" in known
    assert "Left over, face down" in known
    assert "Not drawn yet" not in known


async def test_a_moment_names_its_trick(game: Game) -> None:
    await game.record(*DEAL, *PLAYS)
    assert "Deal 1 · Trick 2" in await part(game.http, game, "moments", game.version)
