"""A table as a picture (PNG), for pages of others that show where a link leads."""

from functools import lru_cache

import msgspec
from msgspec import Struct

from service.export.formats.typesetter import TEMPLATES, drawn

MEDIA_TYPE = "image/png"
WIDTH, HEIGHT = 1200, 630
CARDS_MAX = 8
_TEMPLATE = TEMPLATES / "picture.typ"
_KEPT = 32


class Face(Struct, frozen=True, kw_only=True):
    """A card that lies on the table."""

    rank: str
    suit: str
    red: bool


class PictureSide(Struct, frozen=True, kw_only=True):
    """A player and the points so far."""

    name: str
    total: str


class Picture(Struct, frozen=True, kw_only=True):
    """What is to be seen: the game, who plays, the cards on the table, the last entry in words."""

    lang: str
    title: str
    deal: str
    players: tuple[PictureSide, ...]
    cards: tuple[Face, ...]
    said: str


@lru_cache(_KEPT)
def picture_png(picture: Picture) -> bytes:
    """Draw a picture: some 50 ms the first time."""
    return drawn(_TEMPLATE, msgspec.json.encode(picture).decode())
