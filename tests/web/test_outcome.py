"""How a deal or a game came out, as the table is told."""

from typing import Any

from service.web.recorder.table.outcome import final, just_ended, places

ENDED: dict[str, Any] = {"type": "deal_ended", "deal": 1}
OVER: dict[str, Any] = {"type": "game_ended", "ranking": [[1], [0]]}
NAMES = ("Ann", "Bob", "Chloé", "Jürgen")


def test_deal_is_told_until_the_next_one_begins() -> None:
    assert just_ended([{"type": "play"}, ENDED]) == ENDED
    assert just_ended([ENDED, {"type": "note"}]) == ENDED
    assert just_ended([ENDED, {"type": "deal"}]) is None
    assert just_ended([{"type": "started"}]) is None


def test_end_of_a_game_is_told_with_its_last_deal() -> None:
    assert (just_ended([ENDED, OVER]), final([ENDED, OVER])) == (ENDED, OVER)


def test_partners_share_a_place_and_are_named_together() -> None:
    found = places([[0, 2], [1, 3]], (1, 3, 1, 3), NAMES)
    assert [(one.place, one.names) for one in found] == [
        (1, ("Ann", "Chloé")),
        (3, ("Bob", "Jürgen")),
    ]


def test_margins_are_counted_from_the_first() -> None:
    found = places([[2], [0], [1]], (40, 75, 12), NAMES[:3])
    assert [(one.total, one.margin) for one in found] == [(12, 0), (40, 28), (75, 63)]


def test_where_totals_did_not_make_the_order_nobody_is_points_behind() -> None:
    found = places([[2], [1], [0]], (2, -1, 0), NAMES[:3])
    assert [(one.total, one.margin) for one in found] == [(0, 0), (-1, 0), (2, 0)]
