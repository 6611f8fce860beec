"""Without knowledge of unseen cards (`exact` false) only what is visible is judged."""

from msgspec import convert

from domain.replay import Replayed, opening, replay
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.catalogue import shapes
from schemas.entries import Entry
from schemas.rami import Options
from tests.domain.rami import entries
from tests.domain.rami.entries import ROYAL, add, deal, draw, meld, throw, turn
from tests.generation.rami import PROFILES, true_game
from tests.generation.sizes import games


def decoded(entry: entries.Entry) -> Entry:
    found: Entry = convert(entry, shapes("rami").submitted)
    return found


def last(*log: entries.Entry) -> Refusal | None:
    history = History(opening("rami", Options(), 2, exact=False))
    for entry in log[:-1]:
        assert not isinstance(history.judge(decoded(entry)), Refusal), entry
    judged = history.judge(decoded(log[-1]))
    return judged if isinstance(judged, Refusal) else None


def test_rules_alone__true_games_come_to_the_truth() -> None:
    for seed in games(90_000, share=3):
        record = true_game(seed, PROFILES["unruly"])
        log = [decoded(entry) for entry in record["log"]]
        start = opening("rami", Options(**record["options"]), record["seats"], exact=False)
        outcome = replay(start, log)
        assert isinstance(outcome, Replayed)
        game = outcome.history.game
        assert list(game.totals) == record["expect"]["totals"]
        assert list(judgement.situation(game).hand_counts) == record["expect"]["hand_counts"]


def test_rules_alone__what_only_unseen_cards_prove_is_accepted() -> None:
    assert last(deal(), *turn(1, "9S"), *turn(0, "9S"), *turn(1, "9S")) is None


def test_rules_alone__what_everybody_sees_is_refused() -> None:
    for log, rule in (
        ([deal(), throw(1, "9S")], "rami.draw-first"),
        ([deal(), draw(0)], "table.turn"),
        ([deal(), draw(1), meld(1, "2S 3S 4S")], "rami.opening"),
        ([deal(), draw(1), meld(1, ROYAL), add(1, 1, "8C")], "rami.add"),
    ):
        refusal = last(*log)
        assert refusal is not None, log
        assert refusal.rule == rule
