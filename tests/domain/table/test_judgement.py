from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from msgspec.inspect import StructType, UnionType, type_info
from msgspec.structs import replace

from domain.games import GAMES
from domain.replay import opening
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from domain.table.rules import Game, Status, card_choice, is_exact
from schemas.catalogue import SHAPES, shapes
from schemas.durak import Options
from schemas.entries import CORRECTIONS, Entry, Moves
from schemas.strict_json import Malformed
from tests.domain.durak.entries import BEGUN, attack, beat, deal, lowest, redeal

COMMON = {*CORRECTIONS, *Moves.__args__}


def decoded(*raw: dict[str, Any]) -> tuple[Entry, ...]:
    found = shapes("durak").decode_submitted(msgspec.json.encode(raw))
    assert not isinstance(found, Malformed)
    return found


def begun(*raw: dict[str, Any]) -> Game:
    history = History(opening("durak", Options(rules="fr"), 3))
    for entry in decoded(*raw):
        assert not isinstance(history.judge(entry), Refusal), entry
    return history.game


def of(raw: dict[str, Any]) -> Entry:
    (entry,) = decoded(raw)
    return entry


@pytest.mark.parametrize("game", SHAPES)
def test_judge__every_entry_of_a_game_has_one_function(game: str) -> None:
    kind = type_info(shapes(game).submitted)
    assert isinstance(kind, UnionType)
    entries = {
        getattr(one.cls, "__origin__", one.cls) for one in kind.types if isinstance(one, StructType)
    }
    # A game may extend what all games share.
    assert set(GAMES[game].rules.judges) - COMMON == entries - COMMON


@pytest.mark.parametrize("raw", [deal(dealer=7), attack(7, "7D"), redeal("suit", seat=7, suit="H")])
def test_judge__a_seat_that_is_not_there_is_told_before_the_moment_is_wrong(
    raw: dict[str, Any],
) -> None:
    for moment in (begun(*BEGUN, attack(0, "7D")), begun()):
        judged = judgement.judge(moment, of(raw), 5)
        assert isinstance(judged, Refusal)
        assert judged.rule == "table.seat"


def test_judge__a_legal_entry_returns_the_game_after_it() -> None:
    judged = judgement.judge(begun(*BEGUN), of(attack(0, "7D")), 4)
    assert isinstance(judged, Game)
    assert judged.deal.counts == (5, 6, 6)


def test_judge__leaves_the_game_before_it_as_it_was() -> None:
    game = begun(*BEGUN)
    before = game.deal.knowledge.evidence()
    judgement.judge(game, of(attack(0, "7D")), 4)
    assert (game.deal.counts, game.deal.knowledge.evidence()) == ((6, 6, 6), before)


def test_refuse__says_what_judging_says() -> None:
    game = begun(*BEGUN)
    for entry in (of(attack(0, "7D")), of(attack(1, "7D")), of(deal())):
        judged = judgement.judge(game, entry, 4)
        assert judgement.refuse(game, entry, 4) == (judged if isinstance(judged, Refusal) else None)


def test_trust__a_rule_that_refuses_today_is_let_pass() -> None:
    game = judgement.apply_trusted(begun(*BEGUN), of(attack(1, "7D")), 4)
    assert game.deal.bout.main_attacker == 1
    assert game.deal.knowledge is not None


def test_trust__a_card_that_cannot_be_there_today_is_taken_by_sight() -> None:
    log = [deal(), lowest(0, "TS"), attack(0, "7D")]
    game = judgement.apply_trusted(begun(*log), of(beat(1, "7D", "TS")), 5)
    assert (game.deal.counts, game.deal.knowledge) == ((5, 5, 6), None)


def test_trust__what_was_entered_after_todays_end_goes_on() -> None:
    over = judgement.judge(begun(), of({"type": "finish", "reason": "late"}), 2)
    assert isinstance(over, Game)
    assert over.status is Status.DECIDED
    assert judgement.apply_trusted(over, of(deal()), 3).deal is not None


def test_trust__what_has_no_meaning_today_changes_nothing() -> None:
    game = begun()
    assert judgement.apply_trusted(game, of(redeal()), 2) is game


def test_is_exact__unless_cards_moved_in_too_many_ways() -> None:
    assert is_exact(begun())
    game = begun(*BEGUN)
    assert is_exact(game)
    assert is_exact(replace(game, deal=replace(game.deal, knowledge=None)))
    relaxed = replace(game.deal.knowledge, relaxed=True)
    assert not is_exact(replace(game, deal=replace(game.deal, knowledge=relaxed)))


CARDS = {"card": ("7S", "8S")}


def test_offered__without_doubts_nothing_is_told_to_be_unproved() -> None:
    assert card_choice("play", 0, CARDS, None).unproved is UNSET


def test_offered__cards_in_doubt_are_told() -> None:
    assert card_choice("play", 0, CARDS, "8S".__eq__).unproved == ("8S",)


def test_offered__where_no_card_is_in_doubt_nothing_is_told() -> None:
    assert card_choice("play", 0, CARDS, "9S".__eq__).unproved is UNSET
