"""Pictures to share: of a game, and of an evening."""

import re
from uuid import uuid4

import httpx
import pytest

from service.export.game.picture import CURVES_MAX, course_of
from tests.http.club import LOST_RESULT, MADE_RESULT, Game, anonymous_client, client_with_key
from tests.http.test_private_cards import link
from tests.http.test_titles import people, play, title
from tests.service_process import ServiceProcess

# The first chunk of a PNG of 1200 × 630 (ISO/IEC 15948 §11.2.2).
PNG = b"\x89PNG\r\n\x1a\n", (1200).to_bytes(4) + (630).to_bytes(4)


async def picture(http: httpx.AsyncClient, path: str, language: str = "en") -> httpx.Response:
    answer = await http.get(f"{path}/picture.png", headers={"Accept-Language": language})
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "image/png"
    assert (answer.content[:8], answer.content[16:24]) == PNG
    return answer


@pytest.mark.parametrize("language", ["en", "fr", "de"])
async def test_a_finished_game_has_a_picture_with_its_course(
    http: httpx.AsyncClient, language: str
) -> None:
    game = await Game.start(http, target=2)
    begun = await picture(http, f"/games/{game.id}", language)
    await game.record(MADE_RESULT, LOST_RESULT)
    over = await picture(http, f"/games/{game.id}", language)
    assert over.content != begun.content
    named = over.headers["Content-Disposition"]
    assert re.match(r'inline; filename="[^"]+\.png"; filename\*=UTF-8', named)
    assert game.id not in named


async def test_an_evening_has_a_picture_of_its_tally(http: httpx.AsyncClient) -> None:
    of, ids = await title(http, wins="lowest"), await people(http)
    first = await play(http, of, ids, 3, 5)
    one = await picture(http, f"/evenings/{first.id}")
    for points in ((4, 2), (7, 1), (2, 9)):
        await play(http, of, ids, *points)
    assert (await picture(http, f"/evenings/{first.id}")).content != one.content
    assert (await http.get(f"/evenings/{uuid4()}/picture.png")).status_code == 404


async def test_whoever_watches_one_game_sees_its_picture_and_no_evening(
    service: ServiceProcess, game: Game
) -> None:
    await game.record(MADE_RESULT)
    async with client_with_key(service.url, await link(game, "viewer")) as viewer:
        await picture(viewer, f"/games/{game.id}")
        assert (await viewer.get(f"/evenings/{game.id}/picture.png")).status_code == 403
    async with anonymous_client(service.url) as nobody:
        answer = await nobody.get(f"/games/{game.id}/picture.png")
        assert answer.status_code in {303, 401}


def test_a_course_needs_two_changes_and_room_for_its_lines() -> None:
    assert course_of([(0, 0), (1, 0)], ("Ann", "Bob")) == ()
    assert course_of([(0, 0), (0, 0), (0, 0)], ("Ann", "Bob")) == ()
    many = [f"P{number}" for number in range(CURVES_MAX + 1)]
    assert course_of([(at,) * len(many) for at in range(3)], many) == ()
    ann, bob = course_of([(0, 0), (1, 0), (1, 4)], ("Ann", "Bob"))
    assert ann.points == ((0.0, 1.0), (0.5, 0.75), (1.0, 0.75))
    assert (bob.points[-1], bob.name) == ((1.0, 0.0), "Bob")
