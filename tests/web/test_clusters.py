"""A name is cut between what people read as characters."""

import pytest

from service.web.format.clusters import clip, clusters

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
THUMB = "\U0001f44d\U0001f3fd"
FRANCE, GERMANY = "\U0001f1eb\U0001f1f7", "\U0001f1e9\U0001f1ea"


def test_joined_signs_are_one_character() -> None:
    signs = ["a", "e\u0301", FAMILY, THUMB, FRANCE, GERMANY, "\u2764\ufe0f", "z"]
    assert list(clusters("".join(signs))) == signs


@pytest.mark.parametrize(
    ("name", "width", "cut"),
    [
        ("Ann", 10, "Ann"),
        ("Maximiliane", 10, "Maximilia…"),
        ("Anne Marie", 6, "Anne…"),
        (f"ab{FAMILY}cd", 4, "ab…"),
        (f"ab{FAMILY}cd", 5, f"ab{FAMILY}…"),
        ("李小龍李小龍", 6, "李小…"),
        ("", 3, ""),
    ],
)
def test_a_name_is_cut_to_a_width(name: str, width: int, cut: str) -> None:
    assert clip(name, width) == cut
