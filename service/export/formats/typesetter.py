"""The typesetter, here or as a process: `python -m service.export.formats.typesetter`."""

import sys
from functools import lru_cache
from pathlib import Path

import msgspec
import typst
from msgspec import Struct

from service.export.formats.printed import plain
from service.subprocesses import limit_process

CPU_SECONDS = 60

# Where the templates are.
TEMPLATES = Path(__file__).parent
_PANIC = "PanicException"


class PrintJob(Struct, frozen=True, kw_only=True):
    """What is to be set: a template beside this file, its data as JSON, and when it was made.

    `made` in seconds of the epoch. The same job gives the same bytes.
    """

    template: str
    data: str
    made: int


def printed(job: PrintJob) -> bytes:
    """Carry out a job, here and now."""
    return typeset(TEMPLATES / job.template, job.data, job.made)


def typeset(template: Path, paper: str, made: int) -> bytes:
    """Set what is told as JSON in a template. `made`: when, in seconds of the epoch."""
    told = {"paper": paper}
    try:
        return _set(template, told, made, _fonts(system=False), accessible=True)
    except typst.TypstError:
        # A sign that no font shows, which PDF/UA forbids.
        pass
    try:
        return _set(template, told, made, _fonts(system=True), accessible=True)
    except typst.TypstError:
        return _set(template, told, made, _fonts(system=True), accessible=False)


@lru_cache(maxsize=4096)
def printable(text: str) -> bool:
    """Tell whether the fonts of this machine have every character of a text: some 2 ms."""
    if text.isascii():
        return True
    try:
        typst.compile(
            b'#set document(title: "x")\n#sys.inputs.text',
            font_paths=_fonts(system=True),
            ignore_system_fonts=True,
            sys_inputs={"text": plain(text)},
            pdf_standards=["ua-1"],
        )
    except typst.TypstError:
        return False
    return True


def _set(
    template: Path, told: dict[str, str], made: int, fonts: typst.Fonts, *, accessible: bool
) -> bytes:
    try:
        return typst.compile(
            str(template),
            root=str(template.parent),
            font_paths=fonts,
            ignore_system_fonts=True,
            sys_inputs=told,
            pdf_standards=["ua-1"] if accessible else [],
            timestamp=made,
        )
    except BaseException as fault:
        # A fault of the typesetter's own is no `Exception`, and would pass all who catch those.
        if type(fault).__name__ == _PANIC:
            raise typst.TypstError(str(fault), _PANIC) from fault
        raise


def drawn(template: Path, told: str) -> bytes:
    """Draw what is told as JSON in a template of one page: PNG, a pixel a point.

    Raises: TypstError
    """
    try:
        return typst.compile(
            str(template),
            root=str(template.parent),
            font_paths=_fonts(system=False),
            ignore_system_fonts=True,
            sys_inputs={"told": told},
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
    """Print what the input asks for."""
    limit_process(CPU_SECONDS)
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=PrintJob)
    sys.stdout.buffer.write(printed(job))


if __name__ == "__main__":
    main()
