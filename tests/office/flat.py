"""LibreOffice's flat XML (ODF 1.3, part 3): worksheets by name, their cells typed."""

from collections.abc import Iterator
from datetime import datetime
from typing import TypeAlias
from xml.etree import ElementTree as ET

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"

Value: TypeAlias = float | str | datetime | None
Worksheets: TypeAlias = dict[str, list[list[Value]]]


def worksheets(xml: str) -> Worksheets:
    """Read every worksheet, rows without a value left out, None where a cell has none."""
    document = ET.fromstring(xml)  # noqa: S314 written by the program under test
    return {
        str(table.get(f"{TABLE}name")): [
            row for row in (list(cells(line)) for line in table.iter(f"{TABLE}table-row")) if row
        ]
        for table in document.iter(f"{TABLE}table")
    }


def cells(line: ET.Element) -> Iterator[Value]:
    waiting = 0
    for cell in line.iter(f"{TABLE}table-cell"):
        times = int(cell.get(f"{TABLE}number-columns-repeated", "1"))
        value = value_of(cell)
        if value is None:
            waiting += times
            continue
        yield from [None] * waiting
        waiting = 0
        yield from [value] * times


def value_of(cell: ET.Element) -> Value:
    """Return the value of a cell by its type; a formula as such."""
    if cell.get(f"{TABLE}formula"):
        return f"formula {cell.get(f'{TABLE}formula')}"
    match cell.get(f"{OFFICE}value-type"):
        case "float":
            return float(str(cell.get(f"{OFFICE}value")))
        case "date":
            return datetime.fromisoformat(str(cell.get(f"{OFFICE}date-value")))
        case "string":
            return "\n".join("".join(part.itertext()) for part in cell.iter(f"{TEXT}p"))
        case _:
            return None
