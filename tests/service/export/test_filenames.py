"""What files of games are called."""

from datetime import date

import pytest

from service.export.game.forms import ascii_name, disposition, file_name

DAY = date(2026, 11, 22)


def test_a_file_is_named_after_its_day_its_game_and_who_played() -> None:
    name = file_name(DAY, "Rami 51", ["Ann", "Bob"], "pdf")
    assert name == "2026-11-22 Rami 51 Ann, Bob.pdf"


def test_of_a_game_without_a_day_the_rest_is_named() -> None:
    assert file_name(None, "Dutch", ["Ann"], "csv") == "Dutch Ann.csv"


def test_of_many_players_the_first_are_named() -> None:
    name = file_name(DAY, "Dutch", list("ABCDEFGH"), "csv")
    assert name == "2026-11-22 Dutch A, B, C, D, ….csv"


@pytest.mark.parametrize("player", ["../../etc/passwd", 'a"b\\c:d*?<e>|', "a\r\nSet-Cookie: b"])
def test_no_name_holds_what_a_system_or_a_header_refuses(player: str) -> None:
    name = file_name(DAY, "Euchre", [player, "Bob"], "pdf")
    assert not set(name) & set('\\/:*?"<>|\r\n')
    assert disposition(name).isascii()
    assert "\n" not in disposition(name)


def test_a_name_is_no_longer_than_a_system_can_keep() -> None:
    assert len(file_name(DAY, "Euchre", ["x" * 500] * 2, "pdf").encode()) <= 255


@pytest.mark.parametrize(
    ("player", "spelt"),
    [("Zoë Müller", "Zoe-Muller"), ("Strauß", "Strauss"), ("Łukasz", "Lukasz"), ("Björn", "Bjorn")],
)
def test_in_ascii_letters_lose_their_marks(player: str, spelt: str) -> None:
    assert ascii_name(file_name(DAY, "Durak", [player], "pdf")) == f"2026-11-22-Durak-{spelt}.pdf"


def test_a_name_in_another_script_is_told_beside_one_in_ascii() -> None:
    said = disposition(file_name(DAY, "Durak", ["Аня"], "pdf"), shown=True)
    assert said == (
        'inline; filename="2026-11-22-Durak.pdf"; '
        "filename*=UTF-8''2026-11-22%20Durak%20%D0%90%D0%BD%D1%8F.pdf"
    )
