from random import Random

import msgspec
import pytest

from domain.replay import ReplayedRecord, opening, replay
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.entries import Amend, Entry, Splice, TakeBack
from tests.generic.games import every_game, walks
from tests.generic.walks import LATER, Walk, accept, decoded, listed, picture

CORRECTED = 4  # places corrected in each walk
OTHERS = 5  # entries tried in each place


def begin(one: Walk, *, exact: bool = True) -> History:
    return History(opening(one.ruleset, one.options, one.seats, exact=exact))


def entries(one: Walk) -> list[Entry]:
    return [decoded(one.ruleset, written) for written in one.log]


@every_game
def test_replay__of_every_prefix_is_the_game_as_it_stood(ruleset: str) -> None:
    for one in walks(ruleset):
        again = begin(one)
        for entry in entries(one):
            accept(again, entry)
            assert picture(again.game) == picture(one.history.at(again.version))
        whole = replay(again.opening, entries(one))
        assert isinstance(whole, ReplayedRecord), f"expected a replay of the walk, got {whole}"
        assert whole.history.version == one.history.version


@every_game
def test_restore__of_a_log_as_it_is_stored_is_the_game_that_was_played(ruleset: str) -> None:
    for one in walks(ruleset):
        stored, again = begin(one), begin(one)
        for entry in entries(one):
            again.restore(line.entry for line in accept(stored, entry))
        assert picture(again.game) == picture(one.history.game)


@every_game
def test_visible_rules_alone__accept_whatever_the_exact_ones_do(ruleset: str) -> None:
    for one in walks(ruleset):
        seen = begin(one, exact=False)
        for entry in entries(one):
            accept(seen, entry)
            now = judgement.situation(seen.game)
            exact = one.history.at(seen.version)
            then = judgement.situation(exact)
            assert (now.phase, now.to_act, now.stock) == (then.phase, then.to_act, then.stock)
            assert now.hand_counts == then.hand_counts
            assert (seen.game.totals, seen.game.deals) == (exact.totals, exact.deals)


@every_game
def test_take_back__to_any_place_is_the_game_as_it_stood(ruleset: str) -> None:
    for number, one in enumerate(walks(ruleset)):
        chance = Random(number)  # noqa: S311 games, not secrets
        for to in chance.sample(one.history.take_back_targets, CORRECTED):
            history = one.history.copy()
            accept(history, TakeBack(to=to))
            assert picture(history.game) == picture(one.history.at(to))


def places(one: Walk, number: int) -> list[tuple[int, Entry]]:
    chance = Random(number)  # noqa: S311 games, not secrets
    steps = [(step.version, step.entry) for step in one.history.steps()]
    return chance.sample(steps, min(CORRECTED, len(steps)))


@every_game
@pytest.mark.parametrize("correct", ["amend", "splice"])
def test_correction__by_what_stood_already_changes_nothing(ruleset: str, correct: str) -> None:
    for number, one in enumerate(walks(ruleset)):
        for version, entry in places(one, number):
            history = one.history.copy()
            same: Entry = Amend(version=version, move=entry)
            if correct == "splice":
                same = Splice(version=version, drop=1, moves=(entry,))
            accept(history, same)
            assert picture(history.game) == picture(one.history.game)


@every_game
def test_amend__is_judged_as_if_the_log_had_been_so_from_the_start(ruleset: str) -> None:
    for number, one in enumerate(walks(ruleset)):
        chance = Random(number)  # noqa: S311 games, not secrets
        for version, entry in places(one, number):
            for other in others(one, version, chance):
                told = [
                    other if step.version == version else step.entry for step in one.history.steps()
                ]
                wanted = replay(begin(one).opening, told)
                history = one.history.copy()
                judged = history.judge(Amend(version=version, move=other))
                assert isinstance(judged, Refusal) != isinstance(wanted, ReplayedRecord), (
                    f"{other} in the place of {entry}: expected {wanted}, got {judged}"
                )
                if isinstance(wanted, ReplayedRecord):
                    assert picture(history.game) == picture(wanted.history.game)


def others(one: Walk, version: int, chance: Random) -> list[Entry]:
    before = one.history.at(max(v for v in one.history.take_back_targets if v < version))
    found = [
        written
        for choice in judgement.choices(before)
        for written in listed(choice, 1, chance)
        if all(isinstance(values, tuple) for values in choice.fields.values())
    ]
    return [
        decoded(one.ruleset, written) for written in chance.sample(found, min(OTHERS, len(found)))
    ]


@every_game
def test_refusal__changes_nothing(ruleset: str) -> None:
    for one in walks(ruleset):
        history = one.history.copy()
        before = picture(history.game)
        stranger = msgspec.structs.replace(entries(one)[0], waive=())
        refused = [Amend(version=LATER, move=stranger), TakeBack(to=LATER)]
        for entry in refused:
            judged = history.judge(entry)
            assert isinstance(judged, Refusal), f"expected a refusal of {entry}, got {judged}"
        assert picture(history.game) == before
        assert history.version == one.history.version
