import httpx
import pytest

from schemas.catalogue import SHAPES, shapes
from tests.http.club import Game


async def test_every_ruleset_has_its_options_with_defaults_and_its_clauses_in_three_languages(
    http: httpx.AsyncClient,
) -> None:
    said: list[list[str]] = []
    for lang in ("en", "fr", "de"):
        headers = {"Accept-Language": lang}
        listed = (await http.get("/api/rulesets", headers=headers)).json()["rulesets"]
        assert [one["id"] for one in listed] == list(SHAPES)
        for one in listed:
            path = f"/api/rulesets/{one['id']}"
            answer = await http.get(path, headers=headers)
            assert answer.json() == one
            assert "Accept-Language" in answer.headers["Vary"]
            assert {clause["id"] for clause in one["clauses"]} == shapes(one["id"]).clauses
        said.append([clause["text"] for one in listed for clause in one["clauses"]])
    for sentences in zip(*said, strict=True):
        assert len(set(sentences)) == len(sentences)


async def test_a_ruleset_tells_its_name_and_its_other_names(http: httpx.AsyncClient) -> None:
    french = {"Accept-Language": "fr"}
    durak = (await http.get("/api/rulesets/durak", headers=french)).json()
    assert (durak["name"], durak["also"]) == ("Dourak", ["Durak"])
    dutch = (await http.get("/api/rulesets/dutch")).json()
    assert (dutch["name"], dutch["also"]) == ("Dutch", ["Tamalou", "Cactus", "Pablo"])


async def test_rulesets_are_found_by_any_of_their_names(http: httpx.AsyncClient) -> None:
    for sought, found in {
        "tamalou": ["dutch"],
        "dourak": ["durak"],
        "Rommé": ["rami"],
        "rummy": ["rami"],
        "ecarte": ["euchre"],
        "bridge": [],
    }.items():
        listed = (await http.get("/api/rulesets", params={"q": sought})).json()["rulesets"]
        assert [one["id"] for one in listed] == found


async def test_another_name_of_a_game_leads_to_its_rules(http: httpx.AsyncClient) -> None:
    led = await http.get("/rules/tamalou", follow_redirects=False)
    assert (led.status_code, led.headers["Location"]) == (301, "/rules/dutch")
    assert "Tamalou" in (await http.get("/rules/dutch")).text
    assert (await http.get("/rules/bridge")).status_code == 404


async def test_a_game_is_looked_for_on_the_pages_of_rules(http: httpx.AsyncClient) -> None:
    assert 'type="search"' in (await http.get("/rules/euchre")).text
    found = await http.get("/rules/euchre?q=Tamalou", follow_redirects=False)
    assert (found.status_code, found.headers["Location"]) == (303, "/rules/dutch")


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "No game here"), ("fr", "Aucun jeu"), ("de", "heißt hier kein Spiel")]
)
async def test_what_no_game_is_called_is_said_where_it_was_looked_for(
    http: httpx.AsyncClient, lang: str, said: str
) -> None:
    language = {"Accept-Language": lang}
    page = await http.get("/rules/euchre?q=bridge", headers=language)
    assert (page.status_code, said in page.text, 'value="bridge"' in page.text) == (200, True, True)


@pytest.mark.parametrize("pressed", [{"choose": "called"}, {}], ids=["button", "enter"])
async def test_a_new_game_is_found_by_another_name_and_keeps_who_plays(
    http: httpx.AsyncClient, pressed: dict[str, str]
) -> None:
    form = {"ruleset": "euchre", "called": "cactus", "name.1": "Zoé", **pressed}
    asked = await http.post("/games/new", data=form, follow_redirects=True)
    page = " ".join(asked.text.split())
    assert 'value="dutch" formnovalidate aria-current="true"' in page
    assert 'value="Zoé"' in page


async def test_what_no_game_is_called_becomes_the_name_of_a_new_one(
    http: httpx.AsyncClient,
) -> None:
    form = {"ruleset": "euchre", "called": "Zwirbel", "choose": "called", "name.1": "Zoé"}
    page = await http.post("/games/new", data=form, follow_redirects=True)
    asked = " ".join(page.text.split())
    assert 'name="title" value="Zwirbel"' in asked
    assert 'name="text.wins"' in asked
    assert 'value="Zoé"' in asked


async def test_a_new_game_is_found_by_another_name_in_its_address(http: httpx.AsyncClient) -> None:
    asked = (await http.get("/games/new?ruleset=pablo")).text
    assert 'value="dutch" formnovalidate aria-current="true"' in " ".join(asked.split())


async def test_the_options_of_euchre_say_their_limits(http: httpx.AsyncClient) -> None:
    euchre = (await http.get("/api/rulesets/euchre")).json()
    (options,) = euchre["options"]["$defs"].values()
    assert options["properties"]["deck"] == {"enum": [24, 25, 32], "default": 24}
    assert options["properties"]["target"]["maximum"] == 100
    assert euchre["seats"] == {"min": 2, "max": 2}


async def test_the_schema_says_what_an_append_needs(http: httpx.AsyncClient) -> None:
    document = (await http.get("/schema")).json()
    append = document["paths"]["/api/games/{game_id}/entries"]["post"]
    needed = {one["name"] for one in append["parameters"] if one["required"]}

    assert needed == {"game_id", "If-Match", "Idempotency-Key"}
    body = document["components"]["schemas"]["EntriesBody"]["properties"]["entries"]
    assert body["items"] == {"$ref": "#/components/schemas/Entry"}
    assert "application/problem+json" in append["responses"]["default"]["content"]


async def test_the_service_says_that_it_lives_and_is_ready(http: httpx.AsyncClient) -> None:
    for path in ("/healthz", "/readyz"):
        answer = await http.get(path)
        assert (answer.status_code, answer.text) == (200, "ok\n")


async def test_requests_are_measured_by_the_shape_of_their_path(
    http: httpx.AsyncClient, game: Game
) -> None:
    await game.view()
    metrics = (await http.get("/metrics")).text

    assert 'path="/api/games/{game_id}"' in metrics
    assert game.id not in metrics
    assert "carnet_http_request_seconds_bucket" in metrics


async def test_the_sheet_has_its_headings_in_the_readers_language(game: Game) -> None:
    headings = {
        (await game.http.get(f"{game.path}/sheet.csv", headers={"Accept-Language": lang})).text
        for lang in ("en", "fr", "de")
    }
    assert len(headings) == 3
