"""The typesetter (Typst), in this process or as `python -m service.export.formats.typesetter`."""

import sys
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Literal

import msgspec
import segno
import typst
from msgspec import Struct

from service.subprocesses import limit_process

# Bidirectional controls affect text after them (UAX #9), and the typesetter fails on some. Arabic
# and Hebrew need none of them.
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def format_signed(number: int, *, plus: bool = False) -> str:
    """Format a number; `plus`: with a plus sign if positive."""
    if number < 0:
        return f"−{-number}"
    return f"+{number}" if plus and number else str(number)


def strip_controls(text: str) -> str:
    """Remove control characters; a tab becomes a space, line ends stay."""
    kept = (
        char
        for char in text.replace("\r\n", "\n").replace("\t", " ")
        if char == "\n" or not (char in _TURNING or unicodedata.category(char) == "Cc")
    )
    return "".join(kept)


CPU_SECONDS = 60

PaperSize = Literal["a4", "a5"]

TEMPLATES = Path(__file__).parent
_PANIC = "PanicException"


class PrintJob(Struct, frozen=True, kw_only=True):
    """A template beside this file, its data as JSON, and the time of the document.

    `made` in seconds of the epoch. The same job gives the same bytes.
    """

    template: str
    data: str
    made: int


def run_job(job: PrintJob) -> bytes:
    return compile_pdf(TEMPLATES / job.template, job.data, job.made)


def compile_pdf(template: Path, paper: str, made: int) -> bytes:
    """Compile a template with data as JSON. `made`: seconds of the epoch."""
    inputs = {"paper": paper}
    try:
        return _compile(template, inputs, made, _fonts(system=False), accessible=True)
    except typst.TypstError:
        # A character is in no bundled font, which PDF/UA forbids.
        pass
    try:
        return _compile(template, inputs, made, _fonts(system=True), accessible=True)
    except typst.TypstError:
        return _compile(template, inputs, made, _fonts(system=True), accessible=False)


def qr_code(address: str) -> tuple[str, ...]:
    """Return the modules of a QR code as rows of 0 and 1; none for no address."""
    matrix = segno.make(address, micro=False).matrix if address else ()
    return tuple("".join("1" if dark else "0" for dark in row) for row in matrix)


@lru_cache(maxsize=4096)
def printable(text: str) -> bool:
    """Return whether the fonts of this machine have all characters of a text; takes 2 ms."""
    if text.isascii():
        return True
    try:
        typst.compile(
            b'#set document(title: "x")\n#sys.inputs.text',
            font_paths=_fonts(system=True),
            ignore_system_fonts=True,
            sys_inputs={"text": strip_controls(text)},
            pdf_standards=["ua-1"],
        )
    except typst.TypstError:
        return False
    return True


def _compile(
    template: Path, inputs: dict[str, str], moment: int, fonts: typst.Fonts, *, accessible: bool
) -> bytes:
    try:
        return typst.compile(
            str(template),
            root=str(template.parent),
            font_paths=fonts,
            ignore_system_fonts=True,
            sys_inputs=inputs,
            pdf_standards=["ua-1"] if accessible else [],
            timestamp=moment,
        )
    except BaseException as fault:
        # A Rust panic is a BaseException, which `except Exception` would miss.
        if type(fault).__name__ == _PANIC:
            raise typst.TypstError(str(fault), _PANIC) from fault
        raise


def compile_png(template: Path, data: str) -> bytes:
    """Compile a template of one page with data as JSON; a pixel per point. Raises: TypstError."""
    try:
        return typst.compile(
            str(template),
            root=str(template.parent),
            font_paths=_fonts(system=False),
            ignore_system_fonts=True,
            sys_inputs={"data": data},
            format="png",
            ppi=72,
        )
    except BaseException as fault:
        # As above.
        if type(fault).__name__ == _PANIC:
            raise typst.TypstError(str(fault), _PANIC) from fault
        raise


@lru_cache
def _fonts(*, system: bool) -> typst.Fonts:
    return typst.Fonts(include_system_fonts=system)


def main() -> None:
    limit_process(CPU_SECONDS)
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=PrintJob)
    sys.stdout.buffer.write(run_job(job))


if __name__ == "__main__":
    main()
