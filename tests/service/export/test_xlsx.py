from errno import ENOSPC
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from service.export.formats.xlsx import Table, XlsxBook, write_workbook
from service.export.game.forms import game_xlsx
from tests.service.export.games import STARTED, euchre, told


class FullDisk(BytesIO):
    """Has no room once: the archive that is being written closes itself in the end."""

    def __init__(self) -> None:
        super().__init__()
        self._is_full = True

    def write(self, data: Any, /) -> int:  # noqa: ANN401 any buffer
        if self._is_full:
            self._is_full = False
            raise OSError(ENOSPC, "no room")
        return super().write(data)

    def close(self) -> None:
        """Stay open for the archive."""


def parts(workbook: bytes) -> dict[str, str]:
    with ZipFile(BytesIO(workbook)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def write(*lines: list[Any], folder: Path | None = None) -> str:
    out = BytesIO()
    table = Table(title="T", header=["one"], lines=lines)
    write_workbook(out, [table], title="", made=STARTED, folder=folder)
    return parts(out.getvalue())["xl/worksheets/sheet1.xml"]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "{=1}", "http://x", "1", "007"])
def test_a_text_stays_text_whatever_it_begins_with(text: str, tmp_path: Path) -> None:
    assert '<c r="A2" t="s"><v>1</v></c>' in write([text])
    inline = f'<c r="A2" t="inlineStr"><is><t>{text}</t></is></c>'
    assert inline in write([text], folder=tmp_path)


def test_numbers_are_numbers_and_moments_are_days() -> None:
    assert '<c r="A2"><v>-3</v></c>' in write([-3])
    assert '<c r="A2"><v>1.5</v></c>' in write([1.5])
    day = STARTED.astimezone().replace(tzinfo=None) - STARTED.replace(
        year=1899, month=12, day=30, hour=0, minute=0, second=0, tzinfo=None
    )
    assert f"<v>{day.days}." in write([STARTED])


def test_moments_are_told_as_by_the_reader_s_clock() -> None:
    game = replace(euchre(), zone=ZoneInfo("Asia/Tokyo"))
    # 2026-11-22 05:37:05 in Tokyo, in days since 1899-12-30.
    assert "<v>46348.23408" in parts(game_xlsx(game))["xl/worksheets/sheet3.xml"]


def test_a_moment_before_all_worksheets_is_told_as_text(tmp_path: Path) -> None:
    long_ago = STARTED.replace(year=1899)
    local = f"{long_ago.astimezone():%Y-%m-%d %H:%M:%S}"
    assert f"<t>{local}</t>" in write([long_ago], folder=tmp_path)


def test_the_header_is_frozen_and_filtered() -> None:
    xml = write([1], [2])
    assert '<pane ySplit="1" topLeftCell="A2"' in xml
    assert '<autoFilter ref="A1:A3"/>' in xml


def test_columns_are_as_wide_as_what_they_hold_up_to_a_limit() -> None:
    assert 'width="20.' in write(["x" * 20])
    assert 'width="60.' in write(["x" * 2000])


def test_a_text_too_long_for_a_cell_is_cut_visibly() -> None:
    out = BytesIO()
    table = Table(title="T", header=["one"], lines=[["x" * 40_000]])
    write_workbook(out, [table], title="", made=STARTED)
    assert "x…</t>" in parts(out.getvalue())["xl/sharedStrings.xml"]


def test_rows_beyond_a_worksheet_go_on_in_another(tmp_path: Path) -> None:
    out = BytesIO()
    book = XlsxBook(out, title="", made=STARTED, folder=tmp_path, rows_max=3)
    table = book.table("T", ["one"])
    other = book.table("U", ["one"])
    for number in range(5):
        table.add([[number]])
        other.add([[number]])
    book.close()
    found = parts(out.getvalue())
    for title in ("T", "U", "T (2)", "T (3)", "U (2)", "U (3)"):
        assert f'<sheet name="{title}"' in found["xl/workbook.xml"]
    assert [found[f"xl/worksheets/sheet{n}.xml"].count("<row ") for n in (1, 3, 5)] == [3, 3, 2]
    assert list(tmp_path.iterdir()) == []


def test_a_book_that_is_abandoned_is_never_put_together(tmp_path: Path) -> None:
    out = BytesIO()
    book = XlsxBook(out, title="", made=STARTED, folder=tmp_path)
    book.table("T", ["one"]).add([[1]])
    book.abandon()
    del book
    assert out.getvalue() == b""


def test_the_same_game_gives_the_same_bytes() -> None:
    assert game_xlsx(euchre()) == game_xlsx(euchre())


@pytest.mark.parametrize(
    ("lang", "titles"),
    [
        ("en", ["Deals", "Standings", "Entries"]),
        ("fr", ["Donnes", "Classement", "Entrées"]),
        ("de", ["Spiele", "Rangliste", "Einträge"]),
    ],
)
def test_each_view_is_a_worksheet_named_in_the_reader_s_language(
    lang: str, titles: list[str]
) -> None:
    book = parts(game_xlsx(euchre(lang=lang)))["xl/workbook.xml"]
    assert all(f'<sheet name="{title}"' in book for title in titles)


def test_other_ways_to_name_a_winner_are_standings_and_no_rows_of_deals() -> None:
    result = {"type": "result", "places": [[1], [0], [2]], "durak": 2}
    game = told("durak", [result], ("Ada", "Bo", "Cy"), options={"rules": "fr"})
    xml = parts(game_xlsx(game))
    assert xml["xl/worksheets/sheet1.xml"].count("<row ") == 2
    assert "Times durak" in xml["xl/sharedStrings.xml"]
    assert xml["xl/worksheets/sheet2.xml"].count("<row ") == 4


def test_a_full_disk_is_told_as_that(tmp_path: Path) -> None:
    for folder in (None, tmp_path):
        book = XlsxBook(FullDisk(), title="", made=STARTED, folder=folder)
        book.table("T", ["one"]).add([[1]])
        with pytest.raises(OSError, match="no room") as full:
            book.close()
        assert full.value.errno == ENOSPC
        book.abandon()
