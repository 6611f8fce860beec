"""A table, the end of a game, or an evening as a picture (PNG), to share and for link previews."""

from collections.abc import Sequence
from functools import lru_cache

import msgspec
from msgspec import Struct

from service.export.formats.typesetter import TEMPLATES, compile_png
from service.export.game.paper_chart import Curve, layout_curves

MEDIA_TYPE = "image/png"
WIDTH, HEIGHT = 1200, 630
CARDS_MAX = 8
CURVES_MAX = 8
# Lines of text, alone and beneath a course.
LINES_MAX = 7
LINES_BENEATH_MAX = 3
_TEMPLATE = TEMPLATES / "picture.typ"
_CACHED_PICTURES_MAX = 32


class Face(Struct, frozen=True, kw_only=True):
    rank: str
    suit: str
    red: bool


class PictureSide(Struct, frozen=True, kw_only=True):
    name: str
    total: str


class Picture(Struct, frozen=True, kw_only=True):
    """With `cards`, a table at a moment; else a result.

    `said`: the headline of a result. `course`: the totals of each player over time. `lines`: what
    was played.
    """

    lang: str
    title: str
    deal: str
    players: tuple[PictureSide, ...]
    cards: tuple[Face, ...]
    said: str
    day: str = ""
    course: tuple[Curve, ...] = ()
    lines: tuple[str, ...] = ()


def course_of(totals: Sequence[Sequence[int | None]], names: Sequence[str]) -> tuple[Curve, ...]:
    """Lay out totals over time; () where nothing changed twice, or of too many players."""
    values = [value for after in totals for value in after if value is not None]
    if len(totals) <= 2 or len(names) > CURVES_MAX or min(values) == max(values):  # noqa: PLR2004 a line has two ends
        return ()
    return layout_curves(totals, names, min(values), max(values))


@lru_cache(_CACHED_PICTURES_MAX)
def picture_png(picture: Picture) -> bytes:
    return compile_png(_TEMPLATE, msgspec.json.encode(picture).decode())
