from uuid import uuid4

import httpx
import pytest

from service.http.problem import BODY_BYTES_MAX
from service.transfer.uploads import BYTES_MAX
from tests.http.club import DEAL, LOST_RESULT, MADE_RESULT, Game, Json, add_player, anonymous_client

Form = dict[str, str]


def _record(ann: str, bob: str) -> str:
    tags = f'[Ruleset euchre]\n[Options deck 32]\n[Seats 2]\n[Players "{ann}" "{bob}"]\n\n'
    return f"{tags}result maker 0 tricks 3 dealer 0\nresult maker 1 tricks 2\n"


async def _send(
    http: httpx.AsyncClient, form: Form, file: tuple[str, bytes] | None = None, lang: str = "en"
) -> httpx.Response:
    name, content = file or ("", b"")
    files = {
        **{key: (None, value.encode()) for key, value in form.items()},
        "file": (name, content),
    }
    headers = {"Accept": "text/html", "Accept-Language": lang}
    answer = await http.post("/import", files=files, headers=headers)
    address = answer.headers.get("Location", "")
    return await http.get(address, headers=headers) if address.startswith("/import") else answer


async def _show(http: httpx.AsyncClient, text: str) -> httpx.Response:
    answer = await _send(http, {"text": text})
    assert answer.status_code == 200, answer.text
    return answer


async def _import(http: httpx.AsyncClient, page: httpx.Response, form: Form) -> httpx.Response:
    headers = {"Accept": "text/html", "Accept-Language": "en"}
    sent = {"keep": "0", "named": "0", **form}
    answer = await http.post(page.url.path, data=sent, headers=headers)
    assert answer.status_code == 303, answer.text
    address = answer.headers["Location"]
    return await http.get(address, headers=headers) if address.startswith("/import") else answer


async def _people(http: httpx.AsyncClient) -> list[Json]:
    people: list[Json] = (await http.get("/api/players")).json()["players"]
    return people


def _name(first: str, second: str) -> Form:
    return {"name.0": first, "name.1": second}


async def test_look_shows_the_game_and_stores_nothing(http: httpx.AsyncClient) -> None:
    ann = f"Ann {uuid4()}"
    before = (await _people(http), (await http.get("/api/games")).json())
    page = (await _show(http, _record(ann, "Zebedee"))).text
    assert "Euchre, 2 deals" in " ".join(page.split())
    assert "5 entries. Not finished" in " ".join(page.split())
    assert "A pack of 32 cards" in page
    assert f"{ann} – Zebedee" in page
    assert (await _people(http), (await http.get("/api/games")).json()) == before


async def test_look_tells_the_day_of_the_record(http: httpx.AsyncClient) -> None:
    dated = _record("Ann", "Bob").replace("\n\n", "\n[Date 2019-05-04T12:15:00Z]\n\n")
    page = await _show(http, dated)
    assert '<time datetime="2019-05-04T12:15:00+00:00"' in page.text


async def test_import_keeps_the_game_once_and_leads_to_its_sheet(http: httpx.AsyncClient) -> None:
    ann, bob = f"Ann {uuid4()}", f"Bob {uuid4()}"
    page = await _show(http, _record(ann, bob))
    first, again = [await _import(http, page, _name(ann, bob)) for _ in range(2)]
    assert first.status_code == again.status_code == 303
    assert first.headers["Location"] == again.headers["Location"]
    game_id = first.headers["Location"].removeprefix("/games/").removesuffix("/sheet")
    view = (await http.get(f"/api/games/{game_id}")).json()
    assert [player["name"] for player in view["players"]] == [ann, bob]
    assert view["totals"] == [3, 0]
    assert [one["name"] for one in await _people(http)].count(ann) == 1


async def test_players_may_be_others_than_the_record_names(http: httpx.AsyncClient) -> None:
    called = f"Zoe {uuid4()}"
    zoe = await add_player(http, called)
    bob = f"Bob {uuid4()}"
    page = await _show(http, _record("Ann", "Ben"))
    answer = await _import(http, page, _name(called, bob))
    view = (await http.get(f"/api{answer.headers['Location'].removesuffix('/sheet')}")).json()
    assert view["players"][0]["id"] == zoe
    assert view["players"][1]["name"] == bob


async def test_who_plays_is_asked_where_a_record_does_not_say(http: httpx.AsyncClient) -> None:
    ann, bob = f"Ann {uuid4()}", f"Bob {uuid4()}"
    page = await _show(http, _record(ann, bob).replace(f'[Players "{ann}" "{bob}"]\n', ""))
    nameless = await _import(http, page, _name(ann, " "))
    assert "A name is missing." in nameless.text
    assert f'value="{ann}"' in nameless.text
    named = await _import(http, nameless, _name(ann, bob))
    view = (await http.get(f"/api{named.headers['Location'].removesuffix('/sheet')}")).json()
    assert [one["name"] for one in view["players"]] == [ann, bob]


async def test_nobody_can_play_twice(http: httpx.AsyncClient) -> None:
    zoe = f"Zoe {uuid4()}"
    await add_player(http, zoe)
    page = await _show(http, _record("Ann", "Ben"))
    twice = await _import(http, page, _name(zoe, zoe))
    assert "somebody would play twice in it" in twice.text
    assert (await http.get("/api/games", params={"title": "euchre"})).status_code == 200


async def test_record_given_out_by_the_pages_comes_back_as_the_same_game(game: Game) -> None:
    await game.record(*DEAL, LOST_RESULT, {"type": "note", "text": 'said "yes" & <left>'})
    for suffix in ("carnet", "json"):
        given = await game.http.get(f"/games/{game.id}/record.{suffix}")
        assert given.headers["Content-Disposition"].endswith(f".{suffix}")
        for content in (given.content, b"\xef\xbb\xbf" + given.content):
            answer = await _send(game.http, {}, (f"a.{suffix}", content))
            assert answer.status_code == 200, answer.text
            assert f"{game.version} entries" in answer.text


async def test_every_problem_is_listed_with_its_line_marked(http: httpx.AsyncClient) -> None:
    text = "[Ruleset euchre]\n[Seats 2]\n\n2. 1 pas\n3. 1 play AX\n"
    answer = await _send(http, {"text": text}, lang="fr")
    assert answer.status_code == 422
    assert "Il y a 2 problèmes." in answer.text
    assert "2. 1 <mark>pas</mark>" in answer.text
    assert "3. 1 play <mark>AX</mark>" in answer.text
    assert "Ligne 5, colonne 11" in answer.text
    assert "3. 1 play AX\n</textarea>" in answer.text


async def test_refused_entry_is_told_with_its_clause(http: httpx.AsyncClient) -> None:
    text = _record("Ann", "Ben") + "deal dealer 0 turn_up QH\n0 order\n"
    answer = await _send(http, {"text": text})
    assert answer.status_code == 422
    assert "<mark>0 order</mark>" in answer.text
    assert "Ann orders" in answer.text
    assert "/rules/euchre#euchre.order" in answer.text


async def test_place_of_a_problem_is_told_in_json_too(http: httpx.AsyncClient) -> None:
    text = '{"ruleset": "euchre", "seats": 2,\n "log": [{"type": "order", "seat": 0}]}'
    answer = await _send(http, {}, ("game.json", text.encode()))
    assert answer.status_code == 422
    assert "Line 2, column 10" in answer.text


@pytest.mark.parametrize(
    ("content", "status", "said"),
    [
        (b"", 422, "Nothing is recorded in it."),
        (b"%PDF-2.0", 422, "That is a PDF"),
        ("[Ruleset euchre]".encode("utf-16"), 422, "That text is in UTF-16"),
        (b"\x7fELF\x00\x00", 422, "That is no text"),
        (b"[Ruleset euchre]\n; caf\xe9", 422, "Save it as UTF-8"),
        (b"name\nAnn;3\n", 422, "2 problems"),
        (b"{" * 100_000, 422, "3 problems"),
        (b'{"a":' * 100_000, 422, "1 file cannot be imported"),
        (b"x" * (BYTES_MAX + 1), 422, "larger than a game can be"),
        (b"x" * 17 * BYTES_MAX, 413, "at most 5,000 games and 16 MB"),
    ],
)
async def test_what_is_no_record_is_answered_kindly(
    http: httpx.AsyncClient, content: bytes, status: int, said: str
) -> None:
    answer = await _send(http, {}, ("chosen", content))
    assert answer.status_code == status, answer.text
    assert said in answer.text


@pytest.mark.parametrize(
    ("content", "said"), [(b"%PDF-2.0", "That is a PDF"), (b"", "Nothing is recorded in it.")]
)
async def test_a_file_goes_before_a_text_even_an_empty_one(
    http: httpx.AsyncClient, content: bytes, said: str
) -> None:
    answer = await _send(http, {"text": _record("Ann", "Ben")}, ("chosen", content))
    assert said in answer.text


def test_page_takes_what_the_api_takes() -> None:
    assert BYTES_MAX == BODY_BYTES_MAX


async def test_form_that_is_no_form_is_asked_again(http: httpx.AsyncClient) -> None:
    for body in (b"", b"do=import&hash=x&command=y&text=%5BRuleset+euchre%5D"):
        headers = {"Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"}
        sent = await http.post("/import", content=body, headers=headers)
        assert (await http.get(sent.headers["Location"], headers=headers)).status_code == 422


async def test_look_is_answered_by_a_redirect_which_may_be_asked_for_again(
    http: httpx.AsyncClient,
) -> None:
    form = {"text": (None, _record("Ann", "Ben").encode())}
    sent = await http.post("/import", files=form)
    assert (sent.status_code, "Ann" in sent.headers["Location"]) == (303, False)
    first, again = [await http.get(sent.headers["Location"]) for _ in range(2)]
    assert "Ann" in first.text
    assert (first.status_code, again.status_code) == (200, 200)


async def test_notation_is_told_to_anybody_in_their_language(service_url: str) -> None:
    async with anonymous_client(service_url) as nobody:
        page = await nobody.get("/notation", headers={"Accept-Language": "de"})
    assert page.status_code == 200
    assert "Wie eine Partie aufgeschrieben wird" in page.text
    assert "record    = { tag , eol }" in page.text
    assert '<section class="paper" lang="en">' in page.text


@pytest.fixture
def service_url(http: httpx.AsyncClient) -> str:
    return str(http.base_url)


async def test_game_recorded_here_says_where_it_can_be_taken(game: Game) -> None:
    await game.record(MADE_RESULT)
    page = (await game.http.get(f"/games/{game.id}/log")).text
    assert f'href="/games/{game.id}/record.carnet"' in page
    assert f'href="/games/{game.id}/record.json"' in page
