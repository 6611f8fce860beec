"""Heads as signed notes of checkpoints.

After C2SP's tlog-checkpoint and signed-note: the origin, the size and the root of a tree, an empty
line, and one line per signature (Ed25519, RFC 8032). A key is named by its vkey,
`<name>+<hash>+<key>`; the name is the origin. Pure; an invalid note raises `BadNote`.
"""

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Iterable, Sequence
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from service.errors import CarnetError

_ED25519 = b"\x01"
_ROOT_BYTES = 32
_KEY_HASH_BYTES = 4
_NO_HEAD = "not a signed head (C2SP tlog-checkpoint)"
# A signature's line begins with an em dash (signed-note).
_SIGNED = "— "


class BadNote(CarnetError):  # noqa: N818 -- named by its fact, as in service.errors
    pass


class Checkpoint(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A head: the root of the first `size` entries of the feed of `origin`."""

    origin: str
    size: int
    root: bytes

    @property
    def body(self) -> bytes:
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n".encode()


class SignedNote(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A signed head. `signatures`: name and hash of a key, and its signature."""

    checkpoint: Checkpoint
    signatures: tuple[tuple[str, bytes, bytes], ...]

    def signed_by(self, vkeys: Iterable[str]) -> list[str]:
        """Return the keys whose signatures are valid."""
        return [vkey for vkey in vkeys if self._has_signature_of(vkey)]

    def _has_signature_of(self, vkey: str) -> bool:
        name, hashed, public = read_vkey(vkey)
        for by, key_hash, signature in self.signatures:
            if (by, key_hash) == (name, hashed):
                try:
                    public.verify(signature, self.checkpoint.body)
                except InvalidSignature:
                    return False
                return True
        return False


def sign(checkpoint: Checkpoint, seeds: Sequence[bytes]) -> str:
    lines = [f"{checkpoint.body.decode()}\n"]
    for seed in seeds:
        key = Ed25519PrivateKey.from_private_bytes(seed)
        public = key.public_key().public_bytes_raw()
        signed = _key_hash(checkpoint.origin, public) + key.sign(checkpoint.body)
        lines.append(f"{_SIGNED}{checkpoint.origin} {b64encode(signed).decode()}\n")
    return "".join(lines)


def vkey_of(origin: str, seed: bytes) -> str:
    public = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
    return f"{origin}+{_key_hash(origin, public).hex()}+{b64encode(_ED25519 + public).decode()}"


def read_vkey(vkey: str) -> tuple[str, bytes, Ed25519PublicKey]:
    try:
        name, hashed, key = vkey.split("+", 2)
        raw = b64decode(key, validate=True)
        key_hash = bytes.fromhex(hashed)
        public = Ed25519PublicKey.from_public_bytes(raw[1:])
    except (ValueError, NotBase64) as error:
        raise BadNote(f"not the name of an Ed25519 key: {vkey!r}") from error
    if raw[:1] != _ED25519 or key_hash != _key_hash(name, raw[1:]):
        raise BadNote(f"not the name of an Ed25519 key: {vkey!r}")
    return name, key_hash, public


def read_note(text: str) -> SignedNote:
    """Parse a signed head; its signatures are not verified here. Raises: BadNote."""
    body, separator, signatures = text.partition("\n\n")
    lines = body.split("\n")
    signed = [line.removeprefix(_SIGNED).split(" ") for line in signatures.splitlines() if line]
    try:
        origin, size, root = lines
        checkpoint = Checkpoint(origin=origin, size=int(size), root=b64decode(root, validate=True))
        raw_signatures = [(name, b64decode(raw, validate=True)) for name, raw in signed]
    except (ValueError, NotBase64) as error:
        raise BadNote(_NO_HEAD) from error
    # Only canonical numbers and base64: another text must not carry the same signature.
    exact = checkpoint.body.decode() == f"{body}\n" and len(checkpoint.root) == _ROOT_BYTES
    if not (separator and raw_signatures and exact and checkpoint.size >= 0):
        raise BadNote(_NO_HEAD)
    return SignedNote(
        checkpoint=checkpoint,
        signatures=tuple(
            (name, raw[:_KEY_HASH_BYTES], raw[_KEY_HASH_BYTES:]) for name, raw in raw_signatures
        ),
    )


def read_notes(text: str) -> list[SignedNote]:
    notes: list[str] = []
    lines = iter(text.replace("\r\n", "\n").splitlines(keepends=True))
    collected, signing = "", False
    for line in lines:
        if signing and not line.startswith(_SIGNED):
            if not line.strip():
                continue
            notes.append(collected)
            collected, signing = "", False
        collected += line
        signing = signing or line.startswith(_SIGNED)
    notes.append(collected)
    return [read_note(note) for note in notes]


def _key_hash(name: str, public: bytes) -> bytes:
    return sha256(f"{name}\n".encode() + _ED25519 + public).digest()[:_KEY_HASH_BYTES]
