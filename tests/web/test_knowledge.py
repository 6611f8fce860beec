"""What could be known, shaped for a page."""

from service.play.possibilities import LocationView, UnseenView
from service.web.archive.knowledge import split_by_knowledge

ANY = UnseenView(count=1, cards=("AS", "KS"))


def slot(seat: int, number: int, *known: str) -> LocationView:
    unseen = () if known else (ANY,)
    return LocationView(kind="slot", size=1, known=known, unseen=unseen, seat=seat, slot=number)


def test_slots_of_which_nothing_is_known_are_told_by_rows() -> None:
    seen = slot(0, 1, "QH")
    stock = LocationView(kind="stock", size=1, known=(), unseen=(ANY,))
    lit, unlit = split_by_knowledge([slot(0, 0), seen, slot(0, 2), slot(1, 0), stock])
    assert lit == [seen]
    assert [(one.kind, one.seat, one.slots) for one in unlit] == [
        ("slot", 0, ("1", "3")),
        ("slot", 1, ("1",)),
        ("stock", None, ()),
    ]


def test_what_can_be_less_than_everything_unseen_stands_by_itself() -> None:
    some = LocationView(
        kind="hand", size=1, known=(), unseen=(UnseenView(count=1, cards=("AS",)),), seat=0
    )
    empty = LocationView(kind="hand", size=0, known=(), unseen=(), seat=1)
    lit, unlit = split_by_knowledge([some, empty, slot(1, 0)])
    assert (lit, [one.seat for one in unlit]) == ([some], [1])
