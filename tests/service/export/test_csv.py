import csv
import io

import pytest
from msgspec.structs import replace

from projections.games import sheet_of
from service.export.formats.dialects import plain_text
from service.export.game.forms import sheet_csv
from service.language.texts import texts
from tests.service.refused import HEARTS, Log, history

NAMES = ("Anna", "Ben")
MARCH = {"type": "result", "maker": 1, "tricks": 5}
FINE = {"type": "adjust", "seat": 0, "points": -3, "reason": 'he said "hearts", twice'}
NOTE = {"type": "note", "text": "=1+1"}
PLAYED: Log = [*HEARTS, MARCH, FINE, NOTE]


def lines(log: Log, lang: str = "en", names: tuple[str | None, ...] = NAMES) -> list[str]:
    text = sheet_csv(sheet_of(history(log)), names, lang, texts())
    *whole, rest = text.split("\r\n")
    assert rest == ""
    assert not any("\n" in line for line in whole)
    return whole


def test_csv__has_one_header_and_a_line_a_row() -> None:
    header = "Deal Row Dealer Maker Trump Tricks_Anna Tricks_Ben Outcome Anna Ben"
    header += " Total_Anna Total_Ben Remark"
    assert lines(PLAYED) == [
        ",".join(f'"{name}"' for name in header.replace(" ", ",").replace("_", " ").split(",")),
        '1,"deal","Anna","Ben","hearts",0,5,"march",0,2,0,2,""',
        '"","adjustment","","","","","","",-3,"",-3,2,"he said ""hearts"", twice"',
        '"","note","","","","","","","","",-3,2,"\'=1+1"',
    ]


def test_csv__every_line_has_as_many_fields_as_the_header() -> None:
    text = "\r\n".join(lines(PLAYED))
    assert len({len(row) for row in csv.reader(io.StringIO(text))}) == 1


def test_csv__a_passed_out_deal_tells_no_maker() -> None:
    passes: Log = [{"type": "pass", "seat": seat} for seat in (1, 0)]
    assert lines([*HEARTS[:-1], *passes])[1] == (
        '1,"deal","Anna","","","","","passed out",0,0,0,0,""'
    )


@pytest.mark.parametrize(
    ("lang", "header"),
    [
        ("fr", '"Donne","Ligne","Donneur","Preneur","Atout","Plis Anna"'),
        ("de", '"Spiel","Zeile","Geber","Trumpfmacher","Trumpf","Stiche Anna"'),
    ],
)
def test_csv__headings_and_words_are_in_the_reader_s_language(lang: str, header: str) -> None:
    written = lines(PLAYED, lang)
    assert written[0].startswith(header)
    assert ("cœur" if lang == "fr" else "Herz") in written[1]


def test_csv__a_forgotten_player_is_called_by_the_seat() -> None:
    assert '"player 2"' in lines(PLAYED, names=("Anna", None))[0]


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff20"])
def test_csv__a_name_that_begins_like_a_formula_stays_text(sign: str) -> None:
    name = f"{sign}SUM(A1)"
    assert plain_text(name) == f"'{name}"
    written = sheet_csv(sheet_of(history(PLAYED)), (name, "Ben"), "en", texts())
    fields = [field for row in csv.reader(io.StringIO(written, newline="")) for field in row]
    assert not any(field.startswith(sign) for field in fields if not _number(field))


def _number(field: str) -> bool:
    return field.lstrip("-").isdigit()


def test_csv__a_negative_number_stays_a_number() -> None:
    assert ",-3," in lines(PLAYED)[2]


def test_csv__a_name_with_commas_quotes_and_line_ends_is_one_field() -> None:
    name = 'Anna, "the\r\nGreat"'
    written = sheet_csv(sheet_of(history(PLAYED)), (name, "Ben"), "en", texts())
    rows = list(csv.reader(io.StringIO(written, newline="")))
    assert name in rows[0]
    assert len(rows) == 4


def test_csv__other_ways_to_name_a_winner_follow_as_rows_of_their_own() -> None:
    sheet = replace(sheet_of(history(PLAYED)), standings={"firsts": (1, 2)})
    written = sheet_csv(sheet, NAMES, "en", texts()).split("\r\n")
    row = next(csv.reader([written[-2]]))
    assert row[1] == texts().word("firsts", "en")
    assert [field for field in row[2:] if field] == ["1", "2"]
    assert len(row) == len(next(csv.reader([written[0]])))
