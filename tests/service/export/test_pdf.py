import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

import pytest
import typst
from msgspec.structs import replace

from schemas.catalogue import SHAPES
from service.export.formats.typesetter import PaperSize, compile_pdf
from service.export.game.game import GameSheet
from service.export.game.paper import layout_paper
from service.export.game.pdf import game_pdf
from service.language.sentence import LANGUAGES
from tests import games
from tests.service.export.games import MARCH, PLAYED, euchre, told
from tests.service.export.pages import pages
from tests.service.refused import HEARTS, Log

A4, A5 = (210, 297), (148, 210)
SIX = ("Анна", "Ελένη", "İğneci", "Łukasz", "Zoë", "Jürgen")


def text_of(game: GameSheet, size: PaperSize = "a4") -> str:
    return "\n".join(page.text for page in pages(game_pdf(game, size)))


def durak(count: int, names: Sequence[str] = SIX, lang: str = "en") -> GameSheet:
    seats = len(names)
    result = {"type": "result", "places": [[seat] for seat in range(seats)], "durak": seats - 1}
    return told("durak", [result] * count, tuple(names), lang, {"rules": "fr", "teams": False})


def test_the_players_the_points_and_the_totals_are_on_it() -> None:
    text = text_of(euchre())
    for said in ("Euchre", "Anna", "Ben", "+2", "−3", "♥", "Adjustment", "Ben is ahead."):
        assert said in text
    assert "Total" in text


# Turned by the first sign, the others make the typesetter panic.
PANIC = "\u202e\u0e33\u0301\u200d"


def test_what_turns_the_direction_of_words_is_not_printed() -> None:
    note = f"rain {PANIC} sun"
    assert "sun" in text_of(euchre([{"type": "note", "text": note}]))


def test_a_fault_of_the_typesetter_is_an_error_like_others(tmp_path: Path) -> None:
    template = tmp_path / "panic.typ"
    template.write_text(PANIC)
    with pytest.raises(typst.TypstError):
        compile_pdf(template, "{}", 0)


def test_what_was_written_is_cut_only_where_it_would_be_a_book() -> None:
    note = {"type": "note", "text": "rain " * 399 + "snow"}
    some = layout_paper(euchre([note] * 100), "a4").rows
    assert {row.text for row in some if row.kind == "note"} == {note["text"]}
    book = layout_paper(euchre([note] * 2_000), "a4").rows
    assert {len(row.text) for row in book if row.kind == "note"} == {100}
    assert all(row.text.endswith("…") for row in book if row.kind == "note")


def test_the_day_is_that_of_the_reader() -> None:
    assert "November 22, 2026" in text_of(replace(euchre(), zone=ZoneInfo("Asia/Tokyo")))
    assert "November 21, 2026" in text_of(replace(euchre(), zone=ZoneInfo("America/New_York")))


def test_the_day_of_a_game_recorded_elsewhere_is_that_it_was_played_on() -> None:
    long_ago = datetime(2019, 5, 4, 18, 15, tzinfo=UTC)
    text = text_of(replace(euchre(), began_at=long_ago, times="start", zone=UTC))
    assert "May 4, 2019" in text
    assert "2026" not in text


def test_what_somebody_wrote_is_never_markup() -> None:
    note = '*no* #let x = 1; [a] $b$ <c> \\ // "d" @e = f'
    names = ("#panic()", "*Ben* _x_")
    text = text_of(euchre([{"type": "note", "text": note}], names))
    assert note in text
    assert all(name in text for name in names)


@pytest.mark.parametrize(
    ("size", "seats", "paper"),
    [
        ("a4", 6, A4),
        ("a5", 4, A5),
        ("a5", 5, A5[::-1]),
        ("a5", 2, A5),
    ],
)
def test_the_paper_is_of_the_size_asked_for_and_laid_across_for_many(
    size: PaperSize, seats: int, paper: tuple[int, int]
) -> None:
    assert [page.size for page in pages(game_pdf(durak(2, SIX[:seats]), size))] == [paper]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_long_game_goes_on_with_its_headings_and_page_numbers(lang: str) -> None:
    texts = [page.text for page in pages(game_pdf(durak(150, lang=lang)))]
    number = {"en": "Page {} of {}", "fr": "Page {} sur {}", "de": "Seite {} von {}"}[lang]
    assert len(texts) == 4
    for page, text in enumerate(texts, 1):
        assert number.format(page, len(texts)) in text
        assert all(name in text for name in SIX)
    assert {"en": "Deal", "fr": "Donne", "de": "Spiel"}[lang] in texts[2]


def test_other_ways_to_name_a_winner_stand_under_the_totals() -> None:
    text = text_of(durak(3))
    assert text.index("Total") < text.index("Sum of places") < text.index("Times durak")


def test_what_was_chosen_is_told_in_words() -> None:
    text = text_of(euchre(lang="de", options={"deck": 25, "target": 21}))
    assert "25 Karten, mit Joker" in text
    assert "21 Punkte gewinnen" in text


def test_annulled_deals_notes_and_the_end_have_lines_of_their_own() -> None:
    log: Log = [
        *HEARTS,
        {"type": "void", "reason": "misdeal"},
        {"type": "result", "maker": 1, "tricks": 5, "dealer": 0},
        {"type": "note", "text": "rain\nand tea"},
        {"type": "finish", "reason": "late"},
    ]
    text = text_of(euchre(log))
    for said in ("Deal annulled: misdeal", "rain", "and tea", "Game ended: late", "Ben wins."):
        assert said in text


def test_a_game_without_deals_says_so() -> None:
    assert "No deal has ended yet." in text_of(euchre([]))


def test_what_no_deal_tells_has_no_column() -> None:
    assert "Trump" in text_of(euchre([*HEARTS, MARCH]))
    assert "Trump" not in text_of(euchre([{"type": "result", "maker": 1, "tricks": 5}]))


def test_long_names_stay_on_the_page() -> None:
    long = "Maximiliane-Alexandrina von Hohenzollern-Sigmaringen"
    wide = "W" * 60
    (page,) = pages(game_pdf(durak(3, (long, wide, "Bo")), "a5"))
    assert page.right <= A5[0]


@pytest.mark.parametrize("names", [("Анна", "Ελένη"), ("İğneci", "Łukasz Żółć"), ("שלום", "محمد")])
def test_a_name_in_another_alphabet_keeps_pdf_ua(names: tuple[str, str]) -> None:
    assert conformance(game_pdf(euchre(PLAYED, names))) == "ua"


def test_a_sign_no_font_shows_is_a_box_in_a_file_that_is_tagged_all_the_same() -> None:
    pdf = game_pdf(euchre(PLAYED, ("\U0001fae8\U0001f9ff\ue000", "Ben")))
    assert conformance(pdf) == "tagged"
    assert "Ben" in pages(pdf)[0].text


def conformance(pdf: bytes) -> Literal["ua", "tagged", "none"]:
    if b"pdfuaid:part" in pdf:
        return "ua"
    return "tagged" if b"/MarkInfo" in pdf or b"StructTreeRoot" in pdf else "none"


def test_control_characters_are_left_out() -> None:
    text = text_of(euchre([{"type": "note", "text": "a\x00b\x07c\td"}]))
    assert "abc d" in text


def recorded(ruleset: str) -> Log:
    lines = Path(str(games.__file__)).parent.joinpath(ruleset, "true.jsonl").read_text("utf-8")
    return [json.loads(line) for line in lines.splitlines()[:4]]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("ruleset", SHAPES)
def test_recorded_games_of_every_ruleset_are_laid_out_in_every_language(
    ruleset: str, lang: str
) -> None:
    for record in recorded(ruleset):
        names = (*SIX, *map(str.lower, SIX))[: record["seats"]]
        game = told(ruleset, record["log"], names, lang, record["options"])
        pdf = game_pdf(game, "a5")
        assert conformance(pdf) == "ua"
        assert all(name in pages(pdf)[0].text for name in names)


def test_the_same_game_gives_the_same_bytes() -> None:
    assert game_pdf(euchre()) == game_pdf(euchre())


def test_whoever_named_trump_is_told_with_their_own_tricks_first() -> None:
    lost = {"type": "result", "maker": 1, "tricks": 1, "dealer": 0}
    row = layout_paper(euchre([lost]), "a4").rows[0]
    assert "1\u2009:\u20094" in row.facts
