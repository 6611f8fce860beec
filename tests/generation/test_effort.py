"""The work of judging and of listing choices is bounded, in steps instead of time.

A step is a piece of evidence applied to one world, or a search of a cheapest route. The worst games
found are stored (`worst_games.json`), each with the maximal steps of its `choices`; a budget may be
lowered when the search improves, but not raised.
"""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAMES
from domain.inference import possible
from domain.inference.evidence import (
    AllMoved,
    Narrowed,
    Seen,
    Shuffled,
    Summed,
    Swapped,
    Unseen,
)
from domain.inference.routes import Routes
from domain.replay import opening
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from domain.table.rules import Game, Judge
from schemas.catalogue import decode_record
from schemas.dutch import Reveal
from schemas.entries import Entry
from schemas.strict_json import Malformed
from tests.generation import rami
from tests.generation.makers import FOLLOWED, MAKERS
from tests.generation.sizes import games

KINDS = (AllMoved, Narrowed, Seen, Shuffled, Summed, Swapped, Unseen)
CERTAIN_MAX = 1_500  # judging an entry and listing the choices, without unsure cards
STEPS_MAX = 4_000  # in any generated game, for judging an entry or listing the choices
POSSIBLE_MAX = 3_300  # `possible` at one version of a game


class Worst(Struct, frozen=True, forbid_unknown_fields=True):
    """A generated game, and how many steps its `choices` may take."""

    ruleset: str
    profile: str
    seed: int
    steps: int


WORST = msgspec.json.decode(
    Path(__file__).with_name("worst_games.json").read_bytes(), type=tuple[Worst, ...]
)


@contextmanager
def counted() -> Generator[list[int]]:
    steps = [0]

    def counting(follow: Any) -> Any:  # noqa: ANN401 any of the functions that follow evidence
        def one(*of: Any) -> Any:  # noqa: ANN401 any of theirs
            steps[0] += 1
            return follow(*of)

        return one

    with pytest.MonkeyPatch.context() as patch:
        for kind in KINDS:
            for name in ("successors", "relaxation"):
                patch.setattr(kind, name, counting(getattr(kind, name)))
        for name in ("_cheapest", "_cheapest_at"):
            patch.setattr(Routes, name, counting(getattr(Routes, name)))
        yield steps


def generated_game(ruleset: str, profile: str, seed: int) -> dict[str, Any]:
    module = MAKERS[ruleset]
    habits = {**module.PROFILES, **getattr(module, "HARDER", {})}
    written: dict[str, Any] = module.true_game(seed, habits[profile])
    return written


def steps_of(ruleset: str, profile: str, seed: int) -> tuple[int, int]:
    written = generated_game(ruleset, profile, seed)
    record = decode_record(msgspec.json.encode(written))
    assert not isinstance(record, Malformed)
    history = History(opening(ruleset, record.options, written["seats"]))
    judging = listing = 0
    with counted() as steps:
        for entry in record.log:
            steps[0] = 0
            assert not isinstance(history.judge(entry), Refusal)
            judging = max(judging, steps[0])
            steps[0] = 0
            judgement.choices(history.game)
            listing = max(listing, steps[0])
    return judging, listing


@pytest.mark.parametrize("worst", WORST, ids=lambda one: f"{one.ruleset}-{one.seed}-{one.profile}")
def test_the_worst_games_found_take_no_more_steps_than_they_did(worst: Worst) -> None:
    judging, listing = steps_of(worst.ruleset, worst.profile, worst.seed)
    assert max(judging, listing) <= worst.steps, (judging, listing)


# Points told at a reveal that no deal allows: seed, version, points, and the steps of the refusal.
REFUSED = (
    (60094, 130, 57, 320),
    (60213, 80, 35, 260),
    (91363, 109, 30, 3_100),
    (60284, 106, 45, 3_100),
)


@pytest.mark.parametrize(("seed", "version", "points", "most"), REFUSED)
def test_a_refused_total_of_a_long_deal_takes_few_steps(
    seed: int, version: int, points: int, most: int
) -> None:
    written = generated_game("dutch", "ranks alone", seed)
    record = decode_record(msgspec.json.encode(written))
    assert not isinstance(record, Malformed)
    history = History(opening("dutch", record.options, written["seats"]))
    for entry in record.log[: version - 1]:
        history.judge(entry)
    revealed = record.log[version - 1]
    assert isinstance(revealed, Reveal)
    with counted() as steps:
        judged = judgement.judge(history.game, replace(revealed, points=points), version)
    assert isinstance(judged, Refusal)
    assert judged.facts["why"] == "no such points"
    assert steps[0] <= most


def test_what_refuted_two_cards_late_refutes_others_of_the_hand_at_once() -> None:
    written = rami.true_game(3_097, rami.PROFILES["long"])
    record = decode_record(msgspec.json.encode(written))
    assert not isinstance(record, Malformed)
    history = History(opening("rami", record.options, written["seats"]))
    for entry in record.log[:171]:
        assert not isinstance(history.judge(entry), Refusal)
    hidden = GAMES["rami"].hidden(history.game)
    assert hidden is not None
    with counted() as steps:
        possible(hidden)
    assert steps[0] <= POSSIBLE_MAX


@pytest.mark.parametrize(
    ("ruleset", "profile"),
    [(name, one) for name, game in MAKERS.items() for one in game.PROFILES],
)
def test_no_generated_game_takes_more_steps_than_the_budget(ruleset: str, profile: str) -> None:
    for seed in games(70_000, share=60):
        judging, listing = steps_of(ruleset, profile, seed)
        assert max(judging, listing) <= STEPS_MAX, (seed, judging, listing)


@pytest.mark.parametrize("ruleset", FOLLOWED)
def test_where_no_card_is_unsure_any_list_takes_few_steps(ruleset: str) -> None:
    profile = MAKERS[ruleset].HIDDEN
    for seed in games(50_000, share=10):
        judging, listing = steps_of(ruleset, profile, seed)
        assert max(judging, listing) <= CERTAIN_MAX, (seed, judging, listing)


@pytest.mark.parametrize(("ruleset", "most"), [("durak", 200), ("euchre", 5)])
def test_what_is_listed_card_by_card_is_not_judged_card_by_card(ruleset: str, most: int) -> None:
    module = MAKERS[ruleset]
    written = module.true_game(5_000, module.PROFILES["hidden"])
    record = decode_record(msgspec.json.encode(written))
    assert not isinstance(record, Malformed)
    history = History(opening(ruleset, record.options, written["seats"]))
    for entry in record.log:
        history.judge(entry)
        with pytest.MonkeyPatch.context() as patch:
            asked: list[Entry] = []
            judged = judgement.judge

            def counting(
                game: Game,
                entry: Entry,
                version: int,
                asked: list[Entry] = asked,
                judged: Judge = judged,
            ) -> Game | Refusal:
                asked.append(entry)
                return judged(game, entry, version)

            patch.setattr(judgement, "judge", counting)
            judgement.choices(history.game)
        assert len(asked) <= most, entry
