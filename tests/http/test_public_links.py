import re
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.http.club import (
    DEAL,
    LOST_RESULT,
    MADE_RESULT,
    Game,
    Json,
    anonymous_client,
    client_with_key,
)

# Between words only this game has: a remark made after the moment that is shared.
LATER = "the fox was in the talon"
OWN = ["AS", "KS", "QS", "JS", "TS"]
SECRET: Json = {"type": "exchange", "seat": 0, "take": True, "discard": "9D"}
PLAYS: list[Json] = [{"type": "play", "seat": 1, "card": "AC"}]


async def shared(game: Game, **what: object) -> dict[str, Any]:
    answer = await game.http.post(f"{game.path}/links", json={"role": "public", **what})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def anybody(game: Game) -> httpx.AsyncClient:
    return anonymous_client(str(game.http.base_url))


async def page(game: Game, path: str, **headers: str) -> httpx.Response:
    async with anybody(game) as nobody:
        return await nobody.get(path, headers=headers)


async def test_anybody_opens_it_without_a_key(game: Game) -> None:
    await game.record(*DEAL)
    made = await shared(game)
    answer = await page(game, f"/shared/{made['token']}")
    assert answer.status_code == 200
    assert "Ann" in answer.text
    assert made["url"].endswith(f"/shared/{made['token']}")


async def test_no_cookie_is_set_and_its_address_is_told_to_nobody(game: Game) -> None:
    made = await shared(game)
    for part in ("", "/at/1", "/replay", "/scores"):
        answer = await page(game, f"/shared/{made['token']}{part}")
        assert "Set-Cookie" not in answer.headers
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["X-Robots-Tag"] == "noindex"
        assert "Cookie" not in answer.headers["Vary"]


async def test_nothing_after_its_moment_is_shown(game: Game) -> None:
    await game.record(*DEAL)
    made = await shared(game, until=3)
    await game.record(
        {"type": "note", "text": LATER}, {"type": "void", "reason": LATER}, MADE_RESULT
    )
    root = f"/shared/{made['token']}"
    for path in (root, f"{root}/at/2", f"{root}/at/3", f"{root}/at/3?eyes=recorder"):
        for part in ("", "moments", "chapters", "known"):
            answer = await page(game, path, **({"X-Part": part} if part else {}))
            assert answer.status_code == 200
            assert LATER not in answer.text
    assert LATER not in (await page(game, f"{root}/scores")).text
    assert 'data-last="3"' in (await page(game, root)).text


@pytest.mark.parametrize("version", [0, 4, 5, 99])
async def test_a_moment_after_it_is_not_there(game: Game, version: int) -> None:
    await game.record(*DEAL)
    made = await shared(game, until=3)
    await game.record(*PLAYS)
    answer = await page(game, f"/shared/{made['token']}/at/{version}")
    assert answer.status_code == 404


async def test_a_form_that_asks_for_a_later_moment_leads_to_its_own(game: Game) -> None:
    await game.record(*DEAL)
    made = await shared(game, until=3)
    root = f"/shared/{made['token']}"
    answer = await page(game, f"{root}/replay?version=99")
    assert answer.headers["Location"] == f"{root}/at/3"


async def test_a_link_to_the_whole_game_goes_on_with_it(game: Game) -> None:
    made = await shared(game)
    await game.record(*DEAL)
    assert 'data-last="4"' in (await page(game, f"/shared/{made['token']}")).text


async def test_a_correction_after_its_moment_is_not_shown(game: Game) -> None:
    await game.record(*DEAL, *PLAYS)
    made = await shared(game, until=5)
    corrected = {"type": "amend", "version": 5, "move": {**PLAYS[0], "card": "AD"}}
    await game.record(corrected)
    text = (await page(game, f"/shared/{made['token']}", **{"X-Part": "moments"})).text
    assert "ace of clubs" in text
    assert "ace of diamonds" not in text


async def test_of_the_deal_in_progress_nothing_is_told_that_one_seat_saw(game: Game) -> None:
    deal = {**DEAL[0], "hands": [None, OWN]}
    await game.record(deal, DEAL[1], SECRET)
    made = await shared(game)
    root = f"/shared/{made['token']}"
    for path in (root, f"{root}/at/1", f"{root}/at/2?eyes=1", f"{root}/at/4?eyes=recorder"):
        for part in ("", "moments", "chapters", "known"):
            text = (await page(game, path, **({"X-Part": part} if part else {}))).text
            assert "nine of diamonds" not in text
            assert "ace of spades" not in text


async def test_what_one_seat_saw_is_told_when_the_deal_is_over(game: Game) -> None:
    await game.record({**DEAL[0], "hands": [None, OWN]}, DEAL[1], SECRET)
    made = await shared(game, until=4)
    await game.record({"type": "void", "reason": "misdeal"})
    root = f"/shared/{made['token']}"
    known = await page(game, f"{root}/at/2?eyes=1", **{"X-Part": "known"})
    assert "ace of spades" in known.text


async def test_a_revoked_link_opens_nothing(game: Game) -> None:
    made = await shared(game)
    assert (await game.http.delete(f"{game.path}/links/{made['id']}")).status_code == 204
    for part in ("", "/at/1", "/replay", "/scores"):
        assert (await page(game, f"/shared/{made['token']}{part}")).status_code == 404


async def test_its_token_lets_nobody_in(game: Game) -> None:
    made = await shared(game)
    async with client_with_key(str(game.http.base_url), made["token"]) as bearer:
        for path in (game.path, f"{game.path}/entries", f"{game.path}/live", f"{game.path}/sheet"):
            assert (await bearer.get(path)).status_code == 401
    async with anybody(game) as nobody:
        answer = await nobody.get("/login", params={"key": made["token"]})
        assert answer.status_code == 401
        assert (await nobody.get(f"/games/{game.id}")).headers["Location"] == "/login"


async def test_nothing_is_written_by_it(game: Game) -> None:
    made = await shared(game)
    async with anybody(game) as nobody:
        for part in ("", "/at/1", "/at/1/remark", "/scores", "/entries"):
            answer = await nobody.post(f"/shared/{made['token']}{part}", json={})
            assert answer.status_code in {404, 405}
    assert len(await game.log()) == 1


async def test_it_is_listed_and_revoked_beside_other_links(game: Game) -> None:
    made = await shared(game, until=1, sites=["https://club.example"])
    await game.http.post(f"{game.path}/links", json={"role": "viewer"})
    public, viewer = (await game.get("/links"))["links"]
    assert (public["id"], public["role"], public["until"]) == (made["id"], "public", 1)
    assert public["sites"] == ["https://club.example"]
    assert viewer["role"] == "viewer"
    text = (await game.http.get(f"/games/{game.id}/share")).text
    assert f"/games/{game.id}/share/{made['id']}/revoke" in text


async def test_only_the_sites_it_names_may_show_it_in_their_pages(game: Game) -> None:
    alone, named = await shared(game), await shared(game, sites=["https://club.example"])
    for made, inside in ((alone, "'none'"), (named, "https://club.example")):
        for part in ("", "/scores"):
            answer = await page(game, f"/shared/{made['token']}{part}")
            policy = answer.headers["Content-Security-Policy"]
            assert policy.endswith(f"frame-ancestors {inside}")


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"role": "public", "sites": ["https://a.example/path"]}, "$.sites[0]"),
        ({"role": "public", "sites": ["https://a.example; script-src *"]}, "$.sites[0]"),
        ({"role": "public", "sites": ["*"]}, "$.sites[0]"),
        ({"role": "public", "until": 0}, "$.until"),
        ({"role": "viewer", "until": 1}, "$.until"),
        ({"role": "scorer", "sites": ["https://a.example"]}, "$.sites"),
    ],
)
async def test_what_it_cannot_be_is_refused(game: Game, body: Json, path: str) -> None:
    answer = await game.http.post(f"{game.path}/links", json=body)
    assert (answer.status_code, answer.json()["path"]) == (400, path)


async def test_there_is_none_to_a_moment_that_is_not_there(game: Game) -> None:
    answer = await game.http.post(f"{game.path}/links", json={"role": "public", "until": 2})
    assert answer.status_code == 404


async def test_a_token_nobody_gave_out_opens_nothing(game: Game) -> None:
    assert (await page(game, f"/shared/{uuid4()}")).status_code == 404


async def test_the_owner_makes_one_of_a_moment_by_a_tap_in_the_replay(game: Game) -> None:
    await game.record(*DEAL)
    form = {"role": "public", "until": "3", "sites": "https://Club.example"}
    await game.http.post(f"/games/{game.id}/share", data=form)
    (made,) = (await game.get("/links"))["links"]
    assert (made["role"], made["until"]) == ("public", 3)
    assert made["sites"] == ["https://club.example"]


async def test_page_names_its_end_by_deals_and_tricks(game: Game) -> None:
    await game.record(MADE_RESULT, {**DEAL[0], "dealer": 1}, {**DEAL[1], "seat": 0})
    await game.record({**DEAL[2], "seat": 1}, {**PLAYS[0], "seat": 0})
    for until in (3, 5, game.version):
        await shared(game, until=until)
    asked = {"Accept-Language": "en"}
    text = (await game.http.get(f"/games/{game.id}/share", headers=asked)).text
    ends = re.findall(r"up to: ([\w, ]+)", text)
    assert ends[:3] == ["Deal 2, Bidding", "Deal 2", "Deal 1"]
    assert {*ends[3:]} == {"Deal 1", "Deal 2", "Deal 2, Bidding"}


async def test_a_site_that_is_none_makes_no_link_and_is_told(game: Game) -> None:
    form = {"role": "public", "sites": "club.example/games"}
    answer = await game.http.post(f"/games/{game.id}/share", data=form)
    assert answer.headers["Location"] == f"/games/{game.id}/share?wrong=site"
    assert (await game.get("/links"))["links"] == []
    assert "https://club.example" in (await game.http.get(answer.headers["Location"])).text


async def test_its_preview_has_a_picture_of_the_table(game: Game) -> None:
    await game.record(*DEAL)
    root = f"/shared/{(await shared(game, until=3))['token']}"
    text = (await page(game, root)).text
    assert f'property="og:image" content="{game.http.base_url!s}'.rstrip("/") in text
    picture = await page(game, f"{root}/picture.png")
    assert picture.headers["Content-Type"] == "image/png"
    # The size in the first chunk of a PNG (ISO/IEC 15948 §11.2.2).
    assert (picture.content[:8], picture.content[16:24]) == (
        b"\x89PNG\r\n\x1a\n",
        (1200).to_bytes(4) + (630).to_bytes(4),
    )


async def test_its_preview_says_who_won_and_by_how_much(http: httpx.AsyncClient) -> None:
    game = await Game.start(http, target=2)
    root = f"/shared/{(await shared(game))['token']}"
    assert 'og:title" content="Euchre: Ann – Bob"' in (await page(game, root)).text
    await game.record(MADE_RESULT, LOST_RESULT)
    text = (await page(game, root)).text
    assert 'og:title" content="Euchre: Ann wins"' in text
    assert 'og:description" content="Ann 3 · Bob 0"' in text
    french = (await page(game, root, **{"Accept-Language": "fr"})).text
    assert 'og:title" content="Euchre\u202f: Ann gagne"' in french


async def test_its_preview_says_the_points_of_a_game_without_deals(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    root = f"/shared/{(await shared(game))['token']}"
    await game.record({"type": "adjust", "seat": 1, "points": 7, "reason": "a bet"})
    text = (await page(game, root)).text
    assert 'og:description" content="Bob 7 · Ann 0"' in text


async def test_sharing_a_game_again_shows_the_same_link(game: Game) -> None:
    form = {"role": "public"}
    first, again = [
        (await game.http.post(f"/games/{game.id}/share", data=form)).headers["Location"]
        for _ in range(2)
    ]
    assert first == again
    assert len((await game.get("/links"))["links"]) == 1
    assert f"{game.http.base_url!s}/shared/" in (await game.http.get(first)).text


async def test_its_picture_is_gone_when_it_is_revoked(game: Game) -> None:
    made = await shared(game)
    await game.http.delete(f"{game.path}/links/{made['id']}")
    assert (await page(game, f"/shared/{made['token']}/picture.png")).status_code == 404


async def test_its_address_is_shown_again_until_it_is_revoked(game: Game) -> None:
    made = await shared(game, name="For the club")
    (listed,) = (await game.get("/links"))["links"]
    assert listed["url"] == made["url"]
    share = f"/games/{game.id}/share"
    listing = (await game.http.get(share)).text
    assert f"?shown={made['id']}" in listing
    assert made["url"] not in listing
    for _ in range(2):
        assert made["url"] in (await game.http.get(f"{share}?shown={made['id']}")).text
    await game.http.delete(f"{game.path}/links/{made['id']}")
    assert made["url"] not in (await game.http.get(f"{share}?shown={made['id']}")).text


async def test_the_address_of_a_link_that_lets_somebody_in_is_not_shown_again(game: Game) -> None:
    answer = await game.http.post(f"{game.path}/links", json={"role": "viewer"})
    (listed,) = (await game.get("/links"))["links"]
    assert "url" not in listed
    assert "token" not in listed
    page = await game.http.get(f"/games/{game.id}/share?shown={listed['id']}")
    assert answer.json()["token"] not in page.text


async def test_without_a_script_its_times_name_their_zone(game: Game) -> None:
    await game.record(*DEAL)
    text = (await page(game, f"/shared/{(await shared(game))['token']}")).text
    assert re.search(r'<time [^>]*data-style="when">[^<]* UTC</time>', text)
