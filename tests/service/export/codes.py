"""The QR codes of a PDF's last page, as a phone reads them off the paper."""

from importlib import import_module
from typing import Any

import pypdfium2

# Dots a millimetre of what a phone's camera makes of a page held before it: some 230 an inch.
_DOTS = 9 * 25.4 / 72


def scanned(pdf: bytes) -> list[str]:
    """Read the codes."""
    reader: Any = pypdfium2  # its calls are not annotated
    document = reader.PdfDocument(pdf)
    drawn = document[len(document) - 1].render(scale=_DOTS, grayscale=True)
    dots = memoryview(bytes(drawn.buffer)).cast("B", shape=[drawn.height, drawn.stride])
    codes: Any = import_module("zxingcpp")  # as above
    # A chart's bars may look like a code of another kind.
    read = codes.read_barcodes(dots, formats=codes.BarcodeFormat.QRCode)
    found = [str(code.text) for code in read]
    document.close()
    return found
