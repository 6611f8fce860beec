"""Free text (a note, a reason) taken out of an entry, so that it can be erased and the log kept.

What is stored of an entry holds `{"sha256": …}` in the text's place: SHA-256 of a salt and of the
text's bytes (UTF-8), in hexadecimal. Salt and text are kept beside the log. Without the salt nobody
can try out which text it was; so an erased text is gone, and the hashes still hold. An empty text
stays where it is. An entry has one free text at most; that of an `amend` is its move's.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from schemas.catalogue import encode
from schemas.entries import Adjust, Entry, Finish, Note, Void, is_amend

_FIELDS: Mapping[type[Entry], str] = {
    Adjust: "reason",
    Finish: "reason",
    Note: "text",
    Void: "reason",
}
_NAMES = tuple(sorted(set(_FIELDS.values())))


class Parted(Struct, frozen=True, kw_only=True):
    """An entry without its text: canonical JSON with a digest, and the text's bytes."""

    data: bytes
    text: bytes


def free_text(entry: Entry) -> str:
    """Return what somebody wrote in an entry in their own words; "" where nothing."""
    move: Entry = entry.move if is_amend(entry) else entry
    name = _FIELDS.get(type(move))
    return str(getattr(move, name)) if name else ""


def digest(salt: bytes, text: bytes) -> str:
    """Compute what stands in a text's place, in hexadecimal."""
    return sha256(salt + text).hexdigest()


def part(entry: Entry, salt: bytes) -> Parted:
    """Take the text out of an entry that has one."""
    text = free_text(entry).encode()
    whole: dict[str, Any] = msgspec.json.decode(encode(entry))
    holder: dict[str, Any] = whole["move"] if is_amend(entry) else whole
    holder[_name_in(holder, str)] = {"sha256": digest(salt, text)}
    return Parted(data=msgspec.json.encode(whole), text=text)


def put_back(data: bytes, text: bytes) -> bytes:
    """Put a text into the JSON it was taken out of: byte for byte what it was before."""
    whole, holder = _parted(data)
    holder[_name_in(holder, dict)] = text.decode()
    return msgspec.json.encode(whole)


def digest_in(data: bytes) -> str:
    """Return the digest that stands in the text's place."""
    _, holder = _parted(data)
    return str(holder[_name_in(holder, dict)]["sha256"])


def is_empty(entry: Entry) -> bool:
    """Tell whether an entry has a place for a text, and nothing in it."""
    move: Entry = entry.move if is_amend(entry) else entry
    return type(move) in _FIELDS and not free_text(move)


def emptied(entry: Entry) -> Entry:
    """Return an entry as it reads once its text is erased."""
    if is_amend(entry):
        return msgspec.structs.replace(entry, move=emptied(entry.move))
    name = _FIELDS.get(type(entry))
    return msgspec.structs.replace(entry, **{name: ""}) if name else entry


def _parted(data: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read an entry without its text, and find the object in it that has the digest."""
    whole: dict[str, Any] = msgspec.json.decode(data)
    return whole, whole.get("move", whole)


def _name_in(holder: Mapping[str, Any], kind: type) -> str:
    return next(name for name in _NAMES if isinstance(holder.get(name), kind))
