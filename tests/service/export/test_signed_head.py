"""The signed head that a file was made under: on paper, scanned off it, as JSON, in a workbook."""

import json
from collections.abc import Sequence
from datetime import timedelta
from io import BytesIO
from typing import Any, BinaryIO
from zipfile import ZipFile

import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from schemas.history import json_schema
from service.export.formats.signed_head import ExportedHead
from service.export.game.game import GameSheet
from service.export.game.paper import PaperSize
from service.export.game.pdf import game_job, game_pdf
from service.export.game.workbook import game_xlsx
from service.export.history.season_pdf import PdfSeason
from service.export.history.text import JsonHistory
from service.export.history.workbook import XlsxHistory
from service.export.history.writer import OpensHistory
from service.feed.signed_notes import Checkpoint, sign
from service.language.sentence import LANGUAGES
from tests.service.export.codes import scanned
from tests.service.export.finished_games import played, ranking, telling
from tests.service.export.games import STARTED, euchre
from tests.service.export.pages import pages
from tests.service.export.test_pdf import durak

SIZES: tuple[PaperSize, ...] = ("a4", "a5")
ORIGIN = "carnet/018f7b7e-1111-7222-8333-444455556666"
SEEDS = (b"\x01" * 32, b"\x02" * 32)
# Of Durak for six: how many deals are about as much as a page holds.
A_PAGE_OR_SO = {"a4": range(22, 29), "a5": range(28, 35)}


def signed(seeds: Sequence[bytes] = SEEDS[:1], size: int = 12_345) -> ExportedHead:
    """Sign a head of so many entries."""
    note = sign(Checkpoint(origin=ORIGIN, size=size, root=b"\x17" * 32), seeds)
    return ExportedHead(note=note, size=size, signed_at=STARTED + timedelta(days=1))


def under(game: GameSheet, head: ExportedHead | None = None) -> GameSheet:
    """Return a game as it is told under a head."""
    return replace(game, head=head or signed())


def joined(text: str) -> str:
    return "".join(text.split())


def history(begin: OpensHistory, head: ExportedHead | None) -> bytes:
    """Export a game."""
    out: BinaryIO = BytesIO()
    games = [played(0, ("Ann", "Bob"), (10, -4))]
    writer = begin(out, replace(telling(), head=head))
    writer.add(games)
    writer.rank(ranking(games))
    writer.finish()
    out.seek(0)
    return out.read()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_paper_carries_the_whole_note_as_text_and_as_a_code(size: PaperSize, lang: str) -> None:
    head = signed()
    paper = game_pdf(under(euchre(lang=lang)), size)
    assert scanned(paper) == [head.note]
    (page,) = pages(paper)
    assert joined(head.note) in joined(page.text)
    said = {"en": "12,345 entries", "fr": "12\u202f345 écritures", "de": "12.345 Einträgen"}
    assert joined(said[lang]) in joined(page.text)
    assert page.right <= page.size[0] - 9


@pytest.mark.parametrize("size", SIZES)
def test_a_note_that_two_keys_signed_is_read_too(size: PaperSize) -> None:
    head = signed(SEEDS, 10**12)
    paper = game_pdf(under(euchre(), head), size)
    assert scanned(paper) == [head.note]
    assert joined(head.note) in joined(pages(paper)[-1].text)


def test_without_a_head_there_is_nothing_of_it_on_paper() -> None:
    paper = game_pdf(euchre())
    assert scanned(paper) == []
    assert "Signed" not in pages(paper)[0].text


@pytest.mark.parametrize("size", SIZES)
def test_a_head_begins_no_page_and_is_told_on_the_last_one(size: PaperSize) -> None:
    codes: list[list[str]] = []
    for deals in A_PAGE_OR_SO[size]:
        game = durak(deals)
        without, paper = pages(game_pdf(game, size)), game_pdf(under(game), size)
        told = pages(paper)
        assert len(told) == len(without)
        root = signed().note.splitlines()[2]
        assert [root in page.text for page in told] == [False] * (len(told) - 1) + [True]
        codes.append(scanned(paper))
    assert [signed().note] in codes
    # Where the page is full there is room for all but the code.
    assert [] in codes


def test_the_history_on_paper_carries_it() -> None:
    paper = history(PdfSeason, signed())
    assert scanned(paper) == [signed().note]
    assert joined(signed().note) in joined(pages(paper)[-1].text)
    assert scanned(history(PdfSeason, None)) == []


def test_the_history_as_json_carries_it_as_its_schema_says() -> None:
    validator: Any = Draft202012Validator(json_schema())  # its calls are not annotated
    for head in (signed(), None):
        told = json.loads(history(JsonHistory, head))
        validator.validate(told)
        assert told.get("head") == (head and head.note)
        assert len(told["games"]) == 1


@pytest.mark.parametrize("head", [signed(), None])
def test_a_workbook_carries_it_in_its_comments(head: ExportedHead | None) -> None:
    game = replace(euchre(), head=head)
    for book in (game_xlsx(game), history(XlsxHistory, head)):
        with ZipFile(BytesIO(book)) as parts:
            core = parts.read("docProps/core.xml").decode()
        assert ("<dc:description>" in core) == (head is not None)
        assert head is None or head.note in core


def test_a_job_says_whether_its_head_was_signed_since() -> None:
    game = euchre()
    last = game.log[-1].recorded_at
    before = replace(signed(), signed_at=last - timedelta(seconds=1))
    assert game_job(under(game)).head_after == f"{game.id}/{game.version}"
    assert game_job(under(game, before)).head_after == game_job(game).head_after == ""
