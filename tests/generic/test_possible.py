from collections.abc import Iterator

import msgspec
import pytest

from domain.games import GAMES
from domain.inference import Holding, Possible, all_worlds, possible, possible_cards
from domain.replay import opening
from domain.table.history import History
from domain.table.refusal import Refusal
from domain.table.rules import Game
from domain.table.viewpoint import mask_game
from schemas.catalogue import decode_record
from schemas.entries import Seat
from schemas.strict_json import Malformed
from tests.generation import rami
from tests.generation.makers import FOLLOWED, MAKERS

EVERY = 7  # test every seventh version


def moments(ruleset: str, seeds: range, every: int = EVERY) -> Iterator[History]:
    module = MAKERS[ruleset]
    for seed in seeds:
        written = module.true_game(seed, module.PROFILES[module.OPEN])
        record = decode_record(msgspec.json.encode(written))
        assert not isinstance(record, Malformed)
        history = History(opening(ruleset, record.options, written["seats"]))
        for number, entry in enumerate(record.log):
            assert not isinstance(history.judge(entry), Refusal)
            if number % every == 0:
                yield history


def describe(ruleset: str, game: Game) -> Possible | None:
    hidden = GAMES[ruleset].hidden(game)
    return None if hidden is None else possible(hidden)


def can_hold(holding: Holding, cards: tuple[str, ...]) -> bool:
    able = {*holding.known, *(card for some in holding.unseen for card in some.cards)}
    return set(cards) <= able


@pytest.mark.parametrize("ruleset", FOLLOWED)
def test_what_is_true_is_possible_for_everybody(ruleset: str) -> None:
    for history in moments(ruleset, range(3)):
        recorded = describe(ruleset, history.game)
        shown = mask_game(GAMES[ruleset], history, None)
        public = describe(ruleset, shown)
        if recorded is None or public is None:
            continue
        for location, holding in zip(recorded.holdings, public.holdings, strict=False):
            assert can_hold(holding, location.known), (location, holding)
            assert holding.size == location.size
        if recorded.is_exact_count and public.is_exact_count:
            assert public.deals >= recorded.deals


@pytest.mark.parametrize("ruleset", FOLLOWED)
@pytest.mark.parametrize("eyes", [None, 0, 1])
def test_of_hands_just_dealt_nobody_is_told_anothers(ruleset: str, eyes: Seat | None) -> None:
    manifest = GAMES[ruleset]
    looked = 0
    for history in moments(ruleset, range(3, 6), every=1):
        steps = [*history.steps()]
        if not steps or steps[-1].entry.__struct_config__.tag != "deal":
            continue
        found = describe(ruleset, mask_game(manifest, history, eyes))
        assert found is not None
        for holding in found.holdings:
            seat = holding.location.seat
            if seat is not None and not (manifest.players_see_hands and seat == eyes):
                assert not holding.known
                looked += 1
    assert looked


@pytest.mark.parametrize("ruleset", FOLLOWED)
def test_shares_of_a_card_add_up_to_one_and_those_of_a_place_to_its_size(ruleset: str) -> None:
    for history in moments(ruleset, range(5, 7)):
        shown = mask_game(GAMES[ruleset], history, None)
        found = describe(ruleset, shown)
        if found is None or not found.is_exact_count:
            continue
        assert all(sum(share.share for share in card.at) == 1 for card in found.cards)
        for at, holding in enumerate(found.holdings):
            here = sum(
                share.share for card in found.cards for share in card.at if share.location == at
            )
            assert here == sum(some.count for some in holding.unseen)


@pytest.mark.parametrize("effort", [None, 0])
def test_what_was_not_asked_to_the_end_is_not_called_exact(
    monkeypatch: pytest.MonkeyPatch, effort: int | None
) -> None:
    written = rami.true_game(2, rami.PROFILES["doubtful"])
    record = decode_record(msgspec.json.encode(written))
    assert not isinstance(record, Malformed)
    history = History(opening("rami", record.options, written["seats"]))
    for entry in record.log[:22]:
        assert not isinstance(history.judge(entry), Refusal)
    if effort is not None:
        monkeypatch.setattr(possible_cards, "VISITED_MAX", effort)
        monkeypatch.setattr(all_worlds, "FOLLOWED_MAX", effort)
    found = describe("rami", history.game)
    assert found is not None
    assert not found.is_exact_count
    assert found.exact == (effort is None)
