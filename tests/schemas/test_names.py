import pytest

from schemas.names import NAME_LENGTH_MAX, normalized_name, read_name, similar_spellings

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"


@pytest.mark.parametrize(
    "name",
    [
        "Zoë Ångström",
        "O’Neill-Łuć",
        "李小龍",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        FAMILY,
        f"Die {FAMILY}s",
        "\u2764\ufe0f",
        SCOTLAND,
        "1",
        # Ideographic variation, and a character of a later Unicode.
        "葛\U000e0100城",
        "\U0001fae9\U000323af",
        "a" * NAME_LENGTH_MAX,
    ],
)
def test_names_people_have_are_kept(name: str) -> None:
    assert read_name(name) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \t\u00a0",
        "\u200d",
        "\ufe0f",
        "a\u200d",
        "\u200da",
        "a\u200d\u200db",
        "a\nb",
        "a\u2028b",
        "a\u0000",
        "a\u001b[31m",
        "\u202eAnn",
        "a\u200bb",
        "\U000e0067\U000e0062\U000e007f",
        "\ue000",
        "\u3164",
        "\u2800 \u115f\u1160\uffa0\U0001d159",
        "a" * (NAME_LENGTH_MAX + 1),
        # Composed (NFC), this letter is two.
        "\u0958" * (NAME_LENGTH_MAX // 2 + 1),
    ],
)
def test_what_nobody_can_see_or_write_is_no_name(text: str) -> None:
    assert read_name(text) is None


def test_blanks_around_and_within_become_single_spaces() -> None:
    assert read_name("  Anne\u00a0 Marie\n") == "Anne Marie"


@pytest.mark.parametrize(
    ("name", "other"), [("Straße", "STRASSE"), ("ΣΩΣ", "σως"), ("Chloé", "CHLOE\u0301")]
)
def test_capitals_and_composition_do_not_make_another_name(name: str, other: str) -> None:
    assert normalized_name(name) == normalized_name(other)


@pytest.mark.parametrize(
    ("name", "other"),
    [("İlker", "ilker"), ("Irmak", "\u0131rmak"), ("Jørgen", "Joergen"), ("O’Neil", "O'Neil")],
)
def test_letters_of_one_language_are_alike_in_another(name: str, other: str) -> None:
    assert similar_spellings(name) & similar_spellings(other)
