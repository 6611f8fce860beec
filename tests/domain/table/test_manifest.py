import pytest

from domain.games import GAMES
from domain.replay import opening
from domain.table import judgement
from domain.table.manifest import Manifest
from domain.table.refusal import Refusal
from schemas.euchre import Deal, Options


def test_manifest__a_game_has_winners_unless_it_says_that_it_has_none() -> None:
    assert Manifest(rules=GAMES["euchre"].rules).has_winner
    assert {name for name, game in GAMES.items() if not game.has_winner} == {"durak"}


@pytest.mark.parametrize("name", ["euchre", "rami", "dutch", "durak"])
def test_manifest__a_game_is_followed_where_it_tells_what_is_hidden(name: str) -> None:
    assert GAMES[name].tracks_cards
    assert not Manifest(rules=GAMES[name].rules).tracks_cards


def test_choices__a_deal_can_be_annulled_while_there_is_one() -> None:
    start = opening("euchre", Options(), 2)
    begun = judgement.judge(start, Deal(dealer=0, turn_up="9S"), 2)
    assert not isinstance(begun, Refusal)
    assert "void" not in {choice.type for choice in judgement.choices(start)}
    assert "void" in {choice.type for choice in judgement.choices(begun)}
