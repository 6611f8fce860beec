"""Uploads that are made to cost much: small files of huge content, and files that are damaged."""

import io
import json
import random
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime

from xlsxwriter import Workbook

SHEET = "xl/worksheets/sheet1.xml"
_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_ROWS = f"<worksheet {_MAIN}><sheetData>{{}}</sheetData></worksheet>"
_ODS = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
    ' xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
    ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body>'
    '<office:spreadsheet><table:table table:name="1">{}</table:table></office:spreadsheet>'
    "</office:body></office:document-content>"
)
_ODS_MANIFEST = (
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    '<manifest:file-entry manifest:full-path="/" manifest:media-type="{}"/></manifest:manifest>'
)
_ODS_ROW = (
    "<table:table-row{}><table:table-cell{}"
    ' office:value-type="string"><text:p>{}</text:p></table:table-cell></table:table-row>'
)
RECORD = b'[Ruleset euchre]\n[Seats 2]\n[Players "Ann" "Bob"]\n\nresult maker 0 tricks 3 dealer 0\n'


def packed(members: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            # Without the time of day, so that the same seed damages the same bytes.
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def workbook(rows: int = 3) -> bytes:
    out = io.BytesIO()
    book = Workbook(out, {"in_memory": True})
    book.set_properties({"created": datetime(2020, 1, 2, tzinfo=UTC)})
    sheet = book.add_worksheet("Euchre")
    sheet.write_row(0, 0, ("Day", "Ann", "Bob", "Remark"))
    for row in range(1, rows + 1):
        sheet.write_row(row, 0, (f"2020-01-{row % 28 + 1:02}", row, 2, "at the lake"))
    book.close()
    return packed(unpacked(out.getvalue()))


def open_document(rows: str) -> bytes:
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    members = {
        "mimetype": kind,
        "META-INF/manifest.xml": _ODS_MANIFEST.format(kind),
        "content.xml": _ODS.format(rows),
    }
    return packed({name: content.encode() for name, content in members.items()})


def elsewhere(sheet: bytes) -> bytes:
    """Write a workbook whose relationships put its sheet outside of `xl/worksheets/`."""
    members = unpacked(workbook())
    relations = members["xl/_rels/workbook.xml.rels"]
    members["xl/_rels/workbook.xml.rels"] = relations.replace(b"worksheets/", b"elsewhere/")
    del members[SHEET]
    return packed({**members, "xl/elsewhere/sheet1.xml": sheet})


def _far_cell() -> bytes:
    near, far = (f'<row><c r="{at}"><v>1</v></c></row>' for at in ("A1", "XFD1048576"))
    return _ROWS.format(near + far).encode()


def _shared_string(cells: int, length: int) -> bytes:
    members = unpacked(workbook())
    texts = f'<sst {_MAIN} count="1" uniqueCount="1"><si><t>{"x" * length}</t></si></sst>'
    rows = "".join('<row><c t="s"><v>0</v></c></row>' for _ in range(cells))
    sheet = _ROWS.format(rows).encode()
    return packed({**members, "xl/sharedStrings.xml": texts.encode(), SHEET: sheet})


def bombs() -> dict[str, tuple[str, bytes]]:
    """Make files that would take much: what they are → name and content."""
    many = {f"{number}.carnet": RECORD for number in range(30_000)}
    nested = b'{"format":"carnet-history","games":' + b"[" * 1_000_000
    return {
        "far cell": ("far.xlsx", packed({**unpacked(workbook()), SHEET: _far_cell()})),
        "far cell, sheet moved": ("moved.xlsx", elsewhere(_far_cell())),
        "one string, many cells": ("shared.xlsx", _shared_string(1_000, 1_000_000)),
        "one string, many short cells": ("shared2.xlsx", _shared_string(19_000, 2_000)),
        "huge sheet": ("huge.xlsx", packed({**unpacked(workbook()), SHEET: b" " * 300_000_000})),
        "ODS, repeated rows": (
            "rows.ods",
            open_document(_ODS_ROW.format(' table:number-rows-repeated="1048576"', "", "x" * 100)),
        ),
        "ODS, repeated cells": (
            "cells.ods",
            open_document(
                _ODS_ROW.format(
                    ' table:number-rows-repeated="65536"',
                    ' table:number-columns-repeated="16384"',
                    "x",
                )
            ),
        ),
        "ZIP of much": ("much.zip", packed({"a.carnet": b"x" * 300_000_000})),
        "ZIP of many": ("many.zip", packed(many)),
        "CSV of long cells": ("long.csv", b"Day,Ann,Bob\n" + b'"' + b"x" * 8_000_000 + b'"'),
        "CSV of many cells": ("wide.csv", b"Day,Ann,Bob\n" + b"1,2,3\n" * 1_300_000),
        "CSV of commas": ("commas.csv", b"," * 8_000_000),
        "JSON, nested": ("nested.json", nested),
        "JSON, objects": ("objects.json", b'{"ruleset":"euchre","log":[' + b"{}," * 340_000),
        "text of signs": ("signs.carnet", RECORD + b"((((((((\n" * 110_000),
        "text of lines": ("lines.carnet", b"\n" * 1_000_000),
        "text of words": ("words.carnet", RECORD + b"a " * 500_000),
        "long record": ("long.carnet", RECORD + b'adjust seat 0 points 1 reason "x"\n' * 19_000),
    }


def originals() -> dict[str, bytes]:
    record = {"ruleset": "euchre", "seats": 2, "players": ["Ann", "Bob"], "log": []}
    row = _ODS_ROW.format("", "", "Ann") * 3
    return {
        "scores.xlsx": workbook(),
        "scores.ods": open_document(row),
        "games.zip": packed({"a.carnet": RECORD, "b.json": json.dumps(record).encode()}),
        "scores.csv": b"Day;Ann;Bob;Remark\n2020-01-02;1.000;7,0;at the lake\n4 mai 2019;1;2;\n",
        "game.json": json.dumps(record | {"date": "2020-01-02T20:00:00Z"}).encode(),
        "game.carnet": RECORD,
    }


def mutated(seed: int) -> tuple[str, bytes]:
    """Damage one of the good files; the same seed damages it in the same way."""
    chance = random.Random(seed)  # noqa: S311 -- repeatable on purpose
    name, data = chance.choice([*originals().items()])
    if chance.random() < 0.6 and data.startswith(b"PK"):
        # What is packed again gets past the checksums.
        members = unpacked(data)
        member = chance.choice([*members])
        return name, packed(members | {member: _damaged(members[member], chance)})
    return name, _damaged(data, chance)


def _damaged(data: bytes, chance: random.Random) -> bytes:
    content = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        at = chance.randrange(len(content) + 1)
        until = min(len(content), at + chance.choice((1, 1, 4, 64)))
        match chance.randrange(5):
            case 0:
                content[at:until] = bytes(chance.randrange(256) for _ in range(until - at))
            case 1:
                del content[at:until]
            case 2:
                content[at:at] = content[at:until] * chance.choice((1, 2, 1_000))
            case 3:
                digits = b"99999999999", b"1048576", b"-1", b"XFD1048576", b"\xff\xfe", b"<", b'"'
                content[at:until] = chance.choice(digits)
            case _:
                other = chance.randrange(len(content) + 1)
                content[at:until] = content[other : other + until - at]
    return bytes(content)
