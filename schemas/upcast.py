"""A stored shape → today's, pure: the one door the store's bytes come in by.

Version 1 is the entry as it was recorded. Version 2 is an entry whose free text stands beside the
log (`schemas.free_text`); it is written only for entries that have one. A log from before version 2
keeps its texts inside, where they are hashed and cannot be erased.

When a shape changes, its old struct stays here under its version, with the function that turns it
into the next one.
"""

from schemas.catalogue import Shapes
from schemas.entries import Entry
from schemas.free_text import put_back

WHOLE = 1
TEXT_APART = 2


def as_recorded(schema_version: int, data: bytes, text: bytes | None) -> bytes:
    """Return an entry's canonical JSON as it was recorded; an erased `text` (None) is empty.

    Raises:
        ValueError: the version is newer than this program knows.

    """
    if schema_version == WHOLE:
        return data
    if schema_version == TEXT_APART:
        return put_back(data, text or b"")
    message = f"stored shape version {schema_version}; this program reads up to {TEXT_APART}"
    raise ValueError(message)


def upcast(shapes: Shapes, schema_version: int, data: bytes, text: bytes | None = None) -> Entry:
    """Decode stored `data` of any version, and the text beside it, into today's shape.

    Raises:
        ValueError: the version is newer than this program knows.
        msgspec.ValidationError: the bytes are no entry of this ruleset.

    """
    return shapes.decode_stored(as_recorded(schema_version, data, text))
