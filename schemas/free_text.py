"""Free text (a note, a reason) taken out of an entry, so that it can be erased and the log kept.

What is stored of an entry holds `{"sha256": …}` in the text's place: SHA-256 of a salt and of the
text's bytes (UTF-8), in hexadecimal. Salt and text are kept beside the log. Without the salt nobody
can try out which text it was; so an erased text is gone, and the hashes still hold. An empty text
stays where it is. An entry has one free text at most; that of an `amend` is its move's. The texts
of a `splice`, those of its moves that have one, are one: a JSON array, whose digest stands in the
first one's place and `{}` in the others'.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from schemas.catalogue import encode
from schemas.entries import (
    Adjust,
    Entry,
    Finish,
    Note,
    SetAside,
    Void,
    is_amend,
    is_splice,
    moves_in,
)

# Which entries have a text, and where.
TEXT_FIELDS: Mapping[type[Entry], str] = {
    Adjust: "reason",
    Finish: "reason",
    Note: "text",
    SetAside: "reason",
    Void: "reason",
}
_NAMES = tuple(sorted(set(TEXT_FIELDS.values())))
# By the word: an entry of a game's own may have a field of such a name that is nobody's text.
_FIELD_OF = {str(kind.__struct_config__.tag): name for kind, name in TEXT_FIELDS.items()}


class Parted(Struct, frozen=True, kw_only=True):
    """An entry without its text: canonical JSON with a digest, and the text's bytes."""

    data: bytes
    text: bytes


def free_text(entry: Entry) -> str:
    """Return what somebody wrote in an entry in their own words; "" where nothing.

    Of a `splice`: the texts of its moves, as a JSON array.
    """
    texts = [text for move in moves_in(entry) or (entry,) if (text := _text(move))]
    if is_splice(entry):
        return msgspec.json.encode(texts).decode() if texts else ""
    return "".join(texts)


def digest(salt: bytes, text: bytes) -> str:
    """Compute what stands in a text's place, in hexadecimal."""
    return sha256(salt + text).hexdigest()


def part(entry: Entry, salt: bytes) -> Parted:
    """Take the text out of an entry that has one."""
    text = free_text(entry).encode()
    whole: dict[str, Any] = msgspec.json.decode(encode(entry))
    first, *others = [
        (holder, name) for holder in _holders(whole) for name in _NAMES if _is_text(holder, name)
    ]
    first[0][first[1]] = {"sha256": digest(salt, text)}
    for holder, name in others:
        holder[name] = {}
    return Parted(data=msgspec.json.encode(whole), text=text)


def put_back(data: bytes, text: bytes) -> bytes:
    """Put a text into the JSON it was taken out of: byte for byte what it was before."""
    whole: dict[str, Any] = msgspec.json.decode(data)
    places = _places(whole)
    texts: list[str] = [text.decode()]
    if "moves" in whole:
        texts = msgspec.json.decode(text, type=list[str]) if text else [""] * len(places)
    for (holder, name), one in zip(places, texts, strict=True):
        holder[name] = one
    return msgspec.json.encode(whole)


def digest_in(data: bytes) -> str:
    """Return the digest that stands in the text's place."""
    holder, name = _places(msgspec.json.decode(data))[0]
    return str(holder[name]["sha256"])


def is_empty(entry: Entry) -> bool:
    """Tell whether an entry has a place for a text, and nothing in it."""
    move: Entry = entry.move if is_amend(entry) else entry
    return type(move) in TEXT_FIELDS and not free_text(move)


def emptied(entry: Entry) -> Entry:
    """Return an entry as it reads once its text is erased."""
    if is_amend(entry):
        return msgspec.structs.replace(entry, move=emptied(entry.move))
    if is_splice(entry):
        return msgspec.structs.replace(entry, moves=tuple(map(emptied, entry.moves)))
    name = TEXT_FIELDS.get(type(entry))
    return msgspec.structs.replace(entry, **{name: ""}) if name else entry


def _text(entry: Entry) -> str:
    name = TEXT_FIELDS.get(type(entry))
    return str(getattr(entry, name)) if name else ""


def _holders(whole: dict[str, Any]) -> list[dict[str, Any]]:
    moves: list[dict[str, Any]] = whole.get("moves", [])
    return [whole["move"]] if "move" in whole else moves or [whole]


def _is_text(holder: Mapping[str, Any], name: str) -> bool:
    return _FIELD_OF.get(holder["type"]) == name and bool(holder[name])


def _places(whole: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    return [
        (holder, name)
        for holder in _holders(whole)
        for name in _NAMES
        if isinstance(holder.get(name), dict)
    ]
