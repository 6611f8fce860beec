"""A table as a picture (PNG), for link previews on other sites."""

from functools import lru_cache

import msgspec
from msgspec import Struct

from service.export.formats.typesetter import TEMPLATES, compile_png

MEDIA_TYPE = "image/png"
WIDTH, HEIGHT = 1200, 630
CARDS_MAX = 8
_TEMPLATE = TEMPLATES / "picture.typ"
_KEPT = 32


class Face(Struct, frozen=True, kw_only=True):
    rank: str
    suit: str
    red: bool


class PictureSide(Struct, frozen=True, kw_only=True):
    name: str
    total: str


class Picture(Struct, frozen=True, kw_only=True):
    lang: str
    title: str
    deal: str
    players: tuple[PictureSide, ...]
    cards: tuple[Face, ...]
    said: str


@lru_cache(_KEPT)
def picture_png(picture: Picture) -> bytes:
    return compile_png(_TEMPLATE, msgspec.json.encode(picture).decode())
