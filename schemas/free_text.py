"""Free text (a note, a reason) stored apart from its entry, so that it can be erased.

The stored entry has `{"sha256": …}` in place of the text: SHA-256 of a salt and the UTF-8 text, in
hexadecimal. Salt and text are stored beside the log. Without the salt the text cannot be guessed,
so that an erased text is gone and the hashes still verify. An empty text stays in the entry. An
entry has at most one free text; that of an `amend` is its move's. The texts of a `splice` are
stored as one JSON array, whose digest replaces the first of them and `{}` the others. The reasons
that the service itself writes (`RESERVED_REASONS`) are no free text.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from schemas.catalogue import encode
from schemas.entries import (
    RESERVED_REASONS,
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

# The field of each entry type that holds free text.
TEXT_FIELDS: Mapping[type[Entry], str] = {
    Adjust: "reason",
    Finish: "reason",
    Note: "text",
    SetAside: "reason",
    Void: "reason",
}
_NAMES = tuple(sorted(set(TEXT_FIELDS.values())))
# By tag: an entry of a game may have a field of such a name that is no free text.
_FIELD_OF = {str(kind.__struct_config__.tag): name for kind, name in TEXT_FIELDS.items()}


def text_field(kind: type[Entry]) -> str | None:
    """Return the field of an entry type that holds free text; a game may extend a common type.

    >>> text_field(Note), text_field(Entry)
    ('text', None)
    """
    return next((TEXT_FIELDS[base] for base in kind.__mro__ if base in TEXT_FIELDS), None)


class SeparatedEntry(Struct, frozen=True, kw_only=True):
    """An entry without its text: canonical JSON with a digest, and the text's bytes."""

    data: bytes
    text: bytes


def free_text(entry: Entry) -> str:
    """Return the free text of an entry, "" if it has none.

    The texts of a `splice` are returned as a JSON array.

    >>> free_text(Note(text="tea"))
    'tea'
    """
    moves = moves_in(entry) or (entry,)
    fields = [(move, name) for move in moves if (name := text_field(type(move)))]
    texts: list[str] = [
        text
        for move, name in fields
        if (text := getattr(move, name)) and text not in RESERVED_REASONS
    ]
    if is_splice(entry):
        return msgspec.json.encode(texts).decode() if texts else ""
    return "".join(texts)


def digest(salt: bytes, text: bytes) -> str:
    """Return the digest that replaces a text, in hexadecimal.

    >>> digest(b"salt", b"tea")[:12]
    'c31001e9aee3'
    """
    return sha256(salt + text).hexdigest()


def separate_text(entry: Entry, salt: bytes) -> SeparatedEntry:
    """Separate an entry that has a free text from it.

    >>> separate_text(Note(text="tea"), b"salt").text
    b'tea'
    """
    text = free_text(entry).encode()
    whole: dict[str, Any] = msgspec.json.decode(encode(entry))
    first, *others = [
        (holder, name)
        for holder in _moves_or_entry(whole)
        for name in _NAMES
        if _has_text(holder, name)
    ]
    first[0][first[1]] = {"sha256": digest(salt, text)}
    for holder, name in others:
        holder[name] = {}
    return SeparatedEntry(data=msgspec.json.encode(whole), text=text)


def restore_text(data: bytes, text: bytes) -> bytes:
    """Return the JSON of an entry with its text in place, byte for byte as before `separate_text`.

    >>> apart = separate_text(Note(text="tea"), b"salt")
    >>> restore_text(apart.data, apart.text)
    b'{"type":"note","text":"tea"}'
    """
    whole: dict[str, Any] = msgspec.json.decode(data)
    places = _digest_places(whole)
    texts: list[str] = [text.decode()]
    if "moves" in whole:
        texts = msgspec.json.decode(text, type=list[str]) if text else [""] * len(places)
    for (holder, name), one in zip(places, texts, strict=True):
        holder[name] = one
    return msgspec.json.encode(whole)


def stored_digest(data: bytes) -> str:
    """Return the digest that an entry holds in place of its text."""
    holder, name = _digest_places(msgspec.json.decode(data))[0]
    return str(holder[name]["sha256"])


def is_empty(entry: Entry) -> bool:
    """Return whether an entry has a field for free text that is empty.

    >>> is_empty(Note(text=""))
    True
    """
    move: Entry = entry.move if is_amend(entry) else entry
    name = text_field(type(move))
    return name is not None and not getattr(move, name)


def without_text(entry: Entry) -> Entry:
    """Return an entry as it reads once its text is erased.

    >>> without_text(Note(text="tea"))
    Note(text='', waive=(), unsure=False, at=UNSET)
    """
    if is_amend(entry):
        return msgspec.structs.replace(entry, move=without_text(entry.move))
    if is_splice(entry):
        return msgspec.structs.replace(entry, moves=tuple(map(without_text, entry.moves)))
    name = text_field(type(entry)) if free_text(entry) else None
    return msgspec.structs.replace(entry, **{name: ""}) if name else entry


def _moves_or_entry(whole: dict[str, Any]) -> list[dict[str, Any]]:
    moves: list[dict[str, Any]] = whole.get("moves", [])
    return [whole["move"]] if "move" in whole else moves or [whole]


def _has_text(holder: Mapping[str, Any], name: str) -> bool:
    own = _FIELD_OF.get(holder["type"]) == name
    return own and bool(holder[name]) and holder[name] not in RESERVED_REASONS


def _digest_places(whole: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    return [
        (holder, name)
        for holder in _moves_or_entry(whole)
        for name in _NAMES
        if isinstance(holder.get(name), dict)
    ]
