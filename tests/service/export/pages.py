"""A PDF read back: the text, the size and the reach of every page."""

from typing import Any

import pypdfium2
import zxingcpp
from msgspec import Struct

_MM = 72 / 25.4


class Page(Struct, frozen=True, kw_only=True):
    """A page. `size`: width and height in mm; `right`: the rightmost ink, in mm."""

    text: str
    size: tuple[int, int]
    right: float


def pages(pdf: bytes) -> list[Page]:
    reader: Any = pypdfium2  # its calls are not annotated
    document = reader.PdfDocument(pdf)
    found = [_page(document[number]) for number in range(len(document))]
    document.close()
    return found


def height_of(words: str, pdf: bytes) -> float:
    """Return the height of the first letter of some words on the first page, in points."""
    reader: Any = pypdfium2  # its calls are not annotated
    document = reader.PdfDocument(pdf)
    text = document[0].get_textpage()
    first, _count = text.search(words).get_next()
    _left, bottom, _right, top = text.get_charbox(first)
    return float(top - bottom)


def codes(pdf: bytes) -> list[str]:
    """Read the QR codes of the first page, printed with 200 dots per inch."""
    reader: Any = pypdfium2  # its calls are not annotated
    document = reader.PdfDocument(pdf)
    drawn = document[0].render(scale=200 / 72, grayscale=True)
    image = bytes(drawn.buffer)
    lines = [image[row * drawn.stride :][: drawn.width] for row in range(drawn.height)]
    document.close()
    picture = memoryview(b"".join(lines)).cast("B", shape=[drawn.height, drawn.width])
    return [one.text for one in zxingcpp.read_barcodes(picture)]


def _page(page: Any) -> Page:  # noqa: ANN401 its calls are not annotated
    wide, tall = page.get_size()
    text = page.get_textpage()
    boxes = (text.get_charbox(index) for index in range(text.count_chars()))
    # PDFium gives U+0002 for a hyphen at the end of a line.
    words = str(text.get_text_bounded()).replace("\x02", "-")
    return Page(
        text=words,
        size=(round(wide / _MM), round(tall / _MM)),
        right=max(box[2] for box in boxes) / _MM,
    )
