import re
from importlib.resources import files

import httpx
import pytest

from domain.games import GAMES
from schemas.cards import JOKER
from service.language.sentence import LANGUAGES
from tests.http.club import Game

SECTIONS = {
    "en": ["Aim", "Setting up", "A turn", "The end", "Scoring", "Example"],
    "fr": [
        "Le but du jeu",
        "La mise en place",
        "Un tour de jeu",
        "La fin",
        "Les points",
        "Un exemple",
    ],
    "de": ["Das Ziel", "Vorbereitung", "Ein Zug", "Das Ende", "Punkte", "Ein Beispiel"],
}
PACKS = {
    "durak": [rank + suit for rank in "6789TJQKA" for suit in "SHDC"],
    "dutch": [rank + suit for rank in "23456789TJQKA" for suit in "SHDC"],
    "euchre": [rank + suit for rank in "9TJQKA" for suit in "SHDC"],
    "rami": [*(rank + suit for rank in "23456789TJQKA" for suit in "SHDC"), JOKER] * 2,
}


def _guide(ruleset: str, lang: str) -> str:
    return files(f"domain.{ruleset}").joinpath(f"guide.{lang}.md").read_text("utf-8")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("ruleset", GAMES)
async def test_the_rules_of_a_game_have_every_section(
    http: httpx.AsyncClient, ruleset: str, lang: str
) -> None:
    page = await http.get(f"/rules/{ruleset}", headers={"Accept-Language": lang})
    assert re.findall(r"<h2>([^<]+)</h2>", page.text)[: len(SECTIONS[lang])] == SECTIONS[lang]


@pytest.mark.parametrize("ruleset", PACKS)
def test_the_example_is_the_same_hand_of_real_cards_in_every_language(ruleset: str) -> None:
    hands = [re.findall(r"`([^`]+)`", _guide(ruleset, lang)) for lang in LANGUAGES]
    assert hands[0]
    assert hands == [hands[0]] * len(LANGUAGES)
    for hand in hands[0]:
        unused = list(PACKS[ruleset])
        for card in hand.split():
            unused.remove(card)


async def test_the_rules_at_a_table_tell_its_options(game: Game) -> None:
    at_table = f"/games/{game.id}/rules"
    page = await game.http.get(at_table, headers={"Accept-Language": "en"})
    assert "10 points win." in page.text
    assert f'href="{at_table}"' in (await game.http.get(f"/games/{game.id}")).text
