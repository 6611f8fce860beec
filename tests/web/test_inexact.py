from uuid import UUID

import pytest
from msgspec import UNSET, json
from msgspec.structs import replace

from domain.inference import PossibleCards
from domain.replay import opening
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from domain.table.rules import Choice, Game
from schemas.catalogue import shapes
from schemas.strict_json import Malformed
from service.play.views import GameView, PlayerView, game_view
from tests.web.recorder_page import recorder_page

PLAYERS = tuple(PlayerView(id=UUID(int=seat), name=f"P{seat}") for seat in range(2))
WORDS = "So many cards are unsure that some cards are offered although they cannot be there."
LOGS = {
    "rami": b'[{"type": "deal", "dealer": 0, "up": "2H"}, {"type": "draw", "seat": 1}]',
    "dutch": b'[{"type": "deal", "dealer": 0, "up": "2H"}, {"type": "draw", "seat": 1}]',
    "durak": b'[{"type": "deal", "dealer": 0, "trump": "6H"}, {"type": "lowest", "seat": 0}]',
}

OPTIONS = {"durak": {"rules": "fr"}}


def game_of(ruleset: str) -> Game:
    entries = shapes(ruleset).decode_submitted(LOGS[ruleset])
    assert not isinstance(entries, Malformed), entries
    history = History(opening(ruleset, shapes(ruleset).options(**OPTIONS.get(ruleset, {})), 2))
    for entry in entries:
        judged = history.judge(entry)
        assert not isinstance(judged, Refusal), judged
    return history.game


def view(*, relaxed: bool) -> GameView:
    game = game_of("rami")
    known = replace(game.deal.knowledge, relaxed=relaxed)
    game = replace(game, deal=replace(game.deal, knowledge=known))
    return game_view(UUID(int=7), 3, game, (), PLAYERS, judgement.choices(game))


def page(shown: GameView) -> str:
    return recorder_page(shown, 1, lately=[{"type": "x"}])


def test_the_state_says_where_it_is_not_exact() -> None:
    assert json.decode(json.encode(view(relaxed=True)))["exact"] is False


def test_the_state_says_nothing_of_it_where_it_is_exact() -> None:
    assert "exact" not in json.decode(json.encode(view(relaxed=False)))


def test_the_page_says_where_it_is_not_exact() -> None:
    assert WORDS in page(view(relaxed=True))


def test_the_page_says_nothing_of_it_where_it_is_exact() -> None:
    assert WORDS not in page(view(relaxed=False))


@pytest.mark.parametrize("ruleset", LOGS)
def test_cards_offered_without_a_proof_are_named_and_no_others(
    ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of(ruleset)
    assert {choice.unproved for choice in judgement.choices(game)} == {UNSET}
    assert b"unproved" not in json.encode(judgement.choices(game))
    monkeypatch.setattr(PossibleCards, "is_unproved", _always)
    monkeypatch.setattr(PossibleCards, "has_unproved", True)
    found = [choice for choice in judgement.choices(game) if choice.unproved is not UNSET]
    assert found
    assert all(choice.unproved == _faces(choice) for choice in found)


def _faces(choice: Choice) -> object:
    return next(choice.fields[name] for name in ("cards", "with", "card") if name in choice.fields)


def _always(*_: object) -> bool:
    return True
