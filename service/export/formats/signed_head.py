"""The signed head under which a file was made, as the file carries it."""

from datetime import datetime
from functools import lru_cache

import msgspec
import segno
from babel.numbers import format_decimal
from msgspec import Struct

from service.language.texts import Texts

# Drawings of some 10 KB: a head is that of a club until its feed grows.
_CODES_KEPT = 64


class ExportedHead(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A signed head of the first `size` entries of the club's feed: a C2SP checkpoint note."""

    note: str
    size: int
    signed_at: datetime


class PrintedHead(Struct, frozen=True, kw_only=True, rename="kebab"):
    """What stands at the foot of the last page. `code`: the note as a QR code, in SVG."""

    said: str
    lines: tuple[str, ...]
    code: str
    code_said: str


def printed_head(head: ExportedHead, texts: Texts, lang: str) -> PrintedHead:
    """Lay a head out: a sentence, the note's lines, and the code that holds all of it."""
    entries = format_decimal(head.size, locale=lang)
    return PrintedHead(
        said=texts.word("signed_head", lang).format(entries=entries),
        lines=tuple(line for line in head.note.splitlines() if line),
        code=_code(head.note),
        code_said=texts.word("signed_head_code", lang),
    )


@lru_cache(maxsize=_CODES_KEPT)
def _code(note: str) -> str:
    # Without the margin that the standard wants around a code: there is paper around it.
    code = segno.make(note, micro=False, encoding="utf-8", boost_error=False)
    return code.svg_inline(border=0, omitsize=True)


def head_json(head: ExportedHead | None, texts: Texts, lang: str) -> str:
    """Say in JSON what is printed of a head; null: there is none."""
    return msgspec.json.encode(head and printed_head(head, texts, lang)).decode()
