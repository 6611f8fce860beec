from uuid import UUID

from service.play.possibilities import LocationView, UnseenView
from service.web.archive.knowledge import split_by_knowledge
from service.web.recorder.starting.seating import (
    NewGame,
    of_one_name,
    read_new_game,
    seat_order,
    shown_options,
)

ANN, BOB, ZOE = (UUID(int=number) for number in (1, 2, 3))


def _form(*players: UUID, names: tuple[str, ...] = (), **numbers: int) -> NewGame:
    who = {"ann": str(ANN), "bob": str(BOB), "zoe": str(ZOE)}
    return NewGame(
        ruleset="rami",
        players=[str(player) for player in players],
        names=list(names),
        numbers={who.get(key, key.strip("_")): str(seat) for key, seat in numbers.items()},
    )


def _seats(form: NewGame) -> list[UUID | str | None] | None:
    sitters = seat_order(form)
    return None if sitters is None else [sitter.id or sitter.name for sitter in sitters]


def test_seats_follow_the_numbers() -> None:
    assert _seats(_form(ANN, BOB, ZOE, ann=3, bob=1, zoe=2)) == [BOB, ZOE, ANN]


def test_number_that_is_missing_is_the_one_left_over() -> None:
    assert _seats(_form(ANN, BOB, names=("Noé",), ann=3, bob=1)) == [BOB, "Noé", ANN]


def test_nobody_is_seated_by_the_alphabet() -> None:
    assert _seats(_form(ANN, BOB, ZOE)) is None
    assert _seats(_form(ANN, BOB, ZOE, zoe=1)) is None


def test_nobody_shares_a_number() -> None:
    assert _seats(_form(ANN, BOB, ZOE, ann=1, bob=1, zoe=2)) is None


def test_two_sit_opposite_in_any_order() -> None:
    assert _seats(_form(ANN, BOB)) == [ANN, BOB]


def test_names_only_typed_sit_as_they_were_typed() -> None:
    assert _seats(_form(names=("Noé", "", "Aya", "Bo"))) == ["Noé", "Aya", "Bo"]


def test_fields_are_read_in_any_order() -> None:
    pairs = [("name.2", "Bo"), ("number.0", "2"), ("name.0", "Noé"), ("ruleset", "rami")]
    form = read_new_game(pairs)
    assert (form.names, form.numbers) == (["Noé", "", "Bo"], {"0": "2"})


def test_options_begin_with_what_was_said_and_else_with_the_defaults() -> None:
    fields = [("with.target", "9x"), ("text.tie", "others"), ("with.deals", "")]
    found = shown_options({"target": 10, "tie": "caller", "deals": None, "penalty": 2}, fields)
    assert found.pop("said") == {"with.target": ["9x"], "text.tie": ["others"], "with.deals": [""]}
    assert found == {"target": "9x", "tie": "others", "deals": "", "penalty": 2}


def _of_one_name(form: NewGame) -> str:
    sitters = seat_order(form)
    assert sitters is not None
    return of_one_name(sitters, {ANN: "Ann", BOB: "Bob"})


def test_name_typed_twice_is_asked_about() -> None:
    assert _of_one_name(_form(names=("Noé", "noé"))) == "noé"
    assert _of_one_name(_form(names=("Noé", "Aya"))) == ""


def test_name_of_somebody_chosen_is_asked_about_when_typed() -> None:
    assert _of_one_name(_form(ANN, names=("ann",))) == "ann"
    assert _of_one_name(_form(ANN, names=("Bob",))) == ""


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
