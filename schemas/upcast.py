"""Conversion of stored shapes of any version to the current one.

Version 1 is the entry as recorded. Version 2 is an entry whose free text is stored beside the log
(`schemas.free_text`); it is written only for entries that have one. Logs older than version 2 hold
their texts, which are hashed and cannot be erased.

When a shape changes, its old struct stays here with the function that converts it.
"""

from schemas.catalogue import Shapes
from schemas.entries import Entry
from schemas.free_text import restore_text

TEXT_INLINE = 1
TEXT_SEPARATE = 2


def recorded_json(schema_version: int, data: bytes, text: bytes | None) -> bytes:
    """Return an entry's canonical JSON as recorded; an erased `text` (None) becomes empty.

    >>> recorded_json(1, b'{"type":"pass","seat":1}', None)
    b'{"type":"pass","seat":1}'

    Raises:
        ValueError: the version is newer than this program supports.
    """
    if schema_version == TEXT_INLINE:
        return data
    if schema_version == TEXT_SEPARATE:
        return restore_text(data, text or b"")
    message = f"stored shape version {schema_version}; this program reads up to {TEXT_SEPARATE}"
    raise ValueError(message)


def upcast(shapes: Shapes, schema_version: int, data: bytes, text: bytes | None = None) -> Entry:
    """Decode stored `data` of any version, and the text beside it, into today's shape.

    >>> from schemas.catalogue import shapes
    >>> upcast(shapes("euchre"), 1, b'{"type":"pass","seat":1}').seat
    1

    Raises:
        ValueError: the version is newer than this program supports.
        msgspec.ValidationError: the bytes are no entry of this ruleset.
    """
    plain = schema_version == TEXT_INLINE
    return shapes.decode_stored(data if plain else recorded_json(schema_version, data, text))
