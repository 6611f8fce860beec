#!/usr/bin/env python3
"""Verify the signed heads of an export of Carnet, without Carnet.

    python3 deploy/verify_head.py EXPORT [HEADS]

EXPORT is a file written by `carnet export`; HEADS contains heads stored elsewhere (`carnet head`,
CARNET_HEADS_FILE). The program computes the hash of every entry from its data and the seats, then
the Merkle tree over them by position (RFC 9162), and compares each head of both files (C2SP
tlog-checkpoint, Ed25519) with the tree. `--key VKEY`, repeatable, gives trusted keys instead
of those in the export. Exit status: 0, all heads are valid; 1, the first fault is printed; 2, a
file cannot be read. Requires Python 3.11 and `cryptography`.
"""

import argparse
import base64
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
DASH = "\u2014 "  # before a signature
# Club, keys, notes, hashes by position, first error.
Export = tuple[UUID, list[str], list[str], dict[int, bytes], str | None]
# Origin, size, root, signed text, and signatures as name and base64.
Head = tuple[str, int, bytes, bytes, list[list[str]]]


def length_prefixed(value: bytes | None) -> bytes:
    """Return bytes prefixed with their length (4 bytes, big-endian), as in the hash input."""
    return b"\xff\xff\xff\xff" if value is None else len(value).to_bytes(4, "big") + value


def number(value: int, size: int) -> bytes:
    """Return a number as `size` bytes with a length prefix."""
    return length_prefixed(value.to_bytes(size, "big", signed=True))


def parts_of(line: str) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """Yield each entry of a game's line: the raw bytes of its `data`, and the decoded entry."""
    decoder = json.JSONDecoder()
    at = line.index('"entries":[') + len('"entries":[')
    while line[at] != "]":
        entry, end = decoder.raw_decode(line, at)
        begin = line.index('"data":', at) + len('"data":')
        _, data_end = decoder.raw_decode(line, begin)
        yield line[begin:data_end].encode(), entry
        at = end + (line[end] == ",")


def hash_of(
    club: UUID, game: UUID, version: int, data: bytes, entry: dict[str, Any], before: bytes
) -> bytes:
    """Compute the hash of an entry; `before` is the previous hash, at first that of the seats."""
    microseconds = (datetime.fromisoformat(entry["recorded_at"]) - EPOCH) // timedelta(
        microseconds=1
    )
    by = entry["recorded_by"]
    return sha256(
        length_prefixed(club.bytes)
        + length_prefixed(game.bytes)
        + number(version, 4)
        + length_prefixed(UUID(entry["command"]).bytes)
        + number(entry["ordinal"], 2)
        + length_prefixed(json.loads(data)["type"].encode())
        + number(entry["schema_version"], 2)
        + number(microseconds, 8)
        + length_prefixed(UUID(by).bytes if by else None)
        + length_prefixed(data)
        + length_prefixed(before)
    ).digest()


def text_matches(data: object, free: dict[str, str] | None) -> bool:
    """Return whether a free text matches the digest in its entry; an erased text always does."""
    if free is None:
        return True
    digest = sha256(bytes.fromhex(free["salt"]) + free["text"].encode()).hexdigest()
    waiting = [data]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            if part.get("sha256") == digest:
                return True
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
    return False


def read_export(path: str) -> Export:
    """Read the club, keys, heads and hashes by position from an export, and its first error."""
    club, fault = UUID(int=0), None
    keys: list[str] = []
    notes: list[str] = []
    hashes: dict[int, bytes] = {}
    with Path(path).open(encoding="utf-8", newline="\n") as lines:
        for raw in lines:
            line = json.loads(raw)
            if line["line"] == "carnet-export":
                club = UUID(line["club"])
            elif line["line"] == "heads":
                keys, notes = line["keys"], line["notes"]
            elif line["line"] == "game":
                game = UUID(line["id"])
                seats = [length_prefixed(UUID(one).bytes) for one in line["players"]]
                last = sha256(b"".join(seats)).digest()
                for version, (data, entry) in enumerate(parts_of(raw), 1):
                    last = hash_of(club, game, version, data, entry, last)
                    if last.hex() != entry["hash"]:
                        fault = (
                            fault
                            or f"entry {version} of game {game} was changed after it was recorded"
                        )
                    elif not text_matches(json.loads(data), entry.get("free")):
                        fault = fault or f"the text of entry {version} of game {game} was changed"
                    if "position" in entry:
                        hashes[entry["position"]] = last
    return club, keys, notes, hashes, fault


def roots_of(hashes: dict[int, bytes], sizes: set[int]) -> tuple[dict[int, bytes], int]:
    """Compute the tree roots of these sizes, except sizes beyond the first missing position."""
    roots, size = {0: sha256(b"").digest()}, 0
    full: list[tuple[int, bytes]] = []
    while size + 1 in hashes:
        size += 1
        height, node = 0, sha256(b"\x00" + hashes[size]).digest()
        while full and full[-1][0] == height:
            node = sha256(b"\x01" + full.pop()[1] + node).digest()
            height += 1
        full.append((height, node))
        if size in sizes:
            root = full[-1][1]
            for _, left in reversed(full[:-1]):
                root = sha256(b"\x01" + left + root).digest()
            roots[size] = root
    return roots, size


def read_notes(text: str) -> list[Head]:
    """Parse a sequence of signed heads into origin, size, root, signed text and signatures."""
    found: list[Head] = []
    lines = text.replace("\r\n", "\n").split("\n")
    while any(lines):
        lines = lines[next(at for at, line in enumerate(lines) if line) :]
        origin, size, root, empty, *lines = lines
        if empty or not lines or not lines[0].startswith(DASH):
            raise ValueError("not a signed head")
        signatures: list[list[str]] = []
        while lines and lines[0].startswith(DASH):
            signatures.append(lines.pop(0).removeprefix(DASH).split(" "))
        signed = f"{origin}\n{size}\n{root}\n".encode()
        found.append((origin, int(size), base64.b64decode(root), signed, signatures))
    return found


def signed_by_one_of(keys: list[str], signed: bytes, signatures: list[list[str]]) -> bool:
    """Return whether one of the keys (vkeys) made one of the signatures."""
    for vkey in keys:
        name, _, encoded = vkey.split("+", 2)
        key = base64.b64decode(encoded)
        key_hash = sha256(name.encode() + b"\n" + key).digest()[:4]
        for by, raw in signatures:
            signature = base64.b64decode(raw)
            if by == name and signature[:4] == key_hash and key[:1] == b"\x01":
                try:
                    Ed25519PublicKey.from_public_bytes(key[1:]).verify(signature[4:], signed)
                except InvalidSignature:
                    continue
                return True
    return False


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Verify the signed heads of an export.")
    parser.add_argument("export")
    parser.add_argument("heads", nargs="?")
    parser.add_argument("--key", metavar="VKEY", action="append")
    asked = parser.parse_args(arguments)
    try:
        club, keys, notes, hashes, fault = read_export(asked.export)
        if asked.heads:
            notes.append(Path(asked.heads).read_text(encoding="utf-8"))
        heads = [head for note in notes for head in read_notes(note)]
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"cannot be read: {error!r}", file=sys.stderr)
        return 2
    roots, whole = roots_of(hashes, {size for _, size, *_ in heads})
    failed = 0
    for origin, size, root, signed, signatures in heads:
        told = None
        if origin != f"carnet/{club}" or not signed_by_one_of(
            asked.key or keys, signed, signatures
        ):
            told = "none of the given keys signed it for this club"
        elif size not in roots:
            told = fault or f"position {whole + 1} is missing"
        elif roots[size] != root:
            told = fault or f"one of its {size} entries was changed"
        if told:
            failed += 1
            print(f"the head of {size} entries does not match: {told}")
    right = heads and not failed and fault is None
    if fault:
        print(fault)
    elif not failed:
        found = f"{len(heads)} heads: the export contains everything they cover"
        print(found if heads else "there are no heads")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
