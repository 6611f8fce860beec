"""One of a thing is said as one, and in French nothing is, too."""

import pytest

from service.language.plurals import apply_plurals


@pytest.mark.parametrize(
    ("lang", "written", "said"),
    [
        ("fr", "cela ne peut pas faire 0 points", "cela ne peut pas faire 0 point"),
        ("fr", "fait 1 plis au moins et 2 plis au plus", "fait 1 pli au moins et 2 plis au plus"),
        ("fr", "10 points, 101 points", "10 points, 101 points"),
        ("en", "0 points, 1 points, 11 points", "0 points, 1 point, 11 points"),
        ("en", "−1 points", "−1 point"),
        ("de", "mit 1 Punkten und 1 Karten", "mit 1 Punkt und 1 Karte"),
        ("de", "0 Punkte, 21 Stiche", "0 Punkte, 21 Stiche"),
        ("it", "1 cards", "1 card"),
    ],
)
def test_agreed__counts_as_the_language_does(lang: str, written: str, said: str) -> None:
    assert apply_plurals(written, lang) == said
