"""Without knowledge of unseen cards (`exact` false) only what is visible is judged."""

from domain.replay import Replayed, opening, replay
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.euchre import Options
from tests.domain.euchre.entries import (
    Entry,
    accepts,
    deal,
    leaves,
    names,
    orders,
    passes,
    play,
    takes,
)
from tests.generation.euchre import PROFILES, true_game
from tests.generation.sizes import games
from tests.generation.test_euchre_oracle import decoded

HEARTS = [deal("9S"), passes(1), passes(0), names(1, "H")]


def last(*log: Entry) -> Refusal | None:
    history = History(opening("euchre", Options(), 2, exact=False))
    for entry in log[:-1]:
        assert not isinstance(history.judge(decoded(entry)), Refusal), entry
    judged = history.judge(decoded(log[-1]))
    return judged if isinstance(judged, Refusal) else None


def test_rules_alone__true_games_come_to_the_truth() -> None:
    for seed in games(90_000):
        record = true_game(seed, PROFILES["unruly"])
        log = [decoded(entry) for entry in record["log"]]
        outcome = replay(opening("euchre", Options(**record["options"]), 2, exact=False), log)
        assert isinstance(outcome, Replayed)
        game = outcome.history.game
        assert list(game.totals) == record["expect"]["totals"]
        assert list(judgement.situation(game).hand_counts) == record["expect"]["hand_counts"]


def test_rules_alone__what_only_unseen_cards_prove_is_accepted() -> None:
    slough_then_suit = [play(1, "AS"), play(0, "9C"), play(1, "KS"), play(0, "QS")]
    assert last(*HEARTS, *slough_then_suit) is None
    assert last(deal("9S"), orders(), takes(discard="AH"), play(1, "AH")) is None


def test_rules_alone__what_everybody_sees_is_refused() -> None:
    for log, rule in (
        ([*HEARTS, play(0, "AS")], "euchre.lead"),
        ([*HEARTS, play(1, "AS"), play(1, "KS")], "table.turn"),
        ([*HEARTS, play(1, "8S")], "cards.deck"),
        ([deal("9S"), passes(0)], "euchre.bid-first"),
        ([deal("9S"), leaves()], "table.phase"),
        ([deal("9S"), passes(1), accepts(discard="9S")], "euchre.accept"),
        ([deal("9S", hands=[["9S", "AS", "KS", "QS", "TS"], None])], "cards.seen"),
    ):
        refusal = last(*log)
        assert refusal is not None, log
        assert refusal.rule == rule
