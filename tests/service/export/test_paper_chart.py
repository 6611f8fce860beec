from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from service.export.game.paper_chart import PaperChart, layout_chart
from tests.service.export.games import MARCH, euchre, told
from tests.service.refused import HEARTS, Log

LABEL = 0.09


def dutch(rows: list[list[int]]) -> PaperChart:
    log: Log = [
        {"type": "result", "caller": 0, "counter": None, "totals": totals} for totals in rows
    ]
    names = tuple("ABCDEFGH"[: len(rows[0])])
    chart = layout_chart(told("dutch", log, names, options={"target": None}))
    assert chart is not None
    return chart


def test_a_game_of_one_deal_has_no_chart() -> None:
    assert layout_chart(euchre([])) is None
    assert layout_chart(euchre([*HEARTS, MARCH])) is None


def test_totals_below_zero_have_room() -> None:
    chart = layout_chart(euchre())
    assert chart is not None
    assert [tick.label for tick in chart.down] == ["−3", "−2", "−1", "0", "1", "2"]
    assert chart.curves[0].points[-1] == (1.0, 1.0)


def test_adjustments_move_the_lines_and_only_deals_are_numbered() -> None:
    chart = layout_chart(euchre())
    assert chart is not None
    assert [(tick.at, tick.label) for tick in chart.across] == [(0.5, "1")]


def test_the_chart_is_told_to_who_cannot_see_it() -> None:
    chart = layout_chart(euchre())
    assert chart is not None
    assert "Anna −3, Ben 2" in chart.said


@given(
    st.integers(2, 8).flatmap(
        lambda seats: st.lists(
            st.lists(st.integers(0, 60), min_size=seats, max_size=seats), min_size=2, max_size=6
        )
    )
)
def test_labels_keep_off_each_other_and_everything_is_on_the_plot(rows: list[list[int]]) -> None:
    chart = dutch(rows)
    places = sorted(curve.label_at for curve in chart.curves)
    assert all(below - above >= LABEL for above, below in pairwise(places))
    assert places[0] >= 0
    assert places[-1] <= 1
    assert all(0 <= part <= 1 for curve in chart.curves for point in curve.points for part in point)
    assert 2 <= len(chart.down) <= 7
