"""An older stored shape → today's, pure. Every stored shape is at its first version today.

When a shape changes, its old struct stays here under its version, with the function that turns it
into the next one; `upcast` is the one door the store's bytes come in by.
"""

from schemas.catalogue import Shapes
from schemas.entries import Entry

SCHEMA_VERSION = 1


def upcast(shapes: Shapes, schema_version: int, data: bytes) -> Entry:
    """Decode stored `data` of any version into today's shape.

    Raises:
        ValueError: the version is newer than this program knows.
        msgspec.ValidationError: the bytes are no entry of this ruleset.

    """
    if schema_version != SCHEMA_VERSION:
        message = f"stored shape version {schema_version}; this program reads {SCHEMA_VERSION}"
        raise ValueError(message)
    return shapes.decode_stored(data)
