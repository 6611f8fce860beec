"""A game as a PDF for the fridge door: A4 or A5, tagged, black on white.

Promises: the same game gives the same bytes. Where the typesetter's own fonts show every sign, the
file depends on nothing of the machine and keeps PDF/UA-1; a name in another script is set in a font
of the machine's if there is one, and else stands as boxes in a file that is tagged all the same.
"""

from functools import lru_cache
from pathlib import Path

import msgspec
import typst

from service.export.game import GameSheet
from service.export.paper import PaperSize, paper_of

MEDIA_TYPE = "application/pdf"

_PANIC = "PanicException"
_TEMPLATE = Path(__file__).with_name("paper.typ")


def game_pdf(game: GameSheet, size: PaperSize = "a4") -> bytes:
    """Write a game on paper: some 20 ms, for a thousand deals two seconds."""
    paper = msgspec.json.encode(paper_of(game, size)).decode()
    return typeset(_TEMPLATE, paper, int(game.log[-1].recorded_at.timestamp()))


def typeset(template: Path, paper: str, made: int) -> bytes:
    """Set what is told as JSON in a template. `made`: when, in seconds of the epoch."""
    try:
        return _set(template, paper, made, _fonts(system=False), accessible=True)
    except typst.TypstError:
        # A sign that no font shows, which PDF/UA forbids.
        pass
    try:
        return _set(template, paper, made, _fonts(system=True), accessible=True)
    except typst.TypstError:
        return _set(template, paper, made, _fonts(system=True), accessible=False)


def _set(template: Path, paper: str, made: int, fonts: typst.Fonts, *, accessible: bool) -> bytes:
    try:
        return typst.compile(
            str(template),
            root=str(template.parent),
            font_paths=fonts,
            ignore_system_fonts=True,
            sys_inputs={"paper": paper},
            pdf_standards=["ua-1"] if accessible else [],
            timestamp=made,
        )
    except BaseException as fault:
        # A fault of the typesetter's own is no `Exception`, and would pass all who catch those.
        if type(fault).__name__ == _PANIC:
            raise typst.TypstError(str(fault), _PANIC) from fault
        raise


@lru_cache
def _fonts(*, system: bool) -> typst.Fonts:
    """Look for fonts, once: those the typesetter brings, then those of the machine."""
    return typst.Fonts(include_system_fonts=system)
