"""Without knowledge of unseen cards (`exact` false) only what is visible is judged."""

from msgspec import convert

from domain.replay import Replayed, opening, replay
from domain.table.history import History
from domain.table.judgement import choices, situation
from domain.table.refusal import Refusal
from schemas.durak import Options, settled
from tests.domain.durak.entries import (
    BEATEN,
    BEGUN,
    Entry,
    attack,
    beat,
    deal,
    done,
    redeal,
    take,
)
from tests.generation.durak import PROFILES, true_game
from tests.generation.sizes import games
from tests.generation.test_durak_oracle import decoded


def last(*log: Entry) -> Refusal | None:
    history = History(opening("durak", settled(Options(rules="fr"), 3), 3, exact=False))
    for entry in log[:-1]:
        assert not isinstance(history.judge(decoded(entry)), Refusal), entry
    judged = history.judge(decoded(log[-1]))
    return judged if isinstance(judged, Refusal) else None


def test_rules_alone__true_games_come_to_the_truth() -> None:
    for seed in games(90_000, share=2):
        record = true_game(seed, PROFILES["unruly"])
        seats, expected = record["seats"], record["expect"]
        options = settled(convert(record["options"], Options), seats)
        outcome = replay(opening("durak", options, seats, exact=False), map(decoded, record["log"]))
        assert isinstance(outcome, Replayed)
        game = outcome.history.game
        now = situation(game)
        assert list(game.totals) == expected["totals"]
        assert list(now.to_act) == expected["to_act"]
        assert list(now.hand_counts) == expected["hand_counts"]
        assert now.stock == expected["stock"]


def test_rules_alone__what_only_cards_deny_is_accepted() -> None:
    given = [["6S", "7S", "8S", "TS", "JS", "QS"], None, None]
    assert last(deal(hands=given), *BEGUN[1:], attack(0, "AH")) is None
    assert last(*BEGUN, attack(0, "7D"), beat(1, "7D", "7D", waive=["durak.beats"])) is None


def test_rules_alone__what_everybody_sees_is_refused() -> None:
    for log, rule in (
        ([*BEGUN, attack(1, "7D")], "durak.first-lead"),
        ([*BEGUN, attack(0, "5D")], "cards.deck"),
        ([*BEGUN, attack(0, "7D"), beat(1, "7D", "6D")], "durak.beats"),
        ([*BEATEN, attack(0, "TD")], "durak.rank"),
        ([*BEATEN, done(2)], "durak.word"),
        ([*BEATEN, take(1)], "durak.take"),
    ):
        refusal = last(*log)
        assert refusal is not None, log
        assert refusal.rule == rule


def test_rules_alone__a_new_deal_is_refused_against_the_lowest_trump_shown() -> None:
    refusal = last(*BEGUN, redeal())
    assert refusal is not None
    assert (refusal.rule, refusal.contradicts) == ("durak.redeal", 3)


def test_rules_alone__sets_of_cards_are_offered() -> None:
    options = settled(Options(rules="fr", lead="several"), 3)
    history = History(opening("durak", options, 3, exact=False))
    for entry in BEGUN:
        assert not isinstance(history.judge(decoded(entry)), Refusal)
    offered = [one.fields["cards"] for one in choices(history.game) if one.type == "attack"]
    assert any(("7S", "7H", "7D", "7C") in cards for cards in offered)
