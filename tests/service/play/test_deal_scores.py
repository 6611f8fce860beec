import pytest

from projections.summary import summary
from service.play.append import JudgedBatch, deal_scores, scores_of
from service.store.records import DealScore
from tests.projections.test_deals import WON, batches, entry_of
from tests.service.refused import history


@pytest.mark.parametrize("seed", range(8))
def test_the_changed_scores_make_the_stored_ones_those_of_the_game(seed: int) -> None:
    stored: dict[int, DealScore] = {}
    before = history([])
    for game, lines in batches(seed):
        changed = deal_scores(before, JudgedBatch(history=game, lines=lines))
        if changed is not None:
            count = summary(game).deals
            stored = {deal: one for deal, one in stored.items() if deal <= count}
            stored |= {one.deal: one for one in changed}
        assert [stored[deal] for deal in sorted(stored)] == scores_of(game)
        before = game


def test_the_next_deal_of_a_long_game_changes_one_score() -> None:
    before = history([WON] * 4)
    after = before.copy()
    lines = after.judge(entry_of({"type": "note", "text": "tea"}))
    assert isinstance(lines, tuple)
    assert deal_scores(before, JudgedBatch(history=after, lines=lines)) is None
    lines = after.judge(entry_of(WON))
    assert isinstance(lines, tuple)
    changed = deal_scores(before, JudgedBatch(history=after, lines=lines))
    assert changed is not None
    assert [one.deal for one in changed] == [5]
